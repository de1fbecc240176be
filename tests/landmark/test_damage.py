"""The damage that the benchmark does to templates: known, seeded, and never to the values."""

from __future__ import annotations

import pytest

from benchmarks.landmark_damage import damaged, template_of
from scrapy_wrapinduce import Page

PAGES = [
    Page(f"<h1>Shop</h1><p id=a><b>Price</b> {number} EUR</p><i>{number}</i><br>")
    for number in range(8)
]


def test_the_template_is_what_stands_once_on_most_pages() -> None:
    assert template_of(PAGES) == {"<h1>", "<p id=a>", "<b>", "<i>", "Shop", "Price"}


def test_without_damage_a_page_stays_as_it_is() -> None:
    assert damaged(PAGES[0], template_of(PAGES), (), 0.0, "seed").html == PAGES[0].html


@pytest.mark.parametrize("seed", "abcdef")
def test_every_landmark_hit_is_missing_or_doubled(seed: str) -> None:
    template = template_of(PAGES)
    page = damaged(PAGES[3], template, ["Shop"], 1.0, seed)
    assert page.html == damaged(PAGES[3], template, ["Shop"], 1.0, seed).html
    assert {page.html.count(source) for source in template - {"Shop"}} <= {0, 2}
    assert page.html.count("Shop") == 1
    assert page.html.count("3 EUR") == 1


def test_both_kinds_of_damage_occur() -> None:
    pages = [damaged(PAGES[3], template_of(PAGES), (), 1.0, seed).html for seed in "abcdefgh"]
    assert {html.count("<b>") for html in pages} == {0, 2}
