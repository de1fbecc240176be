"""Wrappers in memory are bounded, and come back from their store when they are needed."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from crawling import catalogue, crawl, project, serving
from scrapy.settings import Settings

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.crawl.config import MEGABYTE, Config
from scrapy_wrapinduce.crawl.reading.library import Library
from scrapy_wrapinduce.crawl.reading.shelf import BYTES_PER_LETTER, Held, Shelf, WrapperIsGone
from scrapy_wrapinduce.crawl.reading.site import MOST_SINGLES, Site
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.templates import Template
from scrapy_wrapinduce.wrapper import dump

PAGES = [Page(f"<html><body><h1>Book {n}</h1><p>by Author {n}</p></body></html>") for n in range(4)]
WRAPPER = induce(PAGES)
TEXT = dump(WRAPPER)


def held(shelf: Shelf, texts: list[str]) -> Held:
    found = Held(WRAPPER)
    found.shelve(shelf, TEXT, lambda: texts[0])
    return found


def test_what_was_used_longest_ago_is_let_go_and_read_back() -> None:
    shelf = Shelf(2 * len(TEXT) * BYTES_PER_LETTER)
    first, second = held(shelf, [TEXT]), held(shelf, [TEXT])
    assert first.wrapper is WRAPPER
    third = held(shelf, [TEXT])
    assert [one.is_loaded for one in (first, second, third)] == [True, False, True]
    assert second.wrapper.extract(PAGES[3]).records == WRAPPER.extract(PAGES[3]).records
    assert [one.is_loaded for one in (first, second, third)] == [False, True, True]
    assert shelf.size <= shelf.limit


def test_a_wrapper_larger_than_the_limit_is_used_all_the_same() -> None:
    shelf = Shelf(1)
    one = held(shelf, [TEXT])
    assert (one.wrapper, len(shelf)) == (WRAPPER, 1)


@pytest.mark.parametrize("text", ["", "{}", "no JSON"])
def test_a_text_that_is_no_wrapper_any_more_is_an_error(text: str) -> None:
    shelf = Shelf(1)
    one = held(shelf, [text])
    held(shelf, [TEXT])
    with pytest.raises(WrapperIsGone, match="cannot be read back"):
        _ = one.wrapper


def stored(number: int) -> StoredWrapper:
    address = f"http://x.example/{number}"
    return StoredWrapper("x.example", f"page-{number}", TEXT, {"name": "", "pages": 1, "features": {}, "shapes": {}},
                         1, fields=WRAPPER.fields, address=address)  # fmt: skip


def test_wrappers_of_pages_alone_do_not_pile_up(tmp_path: Path) -> None:
    library = Library(Config.from_settings(Settings({"WRAPINDUCE_DIR": str(tmp_path)})))
    site = Site("x.example", 20, library.fetch)
    for number in range(MOST_SINGLES + 10):
        library.store.save(stored(number))
        site.add(library.active(stored(number), WRAPPER, Template("")))
    assert [active.name for active in site.surplus()] == [f"page-{n}" for n in range(10)]
    assert len(site.singles) == MOST_SINGLES
    again = site.named("page-3")
    assert again is not None
    assert again.wrapper.fields == WRAPPER.fields
    assert site.new_name(Template("", shapes=Template("").shapes)) == "home"


SITES = """
from scrapy_wrapinduce import InducedSpider
from scrapy_wrapinduce.crawl import signals

class Spider(InducedSpider):
    name = "local"
    start_urls = {urls}

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.learned, signals.wrapper_learned)
        return spider

    def learned(self, wrapper, site, template):
        {then}
"""


def crawled(folder: Path, then: str, **settings: object) -> tuple[str, dict[str, int]]:
    """Five sites of twelve pages in one spider; its log, and how often each address gave an item."""
    with ExitStack() as servers:
        sites = [servers.enter_context(serving(catalogue(12))) for _ in range(5)]
        project(folder, SITES.format(urls=[site.url for site in sites], then=then))
        done = crawl(folder, **settings)
    counts: dict[str, int] = {}
    for item in done.items:
        counts[item["url"]] = counts.get(item["url"], 0) + 1
    return done.log, {url: count for url, count in counts.items() if "/book/" in url}


def test_many_sites_with_little_memory_for_their_wrappers(tmp_path: Path) -> None:
    log, counts = crawled(tmp_path, "pass", WRAPINDUCE_WRAPPER_MEMORY_MB=0.01)
    assert (len(counts), set(counts.values())) == (60, {1})
    assert "Traceback" not in log
    assert 5 * len(TEXT) * BYTES_PER_LETTER > 0.01 * MEGABYTE


def test_a_wrapper_whose_file_is_gone_is_learned_again(tmp_path: Path) -> None:
    # With room for one wrapper only, the removed ones are missed where a page asks for them again.
    remove = "[path.unlink() for path in __import__('pathlib').Path('.scrapy').rglob('book.json')]"
    log, counts = crawled(tmp_path, remove, WRAPINDUCE_WRAPPER_MEMORY_MB=0.01)
    assert (len(counts), set(counts.values())) == (60, {1})
    assert "Traceback" not in log


RESTING = """
from scrapy_wrapinduce.crawl.figures import account
from scrapy_wrapinduce.crawl.reading import at_hand
at_hand.MOST_AWAKE, account.MOST_TEMPLATES = 1, 2
"""


def test_sites_whose_pages_came_long_ago_rest_and_wake(tmp_path: Path) -> None:
    with ExitStack() as servers:
        sites = [servers.enter_context(serving(catalogue(12))) for _ in range(5)]
        spider = SITES.format(urls=[site.url for site in sites], then="pass")
        project(tmp_path, RESTING + spider)
        learned = crawl(tmp_path, CONCURRENT_REQUESTS=4, WRAPINDUCE_REPORT=1)
        (tmp_path / "items.jsonl").rename(tmp_path / "first.jsonl")
        again = crawl(tmp_path, CONCURRENT_REQUESTS=4, WRAPINDUCE_REPORT=1)
    for done in (learned, again):
        assert "Traceback" not in done.log
        assert " ERROR: " not in done.log
        books = [item["url"] for item in done.items if "/book/" in item["url"]]
        assert (len(books), len(set(books))) == (60, 60)
        assert sum(n for name, n in done.stats.items() if name.endswith("/book/pages")) == 60
    assert again.stats.get("wrapinduce/wrappers/learned", 0) == 0
    assert again.stats["wrapinduce/wrappers/reused"] == 10
    about = [json.loads(path.read_text()) for path in tmp_path.rglob("book.about")]
    assert [[run["pages"] for run in one["runs"]] for one in about] == [[12, 12]] * 5
    assert all(one["template"]["features"] for one in about)


LOSING = """
from pathlib import Path
from scrapy_wrapinduce import InducedSpider

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]
    removed = 0

    def parse_induced(self, response, **kwargs):
        yield from super().parse_induced(response, **kwargs)
        for path in list(Path(".").rglob("*.page"))[: 2 if self.removed < 2 else 0]:
            path.unlink()
            self.removed += 1
"""


@pytest.mark.parametrize("safe", [False, True], ids=["plain", "crash-safe"])
def test_a_parked_page_that_somebody_removed_is_counted_or_asked_for_again(
    safe: bool, tmp_path: Path
) -> None:
    settings = {"JOBDIR": "job", "WRAPINDUCE_CRASH_SAFE": 1} if safe else {}
    with serving(catalogue(12)) as site:
        project(tmp_path, LOSING.format(url=site.url))
        done = crawl(tmp_path, WRAPINDUCE_SAMPLE_PAGES=10, timeout=60, **settings)
    paths = done.paths()
    assert set(paths.values()) == {1}
    lost = done.stats.get("wrapinduce/pages/lost/broken", 0)
    # The front page may be among those that were removed; it is not counted in ``paths``.
    assert (
        (len(paths), lost) == (12, 0)
        if safe
        else (12 - lost <= len(paths) <= 13 - lost and lost == 2)
    )
    assert "it is not where it was put" in done.log
    assert "Traceback" not in done.log
