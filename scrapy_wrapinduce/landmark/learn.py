"""From pages to a landmark tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .grow import Grower, Growth
from .occurrences import landmark_occurrences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .tokens import TokenizedPage
    from .tree import Tree

SEARCHES = ("astar", "greedy-inf", "greedy-rnd", "random")


def learn_tree(pages: Sequence[TokenizedPage], search: str = "astar", k: int | None = None) -> Tree:
    """The landmark tree of pages that share a template."""
    growth = Growth()
    landmarks, regions = landmark_occurrences(pages, growth.least)
    return Grower(landmarks, growth).grow(regions)
