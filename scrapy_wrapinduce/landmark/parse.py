"""Parse a page with a landmark tree exactly as the paper does (section 3.2), token by token.

A landmark that is missing, or there more than once, stops the parse of its own region and of nothing else:
the region is extracted as it is. This is the definition, and what the cost of a tree is measured with; wrappers
read pages with :mod:`.read`, which also recovers from such failures.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .lattice import TEXT, WORD, Landmark, matching
from .regions import Occurrence
from .tree import LEAF, Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .paths import Nonterminal
    from .tokens import TokenizedPage
    from .tree import Tree

ROOT: Nonterminal = (-1, 0)


@dataclass(slots=True)
class Parse:
    """Where every nonterminal that was found stands, in tokens.

    ``failed`` lists node, start and end of regions without exactly one landmark, and how many there were.
    """

    regions: dict[Nonterminal, tuple[int, int]] = field(default_factory=dict)
    failed: list[tuple[int, int, int, int]] = field(default_factory=list)


def parse(page: TokenizedPage, tree: Tree) -> Parse:
    """Find the region of every nonterminal of the tree that the page has."""
    places = _occurrences(page, tree.landmarks())
    result = Parse({ROOT: (0, len(page))})
    pending = [(0, 0, len(page))] if tree.nodes else []
    while pending:
        number, start, end = pending.pop()
        node = tree.nodes[number]
        found = [_inside(places.get(mark, ()), start, end) for mark in node.landmarks]
        if isinstance(node, Options):
            parts = _cut(
                [(held[0], at) for at, held in enumerate(found) if len(held) == 1], start, end
            )
        elif len(found[0]) == 1:
            cut = found[0][0]
            parts = [(0, start, cut.start), (2, cut.end, end)]
            if cut.inner_start >= 0:
                parts.append((1, cut.inner_start, cut.inner_end))
        else:
            result.failed.append((number, start, end, len(found[0])))
            continue
        for slot, low, high in parts:
            result.regions[number, slot] = (low, high)
            if node.children[slot] != LEAF:
                pending.append((node.children[slot], low, high))
    return result


def extracted_tokens(pages: Iterable[TokenizedPage], tree: Tree) -> int:
    """What a tree extracts from pages, in tokens: the cost that the search makes small."""
    total = 0
    for page in pages:
        result = parse(page, tree)
        total += sum(end - start for _, start, end, _ in result.failed)
        for (number, slot), (start, end) in result.regions.items():
            child = (
                tree.nodes[number].children[slot] if number != LEAF else min(0, len(tree.nodes) - 1)
            )
            if child == LEAF:
                total += end - start
    return total


def _cut(cuts: list[tuple[Occurrence, int]], start: int, end: int) -> list[tuple[int, int, int]]:
    """The parts of a region between landmarks that may be there or not: child slot, start, end."""
    kept: list[tuple[Occurrence, int]] = []
    behind = start
    for place, index in sorted(cuts):
        if place.start >= behind:
            kept.append((place, index))
            behind = place.end
    parts = [(0, start, kept[0][0].start if kept else end)]
    for at, (place, index) in enumerate(kept):
        if place.inner_start >= 0:
            parts.append((1 + 2 * index, place.inner_start, place.inner_end))
        stop = kept[at + 1][0].start if at + 1 < len(kept) else end
        parts.append((2 + 2 * index, place.end, stop))
    return parts


def _inside(places: Sequence[Occurrence], start: int, end: int) -> list[Occurrence]:
    low = bisect_left(places, (start,))
    high = bisect_left(places, (end,), lo=low)
    return [place for place in places[low:high] if place.end <= end]


def _occurrences(
    page: TokenizedPage, landmarks: Sequence[Landmark]
) -> dict[Landmark, list[Occurrence]]:
    """Where the landmarks of a tree stand on one page, in page order."""
    wanted = set(landmarks)
    found: dict[Landmark, list[Occurrence]] = {}
    of_source: dict[str, list[Landmark]] = {}
    for tag, place in page.tags:
        marks = of_source.get(tag.source)
        if marks is None:
            marks = of_source[tag.source] = [mark for mark in matching(tag) if mark in wanted]
        for mark in marks:
            found.setdefault(mark, []).append(place)
    for node in page.texts:
        whole = Landmark(TEXT, node.text)
        if whole in wanted:
            found.setdefault(whole, []).append(Occurrence(node.start, node.end))
        for at, word in enumerate(node.text.split(), node.start):
            mark = Landmark(WORD, word)
            if mark in wanted:
                found.setdefault(mark, []).append(Occurrence(at, at + 1))
    return found
