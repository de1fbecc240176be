"""A page as the learner sees it: a string of tokens, and the places where landmarks could stand.

Tokens are tags and words, as in the paper. An *occurrence* is a stretch of tokens that some landmark
matches: a pair of tags with what is between them, an empty tag, a word, or a whole text node.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import CLOSE, SKIPPED, fold, is_blank, pair_tags, parse_tag, words
from .lattice import TEXT, WORD, Landmark, is_phrase, is_word, tag_landmarks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..page import Page
    from ..tokenizer import Tag


class Occurrence(NamedTuple):
    """Tokens ``start`` up to ``end``; what is inside a pair of tags is ``inner_start`` up to ``inner_end``.

    For an empty tag or a text there is no inside: ``inner_start`` is -1.
    """

    start: int
    end: int
    inner_start: int = -1
    inner_end: int = -1


class TextNode(NamedTuple):
    """A stretch of visible text: its tokens, its place in the source, and what a person reads."""

    start: int
    end: int
    source_start: int
    source_end: int
    text: str


@dataclass(frozen=True)
class TokenizedPage:
    """A page's tokens; ``spans`` holds each token's place in the source."""

    page: Page
    spans: Sequence[tuple[int, int]]
    tags: Sequence[tuple[Tag, str, Occurrence]]
    texts: Sequence[TextNode]

    def __len__(self) -> int:
        return len(self.spans)

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

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of tokens stands in the source."""
        if start < end:
            return self.spans[start][0], self.spans[end - 1][1]
        place = self.spans[start][0] if start < len(self.spans) else len(self.page.html)
        return place, place

    def _cut(self, start: int, end: int) -> str:
        first, last = self.source_span(start, end)
        return fold(self.page.html[first:last])


def tokenize(page: Page) -> TokenizedPage:
    """Cut a page into tokens; pairs of tags are found as browsers do in spirit."""
    html = page.html
    spans: list[tuple[int, int]] = []
    tags: list[Tag] = []
    sources: list[str] = []
    places: list[int] = []
    texts: list[TextNode] = []
    for index, part in enumerate(page.parts):
        offset = page.part_offsets[index]
        if index % 2:
            tag = parse_tag(part)
            if tag.kind != SKIPPED:
                tags.append(tag)
                sources.append(part)
                places.append(len(spans))
                spans.append((offset, offset + len(part)))
        elif not is_blank(part):
            found = words(html, offset, offset + len(part))
            start = len(spans)
            spans += found
            text = fold(part)
            if text:
                texts.append(TextNode(start, len(spans), offset, offset + len(part), text))
    partners = pair_tags(tags)
    starts = []
    for index, tag in enumerate(tags):
        if tag.kind == CLOSE:
            continue
        at = places[index]
        if partners[index] >= 0:
            close = places[partners[index]]
            place = Occurrence(at, close + 1, at + 1, close)
        else:
            place = Occurrence(at, at + 1)
        starts.append((tag, sources[index], place))
    return TokenizedPage(page, spans, starts, texts)


def landmark_occurrences(
    pages: Sequence[TokenizedPage], least: int, with_words: bool = True
) -> tuple[list[Landmark], list[list[tuple[int, Occurrence]]]]:
    """Landmarks that occur on at least ``least`` pages, and per page their occurrences by number.

    Occurrences of a page come in page order. Time is linear in tokens times landmarks per token.
    """
    numbers: dict[Landmark, int] = {}
    landmarks: list[Landmark] = []
    seen_on: list[int] = []
    last_page: list[int] = []
    raw: list[list[tuple[int, Occurrence]]] = []
    of_source: dict[str, list[int]] = {}
    of_text: dict[str, list[int]] = {}
    of_word: dict[str, int] = {}

    def number(landmark: Landmark) -> int:
        found = numbers.get(landmark)
        if found is None:
            found = numbers[landmark] = len(landmarks)
            landmarks.append(landmark)
            seen_on.append(0)
            last_page.append(-1)
        return found

    for index, page in enumerate(pages):
        found: list[tuple[int, Occurrence]] = []
        for tag, source, place in page.tags:
            keys = of_source.get(source)
            if keys is None:
                keys = of_source[source] = [number(mark) for mark in tag_landmarks(tag)]
            for key in keys:
                found.append((key, place))
                if last_page[key] != index:
                    last_page[key] = index
                    seen_on[key] += 1
        for node in page.texts:
            keys = of_text.get(node.text)
            if keys is None:
                phrase = is_phrase(node.text)
                keys = [number(Landmark(TEXT, node.text))] if phrase else []
                of_text[node.text] = keys
            for key in keys:
                found.append((key, Occurrence(node.start, node.end)))
                if last_page[key] != index:
                    last_page[key] = index
                    seen_on[key] += 1
            if not with_words or node.end - node.start == 1:
                continue
            for offset, word in enumerate(node.text.split()):
                key = of_word.get(word, -2)
                if key == -2:
                    key = number(Landmark(WORD, word)) if is_word(word) else -1
                    of_word[word] = key
                if key >= 0:
                    at = node.start + offset
                    found.append((key, Occurrence(at, at + 1)))
                    if last_page[key] != index:
                        last_page[key] = index
                        seen_on[key] += 1
        raw.append(found)
    kept = [
        sorted((pair for pair in found if seen_on[pair[0]] >= least), key=lambda pair: pair[1][0])
        for found in raw
    ]
    return landmarks, kept
