"""A wrapper of a few pages that happened to be alike does not take others of their kind for redesigned ones."""

from __future__ import annotations

import pytest
from crawling import catalogue

from scrapy_wrapinduce import Page, Wrapper, induce

BOOKS = catalogue(80)


def books(numbers: range) -> list[Page]:
    return [Page(str(BOOKS[f"/book/{number}"])) for number in numbers]


def cut(page: Page) -> Page:
    """Half of what is said on a page."""
    html = page.html
    for line in (">The ", ">£", ">Author: ", ">All about "):
        start = html.index(line) + 1
        end = html.index("<", start)
        html = html[: start + (end - start) // 3] + html[end:]
    return Page(html)


@pytest.fixture(scope="module", params=[(44, 5), (44, 7), (65, 6), (70, 9)])
def wrapper(request: pytest.FixtureRequest) -> Wrapper:
    first, count = request.param
    return induce(books(range(first, first + count)))


@pytest.mark.parametrize("size", [1, 5, 20])
def test_pages_with_shorter_values_raise_no_alarm(wrapper: Wrapper, size: int) -> None:
    for start in range(0, 40, size):
        verdict = wrapper.verify(books(range(start, start + size)))
        assert verdict.ok, verdict


def test_pages_whose_values_are_cut_off_do(wrapper: Wrapper) -> None:
    assert not wrapper.verify(cut(page) for page in books(range(5)))
