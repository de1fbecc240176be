"""Make tree nodes of what the exact search found for a region set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .planting import Bed
from .tree import INNER, LEFT, RIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .optimum import Optimum
    from .planting import Planting
    from .regions import Region


def choice_nodes(planting: Planting, bed: Bed, search: Optimum) -> list[Bed]:
    """Plant the best tree of a region set; the region sets at its leaves."""
    beds: list[Bed] = []
    whole = {region.page: region for region in bed.regions}
    pending: list[tuple[Sequence[Region], int, int]] = [(bed.regions, bed.parent, bed.slot)]
    while pending:
        held, parent, slot = pending.pop()
        choice = search.choice(held) if held else None
        if choice is None:
            # The search looks at what can be a landmark; what grows here looks at all there is.
            leaf = [whole[region.page].part(region.start, region.end) for region in held]
            beds.append(Bed(parent, slot, leaf))
            continue
        node = planting.split(parent, slot, choice.number)
        pending.append((choice.parts.left, node, LEFT))
        pending.append((choice.parts.inner, node, INNER))
        pending.append((choice.parts.right, node, RIGHT))
    return beds
