"""Which heading a text stands under: the group of facts that its page's author put it in.

A heading is an ``h2`` to ``h6``, a caption or legend, or a row of a table that is one wide cell, or its first row
and one cell. It covers what follows it inside the smallest element that holds more than the heading itself,
up to the next heading of its rank.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ..records.tree import tree_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..records.tree import Tree
    from ..texts import Texts

RANKS = {"h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "caption": 7, "legend": 7}
ROW_RANK = 8
HEADING_DEPTH = 4  # elements between a heading's text and the heading
CELLS = frozenset(("td", "th"))


def headings_over(texts: Texts, captions: Collection[str]) -> list[str]:
    """For each text node the heading it stands under, or nothing; only captions are headings."""
    tree = tree_of(texts.page)
    over = [""] * len(texts.starts)
    pending: list[tuple[int, int, str]] = []  # rank, node where it ends, text
    for node, start in enumerate(texts.starts):
        while pending and pending[-1][1] <= node:
            pending.pop()
        text = texts.folded[node]
        rank, element = _heading(tree, tree.item_at(start)) if text in captions else (0, -1)
        if rank:
            while pending and pending[-1][0] >= rank:
                pending.pop()
            end = _scope(tree, element)
            pending.append((rank, bisect_left(texts.starts, end), text))
            continue
        if pending:
            over[node] = pending[-1][2]
    return over


def _heading(tree: Tree, item: int) -> tuple[int, int]:
    """The rank and the element of the heading that a text is; 0 where it is none."""
    element = tree.parent[item] if item >= 0 else -1
    for _ in range(HEADING_DEPTH):
        if element < 0:
            break
        name = tree.name[element]
        if name in RANKS and len(tree.texts_in(element, tree.stop[element])) == 1:
            return RANKS[name], element
        if name in CELLS:
            row = tree.parent[element]
            cells = [one for one in tree.children(row) if tree.name[one] in CELLS]
            alone = len(cells) == 1 and len(tree.texts_in(element, tree.stop[element])) == 1
            tag = tree.tag[element]
            wide = tag is not None and (tag.get("colspan") or "1") != "1"
            first = row >= 0 and tree.parent[row] >= 0 and tree.children(tree.parent[row])[0] == row
            return (ROW_RANK, row) if row >= 0 and alone and (wide or first) else (0, -1)
        element = tree.parent[element]
    return 0, -1


def _scope(tree: Tree, element: int) -> int:
    """Where the part of the page ends that a heading is for, in characters."""
    own = len(tree.texts_in(element, tree.stop[element]))
    around = tree.parent[element]
    while around >= 0 and len(tree.texts_in(around, tree.stop[around])) == own:
        around = tree.parent[around]
    return tree.end[tree.stop[around] - 1] if around >= 0 else len(tree.html)
