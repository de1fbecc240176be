"""From pages to a landmark tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chain import Region
from .grow import Grower, Growth
from .tokens import landmark_occurrences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .tokens import TokenizedPage
    from .tree import Tree

SEARCHES = ("astar", "greedy-inf", "greedy-rnd", "random")


def learn_tree(pages: Sequence[TokenizedPage], search: str = "astar", k: int | None = None) -> Tree:
    """The landmark tree of pages that share a template."""
    growth = Growth()
    landmarks, occurrences = landmark_occurrences(pages, growth.least)
    regions = [Region(index, 0, len(page), occurrences[index]) for index, page in enumerate(pages)]
    return Grower(landmarks, growth).grow(regions)
