"""The picture of a page: told by where it stands on many pages, and by what the page itself says."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce import Page, induce

NAMES = ["Oak", "Elm", "Ash", "Fir", "Yew", "Box"]


def page(number: int, picture: str = "", head: str = "") -> Page:
    name = NAMES[number]
    return Page(
        f"<html><head><title>{name} table – Woodshop</title>{head}</head><body><img src='/logo.png' alt='Woodshop'>"
        f"<h1>{name} table</h1>{picture}<p>Price: <b>{number * 31 + 20} €</b></p>"
        f"<p>This table is made of {name.lower()} that grew for {60 + number} years.</p></body></html>",
        url=f"https://wood.example/t/{number}",
    )


def named(path: str) -> str:
    return f'<meta property="og:image" content="https://wood.example{path}">'


def pictures(*pages: Page) -> list[object]:
    wrapper = induce(pages, family="landmark")
    return [wrapper.items(one)[0].get("image") for one in pages]


def test_a_single_page_says_which_picture_is_its_own() -> None:
    shown = '<img src="/i/oak-1.jpg"><img src="/i/oak-300x200.jpg">'
    assert pictures(page(0, shown, named("/i/oak.jpg"))) == [
        "https://wood.example/i/oak-300x200.jpg"
    ]
    marked = '<img src="/i/1.jpg"><img src="/i/2.jpg" itemprop="image">'
    assert pictures(page(0, marked)) == ["https://wood.example/i/2.jpg"]


def test_the_logo_of_a_single_page_is_not_its_picture() -> None:
    assert pictures(page(0)) == [None]
    assert pictures(page(0, '<img src="/i/1.jpg">')) == [None]


def test_a_picture_that_is_only_named_to_machines() -> None:
    pages = [page(number, head=named(f"/i/{number}.jpg")) for number in range(6)]
    assert pictures(pages[0]) == ["https://wood.example/i/0.jpg"]
    assert pictures(*pages) == [f"https://wood.example/i/{number}.jpg" for number in range(6)]


def test_one_name_for_all_pages_is_no_picture_of_any() -> None:
    assert pictures(*(page(number, head=named("/logo.jpg")) for number in range(6))) == [None] * 6


@pytest.mark.parametrize("name", ["data-src", "data-lazy-src", "data-original"])
def test_a_picture_that_a_script_is_to_put_in(name: str) -> None:
    pages = [
        page(number, f'<img src="data:image/gif;base64,R0lGOD" {name}="/large/{number}.jpg">')
        for number in range(6)
    ]
    assert pictures(*pages) == [f"https://wood.example/large/{number}.jpg" for number in range(6)]
