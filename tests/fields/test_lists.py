"""Repeated parts of a detail page: lists of records in its item."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.fields.types import convert
from scrapy_wrapinduce.wrapper import dump, parse

COUNT = 8
FILMS = ["Emma", "Heat", "Jaws", "Rope", "Tess", "Gigi", "Argo", "Coco"]
FIRST = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
LAST = ["Lee", "Ray", "Moss", "Fox", "Hill", "Orr", "Pym", "Poe", "Dun"]
HALLS = ["Blue", "Green", "Grand", "Cellar", "Roof"]
PARTS = ["Doctor", "Sailor", "Baker", "Thief", "Judge", "Clown"]


def cast_of(number: int) -> list[dict[str, str]]:
    """The cast of a film; some parts are not named."""
    cast = []
    for place in range(3 + number % 4):
        actor = {"name": f"{FIRST[(number + 3 * place) % 7]} {LAST[(4 * number + place) % 9]}"}
        if (number + place) % 5:
            actor["part"] = f"{PARTS[(number + place) % 6]} {number}"
        cast.append(actor)
    return cast


def sessions_of(number: int) -> list[dict[str, str]]:
    return [
        {
            "hall": HALLS[place + number % 2],
            "starts": f"{12 + place}:{number}5",
            "price": f"€{7 + place}.50",
        }
        for place in range(2 + (number + 1) % 3)
    ]


def film(number: int) -> Page:
    cast = "".join(
        f'<li class="{"odd" if place % 2 else "even"}"><a href="/person/{place}">{one["name"]}</a>'
        + (f' <span class="part">as {one["part"]}</span>' if "part" in one else "")
        + "</li>"
        for place, one in enumerate(cast_of(number))
    )
    sessions = "".join(
        f"<tr><td>{one['hall']}</td><td>{one['starts']}</td><td>{one['price']}</td></tr>"
        for one in sessions_of(number)
    )
    others = "".join(
        f'<li><a href="/film/{other}">{FILMS[other]}</a> <b>{other + 1} stars</b></li>'
        for other in sorted({(number + step) % 8 for step in (1, 2, 4)})
    )
    return Page(
        f"<html><head><title>{FILMS[number]} – Films</title></head><body><ul><li><a href='/'>Home</a> <b>1</b></li>"
        f"<li><a href='/all'>All</a> <b>2</b></li><li><a href='/help'>Help</a> <b>3</b></li></ul>"
        f"<h1>{FILMS[number]}</h1><table><tr><th>Year</th><td>{1980 + number}</td></tr>"
        f"<tr><th>Length</th><td>{90 + number * 3} min</td></tr><tr><th>Land</th><td>{'FR' if number % 2 else 'UK'}</td></tr>"
        f"</table><h2>Cast</h2><ul>{cast}</ul><h2>Sessions</h2><table><tr><td>Hall</td><td>Starts</td><td>Price</td></tr>"
        f"{sessions}</table><h2>You may also like</h2><ul>{others}</ul><p>The end</p></body></html>",
        url=f"http://films.example/film/{number}",
    )


PAGES = [film(number) for number in range(COUNT)]


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    wrapper = parse(dump(induce(PAGES)))
    return [wrapper.items(page)[0] for page in PAGES]


def test_a_list_has_its_headings_name_and_a_record_for_every_entry(
    items: list[dict[str, Any]],
) -> None:
    for number, item in enumerate(items):
        assert [one["title"] for one in item["cast"]] == [one["name"] for one in cast_of(number)]


def test_records_stay_aligned_where_a_value_is_missing(items: list[dict[str, Any]]) -> None:
    for number, item in enumerate(items):
        parts = [one.get("part", "").removeprefix("as ") for one in item["cast"]]
        assert parts == [one.get("part", "") for one in cast_of(number)]


def test_the_rows_of_a_table_are_named_by_the_row_of_heads(items: list[dict[str, Any]]) -> None:
    for number, item in enumerate(items):
        assert item["sessions"] == sessions_of(number)


def test_a_table_of_facts_is_fields_and_no_list(items: list[dict[str, Any]]) -> None:
    for number, item in enumerate(items):
        assert (item["year"], item["length"]) == (str(1980 + number), f"{90 + number * 3} min")


def test_menus_and_related_things_are_no_lists(items: list[dict[str, Any]]) -> None:
    for item in items:
        assert [name for name, value in item.items() if isinstance(value, list)] == [
            "cast",
            "sessions",
        ]
        assert "stars" not in str(item)


def test_values_of_a_list_are_nowhere_else_and_stand_in_page_order(
    items: list[dict[str, Any]],
) -> None:
    for item in items:
        names = list(item)
        assert names.index("length") < names.index("cast") < names.index("sessions")
        flat = {value for value in item.values() if isinstance(value, str)}
        assert not flat & {one["title"] for one in item["cast"]}


def test_raw_records_say_where_the_values_of_a_list_stand() -> None:
    wrapper = induce(PAGES)
    extraction = wrapper.extract(PAGES[3])
    places = [at for at in extraction.places if at.field == "cast.title"]
    assert [PAGES[3].html[at.start : at.end] for at in places] == [
        one["name"] for one in cast_of(3)
    ]


def test_a_page_without_the_list_has_no_such_field() -> None:
    wrapper = induce(PAGES)
    html = PAGES[2].html
    start, end = html.index("<h2>Cast"), html.index("<h2>Sessions")
    assert "cast" not in wrapper.items(Page(html[:start] + html[end:]))[0]


def test_the_command_line_writes_lists_as_json_also_in_csv_files(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, page in enumerate(PAGES):
        (folder / f"{number}.html").write_text(page.html, encoding="utf-8")
    wrapper, items = str(tmp_path / "film.json"), tmp_path / "items.csv"
    assert main(["learn", str(folder), "-o", wrapper]) == 0
    assert main(["apply", wrapper, str(folder), "-o", str(items)]) == 0
    with items.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [json.loads(row["sessions"]) for row in rows] == list(map(sessions_of, range(COUNT)))


@dataclass
class Session:
    hall: str = ""
    price: Decimal | None = None


@dataclass
class Film:
    title: str = ""
    length: int | None = None
    sessions: list[Session] = field(default_factory=list)


def test_an_item_class_may_ask_for_a_list_of_items() -> None:
    wrapper = induce(PAGES, schema=Film)
    values, problems = convert(wrapper.items(PAGES[4])[0], Film)
    assert not problems
    assert Film(**values) == Film(
        "Tess",
        102,
        [Session(one["hall"], Decimal(one["price"][1:])) for one in sessions_of(4)],
    )


def test_examples_may_show_a_list_of_records() -> None:
    examples = [{"film": "Emma", "cast": cast_of(0)}, *[None] * (COUNT - 1)]
    wrapper = induce(PAGES, examples=examples)
    for number, page in enumerate(PAGES):
        assert wrapper.items(page)[0] == {"film": FILMS[number], "cast": cast_of(number)}


THINGS = "flour sugar butter honey milk salt rice oats plums pears beans corn".split()
AMOUNT = re.compile(r"\d+ \w+")
UNITS = ["cups", "spoons", "grams", "pounds", "slices"]


def ingredients_of(number: int) -> list[str]:
    made = [
        "{amount} {thing}",
        "{thing}",
        "{amount} {thing}, chopped (about {other})",
        "{thing} or {other}",
    ]
    return [
        made[(number + place) % 4].format(
            thing=THINGS[(5 * number + place) % 12],
            amount=f"{2 + 3 * number + place} {UNITS[(number + 3 * place) % 5]}",
            other=f"{90 - 7 * number + place} {UNITS[(number + place + 1) % 5]}",
        )
        for place in range(4 + number % 3)
    ]


def recipe(number: int, head: str = "") -> Page:
    """A recipe: amounts are marked where there are any, and the steps are sentences."""
    entries = (AMOUNT.sub(r"<b>\g<0></b>", text) for text in ingredients_of(number))
    listed = "".join(f"<li>{entry}</li>" for entry in entries)
    return Page(
        f"<html><head><title>{FILMS[number]} cake – Kitchen</title>{head}</head><body><ul><li><a href='/'>Home</a></li>"
        f"<li><a href='/all'>All</a></li></ul><h1>{FILMS[number]} cake</h1><p>By <a href='/c'>{LAST[number]}</a></p>"
        f"<h2>Ingredients</h2><ul>{listed}</ul>"
        f"<h2>Method</h2><p>Stir all of it for {number + 2} minutes and bake it at once.</p></body></html>",
        url=f"http://kitchen.example/cake/{number}",
    )


@pytest.mark.parametrize("count", [1, COUNT])
def test_entries_that_markup_cuts_here_and_there_are_whole_texts(count: int) -> None:
    pages = [recipe(number) for number in range(count)]
    wrapper = parse(dump(induce(pages, family="landmark")))
    for number, page in enumerate(pages):
        assert wrapper.items(page)[0]["ingredients"] == ingredients_of(number)
        (record,) = wrapper.extract(page).records
        assert record["ingredients"] == ingredients_of(number)
    places = [at for at in wrapper.extract(pages[0]).places if at.field == "ingredients"]
    assert [at.value for at in places] == ingredients_of(0)
    assert wrapper.verify(pages).ok


def test_the_parts_of_a_list_under_headings_of_their_own_are_one_list() -> None:
    parts = [
        ("For the cake", ["<b>2 cups</b> flour", "<b>1</b> egg or <b>2</b>"]),
        ("For the icing", ["<b>3 spoons</b> milk", "sugar", "<b>1</b> pear or <b>2</b> plums"]),
    ]
    lists = "".join(
        f"<p>{head}</p><ul>{''.join(f'<li>{entry}</li>' for entry in entries)}</ul>"
        for head, entries in parts
    )
    page = Page(
        f"<title>Cake</title><h1>Cake</h1><div><h2>Ingredients</h2>{lists}</div><h2>Method</h2><p>Stir all of it for two "
        "minutes and bake it at once.</p>"
    )
    (item,) = induce(page).items(page)
    assert [
        "2 cups flour",
        "1 egg or 2",
        "3 spoons milk",
        "sugar",
        "1 pear or 2 plums",
    ] in item.values()


def test_what_a_page_shows_twice_is_one_list() -> None:
    def twice(number: int) -> Page:
        page = recipe(number)
        shown = page.html[page.html.index("<h2>Ing") : page.html.index("<h2>Met")]
        wide = f'<div class="wide">{shown}</div><div class="narrow">{shown}</div>'
        return Page(page.html.replace(shown, wide), url=page.url)

    pages = [twice(number) for number in range(COUNT)]
    item = induce(pages, family="landmark").items(pages[0])[0]
    assert [value for value in item.values() if isinstance(value, list)] == [ingredients_of(0)]


def test_the_entries_of_a_single_pages_list_need_not_be_of_one_form() -> None:
    entries = [
        "½ cup of olive oil",
        "3 eggs",
        "salt",
        "1 can (400 g) of beans, drained",
        "pepper to taste",
    ]
    steps = [
        "Heat 2 spoons of the oil in a pan until it is hot.",
        "Add all that is left and stir it for a while.",
        "Let it stand for 10 minutes before you bring it to the table.",
    ]
    listed = "".join(
        f'<li><label><input type=checkbox> <span class="entry-name">{entry}</span></label></li>'
        for entry in entries
    )
    paragraphs = "".join(f"<p>{step}</p>" for step in steps)
    page = Page(
        f"<title>Beans</title><h1>Beans</h1><h2>Ingredients</h2><ul>{listed}</ul>"
        f"<h2>Method</h2><div>{paragraphs}</div><h2>Author</h2><p>Ann</p>"
    )
    (item,) = induce(page).items(page)
    assert entries in item.values()
    assert item["method"] == steps
