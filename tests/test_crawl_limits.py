"""Crawls with a limit: fewer pages, and the items of all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from crawling import SPIDER, Crawl, catalogue, crawl, project, serving

PAGES = 60


def limited(folder: Path, **settings: object) -> tuple[Crawl, set[str]]:
    """A crawl, and which pages it asked for."""
    with serving(catalogue(PAGES)) as site:
        project(folder, SPIDER.format(url=site.url))
        done = crawl(folder, CONCURRENT_REQUESTS=4, **settings)
        return done, {path for path in site.asked if path.startswith("/book/")}


@pytest.mark.parametrize("sample", [5, 50], ids=["enough to learn", "less than the sample wants"])
def test_a_limit_of_pages_ends_with_the_items_of_all_pages(sample: int, tmp_path: Path) -> None:
    done, asked = limited(tmp_path, CLOSESPIDER_PAGECOUNT=20, WRAPINDUCE_SAMPLE_PAGES=sample)
    assert 19 <= len(asked) < 30, "what was under way when the limit was reached may come on top"
    assert set(done.paths()) == asked
    assert set(done.paths().values()) == {1}
    assert done.stats["finish_reason"] == "closespider_pagecount"
    assert "wrapinduce/pages/lost/stopped" not in done.stats


def test_a_limit_of_time_ends_with_the_items_of_all_pages(tmp_path: Path) -> None:
    done, asked = limited(tmp_path, CLOSESPIDER_TIMEOUT=5, DOWNLOAD_DELAY=0.3)
    assert 0 < len(asked) < PAGES
    assert set(done.paths()) == asked
    assert done.stats["finish_reason"] == "closespider_timeout"


def test_a_limit_of_items_leaves_pages_unread(tmp_path: Path) -> None:
    done, asked = limited(tmp_path, CLOSESPIDER_ITEMCOUNT=3, WRAPINDUCE_SAMPLE_PAGES=20)
    assert 3 <= len(done.paths()) < len(asked)
    assert done.stats["finish_reason"] == "closespider_itemcount"
    left = done.stats["wrapinduce/pages/skipped/enough_items"]
    assert f"{left} pages are left unread" in done.log
    assert "wrapinduce/pages/lost/stopped" not in done.stats


def test_a_job_that_can_go_on_is_stopped_where_it_stands(tmp_path: Path) -> None:
    first, asked = limited(
        tmp_path, CLOSESPIDER_PAGECOUNT=20, JOBDIR="job", WRAPINDUCE_SAMPLE_PAGES=50
    )
    assert first.stats["finish_reason"] == "closespider_pagecount"
    assert not first.paths(), "its pages wait for the rest"
    assert asked
