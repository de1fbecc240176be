"""Read a page with a landmark tree: where does every nonterminal stand?

Local parsability (section 3.2 of the paper): a landmark that is missing, or there more than once, stops
the parse of its own region only. Beyond the paper, what lies below a failed landmark is still tried on
the whole region, and of several occurrences the one is taken around which the landmarks below it fall
into place. Places are character offsets, so that every value can say where it came from.

A reader is made once per wrapper and only looks for the landmarks that lead to the nonterminals wanted:
reading costs about as much as parsing the page with a C library.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .lattice import ROLES
from .spots import Finder
from .tree import INNER, LEAF, LEFT, RIGHT, Options, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..outline import Outline
    from ..page import Page
    from .spots import Spot, Spots

Nonterminal = tuple[int, int]  # a node and one of its children; (-1, 0) is the whole page
ROOT: Nonterminal = (-1, 0)


@dataclass(slots=True)
class Reading:
    """Where the nonterminals stand, and which nodes did not find their landmark; on which tags this rests."""

    outline: Outline
    regions: dict[Nonterminal, tuple[int, int]] = field(default_factory=dict)
    failed: list[tuple[int, int, int, int]] = field(default_factory=list)
    found: int = 0


class Reader:
    """Finds the regions of some nonterminals of a tree (all, if not told which)."""

    def __init__(self, tree: Tree, wanted: Iterable[Nonterminal] | None = None) -> None:
        self.tree = tree
        self.needed = _ancestors(tree, wanted)
        nodes = [tree.nodes[number] for number in self.needed]
        marks = dict.fromkeys(mark for node in nodes for mark in node.landmarks)
        numbers = {mark: number for number, mark in enumerate(marks)}
        self._finder = Finder(marks)
        self._node_marks = {
            number: tuple(numbers[mark] for mark in tree.nodes[number].landmarks)
            for number in self.needed
        }

    def read(self, page: Page) -> Reading:
        """Never raises, on any page; time is linear in the page and the tree."""
        known = page.known_texts
        spots = self._finder.find(page) if known is None else self._finder.find_in(known)
        result = Reading(spots.outline)
        end = len(page.html)
        result.regions[ROOT] = (0, end)
        if 0 not in self.needed:
            return result
        pending = [(0, 0, end)]
        while pending:
            number, start, end = pending.pop()
            if isinstance(self.tree.nodes[number], Options):
                self._cut(number, start, end, spots, result, pending)
            else:
                self._split(number, start, end, spots, result, pending)
        return result

    def _split(
        self,
        number: int,
        start: int,
        end: int,
        spots: Spots,
        result: Reading,
        pending: list[tuple[int, int, int]],
    ) -> None:
        node = self.tree.nodes[number]
        found = spots.inside(self._node_marks[number][0], start, end)
        spot = found[0] if len(found) == 1 else None
        if len(found) > 1:
            spot = self._likeliest(number, found, start, end, spots)
        if spot is None:
            result.failed.append((number, start, end, len(found)))
            places = [(start, end)] * len(node.children)
            inside = None if found else self._elsewhere(number, spots)
            if inside is not None:
                result.regions[number, INNER] = places[INNER] = inside
            for child, (low, high) in zip(node.children, places, strict=True):
                if child in self.needed:
                    pending.append((child, low, high))
            return
        result.found += 1
        before, behind, inner_start, inner_end = spot
        left, inner, right = node.children
        if inner_start < 0 and inner in self.needed:
            # The end tag is missing on this page: the element may reach to the end of its region.
            inner_start, inner_end = behind, end
        result.regions[number, LEFT] = start, before
        if left in self.needed:
            pending.append((left, start, before))
        if inner_start >= 0:
            result.regions[number, INNER] = inner_start, inner_end
            if inner in self.needed:
                pending.append((inner, inner_start, inner_end))
        result.regions[number, RIGHT] = behind, end
        if right in self.needed:
            pending.append((right, behind, end))

    def _elsewhere(self, number: int, spots: Spots) -> tuple[int, int] | None:
        """The inside of an element that says what it is and is there once, though not where it should.

        Misnested tags do that: an end tag too many, and half of a page lies outside of its element.
        """
        landmark = self.tree.nodes[number].landmarks[0]
        if landmark.attribute not in ROLES:
            return None
        spot = spots.only(self._node_marks[number][0])
        return (spot.inner_start, spot.inner_end) if spot and spot.inner_start >= 0 else None

    def _cut(
        self,
        number: int,
        start: int,
        end: int,
        spots: Spots,
        result: Reading,
        pending: list[tuple[int, int, int]],
    ) -> None:
        """Cut a region at those of its options that are there exactly once."""
        node = self.tree.nodes[number]
        cuts: list[tuple[Spot, int]] = []
        for index, mark in enumerate(self._node_marks[number]):
            found = spots.inside(mark, start, end)
            if len(found) == 1:
                cuts.append((found[0], index))
        cuts.sort()
        kept: list[tuple[Spot, int]] = []
        behind = start
        for spot, index in cuts:
            if spot.start >= behind:
                kept.append((spot, index))
                behind = spot.end
        parts = [(0, start, kept[0][0].start if kept else end)]
        for at, (spot, index) in enumerate(kept):
            result.found += 1
            if spot.inner_start >= 0:
                parts.append((1 + 2 * index, spot.inner_start, spot.inner_end))
            stop = kept[at + 1][0].start if at + 1 < len(kept) else end
            parts.append((2 + 2 * index, spot.end, stop))
        for slot, low, high in parts:
            result.regions[number, slot] = (low, high)
            if node.children[slot] in self.needed:
                pending.append((node.children[slot], low, high))

    def _likeliest(
        self, number: int, found: list[Spot], start: int, end: int, spots: Spots
    ) -> Spot | None:
        """Of several occurrences the one around which the landmarks below fall into place."""
        children = self.tree.nodes[number].children
        scored = []
        for spot in found:
            parts = ((start, spot.start), (spot.inner_start, spot.inner_end), (spot.end, end))
            score = 0
            for child, (low, high) in zip(children, parts, strict=True):
                if child in self.needed and low >= 0:
                    marks = self._node_marks[child]
                    score += sum(len(spots.inside(mark, low, high)) == 1 for mark in marks)
            scored.append((score, spot))
        scored.sort(key=lambda pair: -pair[0])
        return scored[0][1] if scored[0][0] > scored[1][0] else None


def _ancestors(tree: Tree, wanted: Iterable[Nonterminal] | None) -> frozenset[int]:
    """The nodes that must be split to find some nonterminals."""
    if wanted is None:
        return frozenset(range(len(tree.nodes)))
    parent = [LEAF] * len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        for child in node.children:
            if child != LEAF:
                parent[child] = number
    needed: set[int] = set()
    for number, _ in wanted:
        while number != LEAF and number not in needed:
            needed.add(number)
            number = parent[number]
    return frozenset(needed)
