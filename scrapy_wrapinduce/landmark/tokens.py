"""A page as the learner sees it: a string of tokens, and the places where landmarks could stand.

Tokens are tags and words, as in the paper. An *occurrence* is a stretch of tokens that some landmark
matches: a pair of tags with what is between them, an empty tag, a word, or a whole text node.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import CLOSE, SKIPPED, fold, words
from .attributes import AttributeValue, attribute_values
from .regions import Occurrence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..outline import Outline
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
    """A page as ``size`` tokens. ``tags`` lists start and empty tags with their place among the tokens."""

    page: Page
    size: int
    tags: Sequence[tuple[Tag, Occurrence]]
    texts: Sequence[TextNode]

    def __len__(self) -> int:
        return self.size

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Each token's place in the source; learning does not need them."""
        spans = [
            (start, start + len(tag.source))
            for tag, start in zip(self.page.tags, self.page.outline.starts, strict=False)
            if tag.kind != SKIPPED
        ]
        for node in self.texts:
            spans += _word_spans(self.page.html, node)
        return sorted(spans)

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
            return self.spans[start][0], self.spans[end - 1][1]
        place = self.spans[start][0] if start < len(self) else len(self.page.html)
        return place, place

    def _cut(self, start: int, end: int) -> str:
        first, last = self.source_span(start, end)
        return fold(self.page.html[first:last])


def tokenize(page: Page) -> TokenizedPage:
    """Cut a page into tokens; pairs of tags are found as browsers do in spirit."""
    html, outline = page.html, page.outline
    tags = outline.tags
    texts: list[TextNode] = []
    places = [-1] * len(tags)
    size = 0
    for index, start, end in _stretches(outline):
        if index >= 0 and tags[index].kind != SKIPPED:
            places[index] = size
            size += 1
        text = fold(html[start:end]) if start < end else ""
        if text:
            after = size + text.count(" ") + 1
            texts.append(TextNode(size, after, start, end, text))
            size = after
    marks = []
    for tag, at, partner in zip(tags, places, outline.partners, strict=True):
        if at < 0 or tag.kind == CLOSE:
            continue
        if partner >= 0:
            close = places[partner]
            marks.append((tag, Occurrence(at, close + 1, at + 1, close)))
        else:
            marks.append((tag, Occurrence(at, at + 1)))
    return TokenizedPage(page, size, marks, texts)


def _stretches(outline: Outline) -> Iterator[tuple[int, int, int]]:
    """Every tag by its place, with where the text behind it begins and ends; what is before the first tag as -1."""
    yield -1, 0, outline.starts[0]
    held = zip(outline.starts, outline.tags, outline.starts[1:], strict=False)
    for index, (start, tag, end) in enumerate(held):
        yield index, start + len(tag.source), end


def _word_spans(html: str, node: TextNode) -> list[tuple[int, int]]:
    """The spans of as many words as a text node has tokens."""
    spans = words(html, node.source_start, node.source_end)
    wanted = node.end - node.start
    return [*spans[:wanted], *spans[-1:] * (wanted - len(spans))]
