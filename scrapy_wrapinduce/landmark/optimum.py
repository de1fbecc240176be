"""The smallest extraction, fast: AND/OR search over region sets with memo, branch and bound.

After a split the three parts never interact (AND), and which landmark to split on is the only choice (OR), so
the best tree of a region set is made of the best trees of its parts, found once per set however it was reached.
The incompressible cost (section 5.1 of the paper) bounds every set from below; *separators*, landmarks that no
other landmark straddles, are split on without trying anything else. Out of budget it goes on greedily.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from .regions import (
    Occurrence,
    Parts,
    Placed,
    Region,
    size,
    split,
    uncovered,
    unique_occurrences,
    usable_part,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Key = tuple[tuple[int, int, int], ...]
_OWN = 3


class Choice(NamedTuple):
    """The landmark that a region set is split on, and what it falls into."""

    number: int
    parts: Parts


@dataclass(slots=True)
class Budget:
    """How much searching is allowed; ``spent`` tells when to stop looking for something better.

    Seconds are processor time: on a busy machine the same sample gives the same tree.
    """

    splits: int | None = None
    seconds: float | None = None
    used: int = 0
    started: float = field(default_factory=time.thread_time)

    def spent(self) -> bool:
        if self.splits is not None and self.used >= self.splits:
            return True
        return self.seconds is not None and time.thread_time() - self.started > self.seconds


@dataclass(slots=True)
class _Known:
    """What is known about a region set: its cost lies between ``low`` and ``high``.

    ``regions`` hold only what could still be a landmark.
    """

    regions: list[Region]
    low: int
    high: int
    choice: Choice | None = None


class Optimum:
    """Searches the best landmark trees of region sets, for one k.

    ``order`` breaks ties between landmarks that look equally good; lower is better.
    """

    def __init__(
        self, k: int, order: Callable[[int], object] | None = None, budget: Budget | None = None
    ) -> None:
        self.k = k
        self.order = order or (lambda number: number)
        self.budget = budget or Budget()
        self._known: dict[Key, _Known] = {}

    def solve(self, regions: Sequence[Region]) -> tuple[int, bool]:
        """The cost of the best tree found, and whether it is proven to be the smallest."""
        known = self._look_up(regions)
        self._search(known, known.high + 1)
        return known.high, known.low == known.high

    def choice(self, regions: Sequence[Region]) -> Choice | None:
        """What the best tree found does with a region set; None: it is a leaf."""
        return self._look_up(regions).choice

    def _search(self, known: _Known, limit: int) -> None:
        """Find the cost of a set exactly, or that it is at least ``limit``, or run out of budget."""
        if known.low == known.high or known.low >= limit:
            return
        if known.choice is not None and self.budget.spent():
            return
        moves = self._moves(known.regions)
        floor = known.high
        for at, (bound, choice) in enumerate(moves):
            ceiling = min(limit, known.high)
            if bound >= ceiling:
                floor = min(floor, bound)
                break
            low, high = self._try(choice, ceiling)
            floor = min(floor, low)
            if high < known.high:
                known.high, known.choice = high, choice
            if known.high <= known.low:
                break
            if self.budget.spent():
                if at + 1 < len(moves):
                    floor = min(floor, moves[at + 1][0])
                break
        known.low = max(known.low, min(floor, known.high))

    def _try(self, choice: Choice, ceiling: int) -> tuple[int, int]:
        """Bounds of what a set costs when it is split in this way."""
        known = [self._look_up(part) for part in choice.parts[:3] if part]
        for about in known:
            low = choice.parts.failed + sum(other.low for other in known)
            if low >= ceiling:
                break
            self._search(about, ceiling - low + about.low)
        low = choice.parts.failed + sum(about.low for about in known)
        return low, choice.parts.failed + sum(about.high for about in known)

    def _look_up(self, regions: Sequence[Region]) -> _Known:
        key = tuple((region.page, region.start, region.end) for region in regions)
        known = self._known.get(key)
        if known is None:
            useful = usable_part(regions, self.k)
            known = self._known[key] = _Known(useful, uncovered(useful), size(useful))
        return known

    def _moves(self, regions: Sequence[Region]) -> list[tuple[int, Choice]]:
        """The splits worth trying, the one with the smallest incompressible cost first."""
        unique = unique_occurrences(regions, self.k)
        ranked = sorted(unique, key=lambda number: (self.order(number), number))
        sure = separator(regions, unique, ranked)
        if sure is not None:
            ranked = [sure]
        moves = []
        seen: set[tuple[tuple[int, Occurrence], ...]] = set()
        for number in ranked:
            placed = unique[number]
            same = tuple(placed.items())
            if same in seen:
                continue
            seen.add(same)
            parts = split(regions, placed)
            self.budget.used += 1
            bound = parts.failed + sum(self._look_up(part).low for part in parts[:3] if part)
            moves.append((bound, Choice(number, parts)))
        moves.sort(key=itemgetter(0))
        return moves


def separator(
    regions: Sequence[Region], unique: dict[int, Placed], ranked: Sequence[int]
) -> int | None:
    """A landmark that can be split on first without loss, if there is one; ``regions`` hold only what is usable.

    It occurs once in every region, and each other landmark that could still be used keeps to one part of it
    (or to its own tokens) on all pages. Any tree can then be cut down to each part without extracting more:
    nodes of other parts drop out, and the regions that failed at them are only read further.
    """
    for number in ranked:
        if len(unique[number]) == len(regions) and _separates(regions, unique[number]):
            return number
    return None


def _separates(regions: Sequence[Region], placed: Placed) -> bool:
    side: dict[int, int] = {}
    for index, region in enumerate(regions):
        cut = placed[index]
        cut_start, cut_end, inner_start, inner_end = cut
        for number, place in zip(region.numbers, region.places, strict=True):
            start, end, _, _ = place
            if end <= cut_start:
                where = 0
            elif start >= cut_end:
                where = 2
            elif inner_start >= 0 and start >= inner_start and end <= inner_end:
                where = 1
            elif place == cut or (inner_start < 0 and start >= cut_start and end <= cut_end):
                where = _OWN
            else:
                return False
            if side.setdefault(number, where) != where:
                return False
    return True
