"""All landmarks of a region set at once, instead of one split after the other.

Landmarks that keep their order on every page can be split on in any sequence with the same result, so a
whole *chain* of them is found in one pass over the occurrences: candidates come in the search's order of
preference, and each is taken if it has one place in the chain that fits every region it occurs in.
That makes the depth of the recursion the ambiguity of the page, not the number of its landmarks.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .tokens import Occurrence

_RANKS = 1 << 1000
Placed = dict[int, "Occurrence"]  # region → the only occurrence in it


@dataclass(frozen=True, slots=True)
class Region:
    """Tokens ``start`` up to ``end`` of a page, with the occurrences that lie inside."""

    page: int
    start: int
    end: int
    occurrences: Sequence[tuple[int, Occurrence]]

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Point:
    """One end of a chosen landmark in the chain; an empty tag or a text is a single point."""

    number: int
    places: Placed
    closing: bool


def unique_occurrences(regions: Sequence[Region], least: int) -> dict[int, Placed]:
    """Landmarks that occur exactly once in at least ``least`` regions, with those occurrences."""
    found: dict[int, Placed] = {}
    for index, region in enumerate(regions):
        once: dict[int, Occurrence] = {}
        often: set[int] = set()
        for number, place in region.occurrences:
            if number in once:
                often.add(number)
            else:
                once[number] = place
        for number in often:
            del once[number]
        for number, place in once.items():
            placed = found.get(number)
            if placed is None:
                found[number] = {index: place}
            else:
                placed[index] = place
    return {number: placed for number, placed in found.items() if len(placed) >= least}


def build_chain(regions: Sequence[Region], candidates: Iterable[tuple[int, Placed]]) -> list[Point]:
    """The chain of all candidates that fit, taken in the order given."""
    builder = _Chain(len(regions))
    for number, placed in candidates:
        builder.add(number, placed)
    return [point for _, point in sorted(builder.points.items())]


class _Chain:
    """Points by rank; per region the sorted token positions of its points and their ranks."""

    def __init__(self, regions: int) -> None:
        self.points: dict[int, Point] = {}
        self.positions: list[list[int]] = [[] for _ in range(regions)]
        self.ends: list[list[int]] = [[] for _ in range(regions)]
        self.ranks: list[list[int]] = [[] for _ in range(regions)]

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
        rank = self._between(low, high)
        if rank is None:
            return False
        close_rank: int | None = None
        if paired:
            close_rank = self._between(max(close_low, rank), close_high)
            if close_rank is None:
                return False
        if paired and not self._nests(rank, close_rank):
            return False
        for region, slot, close_slot in slots:
            place = placed[region]
            positions, ranks, ends = self.positions[region], self.ranks[region], self.ends[region]
            if paired and close_rank is not None:
                positions.insert(close_slot, place.inner_end)
                ends.insert(close_slot, place.end)
                ranks.insert(close_slot, close_rank)
            positions.insert(slot, place.start)
            ends.insert(slot, place.inner_start if paired else place.end)
            ranks.insert(slot, rank)
        self.points[rank] = Point(number, placed, closing=False)
        if close_rank is not None:
            self.points[close_rank] = Point(number, placed, closing=True)
        return True

    def _nests(self, rank: int, close_rank: int | None) -> bool:
        """Pairs in the chain stay balanced; pages that lack one of two pairs could cross them."""
        inside = {
            point.number
            for other, point in self.points.items()
            if rank < other < (close_rank or rank)
        }
        if not inside:
            return True
        outside = {
            point.number
            for other, point in self.points.items()
            if other < rank or other > (close_rank or rank)
        }
        return not inside & outside

    @staticmethod
    def _between(low: int, high: int) -> int | None:
        """A rank between two others; None after a thousand halvings of one gap."""
        rank = (low + high) // 2
        return rank if low < rank < high else None
