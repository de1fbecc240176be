"""Fetch pages for a query through Scrapy, with its HTTP cache.

Scrapy runs in a process of its own, because a Twisted reactor starts once in a process and the query may be asked
from anywhere, a crawl included. The settings of the Scrapy project one is in apply: robots.txt, delays, proxies.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..page import Page
from .errors import QueryError

DAY = 24 * 3600
_NOT_CACHED = list(range(400, 600))


def cache_folder() -> str:
    """Where fetched pages are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "scrapy-wrapinduce", "pages")


def fetch(
    urls: Sequence[str], *, cache: str | None = None, keep_for: int = DAY, timeout: float = 600
) -> dict[str, Page | str]:
    """Pages by their addresses, or why there is none.

    Pages younger than ``keep_for`` seconds come from the cache; what has not come within ``timeout`` seconds counts
    as not answering.
    """
    with tempfile.TemporaryDirectory() as folder:
        task = {
            "urls": list(urls),
            "output": os.path.join(folder, "pages.jsonl"),
            "cache": os.path.abspath(cache or cache_folder()),
            "keep_for": keep_for,
        }
        _run(task, timeout)
        answers: dict[str, Page | str] = dict(_read(task["output"]))
    return {url: answers.get(url, f"no answer within {timeout:g} seconds") for url in urls}


def _run(task: dict[str, Any], timeout: float) -> None:
    package = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-c", f"from {__name__} import crawl; crawl()"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(task),
            text=True,
            capture_output=True,
            timeout=timeout,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise QueryError(f"Scrapy could not run to fetch pages: {reason}")


def _read(path: Any) -> Iterator[tuple[str, Page | str]]:
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                answer = json.loads(line)
            except ValueError:
                # The process was stopped in the middle of its last line.
                return
            if "error" in answer:
                yield answer["asked"], answer["error"]
            else:
                body = base64.b64decode(answer["body"])
                page = Page(body, url=answer["url"], content_type=answer["content_type"] or None)
                yield answer["asked"], page


def crawl() -> None:
    """The other process: read a task from stdin, crawl, write a line for every page."""
    from scrapy.crawler import CrawlerProcess
    from scrapy.utils.project import get_project_settings

    task = json.load(sys.stdin)
    settings = get_project_settings()
    settings.setdict(
        {
            "HTTPCACHE_ENABLED": True,
            "HTTPCACHE_DIR": task["cache"],
            "HTTPCACHE_EXPIRATION_SECS": task["keep_for"],
            "HTTPCACHE_IGNORE_HTTP_CODES": _NOT_CACHED,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "ITEM_PIPELINES": {},
            "FEEDS": {},
        },
        priority="cmdline",
    )
    process = CrawlerProcess(settings)
    process.crawl(_spider(), task=task)
    process.start()


def _spider() -> Any:
    from scrapy import Request, Spider
    from scrapy.spidermiddlewares.httperror import HttpError

    class QuerySpider(Spider):
        name = "wrapinduce-query"
        task: dict[str, Any]

        async def start(self) -> Any:
            for url in self.task["urls"]:
                yield Request(
                    url,
                    callback=self.keep,
                    errback=self.give_up,
                    dont_filter=True,
                    cb_kwargs={"asked": url},
                )

        def keep(self, response: Any, asked: str) -> None:
            kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
            body = base64.b64encode(response.body).decode("ascii")
            self._write(asked=asked, url=response.url, content_type=kind, body=body)

        def give_up(self, failure: Any) -> None:
            error = failure.value
            if isinstance(error, HttpError):
                reason = f"the server answers with status {error.response.status}"
            else:
                reason = str(error).split("\n")[0].rstrip(".") or type(error).__name__
            self._write(asked=failure.request.cb_kwargs["asked"], error=reason)

        def _write(self, **line: Any) -> None:
            with open(self.task["output"], "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    return QuerySpider
