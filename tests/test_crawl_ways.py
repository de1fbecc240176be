"""The ways that pages take to a crawl, and templates that are not what their addresses say: every product once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from crawling import SPIDER, Answer, crawl, crawl_site, project, read_items, serving
from crawling import catalogue as books
from shifting_site import Shop, new, old

BOOKS = 40


class Moody(dict[str, Answer | str]):
    """Some pages are busy when they are first asked for, some have moved, some have moved twice."""

    def __init__(self) -> None:
        super().__init__(books(BOOKS))
        self.asked: Counter[str] = Counter()
        for number in range(0, BOOKS, 5):
            self[f"/shelf/{number}"] = self[f"/book/{number}"]
            self[f"/moved/{number}"] = Answer(
                b"", status=302, headers={"Location": f"/shelf/{number}"}
            )
            self[f"/book/{number}"] = Answer(
                b"", status=301, headers={"Location": f"/moved/{number}"}
            )

    def get(self, path: str, default: object = None) -> Answer | str:  # type: ignore[override]
        self.asked[path] += 1
        number = path.rpartition("/")[2]
        is_busy = path.startswith("/book/") and int(number) % 5 == 1 and self.asked[path] < 3
        if is_busy:
            return Answer(b"<h1>Busy</h1>", status=503)
        return super().get(path, Answer(b"<h1>Not found</h1>", status=404))


@pytest.mark.parametrize("settings", [{}, {"JOBDIR": "job", "WRAPINDUCE_CRASH_SAFE": 1}])
def test_pages_that_moved_or_were_busy_come_once(tmp_path: Path, settings: dict[str, Any]) -> None:
    moody = Moody()
    with serving({}) as site:
        site.answers = moody
        project(tmp_path, SPIDER.format(url=site.url))
        done = crawl(tmp_path, RETRY_ENABLED=1, RETRY_TIMES=3, **settings)
    expected = {f"/shelf/{n}" if n % 5 == 0 else f"/book/{n}" for n in range(BOOKS)}
    assert done.paths() == Counter(expected)
    titles = Counter(item["title"] for item in done.items if "title" in item)
    assert len([title for title in titles if title.endswith("Story")]) == BOOKS, titles
    assert done.stats["retry/count"] == 2 * len(range(1, BOOKS, 5))


def film(number: int) -> str:
    """Nothing like a book but its address."""
    return (
        f"<html><head><title>Film</title></head><body><nav><a href='/'>Start</a></nav><table class=film>"
        f"<tr><th>Film</th><td>The {number * 7919 % 977} Nights</td></tr><tr><th>Director</th><td>Ann {number * 31 % 89}</td></tr>"
        f"<tr><th>Minutes</th><td>{90 + number * 13 % 50}</td></tr></table><footer><p>Cinema</p></footer></body></html>"
    )


def test_one_kind_of_address_with_two_designs_is_two_templates(tmp_path: Path) -> None:
    pages = books(BOOKS)
    for number in range(1, BOOKS, 2):
        pages[f"/book/{number}"] = film(number)
    done = crawl_site(tmp_path, pages)
    assert done.paths() == Counter({f"/book/{number}": 1 for number in range(BOOKS)})
    for item in done.items:
        number = int(item["url"].rpartition("/")[2]) if "/book/" in item["url"] else None
        if number is not None:
            text = str(item)
            assert (
                (f"{90 + number * 13 % 50}" in text) if number % 2 else (f"{number}.99" in text)
            ), item
    learned = [path.stem for path in tmp_path.glob(".scrapy/wrapinduce/*/wrappers/*/book*.json")]
    assert len(learned) == 2


def test_one_design_under_two_kinds_of_address_is_one_template(tmp_path: Path) -> None:
    pages = books(BOOKS, *(f"/archive/old/{number}" for number in range(BOOKS)))
    more = books(2 * BOOKS)
    for number in range(BOOKS):
        pages[f"/archive/old/{number}"] = more[f"/book/{BOOKS + number}"]
    done = crawl_site(tmp_path, pages)
    expected = [f"/book/{n}" for n in range(BOOKS)] + [f"/archive/old/{n}" for n in range(BOOKS)]
    assert done.paths() == Counter(expected)
    wrappers = [path.stem for path in tmp_path.glob(".scrapy/wrapinduce/*/wrappers/*/*.json")]
    of_books = [name for name in wrappers if "book" in name or "archive" in name]
    assert len(of_books) == 1, wrappers


@pytest.mark.parametrize("settings", [{}, {"WRAPINDUCE_CRASH_SAFE": 1}])
def test_after_a_stop_for_a_redesign_the_job_goes_on(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    pages, changed = 70, 40
    shop = Shop(pages, lambda shown: old if shown < changed else new)
    shop.folder = tmp_path
    with serving({}) as site:
        site.answers = shop
        project(tmp_path, SPIDER.format(url=site.url))
        fixed = {"JOBDIR": "job", "CONCURRENT_REQUESTS": 2, **settings}
        stopped = crawl(tmp_path, WRAPINDUCE_ON_DRIFT="stop", **fixed)
        parked = list((tmp_path / "job/wrapinduce/parked").glob("*/*.page"))
        assert stopped.stats["finish_reason"] == "wrapinduce_drift", stopped.log[-3000:]
        assert parked
        assert "stay parked in" in stopped.log
        before = len(stopped.items)
        done = crawl(tmp_path, WRAPINDUCE_ON_DRIFT="repair", **fixed)
    assert f"{len(parked)} pages were parked by an earlier run" in done.log
    assert len(read_items(tmp_path / "items.jsonl")) > before
    assert done.paths() == Counter(shop.paths)
    assert not list((tmp_path / "job/wrapinduce/parked").glob("*/*.page"))
