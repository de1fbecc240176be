"""Fields by name alone: all fields at once, with how sure each binding is."""

from __future__ import annotations

from itertools import product
from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce import Page, induce, load
from scrapy_wrapinduce.fields.assignment import best_assignment

LEAST = 0.3
WEIGHTS = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.floats(0, 1), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


def worth(weights: list[list[float]], choice: list[int | None]) -> float:
    return sum(LEAST if at is None else row[at] for row, at in zip(weights, choice, strict=True))


@given(WEIGHTS)
def test_no_other_choice_of_columns_is_better(weights: list[list[float]]) -> None:
    found = best_assignment(weights, LEAST)
    options = [None, *range(len(weights[0]))]
    allowed = [
        choice
        for choice in product(options, repeat=len(weights))
        if len({at for at in choice if at is not None}) == sum(at is not None for at in choice)
        and all(at is None or row[at] >= LEAST for row, at in zip(weights, choice, strict=True))
    ]
    assert tuple(found) in allowed
    assert isclose(
        worth(weights, found), max(worth(weights, list(c)) for c in allowed), abs_tol=1e-9
    )


TOWNS = ["Bath", "Cork", "Dover", "Exeter", "Fife", "Goole", "Hull", "Iona"]


def hotel(number: int) -> Page:
    """A page with more than one number of each kind: the fax before the phone, a price that is over."""
    town = TOWNS[number]
    return Page(
        f"<html><head><title>The {town} Arms | Hotels | Rooms and rates</title></head><body>"
        f"<p>Rooms and rates</p><h2>The {town} Arms</h2><div><b>Your stay in {town}</b></div>"
        f"<p>Fax: <i>0{number}55 101 20{number}</i></p><p>Phone: <i>0{number}55 101 10{number}</i></p>"
        f"<p>Was: <i>€{number + 90}.00</i></p><p>Now: <i>€{number + 60}.00</i></p>"
        f"<p>{number + 3} Station Road</p><p>Stars: <i>4</i></p></body></html>"
    )


PAGES = [hotel(number) for number in range(len(TOWNS))]


def test_names_find_their_values_by_word_kind_and_title() -> None:
    wrapper = induce(PAGES, schema=["name", "phone", "price", "address"])
    assert wrapper.items(PAGES[5])[0] == {
        "name": "The Goole Arms",
        "phone": "0555 101 105",
        "price": "€65.00",
        "address": "8 Station Road",
    }


def offer(number: int) -> Page:
    """Values that a hasty reader takes for others: the price of a set, the town of a menu, the title of the window."""
    town, next_town = TOWNS[number], TOWNS[(number + 1) % len(TOWNS)]
    return Page(
        f"<html><head><title>Jobs and things - Porter in {town} - Day {number}</title></head><body>"
        f"<p>Change location: <a href='/t/{number}'><b>{next_town}</b></a></p><table><tr><td>"
        f"<span class=job_title>Porter in {town}</span></td></tr></table><h3>{number + 3} Station Road</h3>"
        f"<dl><dd class=combo>Combo price: €{number + 190}.00</dd><dd class=final><h3>€{number + 60}.00</h3></dd></dl>"
        "</body></html>"
    )


def test_names_are_not_misled() -> None:
    pages = [offer(number) for number in range(len(TOWNS))]
    item = induce(pages, schema=["title", "price", "address"]).items(pages[4])[0]
    assert item == {"title": "Porter in Fife", "price": "€64.00", "address": "7 Station Road"}


def test_a_wrapper_says_how_sure_it_is_of_each_field(tmp_path) -> None:  # type: ignore[no-untyped-def]
    wrapper = induce(PAGES, schema=["phone", "address", "isbn"])
    wrapper.save(tmp_path / "hotel.json")
    certainties = load(tmp_path / "hotel.json").certainties  # type: ignore[attr-defined]
    assert set(certainties) == {"phone", "address"}
    assert 0 < certainties["address"] < certainties["phone"] <= 1
    assert "% sure)" in wrapper.describe()


def test_examples_leave_no_doubt() -> None:
    examples = [{"phone": "0055 101 100"}, *[None] * (len(PAGES) - 1)]
    wrapper = induce(PAGES, examples=examples)
    assert wrapper.certainties == {"phone": 1.0}  # type: ignore[attr-defined]
