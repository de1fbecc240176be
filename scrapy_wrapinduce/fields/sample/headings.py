"""Which heading a text stands under: the group of facts that its page's author put it in.

A heading is an ``h2`` to ``h6``, a caption or legend, or a row of a table that is one wide cell, or its first row
and one cell. It covers what follows it inside the smallest element that holds more than the heading itself,
up to the next heading of its rank.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING

from ...records.tree import tree_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...records.tree import Tree
    from ...texts import Texts

RANKS = {"h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "caption": 7, "legend": 7}
ROW_RANK = 8
HEADING_DEPTH = 4  # elements between a heading's text and the heading
CELLS = frozenset(("td", "th"))


def headings_over(texts: Texts, captions: Collection[str]) -> list[str]:
    """For each text node the heading it stands under, or nothing; only captions are headings."""
    tree = tree_of(texts.page)
    over = [""] * len(texts.starts)
    rows = _Rows(tree)
    pending: list[tuple[int, int, str]] = []  # rank, node where it ends, text
    for node, start in enumerate(texts.starts):
        while pending and pending[-1][1] <= node:
            pending.pop()
        text = texts.folded[node]
        rank, element = _heading(rows, tree.item_at(start)) if text in captions else (0, -1)
        if rank:
            while pending and pending[-1][0] >= rank:
                pending.pop()
            end = _scope(tree, element)
            pending.append((rank, bisect_left(texts.starts, end), text))
            continue
        if pending:
            over[node] = pending[-1][2]
    return over


class _Rows:
    """The rows of a page's tables; each is looked at once, however many cells it has."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._lone: dict[int, bool] = {}

    def has_one_cell(self, row: int) -> bool:
        known = self._lone.get(row)
        if known is None:
            cells = (one for one in self.tree.children(row) if self.tree.name[one] in CELLS)
            known = self._lone[row] = sum(1 for _ in islice(cells, 2)) == 1
        return known


def _heading(rows: _Rows, item: int) -> tuple[int, int]:
    """The rank and the element of the heading that a text is; 0 where it is none."""
    tree = rows.tree
    element = tree.parent[item] if item >= 0 else -1
    for _ in range(HEADING_DEPTH):
        if element < 0:
            break
        name = tree.name[element]
        if name in RANKS and len(tree.texts_in(element, tree.stop[element])) == 1:
            return RANKS[name], element
        if name in CELLS:
            row = tree.parent[element]
            if row < 0 or not rows.has_one_cell(row):
                return 0, -1
            alone = len(tree.texts_in(element, tree.stop[element])) == 1
            tag = tree.tag[element]
            wide = tag is not None and (tag.get("colspan") or "1") != "1"
            # The first item inside of an element is its first child.
            first = tree.parent[row] >= 0 and row == tree.parent[row] + 1
            return (ROW_RANK, row) if alone and (wide or first) else (0, -1)
        element = tree.parent[element]
    return 0, -1


def _scope(tree: Tree, element: int) -> int:
    """Where the part of the page ends that a heading is for, in characters."""
    own = len(tree.texts_in(element, tree.stop[element]))
    around = tree.parent[element]
    while around >= 0 and len(tree.texts_in(around, tree.stop[around])) == own:
        around = tree.parent[around]
    return tree.end[tree.stop[around] - 1] if around >= 0 else len(tree.html)
