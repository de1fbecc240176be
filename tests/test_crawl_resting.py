"""Sites whose pages came long ago rest in a file, and wake as they were."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.crawl.config import Config
from scrapy_wrapinduce.crawl.reading import at_hand
from scrapy_wrapinduce.crawl.reading.at_hand import Sites
from scrapy_wrapinduce.crawl.reading.library import Library
from scrapy_wrapinduce.crawl.reading.site import Active, Site
from scrapy_wrapinduce.signatures import signature
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.templates import Template
from scrapy_wrapinduce.wrapper import dump

PAGES = [
    Page(f'<body class="book"><h1>Book {n}</h1><p>by Author {n}</p></body>', f"http://x/book/{n}")
    for n in range(4)
]
WRAPPER = induce(PAGES)
TEXT = dump(WRAPPER)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(Config.from_settings(Settings({"WRAPINDUCE_DIR": str(tmp_path)})))


@pytest.fixture
def sites(library: Library, monkeypatch: pytest.MonkeyPatch) -> Sites:
    monkeypatch.setattr(at_hand, "MOST_AWAKE", 8)
    rested: list[Active] = []
    return Sites(20, library.fetch, library.held, rested.append)


def active(library: Library, site: str, name: str, **about: Any) -> Active:
    template = Template(name)
    for page in PAGES:
        template.add(signature(page.html, page.url))
    stored = StoredWrapper(site, name, TEXT, template.to_dict(), 4, fields=WRAPPER.fields, **about)
    library.store.save(stored)
    return library.active(stored, WRAPPER, template)


def visit(sites: Sites, count: int) -> None:
    for number in range(count):
        sites.at_hand(f"other{number}.example")


def test_a_site_wakes_as_it_was(sites: Sites, library: Library) -> None:
    site = sites.at_hand("x.example")
    site.add(active(library, "x.example", "book"))
    site.add(active(library, "x.example", "old"))
    site.retire(site.active["old"])
    site.add(active(library, "x.example", "alone", address="http://x.example/about"))
    book = site.active["book"]
    for page in PAGES:
        book.count(WRAPPER.extract(page))
    book.last_read, site.seen, site.round_at, site.sample = 7, 9, 33, 10
    visit(sites, 20)
    woken = sites.at_hand("x.example")
    assert woken is not site
    assert (woken.seen, woken.round_at, woken.sample) == (9, 33, 10)
    assert (list(woken.active), list(woken.retired), list(woken.singles)) == (
        ["book"], ["old"], ["alone"],
    )  # fmt: skip
    again = woken.active["book"]
    for name in (
        "stored",
        "template",
        "trusted",
        "read",
        "last_read",
        "records",
        "coverage",
        "fields",
    ):
        assert getattr(again, name) == getattr(book, name), name
    assert isinstance(again.failures, Counter)
    assert again.wrapper.extract(PAGES[0]).records == WRAPPER.extract(PAGES[0]).records
    assert [one.name for one, _ in woken.candidates(PAGES[1], "/book/*")] == ["book"]
    about = Page(PAGES[0].html, "http://x.example/about")
    assert next(woken.candidates(about, "/about"))[0].name == "alone"
    assert woken.new_name(again.template) == "book-2"


def test_any_number_of_sites_leaves_few_at_hand(sites: Sites, library: Library) -> None:
    for number in range(100):
        site = sites.at_hand(f"{number}.example")
        site.add(active(library, site.name, "book"))
        site.seen = number
        assert len(sites.awake) <= 8
    assert sites.wrappers == 100
    assert sorted((site.name, site.seen) for site in sites) == sorted(
        (f"{number}.example", number) for number in range(100)
    )
    looked_at = sites.get("0.example")
    assert looked_at is not None
    assert looked_at.active["book"].name == "book"
    assert "0.example" not in [site.name for site in sites.awake]
    assert sites.get("never.example") is None


def test_a_wrapper_is_read_back_when_its_site_wakes(sites: Sites, library: Library) -> None:
    library.shelf.limit = 1
    sites.at_hand("x.example").add(active(library, "x.example", "book"))
    visit(sites, 20)
    sites.at_hand("y.example").add(active(library, "y.example", "book"))
    held = sites.at_hand("x.example").active["book"].held
    assert not held.is_loaded
    assert held.wrapper.fields == WRAPPER.fields


def test_a_site_at_which_pages_wait_stays_at_hand(sites: Sites) -> None:
    busy: list[Site] = []
    for number in range(20):
        busy.append(sites.at_hand(f"busy{number}.example"))
        busy[-1].wait("page", "/book/*", stubborn=False)
    visit(sites, 100)
    assert {site.name for site in busy} <= {site.name for site in sites.awake}
    assert len(sites.awake) < 20 + 70
    for site in busy:
        site.resolve("page")
    visit(sites, 100)
    assert len(sites.awake) <= 8


def test_what_the_disk_does_not_take_stays_in_memory(
    sites: Sites, library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    sites._resting.execute("pragma max_page_count = 2")
    with caplog.at_level(logging.WARNING):
        for number in range(20):
            site = sites.at_hand(f"{number}.example")
            site.add(active(library, site.name, "book"))
    assert len(list(sites)) == 20
    assert all(site.active for site in sites)
    assert "stays in memory" in caplog.text
