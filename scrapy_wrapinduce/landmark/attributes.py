"""Attribute values as data: links, pictures, machine-readable dates and prices."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import CLOSE, SKIPPED

if TYPE_CHECKING:
    from ..page import Page

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
    offsets = page.part_offsets
    first = bisect_left(offsets, start, hi=len(page.parts))
    found = []
    for index in range(first | 1, len(page.parts), 2):
        offset = offsets[index]
        if offset >= end:
            break
        tag = page.tags[index >> 1]
        if tag.kind in (CLOSE, SKIPPED):
            continue
        found += [
            AttributeValue(tag.name, at.name, at.value, offset + at.start, offset + at.end)
            for at in tag.attributes
            if at.name in DATA_ATTRIBUTES and at.value
        ]
    return found
