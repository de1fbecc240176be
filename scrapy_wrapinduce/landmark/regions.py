"""Regions of pages, and the split of a set of regions around a landmark (section 3.3 of the paper).

A region set holds one stretch of tokens per page. It is what every search works on: a landmark cuts it into
three smaller sets, left, inside and right, which no longer depend on one another.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import chain, compress
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

_END = itemgetter(1)
_NUMBERS = attrgetter("numbers")


class Occurrence(NamedTuple):
    """Tokens ``start`` up to ``end``; what is inside a pair of tags is ``inner_start`` up to ``inner_end``.

    For an empty tag or a text there is no inside: ``inner_start`` is -1.
    """

    start: int
    end: int
    inner_start: int = -1
    inner_end: int = -1


Placed = dict[int, Occurrence]  # index of a region in its set → the only occurrence in it


# Never changed, and yet not frozen: hundreds of thousands are made, each in twice the time if it were.
@dataclass(slots=True, eq=False)
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
        if low == high:
            return Region(self.page, start, end, (), ())
        numbers, places = self.numbers[low:high], self.places[low:high]
        if max(map(_END, places)) > end:
            kept = [index for index, place in enumerate(places) if place[1] <= end]
            numbers = [numbers[index] for index in kept]
            places = [places[index] for index in kept]
        return Region(self.page, start, end, numbers, places)

    def keeping(self, wanted: AbstractSet[int]) -> Region:
        """The region without the occurrences of all other landmarks."""
        kept = list(map(wanted.__contains__, self.numbers))
        if all(kept):
            return self
        numbers, places = compress(self.numbers, kept), compress(self.places, kept)
        return Region(self.page, self.start, self.end, list(numbers), list(places))


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
    return Counter(chain.from_iterable(map(set, map(_NUMBERS, regions))))


def unique_occurrences(regions: Sequence[Region], least: int) -> dict[int, Placed]:
    """Landmarks that occur exactly once in at least ``least`` regions, with those occurrences."""
    if sum(map(bool, map(_NUMBERS, regions))) < least:
        return {}
    by_region = list(map(_once, regions))
    in_regions = Counter(chain.from_iterable(by_region))
    found: dict[int, Placed] = {
        number: {} for number, regions_with in in_regions.items() if regions_with >= least
    }
    for index, once in enumerate(by_region):
        for number in found.keys() & once.keys():
            found[number][index] = once[number]
    return found


def _once(region: Region) -> dict[int, Occurrence]:
    """The landmarks that occur in a region exactly once."""
    held = dict(zip(region.numbers, region.places, strict=True))
    if len(held) == len(region.numbers):
        return held
    counts = Counter(region.numbers)
    return {number: place for number, place in held.items() if counts[number] == 1}


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
    return uncovered(usable_part(regions, k))


def usable_part(regions: Sequence[Region], k: int) -> list[Region]:
    """The regions with the landmarks that occur in at least ``k`` of them: no others can become landmarks here."""
    wanted = {number for number, count in support(regions).items() if count >= k}
    return [region.keeping(wanted) for region in regions]


def uncovered(regions: Sequence[Region]) -> int:
    """Tokens that belong to no occurrence."""
    total = 0
    for region in regions:
        total += region.end - region.start
        if not region.places:
            continue
        covered: set[int] = set()
        for start, end, inner_start, _ in region.places:
            if inner_start >= 0:
                covered.add(start)
                covered.add(end - 1)
            else:
                covered.update(range(start, end))
        total -= len(covered)
    return total
