"""Theorem 1 of Kushmerick (2000): what each class can and cannot read, a page for every region of Figure 17."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scrapy_wrapinduce.delimiter import learn
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import LabelledPage
from tests.delimiter_pages import labelled
from tests.test_delimiter_brute_force import QUICK, tables, trees

NESTING = (("", ("x",)), ("ys", ("y",)))


def can(page: LabelledPage, *families: str, end_of_page: bool = False) -> set[str]:
    """The classes that can read a page; the theorem holds without the end of the page as a tail."""
    able = set()
    for family in families:
        try:
            learn(family, [page], end_of_page=end_of_page)
        except CannotInduce:
            continue
        able.add(family)
    return able


FIGURE_17A = [
    ("", "[⟦x A1⟧][⟦x A2⟧]["),
    ("hoclrt", "[⟦x A1⟧][o[⟦x A2⟧]o[t"),
    ("oclr", "[⟦x A1⟧][h[⟦x A2⟧]h"),
    ("oclr hoclrt", "[⟦x A1⟧][ct[⟦x A2⟧]to"),
    ("hlrt hoclrt", "[⟦x A1⟧][⟦x A2⟧]t["),
    ("hlrt oclr hoclrt", "[⟦x A1⟧]ot[⟦x A2⟧][oo"),
    ("lr oclr", "[⟦x A1⟧][⟦x A2⟧]"),
    ("lr oclr hoclrt", "o[⟦x A1⟧]co]ct[⟦x A2⟧]ct"),
    ("lr hlrt oclr hoclrt", "[⟦x A1⟧][⟦x A2⟧]t"),
]


@pytest.mark.parametrize(("classes", "source"), FIGURE_17A)
def test_figure_17a(classes: str, source: str) -> None:
    assert can(labelled(source), "lr", "hlrt", "oclr", "hoclrt") == set(classes.split())


FIGURE_17B = [
    ("", "[⟦x A1⟧][⟦x A2⟧][", None),
    ("nhlrt", "[⟦x U⟧](⟦y V⟧)[", NESTING),
    ("nlr", "[⟦x U⟧]t(⟦y V⟧)(⟦y V⟧)", NESTING),
    ("nlr nhlrt", "[⟦x U⟧](⟦y V⟧)", NESTING),
    ("hlrt", "[⟦x A11⟧][(⟦y A12⟧)[⟦x A21⟧](⟦y A22⟧)h[", None),
    ("hlrt nhlrt", "[⟦x A1⟧][⟦x A2⟧]t[", None),
    ("lr", "[⟦x A11⟧](⟦y A12⟧)[⟦x A21⟧][(⟦y A22⟧)", None),
    ("lr nlr", "[⟦x A1⟧][⟦x A2⟧]", None),
    ("lr hlrt", "[⟦x A11⟧][⟦y A12⟧][⟦x A21⟧][⟦y A22⟧]t", None),
    ("lr hlrt nhlrt", "[⟦x A11⟧](⟦y A12⟧)[⟦x A21⟧](⟦y A22⟧)t](", None),
    ("lr hlrt nlr", "[o[⟦x A11⟧]o(⟦y A12⟧]ho[⟦x A21⟧](⟦y A22⟧]o", None),
    ("lr hlrt nlr nhlrt", "[⟦x A1⟧][⟦x A2⟧]t", None),
]


@pytest.mark.parametrize(("classes", "source", "nesting"), FIGURE_17B)
def test_figure_17b(classes: str, source: str, nesting: tuple[tuple[str, str], ...] | None) -> None:
    page = labelled(source, nesting)
    assert can(page, "lr", "hlrt", "nlr", "nhlrt") == set(classes.split())


@settings(QUICK, max_examples=150)
@given(tables(2, 5))
def test_no_other_region_of_figure_17a_has_pages(pages: list[LabelledPage]) -> None:
    able = can(pages[0], "lr", "hlrt", "oclr", "hoclrt")
    assert "oclr" in able or "lr" not in able
    assert "hoclrt" in able or "hlrt" not in able


@settings(QUICK, max_examples=100)
@given(tables(2, 5) | trees(5))
def test_no_other_region_of_figure_17b_has_pages(pages: list[LabelledPage]) -> None:
    able = can(pages[0], "lr", "hlrt", "nlr", "nhlrt")
    assert "lr" in able or not {"nlr", "hlrt"} <= able
    assert "hlrt" in able or not {"nhlrt", "lr"} <= able


@settings(QUICK, max_examples=150)
@given(tables(2, 5))
def test_with_the_end_of_the_page_as_tail_hlrt_reads_all_that_lr_reads(
    pages: list[LabelledPage],
) -> None:
    able = can(pages[0], "lr", "hlrt", "oclr", "hoclrt", end_of_page=True)
    assert "hlrt" in able or "lr" not in able
    assert "hoclrt" in able or "oclr" not in able
