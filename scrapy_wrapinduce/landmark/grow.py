"""Grow a landmark tree over a set of pages: chains of landmarks, region set by region set.

A region set is split at once on all landmarks that the greedy search of the paper (section 5.2) would take one by
one; what lies between them are new, smaller region sets. Where no landmark is on enough pages any more, an
options node cuts at whatever is there (optional and permuted parts), and a new k-SEP begins in each of its parts.
Words inside texts come last: they split a value only where nothing else can.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from random import Random
from typing import TYPE_CHECKING

from .chain import build_chain
from .chain_tree import chain_nodes
from .choice_tree import choice_nodes
from .costs import split_costs
from .lattice import Landmark, preference
from .optimum import Budget, Optimum
from .options import options_node
from .planting import Planting
from .regions import Placed, Region, size, support, unique_occurrences
from .tree import LEAF, Options, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .planting import Bed

SEARCHES = ("astar", "greedy-inf", "greedy-rnd", "random")
MOST_NODES = 6000
LEAST = 2  # regions that must hold a landmark of an optional part
SHARE = 0.75  # of the regions must hold a landmark of the tree proper
EXACT_CANDIDATES = 24  # region sets with more landmarks than this are only searched greedily
EXACT_TOKENS = 600
EXACT_LENGTH = 100  # tokens of a region; bounds the depth of the search
EXACT_SPLITS = 400  # per region set


@dataclass(frozen=True, slots=True)
class Growth:
    """How a tree is grown: the search, k (None: three quarters of the regions) and the random seed."""

    search: str = "astar"
    k: int | None = None
    seed: int = 0


def default_k(regions: int) -> int:
    """Regions that must hold a landmark, by how many there are.

    >>> [default_k(n) for n in (1, 2, 3, 4, 10, 20)]
    [2, 2, 3, 3, 8, 15]
    """
    return max(2, ceil(regions * SHARE))


class Grower:
    """One run over one set of pages."""

    def __init__(
        self,
        landmarks: Sequence[Landmark],
        words: Sequence[Region],
        growth: Growth,
        budget: Budget,
    ) -> None:
        self.landmarks = landmarks
        self.words = words
        self.growth = growth
        self.budget = budget
        self.random = Random(growth.seed)
        self.order = [preference(landmark) for landmark in landmarks]
        self.planting = Planting(landmarks)
        self.sets = self.searched = self.proven = 0
        self.root_proven = self.gave_up = False

    @property
    def splits(self) -> int:
        return self.budget.used

    def grow(self, pages: Sequence[Region]) -> Tree:
        k = self.growth.k or default_k(len(pages))
        pending: list[tuple[Bed, int]] = [(self.planting.root(pages), k)]
        while pending:
            bed, k = pending.pop()
            regions = [region for region in bed.regions if region.end > region.start]
            if len(regions) < min(LEAST, k) or len(self.planting.nodes) >= MOST_NODES:
                continue
            bed = bed.holding(regions)
            for child in self._split(bed, k):
                fresh = isinstance(self.planting.nodes[child.parent], Options)
                pending.append((child, default_k(len(child.regions)) if fresh else k))
        return self.planting.tree()

    def _split(self, bed: Bed, k: int) -> list[Bed]:
        """Plant something in a region set; the region sets that come of it."""
        regions = bed.regions
        in_regions = support(regions)
        fewest = min(LEAST, k)
        wanted = {number for number, count in in_regions.items() if count >= fewest}
        if 4 * len(wanted) < 3 * len(in_regions):
            regions = [region.keeping(wanted) for region in regions]
            bed = bed.holding(regions)
        unique = unique_occurrences(regions, fewest)
        strong = {n: p for n, p in unique.items() if len(p) >= k and _alike(p)}
        if self.growth.search == "random":
            return self._at_random(bed, strong | self._words(bed, k))
        if strong:
            usable = {number for number, count in in_regions.items() if count >= k}
            return self._search(bed, strong, usable, k)
        parts = options_node(self.planting, bed, unique, self._ranked(unique))
        if parts:
            return parts
        words = self._words(bed, k)
        return self._chain(bed, words) if words else []

    def _words(self, bed: Bed, k: int) -> dict[int, Placed]:
        """The words inside texts that could be landmarks."""
        held = [self.words[region.page].part(region.start, region.end) for region in bed.regions]
        return unique_occurrences(held, k)

    def _search(self, bed: Bed, unique: dict[int, Placed], usable: set[int], k: int) -> list[Bed]:
        self.sets += 1
        if self.growth.search == "astar":
            small = len(unique) <= EXACT_CANDIDATES and _is_small(bed.regions)
            if small and not self.budget.spent():
                return self._exact(bed, k)
            self.gave_up |= small
        costs = split_costs(bed.regions, unique, usable)
        least = min(costs.values())
        return self._chain(bed, {n: p for n, p in unique.items() if costs[n] == least})

    def _exact(self, bed: Bed, k: int) -> list[Bed]:
        """The best tree of a small region set."""
        search = Optimum(k, self.order.__getitem__, Budget(splits=EXACT_SPLITS))
        _, proven = search.solve(bed.regions)
        self.budget.used += search.budget.used
        self.searched += 1
        self.proven += proven
        if bed.parent == LEAF:
            self.root_proven = proven
        return choice_nodes(self.planting, bed, search)

    def _chain(self, bed: Bed, unique: dict[int, Placed]) -> list[Bed]:
        """Split on the landmark that ranks first and on all that are in the very same regions.

        Others would be left with fewer than k regions when those without the first landmark have failed.
        """
        ranked = self._ranked(unique)
        held = unique[ranked[0]].keys()
        together = [(n, unique[n]) for n in ranked if unique[n].keys() == held]
        chain = build_chain(bed.regions, together)
        self.budget.used += sum(not point.closing for point in chain)
        return chain_nodes(self.planting, bed, chain) if chain else []

    def _at_random(self, bed: Bed, unique: dict[int, Placed]) -> list[Bed]:
        """One landmark, whichever: the paper's RANDOM."""
        if not unique:
            return []
        number = self.random.choice(sorted(unique))
        return self._chain(bed, {number: unique[number]})

    def _ranked(self, unique: dict[int, Placed]) -> list[int]:
        """On most pages first; ties by the paper's criteria, or by chance.

        Numbers run in page order, so that of equal tags the one higher up comes first.
        """
        if self.growth.search == "greedy-rnd":
            ties = {number: self.random.random() for number in unique}
            return sorted(unique, key=lambda n: (-len(unique[n]), ties[n]))
        return sorted(unique, key=lambda n: (-len(unique[n]), self.order[n], n))


def _is_small(regions: Sequence[Region]) -> bool:
    return size(regions) <= EXACT_TOKENS and max(map(len, regions)) <= EXACT_LENGTH


def _alike(placed: Placed) -> bool:
    """Whether a landmark is a pair of tags everywhere or nowhere."""
    return len({place.inner_start < 0 for place in placed.values()}) == 1
