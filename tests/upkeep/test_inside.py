"""Values that ran into their labels and neighbours."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.upkeep.inside import parts

WORDS = "amber birch cedar dune ember fjord grove heath inlet jetty".split()
FIELDS = ("engine", "price", "maker")


@pytest.mark.parametrize(
    ("text", "labels", "patterns", "found"),
    [
        ("Ash - Oak | Elm", (), (), {"Ash", "Oak", "Elm"}),
        ("Height\n   12 mm", (), (), {"Height", "12 mm"}),
        ("Engine:3.8L Gas", ("Engine:",), (), {"3.8L Gas"}),
        ("MSRP $10 Invoice $9", ("MSRP", "Invoice"), (), {"$10", "$9"}),
        ("Prices Price $9", ("Price",), (), {"$9"}),
        ("$10.50 + $2 shipping", (), (r"\$\d{1,2}\.\d{2,2}",), {"$10.50"}),
        ("12 of 340", (), (r"\d{2,2}",), {"12"}),
        ("nothing here", ("Price",), (r"\d{1,2}",), set()),
    ],
)
def test_what_a_text_holds(
    text: str, labels: tuple[str, ...], patterns: tuple[str, ...], found: set[str]
) -> None:
    assert {text[p.start : p.end].strip() for p in parts(text, labels, patterns)} == found


def values(number: int) -> dict[str, str]:
    word, other = WORDS[number % 10].title(), WORDS[number * 3 % 10].title()
    return {
        "engine": f"{number % 5 + 1}.{number % 8}L {word}, {number * 7 % 90 + 100} HP",
        "price": f"${number * 7 % 80 + 10},{number * 13 % 900 + 100}",
        "maker": f"{other} & {word}",
    }


def apart(number: int) -> Page:
    row = values(number)
    return Page(
        f"<html><body><h1>Car {number + 7}</h1><ul><li><b>Engine:</b> {row['engine']}</li>"
        f"<li><b>Made by:</b> {row['maker']}</li></ul>"
        f"<p><b>Price:</b> <span>{row['price']}</span> <i>with tax</i></p><p>Back to the list</p></body></html>"
    )


def run_together(number: int) -> Page:
    row = values(number)
    return Page(
        f"<html><body><div><h2>Car {number + 7}</h2></div><div>Engine:{row['engine']} Made by:{row['maker']}</div>"
        f"<div>Price: {row['price']} with tax</div><div>Back to the list</div></body></html>"
    )


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    examples = [values(number) for number in range(3)]
    return induce([apart(n) for n in range(20)], examples=[*examples, *[None] * 17])


def test_values_that_became_parts_of_a_text_are_found_again(wrapper: Wrapper) -> None:
    changed = [run_together(number) for number in range(30, 36)]
    assert not wrapper.verify(changed).ok
    repaired = wrapper.repair(changed)
    for number in range(50, 60):
        (record,) = repaired.extract(run_together(number)).records
        assert record == values(number)


def test_from_a_single_page_nothing_is_read_wrong(wrapper: Wrapper) -> None:
    """One page does not show where the parts of its texts end: values may be missed, and are not mixed up."""
    repaired = wrapper.repair(run_together(30))
    for number in range(50, 60):
        for record in repaired.extract(run_together(number)).records:
            assert record.items() <= values(number).items()
