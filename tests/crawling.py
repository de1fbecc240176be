"""Real crawls for the tests: a site on the loopback address, and ``scrapy`` in a process of its own."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
SPIDER = """
from scrapy_wrapinduce import InducedSpider

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]
"""
SETTINGS = {
    "WRAPINDUCE_ENABLED": "1",
    "WRAPINDUCE_SAMPLE_PAGES": "5",
    # Made at the end of every crawl; tests that look at it ask for it.
    "WRAPINDUCE_REPORT": "0",
    "ROBOTSTXT_OBEY": "0",
    "DOWNLOAD_DELAY": "0",
    "RETRY_ENABLED": "0",
    "TELNETCONSOLE_ENABLED": "0",
    "LOG_LEVEL": "INFO",
}


@dataclass(frozen=True)
class Answer:
    """What the site says under one address."""

    body: bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class LocalSite(ThreadingHTTPServer):
    """Serves answers by path, and counts how often each was asked for."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answers: Mapping[str, Answer | str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = dict(answers)
        self.asked: Counter[str] = Counter()

    def handle_error(self, request: object, client_address: object) -> None:
        """A crawler that was killed hangs up in the middle of an answer; that is what it is for."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: LocalSite

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        answer = self.server.answers.get(self.path, Answer(b"<h1>Not found</h1>", status=404))
        if isinstance(answer, str):
            answer = Answer(answer.encode())
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(answers: Mapping[str, Answer | str]) -> Iterator[LocalSite]:
    site = LocalSite(answers)
    thread = threading.Thread(
        target=site.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
        thread.join()


@dataclass(frozen=True)
class Crawl:
    """What a crawl left behind."""

    items: list[dict[str, Any]]
    log: str
    code: int

    @property
    def stats(self) -> dict[str, Any]:
        """The numbers of the log's last dump of stats."""
        return {
            name: ast.literal_eval(value)
            for name, value in re.findall(
                r"^[ {]'([^']+)': ([-\d.]+|'[^']*')[,}]$", self.log, re.MULTILINE
            )
        }

    def paths(self) -> Counter[str]:
        return item_paths(self.items)


def item_paths(items: list[dict[str, Any]]) -> Counter[str]:
    """How many items each address gave, but for the front page, which may be a list of them."""
    paths = Counter("/" + item["url"].split("/", 3)[3] for item in items)
    del paths["/"]
    return paths


def environment(**more: str) -> dict[str, str]:
    paths = [str(REPOSITORY), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "no_proxy": "127.0.0.1",
        "NO_PROXY": "127.0.0.1",
        **more,
    }


def project(folder: Path, spider: str, settings: str = "") -> Path:
    """A Scrapy project with one spider."""
    package = folder / "project"
    (package / "spiders").mkdir(parents=True, exist_ok=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = project.settings\n")
    (package / "__init__.py").write_text("")
    (package / "spiders/__init__.py").write_text("")
    (package / "spiders/local.py").write_text(spider)
    (package / "settings.py").write_text(f'SPIDER_MODULES = ["project.spiders"]\n{settings}\n')
    return folder


def arguments(name: str = "local", **settings: object) -> list[str]:
    """The command for ``scrapy crawl``; settings replace those of :data:`SETTINGS`."""
    command = [sys.executable, "-m", "scrapy", "crawl", name, "-o", "items.jsonl"]
    for key, value in {**SETTINGS, **settings}.items():
        if value is not None:
            command += ["-s", f"{key}={value}"]
    return command


def crawl(folder: Path, name: str = "local", timeout: float = 120, **settings: object) -> Crawl:
    """Run ``scrapy crawl`` in a project to its end."""
    done = subprocess.run(
        arguments(name, **settings),
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Crawl(read_items(folder / "items.jsonl"), done.stderr, done.returncode)


def read_items(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def crawl_site(folder: Path, answers: Mapping[str, Answer | str], **settings: object) -> Crawl:
    """Serve a site, and crawl it from its front page with a spider that has only its address."""
    with serving(answers) as site:
        project(folder, SPIDER.format(url=site.url))
        return crawl(folder, **settings)


def catalogue(count: int, *links: str) -> dict[str, Answer | str]:
    """A front page that links to everything, and ``count`` pages of one template."""
    paths = [f"/book/{number}" for number in range(count)]
    anchors = "".join(f'<li><a href="{path}">{path}</a></li>' for path in [*paths, *links])
    pages: dict[str, Answer | str] = {
        "/": f"<html><body><h1>Books</h1><ul>{anchors}</ul></body></html>"
    }
    for number, path in enumerate(paths):
        pages[path] = (
            f'<html><head><title>Book {number}</title></head><body><div class="book">'
            f'<h1 class="title">The {_word(number)} Story</h1><p class="price">£{number}.99</p>'
            f'<p class="author">Author: {_word(number * 7 + 3)} {_word(number + 11)}</p>'
            f'<div class="about"><p>All about {_word(number * 3)} and {_word(number * 5 + 1)}.</p></div>'
            "</div></body></html>"
        )
    return pages


def _word(number: int) -> str:
    syllables = ("ba", "ke", "lo", "mi", "nu", "ra", "so", "ti", "vu", "ze")
    return "".join(syllables[int(digit)] for digit in f"{number * 37 + 101:04d}").capitalize()
