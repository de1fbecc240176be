"""Flowing text: sentences that links and emphasis cut into text nodes are one text.

Templates put values into elements of their own; authors put links, code and emphasis into the middle of a sentence.
Text nodes between which only inline tags stand are a *run*; a run is flowing text if it has the length of a sentence
and goes on across an inline tag, which letters and signs show, or if it is all of a heading. That is told from the page alone, so
that a page is read in the way it was learned.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import compress
from typing import TYPE_CHECKING

from ..texts import Extent, Texts
from ..tokenizer import INLINE, OPEN, fold

if TYPE_CHECKING:
    from ..outline import Outline

LEAST_WORDS = 8  # of a run: the length of a sentence
LEAST_GOING_ON = 3  # words of a text node that goes on a sentence: a mere "and" stands in lists too
LEAST_LEADING_ON = 5  # words of a text node whose sentence ends in an inline element
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MOST_TAGS = 1000  # how far the ends of a run are looked for
_WORD = re.compile(r"\w")


def heading_of(texts: Texts, first: int, last: int) -> str:
    """The name of the heading that a run is, or nothing; a list of links in a heading is no text."""
    if all(
        is_marked(texts, node) or not _WORD.search(texts.folded[node])
        for node in range(first, last)
    ):
        return ""
    at = (texts.parts[first] >> 1) - 1
    least = max(-1, at - MOST_TAGS)
    while at > least and _is_inline(texts.outline, at):
        at -= 1
    tag = texts.outline.tags[at] if at > least else None
    return tag.name if tag is not None and tag.kind == OPEN and tag.name in HEADINGS else ""


def is_marked(texts: Texts, node: int) -> bool:
    """Whether a text node begins an inline element: a link, a word in bold."""
    at = (texts.parts[node] >> 1) - 1
    tag = texts.outline.tags[at] if at >= 0 else None
    return tag is not None and tag.kind == OPEN and tag.name in INLINE


def _is_one(texts: Texts, first: int, last: int) -> bool:
    """Whether a run is one text."""
    if last - first < 2:
        return False
    return goes_on(texts, first, last) or bool(heading_of(texts, first, last))


def goes_on(texts: Texts, first: int, last: int) -> bool:
    """Whether the text nodes of a run are the pieces of sentences.

    What stands in an inline element of its own may be a value; it is the text between such elements that tells.
    """
    folded = texts.folded[first:last]
    if len(folded) < 2 or sum(len(text.split()) for text in folded) < LEAST_WORDS:
        return False
    bare = [not is_marked(texts, node) for node in range(first, last)]
    return any(map(_continues, compress(folded[1:], bare[1:]))) or any(
        map(_leads_on, compress(folded[:-1], bare))
    )


def _continues(text: str) -> bool:
    start = text.lstrip(",.;:)]’'\" –—-")
    return start[:1].islower() and len(text.split()) >= LEAST_GOING_ON


def _leads_on(text: str) -> bool:
    return (text[-1].islower() or text[-1] == ",") and len(text.split()) >= LEAST_LEADING_ON


def grown(texts: Texts, extent: Extent) -> tuple[Texts, Extent]:
    """An extent and the rest of the runs that it begins and ends in, where these flow."""
    outline = texts.outline
    first, last = _begin(outline, extent.start), _end(outline, extent.end)
    around = Texts(texts.page, (first, last), outline)
    low, high = around.between(extent.start, extent.end)
    if low >= high:
        return texts, extent
    for begin, end in around.runs:
        if _is_one(around, begin, end):
            low = begin if begin <= low < end else low
            high = end if begin < high <= end else high
    start = min(extent.start, around.starts[low])
    return around, Extent(low, high, start, max(extent.end, around.ends[high - 1]))


def _begin(outline: Outline, start: int) -> int:
    """Where the run around a place begins: behind the last tag before it that is not inline."""
    at = bisect_right(outline.starts, start, hi=len(outline.tags)) - 1
    least = max(0, at - MOST_TAGS)
    while at > least and _is_inline(outline, at):
        at -= 1
    return outline.starts[at] if at >= 0 else 0


def _end(outline: Outline, end: int) -> int:
    at = bisect_left(outline.starts, end, hi=len(outline.tags))
    most = min(len(outline.tags), at + MOST_TAGS)
    while at < most and _is_inline(outline, at):
        at += 1
    return outline.starts[at]


def _is_inline(outline: Outline, tag: int) -> bool:
    name = outline.tags[tag].name
    return not name or name in INLINE


def flowing_values(texts: Texts, extent: Extent) -> list[tuple[str, int, int]]:
    """The texts of an extent with their places, its flowing texts whole."""
    around, held = grown(texts, extent)
    found = []
    for begin, end in around.runs:
        begin, end = max(begin, held.first), min(end, held.last)
        if begin >= end:
            continue
        if _is_one(around, begin, end):
            found.append((joined(around, begin, end), around.starts[begin], around.ends[end - 1]))
        else:
            found += [
                (around.folded[node], around.starts[node], around.ends[node])
                for node in range(begin, end)
            ]
    return found


def joined(texts: Texts, first: int, last: int) -> str:
    """Text nodes as a person reads them: with a space between two only where the page has one."""
    html, tags, starts = texts.page.html, texts.outline.tags, texts.outline.starts
    pieces = []
    for place in range(texts.parts[first], texts.parts[last - 1] + 1, 2):
        tag = (place >> 1) - 1
        begin = starts[tag] + len(tags[tag].source) if tag >= 0 else 0
        pieces.append(html[begin : starts[tag + 1]])
    return fold("".join(pieces))
