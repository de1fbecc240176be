"""The parts of a landmark wrapper's file: nodes of the tree, and places in it, checked when they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import CannotInduce, InvalidWrapper
from .candidates import Locator
from .counting import rule_words
from .lattice import TAG, TEXT, WORD, Landmark
from .parts import AttributeAt
from .read import ROOT, Nonterminal
from .tree import Node, Options, Split

KINDS = (TAG, TEXT, WORD)


def locator_data(locator: Locator) -> list[int | str]:
    return [*locator.nonterminal, locator.label or locator.take]


def node_data(node: Node) -> dict[str, Any]:
    return {
        "options" if isinstance(node, Options) else "landmark": [list(m) for m in node.landmarks],
        "children": list(node.children),
        "paths": list(node.paths),
    }


def read_node(data: Mapping[str, Any], number: int) -> Node:
    marks = tuple(_landmark(item, number) for item in data.get("options", data.get("landmark")))
    children, paths = tuple(map(int, data["children"])), tuple(map(str, data["paths"]))
    wanted = 1 + 2 * len(marks) if "options" in data else 3
    if not marks or len(children) != wanted or len(paths) != wanted:
        raise InvalidWrapper(
            f"node {number} of the tree has {len(children)} children, not {wanted}"
        )
    if "options" in data:
        return Options(marks, children, paths)
    left, inner, right = children
    before, inside, after = paths
    return Split(marks[0], (left, inner, right), (before, inside, after))


def _landmark(data: Any, number: int) -> Landmark:
    if (
        not isinstance(data, list)
        or len(data) != 4
        or not all(isinstance(part, str) for part in data)
        or data[0] not in KINDS
    ):
        raise InvalidWrapper(f"node {number} of the tree has no landmark: {data!r}")
    return Landmark(*data)


@dataclass(frozen=True, slots=True)
class LocatorReader:
    nodes: Sequence[Node]

    def several(self, data: Any) -> tuple[Locator, ...]:
        if not isinstance(data, list) or not data:
            raise InvalidWrapper(f"not a list of places: {data!r}")
        return tuple(self.one(item) for item in data)

    def attribute(self, data: Any) -> AttributeAt:
        at = AttributeAt.from_data(data)
        self.one([*at.nonterminal, 0])
        return at

    def one(self, data: Any) -> Locator:
        number, slot, which = data
        number, slot = int(number), int(slot)
        nonterminal: Nonterminal = (number, slot)
        known = nonterminal == ROOT or (
            0 <= number < len(self.nodes) and 0 <= slot < len(self.nodes[number].children)
        )
        if not known:
            raise InvalidWrapper(f"there is no region {number}.{slot} in the tree")
        if isinstance(which, str):
            return Locator(nonterminal, label=which)
        return Locator(nonterminal, int(which))


def read_attributes(data: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        return rule_words(data.get("attributes"))
    except CannotInduce as error:
        raise InvalidWrapper(str(error)) from error


def list_of(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise InvalidWrapper(f"no list of {key}")
    return value


def text_of(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise InvalidWrapper(f"a field without {key}")
    return value
