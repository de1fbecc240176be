"""Where a landmark wrapper found its landmarks on a page."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ..landmark.read import Reader
from ..landmark.tree import Options
from ..landmark.wrapper import LandmarkWrapper

if TYPE_CHECKING:
    from ..page import Page
    from ..wrapper import Wrapper


def landmark_starts(wrapper: Wrapper, page: Page) -> frozenset[int]:
    """The starts of the tags and texts that are landmarks on the way to a field; none for other families."""
    if not isinstance(wrapper, LandmarkWrapper):
        return frozenset()
    wanted = {nonterminal for item in wrapper.named for nonterminal in item.nonterminals}
    offsets = page.part_offsets
    starts = set()
    for (number, slot), (low, high) in Reader(wrapper.tree, wanted).read(page).regions.items():
        if number < 0:
            continue
        if isinstance(wrapper.tree.nodes[number], Options):
            # What stands before the inside of an option is its tag, before what follows its text.
            place = low - 1 if slot else -1
        else:
            # A landmark begins where the region before it ends.
            place = high if slot == 0 else -1
        if place >= 0:
            starts.add(offsets[bisect_right(offsets, place) - 1])
    return frozenset(starts)
