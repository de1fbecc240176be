"""What could be a field: every nonterminal's text, whole or one of its text nodes.

A region that no landmark splits further may still hold several text nodes, so the first few and the
last few of them are candidates too. Ways to read that give the same text nodes on all pages of the
sample are one candidate with several *locators*: where one of them fails on a page, the next is tried.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import fold, is_blank
from .labelled import recurring_texts, regions_of_labels, value_after
from .read import ROOT, Nonterminal, Reader, Reading
from .tree import LEAF, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..outline import Outline
    from ..page import Page

WHOLE = 0  # of Locator.take: all text nodes
ENDS = 4  # text nodes from either end that are candidates of their own
MOST_TEXTS = 60
MOST_LOCATORS = 4
_WORD = re.compile(r"\w")


class Locator(NamedTuple):
    """One way to find a value: a nonterminal, and which of its text nodes.

    ``take`` is 0 for all of them, n for the n-th from the front, -n for the n-th from the back. With a
    ``label``, what follows that text in the region is meant instead.
    """

    nonterminal: Nonterminal
    take: int = WHOLE
    label: str = ""


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
        if first < 0:
            self._add(0, 0, html[: starts[0]])
            first = 0
        held = zip(starts[first:last], tags[first:last], starts[first + 1 : last + 1], strict=True)
        for index, (start, tag, end) in enumerate(held, first + 1):
            start += len(tag.source)
            if start < end and not (source := html[start:end]).isspace():
                self._add(2 * index, start, source)

    def _add(self, part: int, start: int, source: str) -> None:
        if not is_blank(source):
            self.parts.append(part)
            self.starts.append(start)
            self.ends.append(start + len(source))
            self._sources.append(source)

    @cached_property
    def folded(self) -> list[str]:
        return list(map(fold, self._sources))

    def text(self, index: int) -> str:
        """One of :attr:`folded`, without the others being needed."""
        known: list[str] | None = self.__dict__.get("folded")
        return fold(self._sources[index]) if known is None else known[index]

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


class Extent(NamedTuple):
    """What a candidate is on one page: text nodes ``first`` up to ``last``, ``start`` to ``end`` in the source."""

    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True)
class Candidate:
    """A possible field: ways to find it, and where they found it on the sample (None: nowhere).

    It is ``ragged`` if it is one of a number of text nodes that differs from page to page, and ``flowing`` if
    its extents are those of whole sentences (:mod:`.flow`), of which the locators find a piece.
    """

    locators: tuple[Locator, ...]
    extents: tuple[Extent | None, ...]
    ragged: bool = False
    flowing: bool = False

    @property
    def pages(self) -> list[int]:
        return [index for index, extent in enumerate(self.extents) if extent is not None]


def find_candidates(
    tree: Tree, readings: Sequence[Reading], texts: Sequence[Texts]
) -> list[Candidate]:
    """All candidates of a sample, those that hold the same text nodes everywhere merged."""
    places: dict[Nonterminal, list[Extent | None]] = {}
    empty: list[Extent | None] = [None] * len(texts)
    for index, (reading, page_texts) in enumerate(zip(readings, texts, strict=True)):
        for nonterminal, (start, end) in reading.regions.items():
            extent = _extent(page_texts, start, end)
            if extent is not None:
                held = places.get(nonterminal)
                if held is None:
                    held = places[nonterminal] = list(empty)
                held[index] = extent
    found: dict[tuple[Extent | None, ...], list[Locator]] = defaultdict(list)
    steady: set[tuple[Extent | None, ...]] = set()
    order = _by_depth(tree)
    nodes = [page_texts.extents for page_texts in texts]
    for nonterminal in sorted(places, key=lambda nt: order.get(nt[0], 0)):
        found[tuple(places[nonterminal])].append(Locator(nonterminal))
    for extents, locators in list(found.items()):
        counts = [extent.last - extent.first for extent in extents if extent is not None]
        most = max(counts)
        if most < 2:
            continue
        even = min(counts) == most
        for take in (*range(1, min(ENDS, most) + 1), *range(-1, -min(ENDS, most) - 1, -1)):
            part = tuple(
                None
                if extent is None or (node := _nth(extent, take)) is None
                else _cut(page_nodes[node], extent)
                for page_nodes, extent in zip(nodes, extents, strict=True)
            )
            found[part] += [Locator(at.nonterminal, take) for at in locators[:2]]
            if even:
                steady.add(part)
    labelled = set()
    for label, nonterminal in regions_of_labels(recurring_texts(texts), places, texts):
        part = tuple(
            extent and _after(page_texts, extent, label)
            for page_texts, extent in zip(texts, places[nonterminal], strict=True)
        )
        if any(part):
            found[part].insert(0, Locator(nonterminal, label=label))
            labelled.add(part)
    steady |= labelled
    return [
        Candidate(tuple(locators[:MOST_LOCATORS]), extents, extents not in steady)
        for extents, locators in found.items()
        if any(extents)
    ]


def locate(
    texts_in: Callable[[tuple[int, int]], Texts], reading: Reading, locators: Sequence[Locator]
) -> tuple[Texts, Extent] | None:
    """What the first locator whose region is on the page finds there.

    A region that is there and empty means that the value is absent, not that another way should be tried.
    """
    for locator in locators:
        region = reading.regions.get(locator.nonterminal)
        if region is None:
            continue
        texts = texts_in(region)
        extent = _extent(texts, *region)
        if extent is not None and locator.label:
            extent = _after(texts, extent, locator.label)
        elif extent is not None and locator.take != WHOLE:
            index = _nth(extent, locator.take)
            extent = None if index is None else _cut(texts.extent(index), extent)
        return (texts, extent) if extent is not None else None
    return None


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


def _extent(page_texts: Texts, start: int, end: int) -> Extent | None:
    """A region without what is blank at its ends; None where nothing is left."""
    first, last = page_texts.between(start, end)
    if first >= last:
        return None
    low = max(start, page_texts.starts[first])
    high = min(end, page_texts.ends[last - 1])
    if low > page_texts.starts[first] and is_blank(
        page_texts.page.html[low : min(page_texts.ends[first], high)]
    ):
        first += 1
        if first >= last:
            return None
        low = page_texts.starts[first]
    if high < page_texts.ends[last - 1] and is_blank(
        page_texts.page.html[max(page_texts.starts[last - 1], low) : high]
    ):
        last -= 1
        if first >= last:
            return None
        high = page_texts.ends[last - 1]
    return Extent(first, last, low, high)


def _nth(extent: Extent, take: int) -> int | None:
    """The n-th text node of an extent."""
    index = extent.first + take - 1 if take > 0 else extent.last + take
    return index if extent.first <= index < extent.last else None


def _cut(node: Extent, extent: Extent) -> Extent:
    """A text node of an extent, cut where that cuts it."""
    index, after, start, end = node
    if start >= extent.start and end <= extent.end:
        return node
    return Extent(index, after, max(start, extent.start), min(end, extent.end))


def _after(page_texts: Texts, extent: Extent, label: str) -> Extent | None:
    """What follows a label that stands exactly once in an extent."""
    inside = page_texts.folded[extent.first : extent.last]
    if inside.count(label) != 1:
        return None
    found = value_after(page_texts, extent.first + inside.index(label), extent.last)
    if found is None:
        return None
    first, last = found
    start = max(extent.start, page_texts.starts[first])
    return Extent(first, last, start, min(extent.end, page_texts.ends[last - 1]))


def _by_depth(tree: Tree) -> dict[int, int]:
    """Nodes by their distance from the root: the fewer landmarks a locator needs, the surer it is."""
    depth = {LEAF: 0, 0: 1}
    pending = [0] if tree.nodes else []
    while pending:
        number = pending.pop()
        for child in tree.nodes[number].children:
            if child != LEAF:
                depth[child] = depth[number] + 1
                pending.append(child)
    return depth


class ReadSample(NamedTuple):
    """A sample read with a tree: what could be a field, and for each page its texts and its regions."""

    candidates: list[Candidate]
    texts: list[Texts]
    readings: list[Reading]


def learn_candidates(tree: Tree, pages: Sequence[Page]) -> ReadSample:
    """Read the sample with a tree and list what could be a field."""
    reader = Reader(tree)
    texts = [Texts(page) for page in pages]
    readings = [reader.read(page) for page in pages]
    candidates = find_candidates(tree, readings, texts)
    whole = next((c for c in candidates if c.locators[0].nonterminal == ROOT), None)
    kept = [candidate for candidate in candidates if candidate is not whole]
    return ReadSample(kept, texts, readings)
