"""The outline of a page: the very tags that the tokenizer finds, by another and faster way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scrapy_wrapinduce import outline as outlines
from scrapy_wrapinduce.outline import PieceTags, outline
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import Tag, offsets, pair_tags, parse_tag, split_markup
from tests.test_tokenizer import HOSTILE, SOUP


@pytest.mark.parametrize(
    "html",
    [
        "",
        "no tags",
        "5 < 6 <b>and 7 < 8</b> <",
        "<p>1<2</p><p>3</p>",
        "<script>if (a<b) '<p>'</script>x<p>",
        "<SCRIPT src=a></SCRIPT ><style>a>b{}</style><scripted>",
        "<script>never closed <p>",
        "<!-- <p> -->x<!-->y<!--->z<!-- a --!><!-- never closed <p>",
        "<!DOCTYPE html><?xml version='1.0'?><![CDATA[<p>]]>",
        '<a title="a > b">x</a><a title=\'<b>\'>y</a><a title="a < b">z',
        "<td <p>x<a <a <a",
        '<p><a title="<b>never closed</b><i>1</i>',
        "<i <b>1 < 2<a title='<b>never closed</b>",
    ],
)
def test_an_outline_has_the_tags_of_the_tokenizer(html: str) -> None:
    assert outline(html).parts() == split_markup(html)


@settings(max_examples=500)
@given(SOUP)
def test_an_outline_agrees_with_the_tokenizer_on_anything(html: str) -> None:
    found, parts = outline(html), split_markup(html)
    assert found.parts() == parts
    assert found.starts == [*offsets(parts)[1:-1:2], len(html)]
    assert found.partners == pair_tags([parse_tag(part) for part in parts[1::2]])
    page = Page(html)
    assert (page.parts, page.tags) == (parts, [parse_tag(part) for part in parts[1::2]])


class Texts(PieceTags):
    """Marks every tag with the text behind it."""

    def tag(self, source: str) -> Tag:
        return Tag(parse_tag(source).kind, "", source)

    def mark(self, tag: Tag, text: str) -> Tag:
        return Tag(tag.kind, text, tag.source)


@given(SOUP)
def test_every_tag_is_marked_with_the_text_behind_it(html: str) -> None:
    assert [tag.name for tag in outline(html, Texts()).tags] == split_markup(html)[2::2]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlines, "MOST_PIECES", 10)
    known = PieceTags()
    html = "".join(f"<p id={number}>{number}</p>" for number in range(100))
    assert outline(html, known).parts() == split_markup(html)
    assert len(known) <= 10
    assert len(known._heads) <= 10
    outline(f"<p>{'x' * 10_000}", known)
    assert max(map(len, known)) < 10_000


@pytest.mark.parametrize("unit", HOSTILE)
def test_repetitions_do_not_take_more_than_linear_time(unit: str) -> None:
    html = unit * (400_000 // len(unit))
    # About a tenth of a second; reading it anew from every sign would take minutes.
    assert "".join(outline(html).parts()) == html
