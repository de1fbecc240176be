"""Names for the nonterminals of a tree that another sample of the same site would give them too.

A nonterminal is called after the landmarks at its borders: ``“Price:”+`` is what follows a text up to the next
landmark, ``“Price:”…<hr>`` a longer stretch, ``<div.price>`` the inside of a pair. A path adds the pairs around it.
Which landmarks lie far out depends on the sample, so a path only goes as far out as it must to be the only one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .lattice import TAG
from .tree import LEAF, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lattice import Landmark
    from .tree import Node

Nonterminal = tuple[int, int]  # a node and one of its children; (-1, 0) is the whole page
START, END = "^", "$"


def name_all(nodes: Sequence[Node]) -> dict[Nonterminal, str]:
    """The path of every nonterminal; no two are the same."""
    # Every name knows the name of what it lies in: (outer, name), by number; 0 is the page.
    names: list[tuple[int, str]] = [(-1, "")]
    of: dict[Nonterminal, int] = {}
    # Nonterminals yet to be named, in page order, with what they lie in, name and borders.
    pending = _below(nodes, 0, 0, START, END) if nodes else []
    while pending:
        number, slot, outer, (name, before, after) = pending.pop()
        child = nodes[number].children[slot]
        inside = bool(name)
        if not inside:
            name = f"{before}+" if child == LEAF else f"{before}…{after}"
        of[number, slot] = len(names)
        names.append((outer, name))
        if child != LEAF and inside:
            pending += _below(nodes, child, len(names) - 1, START, END)
        elif child != LEAF:
            pending += _below(nodes, child, outer, before, after)
    return dict(zip(of, _shortest(names, list(of.values())), strict=True))


def _below(
    nodes: Sequence[Node], number: int, outer: int, before: str, after: str
) -> list[tuple[int, int, int, tuple[str, str, str]]]:
    """The children of a node, the last one first."""
    found = [
        (number, slot, outer, borders)
        for slot, borders in enumerate(_children(nodes[number], before, after))
    ]
    return found[::-1]


def _children(node: Node, before: str, after: str) -> list[tuple[str, str, str]]:
    """For each child its name, where it is inside a pair, or else the landmarks before and after it."""
    if not isinstance(node, Options):
        mark = str(node.landmark)
        return [("", before, mark), (_inside(node.landmark, before), "", ""), ("", mark, after)]
    found = [("", before, "?")]
    for landmark in node.landmarks:
        found += [(str(landmark), "", ""), ("", f"?{landmark}", "?")]
    return found


def _inside(landmark: Landmark, before: str) -> str:
    """A tag that says nothing about itself is told by what stands before it."""
    if landmark.kind == TAG and not landmark.attribute and before != START:
        return f"{before}{landmark}"
    return str(landmark)


def _shortest(names: Sequence[tuple[int, str]], wanted: Sequence[int]) -> list[str]:
    """For each name the shortest end of its path that no other has, or its path with a count."""
    paths = {number: names[number][1] for number in wanted}
    outer = {number: names[number][0] for number in wanted}
    while True:
        counts = Counter(paths.values())
        longer = [n for n in wanted if counts[paths[n]] > 1 and outer[n] > 0]
        if not longer:
            break
        for number in longer:
            above, name = names[outer[number]]
            paths[number] = f"{name}/{paths[number]}"
            outer[number] = above
    seen: Counter[str] = Counter()
    for number in wanted:
        path = paths[number]
        seen[path] += 1
        if seen[path] > 1:
            paths[number] = f"{path}[{seen[path]}]"
    return [paths[number] for number in wanted]
