"""How fast is a crawl that learns, beside one with hand-written selectors?

``python -m benchmarks.crawl [--pages 3000]`` serves a shop from a process of its own and crawls it
with two spiders, one after the other: one with parsel selectors written by hand for its product pages, and an
:class:`InducedSpider` that knows its address alone; then again with the wrappers it has learned. Both follow every
link and write every product to a file. Printed are pages per second and processor time per page, with their ratios, how late
the event loop was at most, and the processor time of its longest turn.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent

BY_HAND = """
from scrapy import signals
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from scrapy_wrapinduce.crawl.clock import Clock, LoopLag

class ByHand(CrawlSpider):
    name = "by_hand"
    allowed_domains = ["127.0.0.1"]
    start_urls = ["{url}"]
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True)]

    @classmethod
    def from_crawler(cls, crawler):
        spider = super().from_crawler(crawler)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        return spider

    def opened(self):
        self.lag = LoopLag(Clock())
        self.lag.start()

    def closed(self, reason):
        self.lag.stop()
        self.crawler.stats.set_value("wrapinduce/loop_lag/longest_ms", self.lag.longest * 1000)

    def parse_page(self, response):
        item = {{"url": response.url, "title": response.css("h1::text").get()}}
        for name in ("price", "brand", "stock", "rating", "description", "sku"):
            item[name] = " ".join(response.css(f".{{name}} ::text").getall()).strip() or None
        item["specs"] = {{
            row.css("th::text").get(): row.css("td::text").get() for row in response.css("tr")
        }}
        item["paragraphs"] = response.css("p::text").getall()
        item["also"] = [
            {{"title": li.css("a::text").get(), "price": li.css("span::text").get()}}
            for li in response.css("li")
        ]
        yield item
"""
INDUCED = """
from scrapy_wrapinduce import InducedSpider

class Induced(InducedSpider):
    name = "induced"
    start_urls = ["{url}"]
"""


@dataclass(frozen=True)
class Run:
    """One crawl. ``work`` are the seconds of processor time, which a busy machine does not change."""

    pages: int
    items: int
    seconds: float
    work: float
    lag: float
    turn: float

    @property
    def rate(self) -> float:
        return self.pages / self.seconds


def command_for(
    folder: Path, spider: str, url: str, settings: Mapping[str, object]
) -> tuple[list[str], dict[str, str]]:
    """The command and environment that run a spider on a site."""
    source = folder / "spider.py"
    source.write_text(spider.format(url=url))
    command = [sys.executable, "-m", "benchmarks.turns", "runspider", str(source)]
    command += ["-O", str(folder / "items.jsonl")]
    defaults = {
        "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16, "LOG_LEVEL": "INFO", "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": 0, "WRAPINDUCE_ENABLED": 1, "WRAPINDUCE_DIR": folder / "wrapinduce",
    }  # fmt: skip
    for name, value in {**defaults, **settings}.items():
        command += ["-s", f"{name}={value}"]
    return command, {**os.environ, "PYTHONPATH": str(REPOSITORY), "no_proxy": "127.0.0.1"}


def crawl(folder: Path, spider: str, url: str, **settings: object) -> Run:
    """Run a spider in a process of its own."""
    command, environment = command_for(folder, spider, url, settings)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (folder / "crawl.log").open("w") as log:
        done = subprocess.run(command, cwd=folder, env=environment, stderr=log, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = (folder / "crawl.log").read_text()
    if done.returncode:
        raise SystemExit(said[-3000:])
    with (folder / "items.jsonl").open() as lines:
        count = sum(1 for line in lines if json.loads(line))
    return Run(
        int(_stat(said, "downloader/request_count")),
        count,
        float(_stat(said, "elapsed_time_seconds")),
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        float(_stat(said, "wrapinduce/loop_lag/longest_ms", "0")),
        float(_stat(said, "turns/longest_ms", "0")),
    )


def _stat(log: str, name: str, default: str | None = None) -> str:
    found = re.search(rf"'{name}': ([\d.]+)", log)
    if found:
        return found[1]
    if default is None:
        raise SystemExit(f"no {name} in the log:\n{log[-3000:]}")
    return default


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=3000, help="product pages of the site")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.shop", str(options.pages)],
        cwd=REPOSITORY, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        for _ in range(options.rounds):
            with tempfile.TemporaryDirectory() as folder:
                report(Path(folder), url)
    finally:
        server.kill()
        server.wait()


def report(folder: Path, url: str) -> None:
    by_hand = crawl(folder, BY_HAND, url)
    learning = crawl(folder, INDUCED, url)
    learned = crawl(folder, INDUCED, url)
    print(
        f"{'':24}{'pages':>8}{'items':>8}{'pages/s':>10}{'ratio':>8}{'work/page':>12}{'ratio':>8}{'longest lag':>13}{'turn':>9}"
    )
    for name, run in (
        ("by hand", by_hand),
        ("induced, whole crawl", learning),
        ("induced, wrappers there", learned),
    ):
        lag = f"{run.lag:.0f} ms" if run.lag else ""
        work, usual = run.work / run.pages * 1000, by_hand.work / by_hand.pages * 1000
        print(
            f"{name:24}{run.pages:8}{run.items:8}{run.rate:10.1f}{run.rate / by_hand.rate:8.2f}"
            f"{work:9.2f} ms{usual / work:8.2f}{lag:>13}{run.turn:6.0f} ms"
        )


if __name__ == "__main__":
    main()
