"""Nobody labels anything: list pages of many shapes are recognised and read by ``induce(pages)``."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.records import discover
from tests.list_shapes import SHAPES, missing, search_results, two_lists


@pytest.mark.parametrize("name", SHAPES)
def test_a_page_that_was_not_seen_is_read_whole(name: str) -> None:
    shape = SHAPES[name]
    wrapper = induce([Page(shape(seed)[0]) for seed in (1, 2, 3)])
    for seed in (9, 10):
        html, rows = shape(seed)
        assert missing(rows, wrapper.extract(Page(html)).records) == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_results_are_read_by_what_many_have_taught(count: int) -> None:
    wrapper = induce([Page(search_results(8)(seed)[0]) for seed in (1, 2)])
    html, rows = search_results(count)(9)
    assert missing(rows, wrapper.extract(Page(html)).records) == []


def test_no_results_are_no_records() -> None:
    wrapper = induce([Page(search_results(8)(seed)[0]) for seed in (1, 2)])
    html, _ = search_results(0)(9)
    found = wrapper.extract(Page(html))
    assert found.records == []
    assert found.failures


def test_several_lists_of_a_page_are_kept_apart() -> None:
    pages = [Page(two_lists(seed)[0]) for seed in (1, 2)]
    jobs, *others = discover(pages)
    assert [len(page.records) for page in jobs.labelled] == [
        len(two_lists(seed)[1]) for seed in (1, 2)
    ]
    assert any([len(page.records) for page in one.labelled] == [5, 5] for one in others)
    assert {field.name for field in jobs.fields}.isdisjoint({"time", "date"})
