"""Which splits would tear pairs of tags apart that could still become landmarks.

Splitting on a landmark inside a pair unbalances the pair: its tags count as extracted from then on (O_u of section
5.1). Pairs that are landmarks of the same chain are split on first and do no harm; the others are *loose*.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .regions import support

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .regions import Region


def loose_pairs_around(
    regions: Sequence[Region], candidates: Collection[int], k: int
) -> Counter[int]:
    """For each candidate how many loose pairs lie around its occurrences, over all regions."""
    usable = {number for number, count in support(regions).items() if count >= k}
    around: Counter[int] = Counter()
    for region in regions:
        taken = {
            place[0]
            for number, place in zip(region.numbers, region.places, strict=True)
            if number in candidates
        }
        open_until: list[int] = []
        last = -1
        for number, place in zip(region.numbers, region.places, strict=True):
            start = place[0]
            while open_until and open_until[-1] <= start:
                open_until.pop()
            if number in candidates:
                if open_until:
                    around[number] += len(open_until)
            elif place[2] >= 0 and start != last and number in usable and start not in taken:
                open_until.append(place[1])
                last = start
    return around
