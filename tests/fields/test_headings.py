"""Facts in headed groups, and labels with several values."""

from __future__ import annotations

from scrapy_wrapinduce import Page, induce

COUNT = 8


def college(number: int) -> Page:
    """Two tables of facts, one under a heading element and one under a row of its own; a label stands in both."""
    values = [number * 7 + step for step in range(3, 9)]
    return Page(
        f"<html><head><title>College {number}</title></head><body><h1>College of {number}</h1>"
        f"<div><h3>Students</h3><table><tr><td>Total:</td><td>{values[0]}</td></tr>"
        f"<tr><td>Part time:</td><td>{values[1]}</td></tr></table></div>"
        f"<table><tr><td colspan=2>Cost</td></tr><tr><td>Total:</td><td>${values[2]}</td></tr>"
        f"<tr><td>Books:</td><td>${values[3]}</td></tr></table>"
        f"<div><h3>Contact details</h3><p>0{number}9 555 12{number}</p></div></body></html>"
    )


def test_the_heading_tells_labels_apart_that_repeat() -> None:
    pages = [college(number) for number in range(COUNT)]
    item = induce(pages).items(pages[2])[0]
    wanted = {
        "students_total": "17",
        "students_part_time": "18",
        "cost_total": "$19",
        "cost_books": "$20",
    }
    assert {name: item.get(name) for name in wanted} == wanted


def one_group(number: int) -> Page:
    rows = f"<tr><td>Maker:</td><td>M{number}</td></tr><tr><td>Size:</td><td>{number} cm</td></tr>"
    return Page(
        f"<html><head><title>{number}</title></head><body><h1>Thing {number}</h1><div><h2>Product details</h2>"
        f"<table>{rows}</table></div></body></html>"
    )


def test_a_heading_alone_adds_nothing() -> None:
    pages = [one_group(number) for number in range(COUNT)]
    item = induce(pages).items(pages[3])[0]
    assert (item["maker"], item["size"]) == ("M3", "3 cm")


def optional_terms(number: int) -> Page:
    """A definition list whose terms come and go, one of them with several definitions."""
    tags = "".join(f"<dd>Tag {number}{step}</dd>" for step in range(1 + number % 3))
    maker = f"<dt>Maker</dt><dd>M{number}</dd>" if number % 2 else ""
    size = f"<dt>Size</dt><dd>{number} cm</dd>" if number % 3 else ""
    year = f"<dt>Year</dt><dd>{1990 + number}</dd>"
    rows = [maker, f"<dt>Tags</dt>{tags}", size, year]
    return Page(
        f"<html><head><title>T{number}</title></head><body><h1>Thing {number}</h1>"
        f"<dl>{''.join(rows if number % 2 else rows[::-1])}</dl></body></html>"
    )


def test_a_term_has_all_its_definitions() -> None:
    pages = [optional_terms(number) for number in range(COUNT)]
    example = {"tags": ["Tag 50", "Tag 51", "Tag 52"]}
    wrapper = induce(pages, examples=[example if n == 5 else None for n in range(COUNT)])
    for number, page in enumerate(pages):
        wanted = [f"Tag {number}{step}" for step in range(1 + number % 3)]
        assert wrapper.items(page) == [{"tags": wanted}]
