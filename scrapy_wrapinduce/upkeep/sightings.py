"""A value in its place: the features that survive a redesign (Meng, Hu, Li 2003, sections 2.1 and 3.1).

A *sighting* is a value together with what stands around it: whether it is an attribute or a text, whether a
hyperlink goes with it, its *annotations* (the texts that say what it is: before it in the same text, before it on
the page, at the head of its column), and the names that its elements carry.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from ..labels import Span
from ..records.tree import TEXT, Tree
from ..tokenizer import fold

_LONGEST_LABEL = 60
_LEVELS_WITH_NAMES = 4
_LEVELS_TO_A_LINK = 6
_CELLS = frozenset(("td", "th"))
_NAMING_ATTRIBUTES = ("class", "id", "itemprop", "property", "headers", "name", "data-label")
_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SHORTEST_NAME = 3


@dataclass(frozen=True, slots=True)
class Sighting:
    """A value and what stands around it."""

    value: str
    start: int
    end: int
    item: int
    kind: str
    linked: bool
    within: str
    before: str
    head: str
    names: frozenset[str]
    companion: str


class Observer:
    """Looks at values of one page; what a table's columns are called is found once per table."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._heads: dict[int, list[str]] = {}
        self._names: dict[int, frozenset[str]] = {}

    def see(self, span: Span, value: str) -> Sighting:
        """The value that stands at a span, with its surroundings."""
        tree = self.tree
        item = tree.item_at(span.start)
        kind = self._kind(item, span)
        element = item if item >= 0 and tree.name[item] != TEXT else self._parent(item)
        return Sighting(
            value,
            span.start,
            span.end,
            item,
            kind,
            kind != "@href" and self._is_linked(item),
            self._within(item, span, kind),
            self._before(span, kind, item),
            self._head(item),
            self._names_at(element),
            self._companion(item) if kind != "text" else "",
        )

    def called(self, item: int) -> tuple[str, str]:
        """What stands before a text and at the head of its column."""
        span = Span(self.tree.start[item], self.tree.end[item])
        return self._before(span, "text", item), self._head(item)

    def _parent(self, item: int) -> int:
        return self.tree.parent[item] if item >= 0 else -1

    def _kind(self, item: int, span: Span) -> str:
        tag = self.tree.tag[item] if item >= 0 else None
        if tag is None:
            return "text"
        at = span.start - self.tree.start[item]
        for attribute in tag.attributes:
            if attribute.start <= at < max(attribute.end, attribute.start + 1):
                return f"@{attribute.name}"
        return "text"

    def _is_linked(self, item: int) -> bool:
        tree = self.tree
        for _ in range(_LEVELS_TO_A_LINK):
            if item < 0:
                return False
            if tree.name[item] == "a":
                tag = tree.tag[item]
                return tag is not None and bool(tag.get("href"))
            item = tree.parent[item]
        return False

    def _within(self, item: int, span: Span, kind: str) -> str:
        """The text before the value in its own text node, as in "Author: A. Writer"."""
        if kind != "text" or item < 0 or self.tree.name[item] != TEXT:
            return ""
        start = max(self.tree.start[item], span.start - 3 * _LONGEST_LABEL)
        text = fold(self.tree.html[start : span.start])
        return text if len(text) <= _LONGEST_LABEL else ""

    def _before(self, span: Span, kind: str, item: int) -> str:
        """The text node before the one that the value stands in."""
        tree = self.tree
        limit = item if kind != "text" or item < 0 else self._first_text(span, item)
        place = bisect_left(tree.texts, limit) - 1
        if place < 0:
            return ""
        previous = tree.texts[place]
        text = fold(tree.html[tree.start[previous] : tree.end[previous]][: 6 * _LONGEST_LABEL])
        return text if len(text) <= _LONGEST_LABEL else ""

    def _first_text(self, span: Span, item: int) -> int:
        texts = self.tree.texts_in(item, self.tree.stop[item])
        return next((t for t in texts if self.tree.end[t] > span.start), item)

    def _head(self, item: int) -> str:
        """What stands at the head of the value's column."""
        tree = self.tree
        cell = item
        for _ in range(12):
            if cell < 0 or tree.name[cell] in _CELLS or tree.name[cell] == "table":
                break
            cell = tree.parent[cell]
        if cell < 0 or tree.name[cell] not in _CELLS:
            return ""
        row = tree.parent[cell]
        table = row
        for _ in range(4):
            if table < 0 or tree.name[table] == "table":
                break
            table = tree.parent[table]
        if table < 0 or row < 0 or tree.name[table] != "table":
            return ""
        if table not in self._heads:
            self._heads[table] = self._columns(table)
        heads = self._heads[table]
        column = sum(self._width(sibling) for sibling in self._row_cells(row) if sibling < cell)
        return heads[column] if column < len(heads) else ""

    def _columns(self, table: int) -> list[str]:
        """The texts of a table's first row, where it is a row of heads."""
        tree = self.tree
        row = next((i for i in range(table, tree.stop[table]) if tree.name[i] == "tr"), -1)
        cells = self._row_cells(row) if row >= 0 else []
        marked = [c for c in cells if tree.name[c] == "th" or self._is_bold(c)]
        if len(cells) < 2 or 2 * len(marked) < len(cells):
            return []
        heads: list[str] = []
        for cell in cells:
            text = self._text(cell)
            heads += [text if len(text) <= _LONGEST_LABEL else ""] * self._width(cell)
        return heads

    def _row_cells(self, row: int) -> list[int]:
        return [c for c in self.tree.children(row)[:200] if self.tree.name[c] in _CELLS]

    def _is_bold(self, cell: int) -> bool:
        texts = self.tree.texts_in(cell, self.tree.stop[cell])
        return bool(texts) and all(
            any(
                self.tree.name[a] in ("b", "strong") for a in self.tree.ancestors(t)[:6] if a > cell
            )
            for t in texts[:4]
        )

    def _width(self, cell: int) -> int:
        tag = self.tree.tag[cell]
        span = tag.get("colspan") if tag is not None else None
        return min(int(span), 50) if span and span.isascii() and span.isdecimal() else 1

    def _text(self, item: int) -> str:
        tree = self.tree
        texts = tree.texts_in(item, tree.stop[item])[:12]
        return fold(" ".join(tree.html[tree.start[t] : tree.end[t]] for t in texts))

    def _names_at(self, element: int) -> frozenset[str]:
        names: set[str] = set()
        for level in range(_LEVELS_WITH_NAMES):
            if element < 0 or (level and self.tree.name[element] in ("table", "body", "tr", "ul")):
                break
            names |= self._own_names(element)
            element = self.tree.parent[element]
        return frozenset(names)

    def _own_names(self, element: int) -> frozenset[str]:
        known = self._names.get(element)
        if known is None:
            tag = self.tree.tag[element]
            values = [tag.get(name) or "" for name in _NAMING_ATTRIBUTES] if tag is not None else []
            words = _NAME_WORD.findall(" ".join(values)[:300])
            known = frozenset(word.lower() for word in words if len(word) >= _SHORTEST_NAME)
            self._names[element] = known
        return known

    def _companion(self, item: int) -> str:
        return self._text(item)[:120] if item >= 0 else ""
