"""Optional and permuted parts: cut a region set at whichever landmarks are there, in any order.

Beyond the paper, whose trees need every landmark on k pages: specification tables, optional blocks and
lists of facts differ from page to page in what they have, yet call it by the same names.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from .lattice import ROLES, TAG, TEXT
from .planting import Bed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .planting import Planting
    from .regions import Occurrence, Placed

MOST_OPTIONS = 400


def options_node(
    planting: Planting, bed: Bed, unique: dict[int, Placed], ranked: Sequence[int]
) -> list[Bed]:
    """Plant an options node of all landmarks that do not overlap; the region sets that come of it."""
    regions = bed.regions
    taken: list[int] = []
    cuts: list[list[tuple[int, int]]] = [[] for _ in regions]
    for number in ranked:
        landmark = planting.landmarks[number]
        if not (landmark.kind == TEXT or (landmark.kind == TAG and landmark.attribute in ROLES)):
            continue
        placed = unique[number]
        if all(_free(cuts[index], place) for index, place in placed.items()):
            taken.append(number)
            for index, place in placed.items():
                insort(cuts[index], (place.start, place.end))
            if len(taken) == MOST_OPTIONS:
                break
    if not taken:
        return []
    node = planting.options(bed.parent, bed.slot, taken)
    firsts = [
        region.part(region.start, spans[0][0] if spans else region.end)
        for region, spans in zip(regions, cuts, strict=True)
    ]
    beds = [Bed(node, 0, firsts)]
    for at, number in enumerate(taken):
        inner, after = [], []
        for index, place in unique[number].items():
            region, spans = regions[index], cuts[index]
            if place.inner_start >= 0:
                inner.append(region.part(place.inner_start, place.inner_end))
            slot = bisect_left(spans, (place.start, place.end))
            stop = spans[slot + 1][0] if slot + 1 < len(spans) else region.end
            after.append(region.part(place.end, stop))
        beds += [Bed(node, 1 + 2 * at, inner), Bed(node, 2 + 2 * at, after)]
    return beds


def _free(cuts: list[tuple[int, int]], place: Occurrence) -> bool:
    slot = bisect_left(cuts, (place.start, place.end))
    if slot and cuts[slot - 1][1] > place.start:
        return False
    return slot == len(cuts) or cuts[slot][0] >= place.end
