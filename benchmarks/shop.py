"""The sample shop, as often over as it takes to have enough pages, from a server that is faster than the crawl.

``python -m benchmarks.shop PAGES`` prints the address and serves until it is ended.
"""

from __future__ import annotations

import asyncio
import re
import sys
from urllib.parse import urlsplit

from sample_project.shop_site import Site

MARK = "-copy"
_LINK = re.compile(rb'(<a[^>]* href="?)(/[^" >]*)')


class Copies:
    """Page ``/p/1-lamp-copy3`` is the third copy of ``/p/1-lamp``, whose links lead to pages of that copy.

    The way to the front page is the same on all pages, as it is in a shop that is larger.
    """

    def __init__(self, pages: int) -> None:
        site = Site()
        self.pages = {path: (site.html(path) or "").encode() for path in site.paths}
        self.copies = max(1, -(-pages // len(self.pages)))

    def html(self, target: str) -> bytes | None:
        path, _, number = target.rpartition(MARK)
        path, number = (path, number) if path else (target, "0")
        page = self.pages.get(path)
        if page is None or not number.isdigit() or int(number) >= self.copies:
            return None
        if number != "0":
            page = _LINK.sub(lambda link: self._of_copy(link, number), page)
        if path == "/" and int(number) + 1 < self.copies:
            more = f'<a href="/{MARK}{int(number) + 1}">More</a>'.encode()
            page = page.replace(b"</main>", more + b"</main>")
        return page

    @staticmethod
    def _of_copy(link: re.Match[bytes], number: str) -> bytes:
        return link[0] if link[2] == b"/" else link[0] + f"{MARK}{number}".encode()


async def _answer(shop: Copies, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            target = head.split(b" ", 2)[1].decode("latin-1")
            parts = urlsplit(target)
            body = shop.html(f"{parts.path}?{parts.query}" if parts.query else parts.path)
            status = b"200 OK" if body is not None else b"404 Not Found"
            body = body or b"<h1>Not found</h1>"
            writer.write(
                b"HTTP/1.1 %b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
                % (status, len(body))
                + body
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def serve(pages: int) -> None:
    shop = Copies(pages)
    server = await asyncio.start_server(lambda r, w: _answer(shop, r, w), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
