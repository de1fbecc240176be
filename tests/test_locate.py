"""Examples → labels: tolerant finding of values, and placing whole lists of records."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.fields.examples.locate import (
    locate_record,
    locate_records,
    occurrences,
    text_of,
)
from scrapy_wrapinduce.fields.values.formats import canonical_number, date_of, number_of, spellings
from scrapy_wrapinduce.labels import Span
from scrapy_wrapinduce.page import Page

SHOP = """
<html><head><meta property="og:title" content="A Light in the Attic"></head><body>
<h1>A   Light in
 the&nbsp;Attic</h1>
<p class="price">Price: &pound;51.77 each</p>
<p>Fish &amp;amp; Chips</p>
<p>Posted by <a href="/users/7">Ann <b>Lee</b></a> on <time datetime="2024-03-05">5 March 2024</time></p>
<p>Sold: 1,234,567</p><p>1234 copies</p>
<img src="/img/cover.png" alt="Cover of A Light in the Attic"><a href="page/2?x=1&amp;y=2">next</a>
</body></html>
"""


def found(value: str, url: str = "http://books.example/b/1") -> list[tuple[str, str]]:
    page = Page(SHOP, url=url)
    return [(o.how, page.html[slice(*o.span)]) for o in occurrences(page, value)]


@pytest.mark.parametrize(
    ("value", "how", "source"),
    [
        ("A Light in the Attic", "text", "A   Light in\n the&nbsp;Attic"),
        ("a light in THE attic", "text", "A   Light in\n the&nbsp;Attic"),
        ("£51.77", "part", "&pound;51.77"),
        ("51.77", "part", "51.77"),
        ("$51,77", "part", "51.77"),
        ("Fish & Chips", "text", "Fish &amp;amp; Chips"),
        ("Ann Lee", "element", "Ann <b>Lee"),
        ("5 March 2024", "text", "5 March 2024"),
        ("2024-03-05", "attribute", "2024-03-05"),
        ("March 5, 2024", "text", "5 March 2024"),
        ("1234567", "part", "1,234,567"),
        ("http://books.example/users/7", "attribute", "/users/7"),
        ("http://books.example/b/page/2?x=1&y=2", "attribute", "page/2?x=1&amp;y=2"),
        ("/img/cover.png", "attribute", "/img/cover.png"),
        ("Price £51.77 each!", "text", "Price: &pound;51.77 each"),
    ],
)
def test_values_are_found_however_they_are_written(value: str, how: str, source: str) -> None:
    assert (how, source) in found(value)


def test_the_whole_line_is_found_across_its_tags() -> None:
    page = Page(SHOP)
    (place,) = occurrences(page, "Posted by Ann Lee on 5 March 2024")
    assert place.how == "element"
    assert text_of(page.html, *place.span) == "Posted by Ann Lee on 5 March 2024"


def test_a_number_inside_a_longer_number_is_not_found() -> None:
    assert found("234") == []
    assert found("1234") == [("part", "1234")]


def test_words_are_not_cut_but_scripts_without_spaces_are() -> None:
    page = Page("<p>category</p><p>価格は五百円です</p>")
    assert occurrences(page, "cat") == []
    assert [o.how for o in occurrences(page, "五百円")] == ["part"]


def test_all_places_are_given_for_a_single_record() -> None:
    page = Page(SHOP)
    places = locate_record(page, {"title": "A Light in the Attic", "missing": None})
    assert [o.how for o in places["title"][0]] == ["attribute", "text"]
    assert "missing" not in places


def test_a_value_that_is_not_there_is_named_with_the_nearest_text() -> None:
    page = Page(SHOP, url="http://books.example/b/1")
    with pytest.raises(CannotInduce) as error:
        locate_record(page, {"title": "A Lamp in the Attic"})
    message = str(error.value)
    assert "http://books.example/b/1" in message
    assert "'title'" in message
    assert "'A Lamp in the Attic'" in message
    assert "nearest text is 'A Light in the Attic'" in message


def values_of(page: Page, examples: list[dict[str, object]]) -> list[dict[str, str]]:
    records = locate_records(page, examples).records
    return [
        {k: page.html[v.start : v.end] for k, v in r.values.items() if isinstance(v, Span)}
        for r in records
    ]


def test_repeated_values_are_told_apart_by_their_column() -> None:
    rows = [("8", "8", "ann"), ("3", "8", "bob"), ("8", "3", "ann"), ("3", "3", "cid")]
    cells = "".join(f"<tr><td>{a}</td><td>{b}</td><td>{c}</td></tr>" for a, b, c in rows)
    page = Page(f"<p>8 of 33 by ann and bob</p><table>{cells}</table>")
    examples = [dict(zip("abc", row, strict=True)) for row in rows]
    labelled = locate_records(page, examples)
    assert values_of(page, examples) == examples
    starts = [list(r.values.values()) for r in labelled.records]
    assert starts == sorted(starts)
    assert len({span for record in starts for span in record}) == 12


def test_text_is_preferred_to_the_attribute_that_repeats_it() -> None:
    items = "".join(
        f'<li><img alt="{n}" src="{n}.png"><a title="{n}" href="/{n}">{n}</a></li>'
        for n in ("one", "two", "three")
    )
    page = Page(f"<ul>{items}</ul>")
    labelled = locate_records(page, [{"name": n} for n in ("one", "two", "three")])
    for record in labelled.records:
        span = record.values["name"]
        assert isinstance(span, Span)
        assert page.html[span.start - 1] == ">"


def test_records_may_lack_fields_and_come_in_another_order() -> None:
    page = Page("<ul><li>x <b>1</b></li><li>y</li><li>z <b>3</b></li></ul>")
    examples: list[dict[str, object]] = [{"n": "z", "v": "3"}, {"n": "y"}, {"n": "x", "v": "1"}]
    assert values_of(page, examples) == [{"n": "x", "v": "1"}, {"n": "y"}, {"n": "z", "v": "3"}]


def test_lists_and_nested_records() -> None:
    html = "<div><h2>A</h2><i>p</i><i>q</i><b>1</b><b>2</b></div>"
    html += "<div><h2>B</h2><i>q</i><b>2</b></div>"
    page = Page(html)
    examples = [
        {"name": "A", "tags": ["p", "q"], "rows": [{"n": "1"}, {"n": "2"}]},
        {"name": "B", "tags": ["q"], "rows": [{"n": "2"}]},
    ]
    first, second = locate_records(page, examples).records
    assert len(first.values["tags"]) == 2
    assert [len(r.children["rows"]) for r in (first, second)] == [2, 1]
    (row,) = second.children["rows"]
    span = row.values["n"]
    assert isinstance(span, Span)
    assert span.start > html.index("B")


def test_a_few_lost_values_of_a_long_list_are_forgiven_but_not_many() -> None:
    page = Page("".join(f"<p>name{i}</p>" for i in range(20)))
    names = [{"n": f"name{i}"} for i in range(20)]
    assert len(locate_records(page, [*names[:19], {"n": "elsewhere"}]).records) == 20
    with pytest.raises(CannotInduce, match=r"'n' of record 1"):
        locate_records(page, [{"n": "elsewhere"}, {"n": "name2"}])


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.text("abc", min_size=1, max_size=2), st.text("12", min_size=1, max_size=2)),
        min_size=1,
        max_size=8,
    )
)
def test_any_table_is_placed_cell_by_cell(rows: list[tuple[str, str]]) -> None:
    html = "<table>" + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in rows) + "</table>"
    page = Page(html)
    examples: list[dict[str, object]] = [{"a": a, "b": b} for a, b in rows]
    records = locate_records(page, examples).records
    expected, at = [], 0
    for a, b in rows:
        first = html.index(f"<td>{a}</td>", at) + 4
        second = html.index(f"<td>{b}</td>", first) + 4
        expected.append((first, second))
        at = second
    placed = [(r.values["a"][0], r.values["b"][0]) for r in records]
    assert placed == expected


@settings(deadline=None)
@given(st.text(max_size=300), st.text(max_size=20))
def test_no_page_and_no_value_breaks_the_search(html: str, value: str) -> None:
    page = Page(html)
    for place in occurrences(page, value):
        assert 0 <= place.span.start <= place.span.end <= len(html)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234.50", "1234.5"),
        ("1.234,50", "1234.5"),
        ("1 234", "1234"),
        ("12,5", "12.5"),
        ("7", "7"),
    ],
)
def test_numbers(text: str, number: str) -> None:
    assert str(canonical_number(text)) == number
    assert number_of("no number") is None


def test_dates() -> None:
    day = date_of("2024-03-05")
    assert day is not None
    assert {"5 March 2024", "Mar 5, 2024", "05.03.2024", "3/5/24"} <= set(spellings(day))
    assert date_of("hello") is None


def test_a_long_text_full_of_near_misses_is_searched_in_bounded_time() -> None:
    page = Page("<p>" + "a" * 300_000 + "</p>" + "<i>a</i>" * 2000)
    assert {o.how for o in occurrences(page, "a")} == {"text"}
