"""Examples: one page is enough, and a value may stand there in many ways."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_wrapinduce import CannotInduce, Page, induce, refine
from scrapy_wrapinduce.landmark.wrapper import LandmarkWrapper
from scrapy_wrapinduce.wrapper import dump, parse

CARS = ["Civic", "Golf", "Panda", "Corolla", "Focus", "Clio"]


def car_page(number: int) -> Page:
    name = CARS[number]
    reviews = "".join(
        f"<li><b>Critic{number}{review}</b> <i>{name} is number {review + 1}</i></li>"
        for review in range(2 + number % 3)
    )
    return Page(
        f'<html><head><title>{name} | Cars</title><meta property="og:image" content="/img/{number}.jpg"></head>'
        f'<body><div class="top"><a href="/">Home</a> <a href="/cars">Cars</a></div><h1>{name}</h1>'
        f"<p>MSRP: $3{number},02{number} (new)</p><p>Built in Town{number}, Land{number % 2}</p>"
        f"<p>Price</p><p>${number + 1}0</p><p>Was</p><p>${(number + 2) * 10 if number else 10}</p>"
        f"<div><span>1{number} Main St</span><br><span>Springfield {number}</span></div>"
        f'<p><a class="maker" href="/maker/{number * 3}">The maker of it</a></p>'
        f"<h2>Reviews</h2><ul>{reviews}</ul></body></html>",
        url=f"http://cars.example/{number}",
    )


PAGES = [car_page(number) for number in range(len(CARS))]


def learn(example: dict[str, Any], *others: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of all pages by a wrapper that was shown the first page or pages, saved and loaded."""
    shown = [example, *others]
    wrapper = induce(PAGES, examples=[*shown, *[None] * (len(PAGES) - len(shown))])
    wrapper = parse(dump(wrapper))
    return [wrapper.extract(page).records[0] for page in PAGES]


def test_a_whole_text() -> None:
    assert [record["name"] for record in learn({"name": "Civic"})] == CARS


@pytest.mark.parametrize(
    ("example", "third"),
    [
        ("$30,020", "$32,022"),
        ("30020", "32,022"),
        ("Town0", "Town2"),
    ],
)
def test_part_of_a_text(example: str, third: str) -> None:
    assert learn({"field": example})[2] == {"field": third}


def test_several_text_nodes() -> None:
    record = learn({"address": ["10 Main St", "Springfield 0"]})[3]
    assert record == {"address": ["13 Main St", "Springfield 3"]}


@pytest.mark.parametrize(
    ("example", "third"),
    [
        ("/img/0.jpg", "/img/2.jpg"),
        ("http://cars.example/img/0.jpg", "/img/2.jpg"),
        ("/maker/0", "/maker/6"),
    ],
)
def test_attributes(example: str, third: str) -> None:
    assert learn({"link": example})[2] == {"link": third}


def test_records_in_the_record() -> None:
    reviews = [
        {"by": "Critic00", "text": "Civic is number 1"},
        {"by": "Critic01", "text": "Civic is number 2"},
    ]
    records = learn({"name": "Civic", "reviews": reviews})
    assert records[2]["name"] == "Panda"
    assert records[2]["reviews"] == [
        {"by": f"Critic2{review}", "text": f"Panda is number {review + 1}"} for review in range(4)
    ]


def test_a_label_that_one_page_has_among_labels_that_others_have() -> None:
    def rows(**facts: str) -> Page:
        shown = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in facts.items())
        return Page(f"<html><body><h1>{facts['SKU']}</h1><table>{shown}</table></body></html>")

    things = [rows(SKU=f"a{n}7", Colour=colour, Weight=f"{n}.5 kg", Size=f"{n} × 4")
              for n, colour in enumerate(("red", "blue", "green", "grey", "pink"), 1)]  # fmt: skip
    book = rows(SKU="b77", ISBN="978-1", Colour="black", Weight="8.5 kg", Size="8 × 4")
    other = rows(SKU="b78", ISBN="978-2", Colour="white", Weight="9.5 kg", Size="9 × 4")
    shown = {"sku": "a17", "colour": "red", "weight": "1.5 kg", "size": "1 × 4"}
    read = {
        "sku": "b77",
        "isbn_number": "978-1",
        "colour": "black",
        "weight": "8.5 kg",
        "size": "8 × 4",
    }
    wrapper = induce([*things, book], examples=[shown, *[None] * 4, read])
    assert "isbn_number" in wrapper.fields
    assert wrapper.extract(things[1]).records[0] == {
        "sku": "a27", "colour": "blue", "weight": "2.5 kg", "size": "2 × 4"
    }  # fmt: skip
    again = parse(dump(wrapper))
    assert again.extract(other).records[0]["isbn_number"] == "978-2"
    left = wrapper.without_fields({"isbn_number"}) if isinstance(wrapper, LandmarkWrapper) else None
    assert left is not None
    assert "isbn_number" not in left.extract(book).records[0]


def test_two_fields_with_the_same_value_are_two_places() -> None:
    assert learn({"price": "$10", "was": "$10"})[3] == {"price": "$40", "was": "$50"}


def test_a_value_that_is_nowhere_is_named_with_its_page_and_the_nearest_text() -> None:
    with pytest.raises(CannotInduce) as error:
        learn({"name": "Cyvic"})
    message = str(error.value)
    assert "http://cars.example/0" in message
    assert "name" in message
    assert "'Cyvic'" in message
    assert "'Civic'" in message


def test_examples_that_come_later_refine_a_wrapper() -> None:
    """By name: a new field, one that was called otherwise, one that is not wanted."""
    wrapper = induce(PAGES, family="landmark")
    default = wrapper.extract(PAGES[2]).records[0]
    unwanted = next(
        name
        for name, value in default.items()
        if value == "The maker of it" or "Critic" in str(value)
    )
    examples = [{"msrp": "$30,020", "model": "Civic", unwanted: None}, *[None] * 5]
    refined = refine(wrapper, PAGES, examples)
    record = refined.extract(PAGES[2]).records[0]
    assert (record["msrp"], record["model"]) == ("$32,022", "Panda")
    assert unwanted not in record
    kept = set(default) - {unwanted}
    assert len(kept - set(record)) <= 1
    assert refine(refined, PAGES[:1], [{"model": "Civic"}]).fields == refined.fields


def test_none_says_that_a_page_has_no_value() -> None:
    """The last price of a page is the old one, where there is an old one."""
    pages = [offer(number) for number in range(8)]
    examples = [{"was": f"£{number}8" if number % 2 else None} for number in range(8)]
    named = [{"name": CARS[1]}, *[None] * 7]
    wrapper = induce(
        pages,
        examples=[
            {**example, **(names or {})} for example, names in zip(examples, named, strict=True)
        ],
    )
    refined = refine(induce(pages, examples=named), pages, examples)
    for number, example in enumerate(examples):
        for one in (wrapper, refined):
            assert one.extract(pages[number]).records[0].get("was") == example["was"]


def offer(number: int) -> Page:
    was = f"<s>£{number}8</s>" if number % 2 else ""
    return Page(f"<h1>{CARS[(number + 1) % 6]}</h1><div><b>£{number}5</b>{was}</div><p>The end</p>")


def test_only_landmark_wrappers_are_refined() -> None:
    page = Page("<ul><li>A</li><li>B</li><li>C</li></ul>")
    wrapper = induce([page], examples=[[{"x": "A"}, {"x": "B"}, {"x": "C"}]])
    with pytest.raises(CannotInduce, match="learn it anew"):
        refine(wrapper, [page], [{"y": "A"}])
