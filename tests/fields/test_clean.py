"""Labels and separators in a value's own text are learned, and taken off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce.errors import InvalidWrapper
from scrapy_wrapinduce.fields.values.clean import Cleaning, learn_cleaning


@pytest.mark.parametrize(
    ("name", "values", "raw", "clean"),
    [
        ("x", ["Publisher: Knopf", "Publisher: Tor"], "Publisher: Ace", "Ace"),
        ("x", ["Director: A", "Directors: B", "Director: C", "Directors: D"], "Directors: E", "E"),
        ("isbn", [": 9780310289029", ": 9780310289028"], ": 978", "978"),
        ("price", ["$34,020 |", "$1,020 |"], "$2 |", "$2"),
        ("author", ["by Ann", "by Bob"], "by Cy", "Cy"),
        ("publisher", ["Publisher: Knopf"], "Publisher: Ace", "Ace"),
        ("作者", ["作者：王", "作者：李"], "作者：张", "张"),
        ("title", ["Dune: A Novel", "Emma: A Life"], "Emma: A Life", "Emma: A Life"),
        ("start", ["12:30", "12:45"], "12:50", "12:50"),
        (
            "link",
            ["http://a.example/", "http://b.example/"],
            "http://c.example/",
            "http://c.example/",
        ),
        ("change", ["- up", "- down"], "-5", "-5"),
        ("author", ["Byron", "Bysshe"], "Byatt", "Byatt"),
    ],
)
def test_what_is_learned(name: str, values: list[str], raw: str, clean: str) -> None:
    assert learn_cleaning(name, [[value] for value in values]).apply(raw) == clean


def test_lists_stay_lists_and_lines_become_one_text() -> None:
    genres = learn_cleaning("genre", [["Drama,", "Comedy"], ["War,", "Crime,", "Noir"]])
    assert genres.apply(["Drama,", "War"]) == ["Drama", "War"]
    lines = learn_cleaning(
        "address", [["1 Main St,", "Springfield"], ["2 High St,", "Shelbyville"]], ", "
    )
    assert lines.apply(["3 Low St,", "Ogdenville"]) == "3 Low St, Ogdenville"


@given(st.lists(st.lists(st.text(max_size=20), max_size=3), max_size=6), st.text(max_size=30))
def test_cleaning_survives_json_and_only_takes_away(values: list[list[str]], text: str) -> None:
    cleaning = learn_cleaning("publisher", values)
    assert Cleaning.from_dict(cleaning.to_dict()) == cleaning
    assert (cleaning.apply(text) or "") in text


@pytest.mark.parametrize("data", [[], {"labels": "x"}, {"labels": [1]}, {"head": 2}, {"glue": []}])
def test_broken_data_is_refused(data: object) -> None:
    with pytest.raises(InvalidWrapper):
        Cleaning.from_dict(data)
