"""The front door: which family is chosen, what is refused and how, and wrappers that survive anything."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce import CannotInduce, Page, Wrapper, induce, load

WORDS = (
    "amber birch cedar delta ember fjord grove heath inlet juniper kelp larch moss north".split()
)


def product(number: int, with_note: bool = False) -> Page:
    rng = random.Random(number)
    title = " ".join(rng.sample(WORDS, 3)).title()
    rows = [("Weight", f"{rng.randint(1, 900)} g"), ("Colour", rng.choice(WORDS))]
    if number % 3 == 0:
        rows.append(("Origin", rng.choice(WORDS).title()))
    cells = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows)
    note = f'<p class="note">{rng.choice(WORDS)} {number}</p>' if with_note else ""
    return Page(
        f"<html><head><title>{title} - Shop</title></head><body><div id='nav'>Home Basket</div>"
        f"<h1>{title}</h1><p>Price: <b class='price'>${rng.randint(1, 99)}.50</b></p>{note}"
        f"<table>{cells}</table><div id='foot'>Terms and conditions</div></body></html>",
        url=f"http://shop.example/p/{number}",
    )


def results(number: int) -> Page:
    rng = random.Random(number)
    rows = "".join(
        f"<li class='{'odd' if n % 2 else 'even'}'><a href='/p/{number}{n}'>{rng.choice(WORDS).title()} {n}</a> "
        f"<i>${rng.randint(1, 99)}</i> by <em>{rng.choice(WORDS)}</em></li>"
        for n in range(8 + number)
    )
    return Page(f"<html><body><h1>Results</h1><ul>{rows}</ul><p>End</p></body></html>")


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    return induce([product(number) for number in range(12)])


def test_pages_about_one_thing_give_one_named_record_each(wrapper: Wrapper) -> None:
    page = product(99)
    (record,) = wrapper.extract(page).records
    assert wrapper.family == "landmark"
    assert record["price"].startswith("$")
    assert record["weight"].endswith(" g")
    assert record["origin"].istitle()
    assert record["title"] in page.html


def test_an_optional_row_is_absent_where_the_page_has_none(wrapper: Wrapper) -> None:
    assert "origin" not in wrapper.extract(product(100)).records[0]


def test_a_page_of_results_gives_one_record_per_row() -> None:
    learned = induce([results(1), results(2)])
    assert len(learned.extract(results(5)).records) == 13


def test_one_example_page_names_the_fields() -> None:
    pages = [product(number) for number in range(10)]
    value = induce(pages).extract(pages[0]).records[0]["price"]
    learned = induce(pages, examples=[{"cost": value}, *[None] * 9])
    assert learned.fields == ("cost",)
    assert learned.extract(product(50)).records[0]["cost"].startswith("$")


def test_a_schema_of_names_finds_its_fields_and_leaves_out_others() -> None:
    learned = induce([product(number) for number in range(10)], schema=["price", "weight", "isbn"])
    assert set(learned.fields) == {"price", "weight"}


def test_examples_of_records_learn_a_list() -> None:
    page = results(3)
    shown = induce([results(1), results(2)]).extract(page).records
    name = next(field for field in shown[0] if str(shown[0][field]).startswith("$"))
    learned = induce([page], examples=[[{"price": record[name]} for record in shown]])
    assert [record["price"] for record in learned.extract(page).records] == [
        record[name] for record in shown
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pages": []}, "no pages"),
        ({"pages": ["<html>"]}, "not a Page"),
        ({"search": "best"}, "unknown search 'best'"),
        ({"family": "nope"}, "unknown family 'nope'"),
        ({"k": 0}, "k must be"),
        ({"examples": [{}]}, "1 examples for 2 pages"),
        ({"examples": [["title"], None]}, "example of page 1"),
        ({"examples": [{"title": "Not There At All"}, None]}, "title.*Not There At All"),
        ({"family": "lr"}, "learns from examples"),
        ({"schema": 7}, "schema"),
        ({"schema": ["isbn"]}, "isbn"),
    ],
)
def test_what_cannot_be_learned_is_said(arguments: dict[str, object], message: str) -> None:
    given_arguments = {"pages": [product(1), product(2)], **arguments}
    with pytest.raises(CannotInduce, match=message):
        induce(**given_arguments)  # type: ignore[arg-type]


def test_a_saved_wrapper_reads_the_same(wrapper: Wrapper, tmp_path: Path) -> None:
    wrapper.save(tmp_path / "wrapper.json")
    again = load(tmp_path / "wrapper.json")
    for number in (40, 41, 42):
        page = product(number, with_note=True)
        assert again.extract(page).records == wrapper.extract(page).records


def test_every_value_says_where_it_stands(wrapper: Wrapper) -> None:
    page = product(77)
    for place in wrapper.extract(page).places:
        assert place.value == page.html[place.start : place.end]


PIECES = [*"<>/\"'= &;ab1", "\n", "<h1>", "</h1>", "Price:", "<td>", "</table>"]


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.integers(0, 400),
    st.integers(0, 400),
)
def test_extraction_never_raises(wrapper: Wrapper, soup: str, start: int, length: int) -> None:
    html = product(7).html
    damaged = Page(html[:start] + soup + html[start + length :])
    found = wrapper.extract(damaged)
    assert 0 <= found.coverage <= 1
    assert len(found.records) <= 1


def test_a_page_of_another_template_is_reported_and_not_raised(wrapper: Wrapper) -> None:
    found = wrapper.extract(Page("<html><body><p>Something else</p></body></html>"))
    assert found.coverage < 0.5
    assert found.failures


def test_a_page_that_does_not_belong_is_left_out_and_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = "".join(f"<dt>{word}</dt><dd>{word * 3}</dd>" for word in WORDS)
    stranger = Page(f"<html><body><dl>{rows}</dl></body></html>", url="http://shop.example/terms")
    learned = induce([*(product(number) for number in range(12)), stranger], family="landmark")
    assert "http://shop.example/terms does not belong to the template" in caplog.text
    assert "price" in learned.extract(product(60)).records[0]
