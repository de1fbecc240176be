"""Read a page with a landmark tree: local parsability (section 3.2 of the paper), and recovery beyond it.

A landmark that is missing, or there more than once, stops the parse of its own region only. What lies
below it is then tried on the whole region: its landmarks may still be found.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .lattice import TEXT, WORD, Landmark, tag_landmarks
from .regions import Occurrence
from .tree import LEAF, Options, Split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .tokens import TokenizedPage
    from .tree import Tree

Nonterminal = tuple[int, int]  # node and child slot; (-1, 0) is the whole page
ROOT: Nonterminal = (-1, 0)


@dataclass(slots=True)
class Parse:
    """Where every nonterminal that was found stands, in tokens; and the nodes that failed."""

    regions: dict[Nonterminal, tuple[int, int]] = field(default_factory=dict)
    failed: list[tuple[int, int, int, int]] = field(default_factory=list)
    found: int = 0


class Occurrences:
    """Where the landmarks of a tree stand on one page."""

    def __init__(self, page: TokenizedPage, landmarks: Sequence[Landmark]) -> None:
        wanted = set(landmarks)
        texts = {mark.name for mark in landmarks if mark.kind == TEXT}
        words = {mark.name for mark in landmarks if mark.kind == WORD}
        self.places: dict[Landmark, list[Occurrence]] = {}
        of_source: dict[str, list[Landmark]] = {}
        for tag, source, place in page.tags:
            marks = of_source.get(source)
            if marks is None:
                marks = of_source[source] = [m for m in tag_landmarks(tag) if m in wanted]
            for mark in marks:
                self.places.setdefault(mark, []).append(place)
        for node in page.texts:
            if node.text in texts:
                mark = Landmark(TEXT, node.text)
                self.places.setdefault(mark, []).append(Occurrence(node.start, node.end))
            if words:
                for offset, word in enumerate(node.text.split()):
                    if word in words:
                        at = node.start + offset
                        self.places.setdefault(Landmark(WORD, word), []).append(
                            Occurrence(at, at + 1)
                        )

    def inside(self, landmark: Landmark, start: int, end: int) -> list[Occurrence]:
        places = self.places.get(landmark)
        if not places:
            return []
        low = bisect_left(places, (start,))
        found = []
        for place in places[low:]:
            if place.start >= end:
                break
            if place.end <= end:
                found.append(place)
        return found


def parse(page: TokenizedPage, tree: Tree) -> Parse:
    """Find the region of every nonterminal of the tree that the page has."""
    places = Occurrences(page, tree.landmarks())
    result = Parse()
    result.regions[ROOT] = (0, len(page))
    if not tree.nodes:
        return result
    pending = [(0, 0, len(page))]
    while pending:
        number, start, end = pending.pop()
        node = tree.nodes[number]
        if isinstance(node, Options):
            _cut(node, number, start, end, places, result, pending)
            continue
        found = places.inside(node.landmark, start, end)
        place = found[0] if len(found) == 1 else None
        if len(found) > 1:
            place = _likeliest(tree, node, found, start, end, places)
        if place is None:
            result.failed.append((number, start, end, len(found)))
            pending += [(child, start, end) for child in node.children if child != LEAF]
            continue
        result.found += 1
        parts = (
            (start, place.start),
            (place.inner_start, place.inner_end),
            (place.end, end),
        )
        for slot, (child, (low, high)) in enumerate(zip(node.children, parts, strict=True)):
            if low < 0:
                continue
            result.regions[number, slot] = (low, high)
            if child != LEAF:
                pending.append((child, low, high))
    return result


def _cut(
    node: Options,
    number: int,
    start: int,
    end: int,
    places: Occurrences,
    result: Parse,
    pending: list[tuple[int, int, int]],
) -> None:
    cuts: list[tuple[Occurrence, int]] = []
    for index, landmark in enumerate(node.landmarks):
        found = places.inside(landmark, start, end)
        if len(found) == 1:
            cuts.append((found[0], index))
    cuts.sort()
    behind = start
    kept: list[tuple[Occurrence, int]] = []
    for place, index in cuts:
        if place.start >= behind:
            kept.append((place, index))
            behind = place.end
    stops = [place.start for place, _ in kept[1:]] + [end]
    parts = [(0, start, kept[0][0].start if kept else end)]
    for (place, index), stop in zip(kept, stops, strict=False):
        result.found += 1
        if place.inner_start >= 0:
            parts.append((1 + 2 * index, place.inner_start, place.inner_end))
        parts.append((2 + 2 * index, place.end, stop))
    for slot, low, high in parts:
        result.regions[number, slot] = (low, high)
        if node.children[slot] != LEAF:
            pending.append((node.children[slot], low, high))


def _likeliest(
    tree: Tree, node: Split, found: list[Occurrence], start: int, end: int, places: Occurrences
) -> Occurrence | None:
    """Of several occurrences the one around which the landmarks below fall into place."""
    scored = []
    for place in found[:8]:
        score = 0
        for child, (low, high) in zip(
            node.children,
            ((start, place.start), (place.inner_start, place.inner_end), (place.end, end)),
            strict=True,
        ):
            if child == LEAF or low < 0:
                continue
            below = tree.nodes[child]
            marks = below.landmarks if isinstance(below, Options) else (below.landmark,)
            score += sum(len(places.inside(mark, low, high)) == 1 for mark in marks)
        scored.append((score, place))
    scored.sort(key=lambda item: -item[0])
    return scored[0][1] if scored[0][0] > scored[1][0] else None
