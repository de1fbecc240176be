"""Grow a landmark tree over a set of pages: chains of landmarks, region set by region set."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .chain import Point, build_chain
from .lattice import ROLES, TAG, TEXT, WORD, Landmark, preference
from .regions import Placed, Region, unique_occurrences
from .tree import LEAF, Node, Options, Split, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .regions import Occurrence

MOST_NODES = 4000


@dataclass(frozen=True, slots=True)
class Growth:
    """How a tree is grown."""

    share: float = 0.75  # of the regions that must hold a landmark of the tree proper
    least: int = 2  # regions that must hold a landmark of an optional part


class Grower:
    """One run over one set of pages."""

    def __init__(self, landmarks: Sequence[Landmark], growth: Growth) -> None:
        self.landmarks = landmarks
        self.growth = growth
        self.order = [preference(landmark) for landmark in landmarks]
        self.nodes: list[Node] = []

    def grow(self, regions: Sequence[Region]) -> Tree:
        pending: list[tuple[int, int, str, Sequence[Region]]] = [(-1, 0, "", regions)]
        while pending:
            parent, slot, path, held = pending.pop()
            if len(self.nodes) >= MOST_NODES:
                break
            made = self._split(held, path)
            if made is None:
                continue
            root, more = made
            if parent >= 0:
                node = self.nodes[parent]
                children = list(node.children)
                children[slot] = root
                self.nodes[parent] = _with_children(node, children)
            pending += more
        return Tree(tuple(self.nodes))

    def _split(
        self, regions: Sequence[Region], path: str
    ) -> tuple[int, list[tuple[int, int, str, Sequence[Region]]]] | None:
        regions = [region for region in regions if region.end > region.start]
        if len(regions) < 2:
            return None
        need = max(2, -int(-len(regions) * self.growth.share // 1))
        least = min(self.growth.least, need)
        unique = unique_occurrences(regions, least)
        if not unique:
            return None
        strong = [(n, p) for n, p in unique.items() if len(p) >= need]
        for kinds in ((TAG, TEXT), (WORD,)):
            chosen = [(n, p) for n, p in strong if self.landmarks[n].kind in kinds]
            if chosen:
                chosen.sort(key=lambda item: (-len(item[1]), self.order[item[0]], item[0]))
                chain = build_chain(regions, chosen)
                if chain:
                    return self._attach(chain, regions, path)
            if kinds == (TAG, TEXT):
                optional = self._options(regions, unique, path)
                if optional is not None:
                    return optional
        return None

    def _attach(
        self, chain: list[Point], regions: Sequence[Region], path: str
    ) -> tuple[int, list[tuple[int, int, str, Sequence[Region]]]]:
        """Make a tree of a chain: nested where pairs nest, balanced where points are siblings."""
        more: list[tuple[int, int, str, Sequence[Region]]] = []
        partner = _partners(chain)
        # (first point, one behind the last, parent node, its slot, path, outer path)
        root = len(self.nodes)
        pending = [(0, len(chain), -1, 0, path, path)]
        while pending:
            first, last, parent, slot, here, base = pending.pop()
            if first == last:
                held = _gap(chain, first - 1, first, regions)
                if held:
                    more.append((parent, slot, here, held))
                continue
            middle = _middle(chain, partner, first, last)
            close = partner[middle]
            landmark = self.landmarks[chain[middle].number]
            number = len(self.nodes)
            before = self._gap_path(chain, first, middle, base)
            inside = f"{base}/{landmark}"
            after = self._gap_path(chain, close + 1, last, base)
            self.nodes.append(Split(landmark, paths=(before, inside, after)))
            if parent >= 0:
                node = self.nodes[parent]
                children = list(node.children)
                children[slot] = number
                self.nodes[parent] = _with_children(node, children)
            pending.append((first, middle, number, 0, before, base))
            if close > middle:
                pending.append((middle + 1, close, number, 1, inside, inside))
            pending.append((close + 1, last, number, 2, after, base))
        return root, more

    def _gap_path(self, chain: list[Point], first: int, last: int, base: str) -> str:
        """Named by the landmarks around it, which other samples of the site have too."""
        before = str(self.landmarks[chain[first - 1].number]) if first > 0 else "^"
        if first == last:
            return f"{base}/{before}+"
        after = str(self.landmarks[chain[last].number]) if last < len(chain) else "$"
        return f"{base}/{before}…{after}"

    def _options(
        self, regions: Sequence[Region], unique: dict[int, Placed], path: str
    ) -> tuple[int, list[tuple[int, int, str, Sequence[Region]]]] | None:
        chosen: list[tuple[int, Placed]] = []
        for number, placed in unique.items():
            landmark = self.landmarks[number]
            if landmark.kind == TEXT or (landmark.kind == TAG and landmark.attribute in ROLES):
                chosen.append((number, placed))
        chosen.sort(key=lambda item: (-len(item[1]), self.order[item[0]], item[0]))
        taken: list[tuple[int, Placed]] = []
        cuts: list[list[tuple[int, int]]] = [[] for _ in regions]
        for number, placed in chosen:
            if all(_free(cuts[region], place) for region, place in placed.items()):
                taken.append((number, placed))
                for region, place in placed.items():
                    insort(cuts[region], (place.start, place.end))
        if not taken:
            return None
        marks = tuple(self.landmarks[number] for number, _ in taken)
        paths = [f"{path}/?^"]
        for mark in marks:
            paths += [f"{path}/?{mark}", f"{path}/?{mark}+"]
        number = len(self.nodes)
        self.nodes.append(Options(marks, (LEAF,) * len(paths), tuple(paths)))
        more: list[tuple[int, int, str, Sequence[Region]]] = []
        firsts = []
        for held, spans in zip(regions, cuts, strict=True):
            end = spans[0][0] if spans else held.end
            firsts.append(held.part(held.start, end))
        more.append((number, 0, paths[0], firsts))
        for index, (_, placed) in enumerate(taken):
            inner, after = [], []
            for where, place in placed.items():
                held, spans = regions[where], cuts[where]
                if place.inner_start >= 0:
                    inner.append(held.part(place.inner_start, place.inner_end))
                slot = bisect_left(spans, (place.start, place.end))
                stop = spans[slot + 1][0] if slot + 1 < len(spans) else held.end
                after.append(held.part(place.end, stop))
            more.append((number, 1 + 2 * index, paths[1 + 2 * index], inner))
            more.append((number, 2 + 2 * index, paths[2 + 2 * index], after))
        return number, more


def _free(cuts: list[tuple[int, int]], place: Occurrence) -> bool:
    slot = bisect_left(cuts, (place.start, place.end))
    if slot and cuts[slot - 1][1] > place.start:
        return False
    return slot == len(cuts) or cuts[slot][0] >= place.end


def _with_children(node: Node, children: Sequence[int]) -> Node:
    if isinstance(node, Split):
        left, inner, right = children
        return Split(node.landmark, (left, inner, right), node.paths)
    return Options(node.landmarks, tuple(children), node.paths)


def _partners(chain: list[Point]) -> list[int]:
    partner = list(range(len(chain)))
    opened: dict[int, int] = {}
    for index, point in enumerate(chain):
        if point.closing:
            start = opened[point.number]
            partner[start], partner[index] = index, start
        else:
            opened[point.number] = index
    return partner


def _middle(chain: list[Point], partner: list[int], first: int, last: int) -> int:
    """The sibling to split on: of those on most pages, the one nearest the middle."""
    best, best_key = first, (0, 0)
    index = first
    while index < last:
        key = (-len(chain[index].places), abs(index + partner[index] + 1 - first - last))
        if index == first or key < best_key:
            best, best_key = index, key
        index = partner[index] + 1
    return best


def _gap(chain: list[Point], before: int, after: int, regions: Sequence[Region]) -> list[Region]:
    """The regions between two neighbouring points, on the pages that have both."""
    held = []
    for index, region in enumerate(regions):
        start, end = region.start, region.end
        if before >= 0:
            place = chain[before].places.get(index)
            if place is None:
                continue
            start = (
                place.end if chain[before].closing or place.inner_start < 0 else place.inner_start
            )
        if after < len(chain):
            place = chain[after].places.get(index)
            if place is None:
                continue
            end = place.inner_end if chain[after].closing else place.start
        held.append(region.part(start, end))
    return held
