"""The visible text nodes of a page, or of regions of it, and stretches of them.

Both learning and reading look at a page as a row of texts; which tags stand between them is the outline's to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from .tokenizer import INLINE, fold, is_blank, says_the_same

if TYPE_CHECKING:
    from .outline import Outline
    from .page import Page

_WORD = re.compile(r"\w")


class Extent(NamedTuple):
    """What a candidate is on one page: text nodes ``first`` up to ``last``, ``start`` to ``end`` in the source."""

    first: int
    last: int
    start: int
    end: int


class Texts:
    """The visible text nodes of a page, or of a region of it, by their place."""

    def __init__(
        self, page: Page, region: tuple[int, int] | None = None, outline: Outline | None = None
    ) -> None:
        self.outline = outline or page.outline
        html, tags, starts = page.html, self.outline.tags, self.outline.starts
        first, last = -1, len(tags)
        if region is not None:
            first = bisect_right(starts, region[0], hi=last) - 1
            last = bisect_left(starts, region[1], lo=first + 1, hi=last)
        self.page = page
        self.parts: list[int] = []  # places in the page's parts
        self.starts: list[int] = []
        self.ends: list[int] = []
        self._sources: list[str] = []
        parts, text_starts, text_ends, sources = self.parts, self.starts, self.ends, self._sources
        if first < 0:
            if not is_blank(lead := html[: starts[0]]):
                parts.append(0)
                text_starts.append(0)
                text_ends.append(len(lead))
                sources.append(lead)
            first = 0
        held = zip(starts[first:last], tags[first:last], starts[first + 1 : last + 1], strict=True)
        for index, (start, tag, end) in enumerate(held, first + 1):
            start += len(tag.source)
            if start < end and not (source := html[start:end]).isspace() and not is_blank(source):
                parts.append(2 * index)
                text_starts.append(start)
                text_ends.append(end)
                sources.append(source)

    @cached_property
    def folded(self) -> list[str]:
        return list(map(fold, self._sources))

    def text(self, index: int) -> str:
        """One of :attr:`folded`, without the others being needed."""
        known: list[str] | None = self.__dict__.get("folded")
        return fold(self._sources[index]) if known is None else known[index]

    def places_of(self, text: str, first: int, last: int) -> list[int]:
        """Which of the text nodes ``first`` up to ``last`` read as ``text``, without folding all of them."""
        known: list[str] | None = self.__dict__.get("folded")
        if known is not None:
            return [index for index in range(first, last) if known[index] == text]
        beginning = text.partition(" ")[0]
        sources = enumerate(self._sources[first:last], first)
        return [
            index
            for index, source in sources
            if (beginning in source or not says_the_same(source)) and fold(source) == text
        ]

    @cached_property
    def extents(self) -> list[Extent]:
        """Each text node as an extent."""
        return list(map(self.extent, range(len(self.starts))))

    def extent(self, index: int) -> Extent:
        return Extent(index, index + 1, self.starts[index], self.ends[index])

    @cached_property
    def wordy(self) -> list[bool]:
        """For each text node whether it says something: lone punctuation does not."""
        return [_WORD.search(text) is not None for text in self.folded]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The text nodes with only inline tags between them, as ranges; a lone text node is one too."""
        tags, found, first, before = self.outline.tags, [], 0, 0
        for node, part in enumerate(self.parts):
            if node:
                for tag in tags[before >> 1 : part >> 1]:
                    if tag.name and tag.name not in INLINE:
                        found.append((first, node))
                        first = node
                        break
            before = part
        if self.parts:
            found.append((first, len(self.parts)))
        return found

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The text nodes that a region touches, as a range."""
        return bisect_right(self.ends, start), bisect_left(self.starts, end)


class RegionTexts:
    """The text nodes of regions of a page, each region looked at once."""

    def __init__(self, page: Page, outline: Outline) -> None:
        self._page = page
        self._outline = outline
        self._held: dict[tuple[int, int], Texts] = {}

    def __call__(self, region: tuple[int, int]) -> Texts:
        texts = self._held.get(region)
        if texts is None:
            texts = self._held[region] = Texts(self._page, region, self._outline)
        return texts


def node_texts(page_texts: Texts, extent: Extent) -> list[str]:
    """The text nodes of an extent, cut where it cuts them."""
    html = page_texts.page.html
    found = []
    starts, ends = page_texts.starts, page_texts.ends
    for index in range(extent.first, extent.last):
        start, end = starts[index], ends[index]
        if start < extent.start or end > extent.end:
            text = fold(html[max(start, extent.start) : min(end, extent.end)])
        else:
            text = page_texts.text(index)
        if text:
            found.append(text)
    return found
