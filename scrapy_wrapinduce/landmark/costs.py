"""What a split costs: tokens that could have become template and cannot any more (Δi of section 5.1).

Splitting on a landmark inside a pair of tags unbalances the pair; pairs that are landmarks of the same chain are split
on first and do no harm, the others are *loose*. A region without the landmark is extracted as a whole. The greedy
search takes the landmarks that cost least; counting both parts takes one pass over the occurrences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .regions import support

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .regions import Placed, Region


def split_costs(
    regions: Sequence[Region], candidates: Mapping[int, Placed], k: int
) -> dict[int, int]:
    """For each candidate the landmarks that are lost when the regions are split on it."""
    usable = {number for number, count in support(regions).items() if count >= k}
    costs = dict.fromkeys(candidates, 0)
    partial = [number for number, placed in candidates.items() if len(placed) < len(regions)]
    for index, region in enumerate(regions):
        tags = [
            (number, place)
            for number, place in zip(region.numbers, region.places, strict=True)
            if number in usable
        ]
        taken = {place[0] for number, place in tags if number in candidates}
        templated = len({place[0] for _, place in tags})
        for number in partial:
            if index not in candidates[number]:
                costs[number] += templated
        open_until: list[int] = []
        last = -1
        for number, place in tags:
            start = place[0]
            while open_until and open_until[-1] <= start:
                open_until.pop()
            if number in costs:
                if open_until and index in candidates[number]:
                    costs[number] += len(open_until)
            elif place[2] >= 0 and start != last and start not in taken:
                open_until.append(place[1])
                last = start
    return costs
