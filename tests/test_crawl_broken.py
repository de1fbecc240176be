"""Crawls that meet broken files of their own: said in a line each, and nothing else is lost."""

from __future__ import annotations

import json
import subprocess
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from crawling import (
    SPIDER,
    Crawl,
    arguments,
    catalogue,
    crawl,
    environment,
    item_paths,
    project,
    read_items,
    serving,
)

BOOKS = 30
ALL = Counter(f"/book/{number}" for number in range(BOOKS))
STOPPED = {"CLOSESPIDER_PAGECOUNT": 15, "WRAPINDUCE_SAMPLE_PAGES": 100, "JOBDIR": "job"}
SAFE = {"JOBDIR": "job", "WRAPINDUCE_CRASH_SAFE": 1}


def _junk(path: Path) -> None:
    path.write_bytes(b"junk")


def _other(path: Path) -> None:
    head = {
        "key": "1",
        "url": "::::",
        "encoding": "utf-8",
        "status": 200,
        "headers": {},
        "meta": {},
    }
    path.write_bytes(zlib.compress(json.dumps(head).encode() + b"\n<p>body"))


def _half(path: Path) -> None:
    path.write_bytes(zlib.compress(b'{"url": 3}\nbody'))


@pytest.mark.parametrize("change", [_junk, _other, _half])
@pytest.mark.parametrize("safe", [0, 1], ids=["plain", "crash safe"])
def test_parked_pages_that_are_broken(
    change: Callable[[Path], None], safe: int, tmp_path: Path
) -> None:
    with serving(catalogue(BOOKS)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        crawl(tmp_path, **STOPPED, WRAPINDUCE_CRASH_SAFE=safe)
        broken = sorted((tmp_path / "job/wrapinduce/parked").glob("*/*.page"))[:3]
        for path in broken:
            change(path)
        done = crawl(tmp_path, JOBDIR="job", WRAPINDUCE_CRASH_SAFE=safe)
    assert "Traceback" not in done.log
    assert done.log.count("The parked page") == len(broken) == 3
    if safe:
        assert done.paths() == ALL
    else:
        assert done.stats["wrapinduce/pages/lost/broken"] == 3
        assert len({item["url"] for item in done.items}) == len(done.items) == BOOKS + 1 - 3


def test_a_job_whose_record_is_broken_does_not_begin(tmp_path: Path) -> None:
    with serving(catalogue(3)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        crawl(tmp_path, **SAFE)
        (tmp_path / "job/wrapinduce/journal.sqlite").write_bytes(b"something else")
        done = crawl(tmp_path, **SAFE)
    assert done.code == 2
    assert "Traceback" not in done.log
    assert "begin anew with another JOBDIR" in done.log.splitlines()[-1]


OWN_CALLBACK = """
from scrapy_wrapinduce import InducedSpider

class Books(InducedSpider):
    name = "local"
    start_urls = ["{url}"]

    def parse(self, response):
        yield from response.follow_all(css="a", callback=self.parse_book)

    def parse_book(self, response):
        yield from self.parse_induced(response)
"""


def test_requests_whose_callback_is_gone_wait_for_its_return(tmp_path: Path) -> None:
    with serving(catalogue(BOOKS)) as site:
        spider = OWN_CALLBACK.format(url=site.url)
        project(tmp_path, spider)
        crawl(tmp_path, CLOSESPIDER_PAGECOUNT=10, CONCURRENT_REQUESTS=2, **SAFE)
        project(tmp_path, spider.replace("parse_book", "parse_page"))
        without = crawl(tmp_path, **SAFE)
        project(tmp_path, spider)
        done = crawl(tmp_path, **SAFE)
    assert "Traceback" not in without.log
    assert without.stats["finish_reason"] == "finished"
    lost = without.stats["wrapinduce/requests/not_restored"]
    assert without.log.count("is kept for when the spider has what it needs") == lost > 0
    assert len(without.items) == BOOKS - lost
    assert done.paths() == ALL


@pytest.mark.parametrize(
    "broken", [{"coverage": "all"}, {"runs": [{"fields": 3}]}, {"template": {"name": 1}}]
)
def test_a_stored_wrapper_of_which_nonsense_is_said_is_learned_again(
    broken: dict[str, Any], tmp_path: Path
) -> None:
    with serving(catalogue(8)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        crawl(tmp_path)
        (tmp_path / "items.jsonl").unlink()
        for path in tmp_path.rglob("*.about"):
            path.write_text(json.dumps({**json.loads(path.read_text()), **broken}))
        done = crawl(tmp_path)
    assert "Traceback" not in done.log
    assert done.log.count("cannot be used") == 2
    assert done.paths() == Counter(f"/book/{number}" for number in range(8))


def test_two_crawls_at_once_share_a_store(tmp_path: Path) -> None:
    """Each learns for itself where it is first, and what they leave is whole."""
    with serving(catalogue(BOOKS)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        running = []
        for number in range(2):
            command = arguments(DOWNLOAD_DELAY=0.02)
            command[command.index("items.jsonl")] = f"items-{number}.jsonl"
            log = (tmp_path / f"{number}.log").open("w")
            running.append(
                subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=log, stdout=log)
            )
            log.close()
        assert [process.wait(120) for process in running] == [0, 0]
        for number in range(2):
            assert item_paths(read_items(tmp_path / f"items-{number}.jsonl")) == ALL
            log = (tmp_path / f"{number}.log").read_text()
            assert Crawl([], log, 0).stats.get("log_count/ERROR", 0) == 0, log
        (tmp_path / "items.jsonl").unlink(missing_ok=True)
        third = crawl(tmp_path)
    assert third.paths() == ALL
    assert third.stats["wrapinduce/wrappers/reused"] == 2
