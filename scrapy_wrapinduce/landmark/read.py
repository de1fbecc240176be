"""Read a page with a landmark tree: where does every nonterminal stand?

Local parsability (section 3.2 of the paper): a landmark that is missing, or there more than once, stops
the parse of its own region only. Beyond the paper, what lies below a failed landmark is still tried on
the whole region, and of several occurrences the one is taken around which the landmarks below it fall
into place. Places are character offsets, so that every value can say where it came from.

A reader is made once per wrapper and only looks for the landmarks that lead to the nonterminals wanted:
reading costs about as much as parsing the page with a C library.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from ..tokenizer import CLOSE, SKIPPED, fold, parse_tag, words
from .lattice import ROLES, TAG, TEXT, WORD, tag_landmarks
from .tree import INNER, LEAF, Options, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..page import Page

Nonterminal = tuple[int, int]  # a node and one of its children; (-1, 0) is the whole page
ROOT: Nonterminal = (-1, 0)
_MOST_REMEMBERED = 1 << 12
_LONGEST_REMEMBERED = 400


class Spot(NamedTuple):
    """An occurrence of a landmark in characters; ``inner_start`` is -1 where it has no inside."""

    start: int
    end: int
    inner_start: int = -1
    inner_end: int = -1


@dataclass(slots=True)
class Reading:
    """Where the nonterminals stand, and which nodes did not find their landmark."""

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
        self._numbers = {mark: number for number, mark in enumerate(marks)}
        self._tags = {mark for mark in marks if mark.kind == TAG}
        self._names = {mark.name for mark in self._tags}
        self._texts = {mark.name: self._numbers[mark] for mark in marks if mark.kind == TEXT}
        self._words = {mark.name: self._numbers[mark] for mark in marks if mark.kind == WORD}
        self._node_marks = {
            number: tuple(self._numbers[mark] for mark in tree.nodes[number].landmarks)
            for number in self.needed
        }
        self._of_source = _Remembered(self._marks)
        self._of_text = _Remembered(self._text_hits)

    def read(self, page: Page) -> Reading:
        """Never raises, on any page; time is linear in the page and the tree."""
        result = Reading()
        end = len(page.html)
        result.regions[ROOT] = (0, end)
        if 0 not in self.needed:
            return result
        spots = self._spots(page)
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
        spots: list[list[Spot]],
        result: Reading,
        pending: list[tuple[int, int, int]],
    ) -> None:
        node = self.tree.nodes[number]
        found = _inside(spots[self._node_marks[number][0]], start, end)
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
        inside = (spot.inner_start, spot.inner_end)
        if spot.inner_start < 0 and node.children[INNER] in self.needed:
            # The end tag is missing on this page: the element may reach to the end of its region.
            inside = (spot.end, end)
        for slot, (low, high) in enumerate(((start, spot.start), inside, (spot.end, end))):
            if low < 0:
                continue
            result.regions[number, slot] = (low, high)
            if node.children[slot] in self.needed:
                pending.append((node.children[slot], low, high))

    def _elsewhere(self, number: int, spots: list[list[Spot]]) -> tuple[int, int] | None:
        """The inside of an element that says what it is and is there once, though not where it should.

        Misnested tags do that: an end tag too many, and half of a page lies outside of its element.
        """
        landmark = self.tree.nodes[number].landmarks[0]
        found = spots[self._node_marks[number][0]]
        if len(found) != 1 or landmark.attribute not in ROLES or found[0].inner_start < 0:
            return None
        return found[0].inner_start, found[0].inner_end

    def _cut(
        self,
        number: int,
        start: int,
        end: int,
        spots: list[list[Spot]],
        result: Reading,
        pending: list[tuple[int, int, int]],
    ) -> None:
        """Cut a region at those of its options that are there exactly once."""
        node = self.tree.nodes[number]
        cuts: list[tuple[Spot, int]] = []
        for index, mark in enumerate(self._node_marks[number]):
            found = _inside(spots[mark], start, end)
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
        self, number: int, found: list[Spot], start: int, end: int, spots: list[list[Spot]]
    ) -> Spot | None:
        """Of several occurrences the one around which the landmarks below fall into place."""
        children = self.tree.nodes[number].children
        scored = []
        for spot in found[:8]:
            parts = ((start, spot.start), (spot.inner_start, spot.inner_end), (spot.end, end))
            score = 0
            for child, (low, high) in zip(children, parts, strict=True):
                if child in self.needed and low >= 0:
                    marks = self._node_marks[child]
                    score += sum(len(_inside(spots[mark], low, high)) == 1 for mark in marks)
            scored.append((score, spot))
        scored.sort(key=lambda pair: -pair[0])
        return scored[0][1] if scored[0][0] > scored[1][0] else None

    def _spots(self, page: Page) -> list[list[Spot]]:
        """Every occurrence of every landmark that is looked for, in page order."""
        spots: list[list[Spot]] = [[] for _ in self._numbers]
        offsets = page.part_offsets
        parts = page.parts
        found = list(map(self._of_source.__getitem__, parts[1::2]))
        partners = page.partners if any(found) else []
        for at, marks in compress(enumerate(found), found):
            index = 2 * at + 1
            partner = partners[at]
            start, after = offsets[index], offsets[index + 1]
            if partner >= 0:
                close = 2 * partner + 1
                spot = Spot(start, offsets[close + 1], after, offsets[close])
            else:
                spot = Spot(start, after)
            for mark in marks:
                spots[mark].append(spot)
        if self._texts or self._words:
            self._text_spots(parts, offsets, spots)
        return spots

    def _marks(self, source: str) -> tuple[int, ...]:
        tag = parse_tag(source)
        if tag.name not in self._names or tag.kind in (CLOSE, SKIPPED):
            return ()
        return tuple(self._numbers[mark] for mark in tag_landmarks(tag) if mark in self._tags)

    def _text_spots(self, parts: list[str], offsets: list[int], spots: list[list[Spot]]) -> None:
        found = list(map(self._of_text.__getitem__, parts[::2]))
        for at, hits in compress(enumerate(found), found):
            offset = offsets[2 * at]
            for mark, low, high in hits:
                spots[mark].append(Spot(offset + low, offset + high))

    def _text_hits(self, part: str) -> tuple[tuple[int, int, int], ...]:
        """Which landmarks stand in a text: their numbers, and where they start and end in it."""
        if not part or part.isspace():
            return ()
        text = fold(part)
        found = []
        mark = self._texts.get(text)
        if mark is not None:
            found.append((mark, 0, len(part)))
        listed = text.split()
        if self._words and not self._words.keys().isdisjoint(listed):
            for (low, high), word in zip(words(part), listed, strict=False):
                mark = self._words.get(word)
                if mark is not None:
                    found.append((mark, low, high))
        return tuple(found)


class _Remembered(dict[str, tuple[Any, ...]]):
    """What a function says of pieces of source: pages of one template repeat theirs.

    Bounded, so that it does not grow with the crawl.
    """

    def __init__(self, judge: Callable[[str], tuple[Any, ...]]) -> None:
        super().__init__()
        self._judge = judge

    def __missing__(self, source: str) -> tuple[Any, ...]:
        found = self._judge(source)
        if len(source) <= _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[source] = found
        return found


def _inside(spots: list[Spot], start: int, end: int) -> list[Spot]:
    """The occurrences that lie in a region as a whole."""
    low = bisect_left(spots, (start,))
    found = []
    for at in range(low, len(spots)):
        spot = spots[at]
        if spot.start >= end:
            break
        if spot.end <= end:
            found.append(spot)
    return found


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
