"""A landmark tree while it grows. A *bed* is a child slot that may still get a node, with its region set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .paths import name_all
from .tree import LEAF, Node, Options, Split, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lattice import Landmark
    from .regions import Region


@dataclass(frozen=True, slots=True)
class Bed:
    """A nonterminal that is a leaf so far."""

    parent: int
    slot: int
    regions: Sequence[Region]

    def holding(self, regions: Sequence[Region]) -> Bed:
        return replace(self, regions=regions)


class Planting:
    """Nodes in the order they were planted; children come after their parents."""

    def __init__(self, landmarks: Sequence[Landmark]) -> None:
        self.landmarks = landmarks
        self.nodes: list[Node] = []
        self.children: list[list[int]] = []

    def root(self, pages: Sequence[Region]) -> Bed:
        return Bed(LEAF, 0, pages)

    def split(self, parent: int, slot: int, landmark: int) -> int:
        """A split node in a child slot; its number."""
        return self._add(parent, slot, Split(self.landmarks[landmark]), 3)

    def options(self, parent: int, slot: int, landmarks: Sequence[int]) -> int:
        """An options node in a child slot; its number."""
        marks = tuple(self.landmarks[number] for number in landmarks)
        return self._add(parent, slot, Options(marks, (), ()), 1 + 2 * len(marks))

    def tree(self) -> Tree:
        """The tree that has grown, its nonterminals named."""
        nodes = [
            _finished(node, children, ("",) * len(children))
            for node, children in zip(self.nodes, self.children, strict=True)
        ]
        paths = name_all(nodes)
        named = []
        for number, node in enumerate(nodes):
            names = [paths[number, slot] for slot in range(len(node.children))]
            named.append(_finished(node, node.children, names))
        return Tree(tuple(named))

    def _add(self, parent: int, slot: int, node: Node, children: int) -> int:
        number = len(self.nodes)
        self.nodes.append(node)
        self.children.append([LEAF] * children)
        if parent != LEAF:
            self.children[parent][slot] = number
        return number


def _finished(node: Node, children: Sequence[int], paths: Sequence[str]) -> Node:
    if isinstance(node, Options):
        return Options(node.landmarks, tuple(children), tuple(paths))
    (left, inner, right), (before, inside, after) = children, paths
    return Split(node.landmark, (left, inner, right), (before, inside, after))
