"""Recognizers find instances of a field in text."""

from __future__ import annotations

import re

import pytest

from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.fields.recognizers import known, recognize, recognizer, register
from scrapy_wrapinduce.page import Page


def found(hint: object, text: str) -> list[str]:
    return [text[start:end] for start, end in recognizer(hint)(text)]


@pytest.mark.parametrize(
    ("name", "text", "instances"),
    [
        ("number", "1,204 of 3.5 or -7, not R2D2", ["1,204", "3.5", "-7"]),
        ("integer", "12 and 3.5 and 700", ["12", "700"]),
        ("year", "published 1997, 320 pages", ["1997"]),
        ("email", "Write to ann.lee@example.co.uk today", ["ann.lee@example.co.uk"]),
        ("url", "see https://example.org/a?b=1 or www.example.com", ["https://example.org/a?b=1", "www.example.com"]),
        ("isbn", "ISBN 978-0-306-40615-7, not 978-0-306-40615-8", ["978-0-306-40615-7"]),
        ("isbn", "0306406152", ["0306406152"]),
        ("phone", "call +1 (206) 367-2578 now", ["+1 (206) 367-2578"]),
        ("phone", "page 12 of 40", []),
        ("price", "now only £51.77!", ["£51.77"]),
        ("price", "1.299,00 € inkl. MwSt.", ["1.299,00 €"]),
        ("price", "51 reviews", []),
        ("date", " 3 March 2011 ", ["3 March 2011"]),
        ("date", "2011-03-04", ["2011-03-04"]),
        ("date", "no date at all", []),
        ("country", "Trade of Papua New Guinea with Guinea", ["Papua New Guinea", "Guinea"]),
    ],
)  # fmt: skip
def test_known_recognizers(name: str, text: str, instances: list[str]) -> None:
    assert found(name, text) == instances


def test_regular_expressions_word_lists_and_functions() -> None:
    assert found(r"[1-9][0-9]+", "242 and 20") == ["242", "20"]
    assert found(re.compile("b.", re.IGNORECASE), "abc Bd") == ["bc", "Bd"]
    assert found(["Hi-Fi", "new york"], "New York hi-fi, Newark") == ["New York", "hi-fi"]
    assert found(str.isupper, " LOUD ") == ["LOUD"]
    assert found(str.isupper, "quiet") == []
    assert found(lambda text: text.split()[:1], "first second") == ["first"]
    assert found(lambda text: [(0, 2)], "first") == ["fi"]


def test_what_is_no_recognizer_says_so() -> None:
    with pytest.raises(CannotInduce, match=r"neither one of country, .* nor a regular expression"):
        recognizer("(")
    with pytest.raises(CannotInduce, match="is no recognizer"):
        recognizer(7)
    with pytest.raises(CannotInduce, match="holds no words"):
        recognizer([])


def test_recognizers_can_be_named() -> None:
    register("shelf mark", r"[A-Z]{2}\d{3}")
    assert "shelf mark" in known()
    assert found("shelf mark", "at QA076") == ["QA076"]


def test_a_page_is_searched_in_its_text_and_in_attributes_that_hold_data() -> None:
    page = Page(
        '<a href="https://a.example/" id="www.b.example">www.c.example</a><!-- www.d.example -->'
    )
    spans = recognize(page, recognizer("url"))
    assert [page.html[span.start : span.end] for span in spans] == [
        "https://a.example/",
        "www.c.example",
    ]
