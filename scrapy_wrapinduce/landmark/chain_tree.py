"""Make tree nodes of a chain of landmarks: nested where pairs nest, balanced where they are siblings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .planting import Bed
from .tree import INNER, LEFT, RIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .chain import Point
    from .planting import Planting
    from .regions import Region


def chain_nodes(planting: Planting, bed: Bed, chain: list[Point]) -> list[Bed]:
    """Plant a chain; the region sets between its points."""
    beds: list[Bed] = []
    partner = _partners(chain)
    # Points ``first`` up to ``last`` go into a child slot.
    pending = [(0, len(chain), bed.parent, bed.slot)]
    while pending:
        first, last, parent, slot = pending.pop()
        if first == last:
            held = _gap(chain, first - 1, first, bed.regions)
            if held:
                beds.append(Bed(parent, slot, held))
            continue
        middle = _middle(chain, partner, first, last)
        close = partner[middle]
        node = planting.split(parent, slot, chain[middle].number)
        pending.append((first, middle, node, LEFT))
        if close > middle:
            pending.append((middle + 1, close, node, INNER))
        pending.append((close + 1, last, node, RIGHT))
    return beds


def _partners(chain: list[Point]) -> list[int]:
    partner = list(range(len(chain)))
    opened: dict[int, int] = {}
    for index, point in enumerate(chain):
        if point.closing:
            start = opened[point.number]
            partner[start], partner[index] = index, start
        else:
            opened[point.number] = index
    return partner


def _middle(chain: list[Point], partner: list[int], first: int, last: int) -> int:
    """The sibling to split on: of those on most pages, the one nearest the middle."""
    best, best_key = first, (0, 0)
    index = first
    while index < last:
        key = (-len(chain[index].places), abs(index + partner[index] + 1 - first - last))
        if index == first or key < best_key:
            best, best_key = index, key
        index = partner[index] + 1
    return best


def _gap(chain: list[Point], before: int, after: int, regions: Sequence[Region]) -> list[Region]:
    """The regions between two neighbouring points, on the pages that have both."""
    held = []
    for index, region in enumerate(regions):
        start, end = region.start, region.end
        if before >= 0:
            place = chain[before].places.get(index)
            if place is None:
                continue
            opening = chain[before].paired and not chain[before].closing
            start = place.inner_start if opening else place.end
        if after < len(chain):
            place = chain[after].places.get(index)
            if place is None:
                continue
            end = place.inner_end if chain[after].closing else place.start
        if start < end:
            held.append(region.part(start, end))
    return held
