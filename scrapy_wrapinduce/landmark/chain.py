"""All landmarks of a region set at once, instead of one split after the other.

Landmarks that keep their order on every page can be split on in any sequence with the same result, so a
whole *chain* of them is found in one pass over the occurrences: candidates come in the search's order of
preference, and each is taken if it has one place in the chain that fits every region it occurs in.
That makes the depth of the recursion the ambiguity of the page, not the number of its landmarks.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .regions import Placed, Region

MOST_POINTS = 4000
# Every landmark taken halves a gap between ranks at most twice.
_RANKS = 1 << (2 * MOST_POINTS)


@dataclass(frozen=True, slots=True)
class Point:
    """One end of a chosen landmark in the chain; an empty tag or a text is a single point."""

    number: int
    places: Placed
    paired: bool
    closing: bool


def build_chain(regions: Sequence[Region], candidates: Iterable[tuple[int, Placed]]) -> list[Point]:
    """The chain of all candidates that fit, taken in the order given."""
    builder = _Chain(len(regions))
    for number, placed in candidates:
        builder.add(number, placed)
        if len(builder.points) >= MOST_POINTS:
            break
    return [point for _, point in sorted(builder.points.items())]


class _Chain:
    """Points by rank; per region the sorted token positions of its points and their ranks."""

    def __init__(self, regions: int) -> None:
        self.points: dict[int, Point] = {}
        self.positions: list[list[int]] = [[] for _ in range(regions)]
        self.ends: list[list[int]] = [[] for _ in range(regions)]
        self.ranks: list[list[int]] = [[] for _ in range(regions)]
        self.sorted_ranks: list[int] = []
        self.signs: list[int] = []
        self.random = Random(0)

    def add(self, number: int, placed: Placed) -> bool:
        paired = all(place.inner_start >= 0 for place in placed.values())
        if not paired and any(place.inner_start >= 0 for place in placed.values()):
            return False
        low, high = -_RANKS, _RANKS
        close_low, close_high = low, high
        slots: list[tuple[int, int, int]] = []
        for region, place in placed.items():
            start, end, inner_start, inner_end = place
            positions, ranks, ends = self.positions[region], self.ranks[region], self.ends[region]
            first_end = inner_start if paired else end
            slot = bisect_left(positions, start)
            if slot and ends[slot - 1] > start:
                return False
            if slot < len(positions) and positions[slot] < first_end:
                return False
            if slot and ranks[slot - 1] > low:
                low = ranks[slot - 1]
            if slot < len(ranks) and ranks[slot] < high:
                high = ranks[slot]
            close_slot = slot
            if paired:
                close_slot = bisect_left(positions, inner_end)
                if close_slot and ends[close_slot - 1] > inner_end:
                    return False
                if close_slot < len(positions) and positions[close_slot] < end:
                    return False
                if close_slot and ranks[close_slot - 1] > close_low:
                    close_low = ranks[close_slot - 1]
                if close_slot < len(ranks) and ranks[close_slot] < close_high:
                    close_high = ranks[close_slot]
            slots.append((region, slot, close_slot))
        if low >= high or (paired and close_low >= close_high):
            return False
        rank = (low + high) // 2
        if paired and close_high <= rank:
            return False
        close_rank = (max(close_low, rank) + close_high) // 2
        if paired and not self._nests(rank, close_rank):
            return False
        for region, slot, close_slot in slots:
            place = placed[region]
            positions, ranks, ends = self.positions[region], self.ranks[region], self.ends[region]
            if paired:
                positions.insert(close_slot, place.inner_end)
                ends.insert(close_slot, place.end)
                ranks.insert(close_slot, close_rank)
            positions.insert(slot, place.start)
            ends.insert(slot, place.inner_start if paired else place.end)
            ranks.insert(slot, rank)
        self.points[rank] = Point(number, placed, paired, closing=False)
        sign = self.random.getrandbits(62) if paired else 0
        self._note(rank, sign)
        if paired:
            self.points[close_rank] = Point(number, placed, paired, closing=True)
            self._note(close_rank, -sign)
        return True

    def _note(self, rank: int, sign: int) -> None:
        at = bisect_left(self.sorted_ranks, rank)
        self.sorted_ranks.insert(at, rank)
        self.signs.insert(at, sign)

    def _nests(self, rank: int, close_rank: int) -> bool:
        """Pairs in the chain stay balanced; pages that lack one of two pairs could cross them.

        The two ends of a pair bear a random number and its negative: a stretch that holds whole pairs only
        adds up to nothing.
        """
        low = bisect_left(self.sorted_ranks, rank)
        high = bisect_left(self.sorted_ranks, close_rank)
        return low == high or not sum(self.signs[low:high])
