"""What could be a field: every nonterminal's text, whole or one of its text nodes.

A region that no landmark splits further may still hold several text nodes, so the first few and the
last few of them are candidates too. Ways to read that give the same text nodes on all pages of the
sample are one candidate with several *locators*: where one of them fails on a page, the next is tried.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..texts import Extent, Texts
from ..tokenizer import is_blank
from .labelled import recurring_texts, regions_of_labels, value_after
from .read import ROOT, Nonterminal, Reader, Reading
from .tree import LEAF, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..page import Page

WHOLE = 0  # of Locator.take: all text nodes
ENDS = 4  # text nodes from either end that are candidates of their own
MOST_TEXTS = 60
MOST_LOCATORS = 4


class Locator(NamedTuple):
    """One way to find a value: a nonterminal, and which of its text nodes.

    ``take`` is 0 for all of them, n for the n-th from the front, -n for the n-th from the back. With a
    ``label``, what follows that text in the region is meant instead.
    """

    nonterminal: Nonterminal
    take: int = WHOLE
    label: str = ""


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

    @cached_property
    def pages(self) -> list[int]:
        """The pages that have it."""
        return [index for index, extent in enumerate(self.extents) if extent is not None]


def find_candidates(
    tree: Tree, readings: Sequence[Reading], texts: Sequence[Texts]
) -> list[Candidate]:
    """All candidates of a sample, those that hold the same text nodes everywhere merged."""
    places: dict[Nonterminal, list[Extent | None]] = {}
    empty: list[Extent | None] = [None] * len(texts)
    nodes = [page_texts.extents for page_texts in texts]
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
    for nonterminal in sorted(places, key=lambda nt: order.get(nt[0], 0)):
        found[tuple(places[nonterminal])].append(Locator(nonterminal))
    for extents, locators in list(found.items()):
        counts = [extent.last - extent.first for extent in extents if extent is not None]
        most = max(counts)
        if most < 2:
            continue
        even = min(counts) == most
        for take in (*range(1, min(ENDS, most) + 1), *range(-1, -min(ENDS, most) - 1, -1)):
            part = _taken(nodes, extents, take)
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


def _taken(
    nodes: Sequence[Sequence[Extent]], extents: Sequence[Extent | None], take: int
) -> tuple[Extent | None, ...]:
    """One text node of each page's extent, cut where that cuts it."""
    part: list[Extent | None] = []
    for page_nodes, extent in zip(nodes, extents, strict=True):
        index = None if extent is None else _nth(extent, take)
        if extent is None or index is None:
            part.append(None)
        else:
            part.append(_cut(page_nodes[index], extent))
    return tuple(part)


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


def _extent(page_texts: Texts, start: int, end: int) -> Extent | None:
    """A region without what is blank at its ends; None where nothing is left."""
    starts, ends = page_texts.starts, page_texts.ends
    first, last = bisect_right(ends, start), bisect_left(starts, end)
    if first >= last:
        return None
    low, high = starts[first], ends[last - 1]
    if start <= low and high <= end:
        return page_texts.extents[first] if last - first == 1 else Extent(first, last, low, high)
    html = page_texts.page.html
    if low < start:
        if is_blank(html[start : min(ends[first], end)]):
            first += 1
            if first >= last:
                return None
            low = starts[first]
        else:
            low = start
    if high > end:
        if is_blank(html[max(starts[last - 1], low) : end]):
            last -= 1
            if first >= last:
                return None
            high = ends[last - 1]
        else:
            high = end
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
    places = page_texts.places_of(label, extent.first, extent.last)
    if len(places) != 1:
        return None
    found = value_after(page_texts, places[0], extent.last)
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
    texts = [page.texts for page in pages]
    readings = [reader.read(page) for page in pages]
    candidates = find_candidates(tree, readings, texts)
    whole = next((c for c in candidates if c.locators[0].nonterminal == ROOT), None)
    kept = [candidate for candidate in candidates if candidate is not whole]
    return ReadSample(kept, texts, readings)
