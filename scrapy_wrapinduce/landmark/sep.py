"""The smallest extraction problem, word for word (section 5 of the landmark-grammars paper).

States are landmark trees; an edge is one more split. g(s) is what the tree extracts, i(s) = g(s) + h(s) the
part of it that no further split can model, and A* expands the state with the smallest i(s). Every landmark
occurs exactly once in at least k regions. Exponential: this is the definition that the fast search in
``optimum`` is tested against, and what small problems can be looked at with.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from .regions import Occurrence, Placed, Region, incompressible, size, split, unique_occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .tokens import TokenizedPage

LEFT, INNER, RIGHT = "◁", "△", "▷"
Path = str
RegionSet = tuple[Region, ...]


def literal_pages(pages: Sequence[TokenizedPage]) -> tuple[list[str], list[Region]]:
    """Pages as the paper tokenizes them, without attributes: a landmark is an element name or a word."""
    numbers: dict[str, int] = {}
    regions = []
    for index, page in enumerate(pages):
        found = [(place, f"<{tag.name}>") for tag, place in page.tags]
        for node in page.texts:
            words = enumerate(node.text.split(), node.start)
            found += [(Occurrence(at, at + 1), word) for at, word in words]
        found.sort()
        listed = [numbers.setdefault(name, len(numbers)) for _, name in found]
        regions.append(Region(index, 0, len(page), listed, [place for place, _ in found]))
    return list(numbers), regions


@dataclass(frozen=True)
class State:
    """A landmark tree over some pages: its landmarks by path, and the regions at its leaves.

    ``failed`` counts the tokens of regions in which a landmark of the tree was not found exactly once.
    """

    landmarks: frozenset[tuple[Path, int]]
    leaves: tuple[tuple[Path, RegionSet], ...]
    failed: int = 0

    def extracted(self) -> int:
        """g(s): the total length of the strings the tree extracts."""
        return self.failed + sum(size(regions) for _, regions in self.leaves)

    def incompressible(self, k: int) -> int:
        """i(s): those of them that no further split can model."""
        return self.failed + sum(incompressible(regions, k) for _, regions in self.leaves)

    def estimate(self, k: int) -> int:
        """h(s) = i(s) - g(s), never positive: what is hoped to be modelled yet."""
        return self.incompressible(k) - self.extracted()


def initial(pages: Sequence[Region]) -> State:
    """The empty landmark tree: it extracts the pages."""
    return State(frozenset(), (("", tuple(pages)),))


def successors(state: State, k: int) -> Iterator[State]:
    """The trees with one more landmark."""
    for at, (path, regions) in enumerate(state.leaves):
        for number, placed in unique_occurrences(regions, k).items():
            yield _split_leaf(state, at, path, regions, number, placed)


def apply(state: State, path: Path, number: int, k: int = 1) -> State:
    """The tree with one landmark more, at a leaf; the landmark must be legal there."""
    for at, (leaf, regions) in enumerate(state.leaves):
        if leaf == path:
            placed = unique_occurrences(regions, k)[number]
            return _split_leaf(state, at, path, regions, number, placed)
    raise KeyError(path)


def astar(pages: Sequence[Region], k: int) -> tuple[State, int]:
    """A goal state that extracts least, and the number of splits made to find it.

    A leaf without candidates stays as it is: all of it is incompressible, which makes h of a goal 0 also
    where tokens are left that repeat on every page.
    """
    start = initial(pages)
    frontier: list[tuple[int, int, State]] = [(start.incompressible(k), 0, start)]
    seen = {start.landmarks}
    splits = 0
    while True:
        cost, _, state = heappop(frontier)
        following = list(successors(state, k))
        if not following and cost == state.extracted():
            return state, splits
        if not following:
            heappush(frontier, (state.extracted(), -splits, state))
        for child in following:
            splits += 1
            if child.landmarks not in seen:
                seen.add(child.landmarks)
                heappush(frontier, (child.incompressible(k), -splits, child))


def smallest(pages: Sequence[Region], k: int) -> int:
    """The smallest extraction by trying everything."""
    best = size(pages)
    for placed in unique_occurrences(pages, k).values():
        parts = split(pages, placed)
        total = parts.failed + sum(smallest(part, k) for part in parts[:3])
        best = min(best, total)
    return best


def _split_leaf(
    state: State, at: int, path: Path, regions: RegionSet, number: int, placed: Placed
) -> State:
    parts = split(regions, placed)
    named = ((path + LEFT, parts.left), (path + INNER, parts.inner), (path + RIGHT, parts.right))
    leaves = [(where, tuple(held)) for where, held in named if held]
    return State(
        state.landmarks | {(path, number)},
        (*state.leaves[:at], *leaves, *state.leaves[at + 1 :]),
        state.failed + parts.failed,
    )
