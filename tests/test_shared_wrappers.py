"""Earlier versions of the wrappers in a real Redis: kept, listed, rolled back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.statscollectors import MemoryStatsCollector

from sample_project import cluster
from scrapy_wrapinduce import InducedSpider, Page, induce
from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.templates import Template
from scrapy_wrapinduce.wrapper import dump

pytest.importorskip("redis", reason="needs the redis extra")
if not (os.environ.get("REDIS_SERVER") or shutil.which("redis-server")):
    pytest.skip("needs redis-server, on the PATH or named in REDIS_SERVER", allow_module_level=True)

from scrapy_wrapinduce.crawl.machines.cluster import SharedInduction
from scrapy_wrapinduce.stores.redis import SharedStore, prefix_of, prompt_client
from scrapy_wrapinduce.stores.shared_wrappers import AT_ONCE, SharedWrappers
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.stores.versions import KEPT, NoSuchVersion


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with cluster.redis_server() as server:
        yield server.url


@pytest.fixture
def wrappers(url: str) -> SharedWrappers:
    redis = prompt_client(url)
    redis.flushall()
    return SharedWrappers(redis, prefix_of("books"))


def stored(text: str, **about: object) -> StoredWrapper:
    template = Template("book").to_dict()
    return StoredWrapper("shop.example", "book", text, template, 10, **about)  # type: ignore[arg-type]


def in_use(wrappers: SharedWrappers) -> list[str]:
    return [one.text for one in wrappers.all() if isinstance(one, StoredWrapper)]


def test_what_is_replaced_is_kept_and_what_is_the_same_is_not(wrappers: SharedWrappers) -> None:
    assert not wrappers.save(stored("one", learned="2026-01-01"))
    assert not wrappers.save(stored("one", pinned=True))
    changes = wrappers.changes()
    assert wrappers.save(stored("two"))
    assert wrappers.changes() == changes + 1
    assert wrappers.numbers(stored("")) == [1]
    assert wrappers.version(stored(""), 1).text == "one"
    assert in_use(wrappers) == ["two"]
    with pytest.raises(NoSuchVersion, match="no version 7; kept: 1"):
        wrappers.version(stored(""), 7)


def test_many_wrappers_are_read_some_at_a_time(wrappers: SharedWrappers) -> None:
    for number in range(2 * AT_ONCE + 3):
        wrappers.save(replace(stored(str(number)), name=f"book-{number:02}"))
    assert in_use(wrappers) == [str(number) for number in range(2 * AT_ONCE + 3)]


def test_the_number_of_versions_is_bounded(wrappers: SharedWrappers) -> None:
    for number in range(KEPT + 5):
        wrappers.save(stored(str(number)))
    assert wrappers.numbers(stored("")) == list(range(5, KEPT + 5))
    wrappers.remove(stored(""))
    assert not in_use(wrappers)
    assert not wrappers.numbers(stored(""))


def test_history_and_rollback_by_command(
    url: str, wrappers: SharedWrappers, capsys: pytest.CaptureFixture[str]
) -> None:
    wrappers.save(stored("one", learned="2026-01-01T10:00", fields=("title",), pinned=True))
    wrappers.save(stored("two", learned="2026-02-02T10:00", fields=("title", "price"), pinned=True))
    there = [url, "--spider", "books"]
    assert main(["wrappers", "history", *there]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "shop.example/book",
        "  2 (in use)  learned 2026-02-02T10:00 from 10 pages, 2 fields",
        "  1  learned 2026-01-01T10:00 from 10 pages, 1 fields",
    ]
    assert main(["wrappers", "rollback", url, "shop.example/book", "--spider", "books"]) == 0
    assert "to version 1; what was in use is version 2" in capsys.readouterr().out
    assert in_use(wrappers) == ["one"]
    assert main(["wrappers", "list", *there]) == 0
    assert "(pinned)" in capsys.readouterr().out


def test_what_is_missing_is_said_in_a_line(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wrappers", "list", url]) == 2
    assert "--spider" in capsys.readouterr().err
    assert main(["wrappers", "list", "redis://127.0.0.1:1/0", "--spider", "books"]) == 2
    said = capsys.readouterr().err
    assert "does not answer" in said
    assert len(said.splitlines()) == 1


def test_a_worker_takes_up_what_was_rolled_back_to(
    url: str, wrappers: SharedWrappers, tmp_path: Path
) -> None:
    texts = [
        dump(induce([Page(f"<h1>{one}</h1><p>{two}</p>")], examples=[{name: one}]))
        for name, one, two in (("title", "Kelo", "12"), ("heading", "Miru", "15"))
    ]
    crawler = Crawler(
        InducedSpider,
        {"WRAPINDUCE_ENABLED": True, "WRAPINDUCE_REDIS_URL": url, "WRAPINDUCE_DIR": str(tmp_path)},
    )
    crawler.spider = InducedSpider.from_crawler(crawler, name="books", start_urls=[])
    crawler.stats = MemoryStatsCollector(crawler)
    worker = SharedInduction(crawler)
    for text, fields in zip(
        [*texts, texts[0]], (("title",), ("heading",), ("title",)), strict=True
    ):
        wrappers.save(replace(stored(text), name="broken", template={}))
        wrappers.save(stored(text))
        worker.refresh()
        active = worker.site("shop.example").named("book")
        assert active is not None
        assert active.wrapper.fields == fields
        assert len(worker.site("shop.example").templates.templates) == 1


def test_workers_are_told_what_changed_and_nothing_else(wrappers: SharedWrappers) -> None:
    wrappers.save(stored("one"))
    before = wrappers.changes()
    wrappers.save(replace(stored("two"), name="author"))
    wrappers.save(replace(stored("three"), name="author"))
    (changed,) = wrappers.changed_since(before)
    assert isinstance(changed, StoredWrapper)
    assert (changed.name, changed.text) == ("author", "three")
    one = wrappers.one("shop.example", "book")
    assert one is not None
    assert one.text == "one"
    assert wrappers.one("shop.example", "none") is None


def test_a_request_that_is_taken_again_as_its_answer_was_lost_is_the_same(url: str) -> None:
    redis = prompt_client(url)
    redis.flushall()
    store = SharedStore(redis, "books", "worker-1", "books:requests", "books:dupefilter")
    store.add("", 0, b"first")
    store.add("", 1, b"second")
    assert store.take("row-1") == b"first"
    assert store.take("row-1") == b"first"
    assert store.take("row-2") == b"second"
    assert store.work_left() == (0, 0)
    store.beat()
    assert store.work_left() == (2, 0)
