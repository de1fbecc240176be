"""Attribute values as data: links, pictures, machine-readable dates and prices."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import EMPTY, OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..outline import Outline
    from ..page import Page
    from ..tokenizer import Tag

DATA_ATTRIBUTES = frozenset(("href", "src", "content", "alt", "title", "datetime", "value"))


class AttributeValue(NamedTuple):
    """A value in a tag, with its place in the page's source."""

    name: str
    attribute: str
    value: str
    source_start: int
    source_end: int


def attribute_values(page: Page, start: int, end: int) -> list[AttributeValue]:
    """The attribute values that may be data, of the tags between two places of the source.

    >>> from scrapy_wrapinduce.page import Page
    >>> attribute_values(Page('<a href="/b/1" class="x">One</a>'), 0, 32)
    [AttributeValue(name='a', attribute='href', value='/b/1', source_start=9, source_end=13)]
    """
    found = []
    for offset, tag in tags_between(page.outline, start, end):
        found += [
            AttributeValue(tag.name, at.name, at.value, offset + at.start, offset + at.end)
            for at in tag.attributes
            if at.name in DATA_ATTRIBUTES and at.value
        ]
    return found


def tags_between(outline: Outline, start: int, end: int) -> Iterator[tuple[int, Tag]]:
    """The start and empty tags that begin between two places of the source, with their places."""
    starts, tags = outline.starts, outline.tags
    for index in range(bisect_left(starts, start, hi=len(tags)), len(tags)):
        if starts[index] >= end:
            break
        if tags[index].kind in (OPEN, EMPTY):
            yield starts[index], tags[index]
