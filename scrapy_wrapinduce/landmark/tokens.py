"""A page as the learner sees it: a string of tokens, and the places where landmarks could stand.

Tokens are tags and words, as in the paper. An *occurrence* is a stretch of tokens that some landmark
matches: a pair of tags with what is between them, an empty tag, a word, or a whole text node.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import CLOSE, SKIPPED, fold, is_blank, words
from .attributes import AttributeValue, attribute_values
from .regions import Occurrence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..page import Page
    from ..tokenizer import Tag


class TextNode(NamedTuple):
    """A stretch of visible text: its tokens, its place in the source, and what a person reads."""

    start: int
    end: int
    source_start: int
    source_end: int
    text: str


@dataclass(frozen=True)
class TokenizedPage:
    """A page's tokens: ``starts`` and ``ends`` hold each token's place in the source.

    ``tags`` lists start and empty tags with their source and their place among the tokens.
    """

    page: Page
    starts: array[int]
    ends: array[int]
    tags: Sequence[tuple[Tag, str, Occurrence]]
    texts: Sequence[TextNode]

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def text_starts(self) -> list[int]:
        return [node.start for node in self.texts]

    def texts_between(self, start: int, end: int) -> list[str]:
        """The text nodes of a region, cut where the region cuts them."""
        low = bisect_right(self.text_starts, start) - 1
        if low < 0 or self.texts[low].end <= start:
            low += 1
        high = bisect_left(self.text_starts, end)
        nodes = self.texts[low:high]
        found = [node.text for node in nodes]
        if nodes and (nodes[0].start < start or nodes[-1].end > end):
            first, last = nodes[0], nodes[-1]
            if first.start < start:
                found[0] = self._cut(max(first.start, start), min(first.end, end))
            if last.end > end and (last is not first or first.start >= start):
                found[-1] = self._cut(max(last.start, start), min(last.end, end))
        return found

    def attributes_between(self, start: int, end: int) -> list[AttributeValue]:
        """The attribute values in a region that may be data: links, pictures, dates, …"""
        return attribute_values(self.page, *self.source_span(start, end))

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of tokens stands in the source."""
        if start < end:
            return self.starts[start], self.ends[end - 1]
        place = self.starts[start] if start < len(self.starts) else len(self.page.html)
        return place, place

    def _cut(self, start: int, end: int) -> str:
        first, last = self.source_span(start, end)
        return fold(self.page.html[first:last])


def tokenize(page: Page) -> TokenizedPage:
    """Cut a page into tokens; pairs of tags are found as browsers do in spirit."""
    html, offsets, tags = page.html, page.part_offsets, page.tags
    starts, ends = array("q"), array("q")
    texts: list[TextNode] = []
    places = [-1] * len(tags)
    for index, part in enumerate(page.parts):
        offset, after = offsets[index], offsets[index + 1]
        if index & 1:
            if tags[index >> 1].kind != SKIPPED:
                places[index >> 1] = len(starts)
                starts.append(offset)
                ends.append(after)
        elif not is_blank(part):
            first = len(starts)
            for low, high in words(html, offset, after):
                starts.append(low)
                ends.append(high)
            text = fold(part)
            if text:
                texts.append(TextNode(first, len(starts), offset, after, text))
    marks = []
    for index, (tag, partner) in enumerate(zip(tags, page.partners, strict=True)):
        at = places[index]
        if at < 0 or tag.kind == CLOSE:
            continue
        if partner >= 0:
            close = places[partner]
            place = Occurrence(at, close + 1, at + 1, close)
        else:
            place = Occurrence(at, at + 1)
        marks.append((tag, page.parts[2 * index + 1], place))
    return TokenizedPage(page, starts, ends, marks, texts)
