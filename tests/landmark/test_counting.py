"""Which attributes count, and what a tag can be taken for."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_wrapinduce import CannotInduce, Page, induce, load
from scrapy_wrapinduce.errors import InvalidWrapper
from scrapy_wrapinduce.landmark.counting import counting
from scrapy_wrapinduce.landmark.lattice import tag_landmarks
from scrapy_wrapinduce.landmark.wrapper import LandmarkWrapper
from scrapy_wrapinduce.tokenizer import parse_tag
from scrapy_wrapinduce.wrapper import dump, parse


def shown(source: str, attributes: str | None = None) -> list[str]:
    return [str(mark) for mark in tag_landmarks(parse_tag(source), counting(attributes))]


def test_the_lattice_of_a_tag_goes_from_its_name_to_its_values() -> None:
    assert shown('<TD class="price big" itemprop=price data-unit="usd" width=5 bgcolor=red>') == [
        "<td>",
        "<td class>",
        "<td.price>",
        "<td.big>",
        '<td class="price big">',
        "<td itemprop>",
        '<td itemprop="price">',
        "<td data-unit>",
        '<td data-unit="usd">',
    ]


def test_an_attribute_without_a_value_is_there() -> None:
    assert shown("<input checked>") == ["<input>", "<input checked>"]
    assert shown("<div itemscope>") == ["<div>", "<div itemscope>"]


def test_figure_5_a_landmark_sensitive_to_presence_but_not_to_bgcolor() -> None:
    """The lattice of section 6: <TR>, <TR align=*>, <TR align="center">; bgcolor is ignored."""
    row = '<TR bgcolor="#808080" align="center">'
    assert shown(row) == ["<tr>"]
    assert shown(row, "align") == ["<tr>", "<tr align>", '<tr align="center">']
    assert shown(row, "align?") == ["<tr>", "<tr align>"]


@pytest.mark.parametrize(
    ("source", "landmarks"),
    [
        ('<p id="item-48213377">', ["<p>", "<p id>", '<p id#="item-0">']),
        ('<p id="row7">', ["<p>", "<p id>", "<p#row7>", '<p id#="row0">']),
        ('<p class="x e3b0c44298fc1c149afb">', ["<p>", "<p class>", "<p.x>"]),
        ('<p data-key="x7Kq2LmW9pRt4VbN8sYd">', ["<p>", "<p data-key>"]),
    ],
)
def test_volatile_values_are_no_landmarks(source: str, landmarks: list[str]) -> None:
    assert shown(source) == landmarks


def test_rules_change_the_default_and_the_last_one_wins() -> None:
    assert shown("<p class=a title=b nowrap>", "-title,nowrap?") == [
        "<p>", "<p class>", "<p.a>", "<p nowrap>"
    ]  # fmt: skip
    assert shown("<p class=a id=b title=c>", "-* id") == ["<p>", "<p id>", "<p#b>"]
    assert shown("<p ng-a=1 ng-b=2>", "ng-* -ng-b") == ["<p>", "<p ng-a>", '<p ng-a="1">']


@pytest.mark.parametrize("rules", [["two words"], ["a=b"], [""], ["?"], ["-x?"], [7], 7])
def test_what_is_no_rule_is_refused_in_one_sentence(rules: object) -> None:
    with pytest.raises(CannotInduce, match=r"attribute"):
        induce([Page("<p>")], attributes=rules)  # type: ignore[arg-type]


PAGES = [
    Page(
        f"<h1>Shop</h1><td>{number}</td><td nowrap>name {number * 7}</td><td>size {number * 3}</td>"
    )
    for number in range(10, 16)
]


def test_presence_alone_can_be_a_landmark_and_is_read_from_the_file(tmp_path: Path) -> None:
    wrapper = induce(PAGES, family="landmark", attributes=["nowrap?"])
    assert isinstance(wrapper, LandmarkWrapper)
    assert "<td nowrap>" in map(str, wrapper.tree.landmarks())
    assert "<td nowrap>" not in map(str, induce(PAGES, family="landmark").tree.landmarks())  # type: ignore[attr-defined]
    wrapper.save(tmp_path / "wrapper.json")
    again = load(tmp_path / "wrapper.json")
    assert isinstance(again, LandmarkWrapper)
    assert again.attributes == ("nowrap?",)
    page = Page("<h1>Shop</h1><td>30</td><td nowrap>name 99</td><td>size 8</td>")
    assert again.extract(page).records == wrapper.extract(page).records
    assert again.extract(page).candidates() == wrapper.extract(page).candidates()
    assert ["name 99"] in again.extract(page).candidates().values()


def test_a_file_with_wrong_rules_is_refused() -> None:
    text = dump(induce(PAGES, family="landmark", attributes=["nowrap?"])).replace("nowrap?", "a b")
    with pytest.raises(InvalidWrapper, match="a b"):
        parse(text)


def test_the_report_of_learning_is_on_the_wrapper() -> None:
    wrapper = induce(PAGES, family="landmark")
    assert isinstance(wrapper, LandmarkWrapper)
    assert wrapper.report is not None
    assert (wrapper.report.k, wrapper.report.pages, wrapper.report.left_out) == (5, 6, ())
    assert str(wrapper.report).startswith("astar, k = 5 of 6 pages: ")
    assert "proven" in str(wrapper.report)


def test_pages_that_do_not_belong_give_no_fields() -> None:
    other = Page("<title>Not found</title><dl><dt>Error</dt><dd>404</dd></dl>" * 3)
    sample = [
        Page(
            f"<title>Shop</title><h1>Thing {n}</h1><div id=price>Price: <b>{n * 7} EUR</b></div><p class=by>by {n} &amp; Co</p>"
        )
        for n in range(8)
    ]
    wrapper = induce([*sample, other], family="landmark")
    assert isinstance(wrapper, LandmarkWrapper)
    assert wrapper.report is not None
    assert [index for index, _ in wrapper.report.left_out] == [8]
    assert wrapper.fields == induce(sample, family="landmark").fields
