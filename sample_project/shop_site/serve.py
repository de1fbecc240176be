"""Serve the site on this machine alone: ``python -m shop_site.serve --port 8765``."""

from __future__ import annotations

import argparse
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import urlsplit

from .database import build
from .site import DESIGNS, Site

ADDRESS = "127.0.0.1"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f8"
    "0f00010501012718e3660000000049454e44ae426082"
)
CSS = """body{font:16px/1.5 Georgia,serif;max-width:60em;margin:auto;padding:1em}
nav li,.links li,.crumbs{display:inline-block;margin-right:1em}.odd{background:#f4f1ea}
.ad{border:1px dashed #aaa;padding:.5em;margin:.5em 0}.price{font-weight:bold}
"""


class SiteServer(ThreadingHTTPServer):
    """The site behind a socket on the loopback address."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, site: Site, port: int = 0) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.site = site
        self._redesign_after: int | None = None
        self._pages = 0
        self._lock = Lock()

    def redesign_after(self, pages: int) -> None:
        """Show the site in its second design once so many pages have been asked for."""
        self._redesign_after = pages

    def count_page(self) -> None:
        with self._lock:
            self._pages += 1
            if self._pages == self._redesign_after:
                self.site = self.site.redesigned()

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 60
    server: SiteServer

    def do_GET(self) -> None:
        self.server.count_page()
        status, kind, body = _answer(self.server.site, self.path)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Requests are the crawler's business: it has its own log."""


def _answer(site: Site, target: str) -> tuple[HTTPStatus, str, bytes]:
    page = site.html(target)
    if page is not None:
        return HTTPStatus.OK, "text/html; charset=utf-8", page.encode()
    path = urlsplit(target).path
    if path.startswith("/img/"):
        return HTTPStatus.OK, "image/png", PIXEL
    if path == "/static/site.css":
        return HTTPStatus.OK, "text/css", CSS.encode()
    if path == "/robots.txt":
        return HTTPStatus.OK, "text/plain", b"User-agent: *\nDisallow: /basket\n"
    if path == "/files/price-list":
        rows = "".join(f"{p.sku}\t{p.title}\t{p.price}\n" for p in site.database.products)
        return HTTPStatus.OK, "text/plain; charset=utf-8", rows.encode()
    return HTTPStatus.NOT_FOUND, "text/html; charset=utf-8", b"<h1>Not found</h1>"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Serve the sample site on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=8765, help="0 takes a free one (default 8765)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, another shop")
    parser.add_argument("--design", choices=sorted(DESIGNS), default="classic")
    parser.add_argument(
        "--redesign-after",
        type=int,
        metavar="PAGES",
        help="show the second design once so many pages have been asked for",
    )
    options = parser.parse_args(arguments)
    site = Site(build(options.seed), options.design)
    try:
        server = SiteServer(site, options.port)
    except (OSError, OverflowError) as error:
        print(f"serve: cannot listen on {ADDRESS}:{options.port}: {error}", file=sys.stderr)
        return 2
    if options.redesign_after is not None:
        server.redesign_after(options.redesign_after)
    print(server.url, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
