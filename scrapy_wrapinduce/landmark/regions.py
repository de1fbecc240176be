"""Regions of pages, and the split of a set of regions around a landmark (section 3.3 of the paper).

A region set holds one stretch of tokens per page. It is what every search works on: a landmark cuts it into
three smaller sets, left, inside and right, which no longer depend on one another.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_END = itemgetter(1)


class Occurrence(NamedTuple):
    """Tokens ``start`` up to ``end``; what is inside a pair of tags is ``inner_start`` up to ``inner_end``.

    For an empty tag or a text there is no inside: ``inner_start`` is -1.
    """

    start: int
    end: int
    inner_start: int = -1
    inner_end: int = -1


Placed = dict[int, Occurrence]  # index of a region in its set → the only occurrence in it


@dataclass(frozen=True, slots=True)
class Region:
    """Tokens ``start`` up to ``end`` of a page, with the occurrences that lie inside, in page order.

    ``numbers`` and ``places`` run in parallel: which landmark, and where.
    """

    page: int
    start: int
    end: int
    numbers: Sequence[int]
    places: Sequence[Occurrence]

    def __len__(self) -> int:
        return self.end - self.start

    def part(self, start: int, end: int) -> Region:
        """The stretch from ``start`` up to ``end``; occurrences that stick out of it are lost."""
        if not self.places:
            return Region(self.page, start, end, (), ())
        low = bisect_left(self.places, (start,))
        high = bisect_left(self.places, (end,), lo=low)
        numbers, places = self.numbers[low:high], self.places[low:high]
        if places and max(map(_END, places)) > end:
            kept = [index for index, place in enumerate(places) if place[1] <= end]
            numbers = [numbers[index] for index in kept]
            places = [places[index] for index in kept]
        return Region(self.page, start, end, numbers, places)

    def keeping(self, wanted: frozenset[int] | set[int]) -> Region:
        """The region without the occurrences of all other landmarks."""
        kept = [index for index, number in enumerate(self.numbers) if number in wanted]
        if len(kept) == len(self.numbers):
            return self
        numbers = [self.numbers[index] for index in kept]
        return Region(
            self.page, self.start, self.end, numbers, [self.places[index] for index in kept]
        )


class Parts(NamedTuple):
    """A region set after a split; ``failed`` counts the tokens of regions without exactly one landmark."""

    left: list[Region]
    inner: list[Region]
    right: list[Region]
    failed: int


def size(regions: Sequence[Region]) -> int:
    """Tokens in a region set: what a leaf of the tree extracts."""
    return sum(map(len, regions))


def support(regions: Sequence[Region]) -> Counter[int]:
    """In how many regions each landmark occurs at all."""
    found: Counter[int] = Counter()
    for region in regions:
        found.update(set(region.numbers))
    return found


def unique_occurrences(regions: Sequence[Region], least: int) -> dict[int, Placed]:
    """Landmarks that occur exactly once in at least ``least`` regions, with those occurrences."""
    if sum(bool(region.numbers) for region in regions) < least:
        return {}
    by_region: list[dict[int, Occurrence]] = []
    in_regions: Counter[int] = Counter()
    for region in regions:
        counts = Counter(region.numbers)
        once = {
            number: place
            for number, place in zip(region.numbers, region.places, strict=True)
            if counts[number] == 1
        }
        by_region.append(once)
        in_regions.update(once.keys())
    found: dict[int, Placed] = {
        number: {} for number, regions_with in in_regions.items() if regions_with >= least
    }
    for index, once in enumerate(by_region):
        for number, place in once.items():
            placed = found.get(number)
            if placed is not None:
                placed[index] = place
    return found


def split(regions: Sequence[Region], placed: Placed) -> Parts:
    """Cut every region that has the landmark exactly once; the others are extracted as they are."""
    left, inner, right = [], [], []
    failed = 0
    for index, region in enumerate(regions):
        place = placed.get(index)
        if place is None:
            failed += len(region)
            continue
        if place.start > region.start:
            left.append(region.part(region.start, place.start))
        if place.inner_end > place.inner_start:
            inner.append(region.part(place.inner_start, place.inner_end))
        if region.end > place.end:
            right.append(region.part(place.end, region.end))
    return Parts(left, inner, right, failed)


def incompressible(regions: Sequence[Region], k: int) -> int:
    """Tokens that no landmark can model from here on: the paper's i(s) = O_k + O_u of one region set.

    A token is either covered by a landmark that occurs in at least ``k`` regions, or it is rare (O_k), or it
    is a tag whose partner lies outside (O_u): splitting further never brings those back.
    """
    in_regions = support(regions)
    total = 0
    for region in regions:
        covered = bytearray(len(region))
        base = region.start
        for number, place in zip(region.numbers, region.places, strict=True):
            if in_regions[number] >= k:
                if place.inner_start >= 0:
                    covered[place.start - base] = covered[place.end - 1 - base] = 1
                else:
                    for token in range(place.start, place.end):
                        covered[token - base] = 1
        total += covered.count(0)
    return total
