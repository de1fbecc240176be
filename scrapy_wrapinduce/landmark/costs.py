"""What a split costs: tokens that could have become template and cannot any more (Δi of section 5.1).

Splitting on a landmark inside a pair of tags unbalances the pair; pairs that are landmarks of the same chain are split
on first and do no harm, the others are *loose*. A region without the landmark is extracted as a whole. The greedy
search takes the landmarks that cost least; counting both parts takes one pass over the occurrences.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from .regions import Placed, Region


def split_costs(
    regions: Sequence[Region], candidates: Mapping[int, Placed], usable: AbstractSet[int]
) -> dict[int, int]:
    """For each candidate how many of the ``usable`` landmarks are lost when the regions are split on it."""
    costs = dict.fromkeys(candidates, 0)
    for index, region in enumerate(regions):
        taken = {placed[index].start for placed in candidates.values() if index in placed}
        loose: dict[int, int] = {}
        templated = set()
        for number, (start, end, inner_start, _) in zip(region.numbers, region.places, strict=True):
            if number in usable:
                templated.add(start)
                if inner_start >= 0 and start not in taken:
                    loose[start] = end
        starts, ends = list(loose), sorted(loose.values())
        for number, placed in candidates.items():
            place = placed.get(index)
            if place is None:
                costs[number] += len(templated)
            elif starts:
                costs[number] += bisect_left(starts, place.start) - bisect_right(ends, place.start)
    return costs
