"""Landmark trees: the compact form of a landmark grammar.

A node splits a region around its landmark into what is left of it, inside it (between a pair of tags)
and right of it; section 3.1 of the paper gives the grammar that a tree stands for. Beyond the paper, an
*options* node cuts a region at whichever of its landmarks are there, in any order: it reads optional and
permuted parts.

Nodes stand in one flat table, so that neither reading nor writing a tree recurses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lattice import Landmark

LEAF = -1
LEFT, INNER, RIGHT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Split:
    """Left, inside and right of one landmark; children are node numbers or :data:`LEAF`."""

    landmark: Landmark
    children: tuple[int, int, int] = (LEAF, LEAF, LEAF)
    paths: tuple[str, str, str] = ("", "", "")

    @property
    def landmarks(self) -> tuple[Landmark]:
        return (self.landmark,)


@dataclass(frozen=True, slots=True)
class Options:
    """Before the first landmark that is there, then inside and after each of them.

    Child 0 is what comes first; children 1 + 2i and 2 + 2i are inside and after landmark i.
    """

    landmarks: tuple[Landmark, ...]
    children: tuple[int, ...]
    paths: tuple[str, ...]


Node = Split | Options


@dataclass(frozen=True, slots=True)
class Tree:
    """A landmark tree; node 0 is the root. Without nodes the whole page is one leaf."""

    nodes: tuple[Node, ...] = ()

    def landmarks(self) -> list[Landmark]:
        found: dict[Landmark, None] = {}
        for node in self.nodes:
            if isinstance(node, Split):
                found[node.landmark] = None
            else:
                found.update(dict.fromkeys(node.landmarks))
        return list(found)


def splits(nodes: Sequence[Node]) -> int:
    """How many landmarks a tree has."""
    return sum(1 if isinstance(node, Split) else len(node.landmarks) for node in nodes)
