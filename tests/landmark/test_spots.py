"""Where landmarks stand on a page: found by short cuts, and the same as by looking at every tag and word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scrapy_wrapinduce.landmark import spots as spots_module
from scrapy_wrapinduce.landmark.lattice import TAG, TEXT, WORD, Landmark, matching
from scrapy_wrapinduce.landmark.spots import MOST_FOUND, Finder, Spots
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import CLOSE, SKIPPED, words
from tests.test_tokenizer import SOUP

MARKS = [
    *(Landmark(TAG, name) for name in ("p", "td", "a")),
    Landmark(TAG, "a", "b?"),
    Landmark(TAG, "a", "b", "c"),
    *(Landmark(TEXT, text) for text in ("a", "- a", "é", "& a", "日本")),
    *(Landmark(WORD, word) for word in ("a", "-", "&", "é", "日本", "nbsp;", "&amp;")),
]
# What a file may call texts and words, and no page ever has.
NOT_SHOWN = [Landmark(TEXT, ""), *(Landmark(WORD, text) for text in ("", " ", "a a", "\u200b"))]


def looked_up(page: Page, mark: Landmark) -> list[tuple[int, int]]:
    """Where a landmark begins, and for texts where it ends, found the slow way."""
    if mark.kind == TAG:
        tags = zip(page.tags, page.outline.starts, strict=False)
        shown = ((tag, start) for tag, start in tags if tag.kind not in (CLOSE, SKIPPED))
        return [(start, 0) for tag, start in shown if mark in matching(tag)]
    found = []
    for text, start, end in zip(page.texts.folded, page.texts.starts, page.texts.ends, strict=True):
        if mark.kind == WORD:
            spans = zip(words(page.html, start, end), text.split(), strict=True)
            found += [span for span, word in spans if word == mark.name]
        elif text == mark.name:
            found.append((start, end))
    return found


def assert_found(spots: Spots, page: Page) -> None:
    for number, mark in enumerate(MARKS + NOT_SHOWN):
        found = [
            (spot.start, 0 if mark.kind == TAG else spot.end)
            for spot in spots.inside(number, 0, len(page.html))
        ]
        assert found == looked_up(page, mark)[:MOST_FOUND], mark


@pytest.mark.parametrize(
    "html",
    [
        "a<p>a<p> a b<td>- a</td><a b=c>&amp; a</a><a b='c'>a\u200ba a",
        '<a b=">"><a b=">">é<p>&eacute;<p>e&#769; &#233; a&nbsp;a&#32;a-a - ',
        "<p>aa a aa<p>a-a a -a<p>日本 日本日本 日本<p>&amp;&amp; & &amp; &amp;amp;",
        "<p>" + "a " * 20,
        "\u200b",
    ],
)
@pytest.mark.parametrize("few", [0, 100])
def test_landmarks_are_found_where_they_stand(
    html: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spots_module, "FEW_WORDS", few)
    finder = Finder(MARKS + NOT_SHOWN)
    for _ in range(3):  # not known, seen once, remembered
        assert_found(finder.find(Page(html)), Page(html))
    assert_found(finder.find_in(Page(html).texts), Page(html))


FINDER = Finder(MARKS + NOT_SHOWN)


@settings(max_examples=300, deadline=None)
@given(SOUP)
def test_landmarks_are_found_on_any_page(html: str) -> None:
    page = Page(html)
    assert_found(FINDER.find(Page(html)), page)
    assert_found(FINDER.find_in(page.texts), page)
