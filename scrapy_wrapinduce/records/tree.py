"""The elements and texts of a page as a tree, flat in arrays.

Records and fields are found by structure, so the paired tags of a page become a tree in document
order: the subtree of item ``i`` is the range ``i`` up to ``stop[i]``, and any run of siblings is a range
too. End tags that HTML lets authors leave out (``<li>``, ``<td>``, ``<dd>``, ``<p>`` …) are supplied.
Linear in the page; deep nesting is cut off, so that following parents is bounded as well.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ..tokenizer import CLOSE, OPEN, SKIPPED, fold, is_blank

if TYPE_CHECKING:
    from ..outline import Outline
    from ..page import Page
    from ..tokenizer import Tag

MAX_DEPTH = 256
TEXT = "#text"

# An unclosed element of the key's name ends where one of these starts …
_ENDED_BY = {
    "li": frozenset(("li",)),
    "dt": frozenset(("dt", "dd")),
    "dd": frozenset(("dt", "dd")),
    "option": frozenset(("option", "optgroup")),
    "tr": frozenset(("tr", "tbody", "thead", "tfoot")),
    "td": frozenset(("td", "th", "tr", "tbody", "thead", "tfoot")),
    "th": frozenset(("td", "th", "tr", "tbody", "thead", "tfoot")),
    "thead": frozenset(("tbody", "tfoot")),
    "tbody": frozenset(("tbody", "tfoot")),
    "p": frozenset(
        (
            *(
                "p",
                "div",
                "ul",
                "ol",
                "dl",
                "table",
                "h1",
                "h2",
                "h3",
                "h4",
                "h5",
                "h6",
                "hr",
                "form",
            ),
            *(
                "pre",
                "blockquote",
                "section",
                "article",
                "header",
                "footer",
                "nav",
                "aside",
                "main",
            ),
            *("figure", "address", "fieldset"),
        )
    ),
}
# … unless a new list or table was opened in between.
_SCOPES = frozenset(("ul", "ol", "dl", "table", "select", "td", "th", "div"))


class Tree:
    """A page's elements and texts in document order."""

    __slots__ = (
        "_by_class",
        "_by_name",
        "_folded",
        "end",
        "html",
        "name",
        "parent",
        "start",
        "stop",
        "tag",
        "texts",
    )

    def __init__(self, html: str, outline: Outline) -> None:
        self.html = html
        self.name: list[str] = []
        self.tag: list[Tag | None] = []
        self.parent: list[int] = []
        self.stop: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.texts: list[int] = []
        self._by_name: dict[str, list[int]] | None = None
        self._by_class: dict[str, dict[str, list[int]]] = {}
        self._folded: dict[int, str] = {}
        self._build(outline)

    def __len__(self) -> int:
        return len(self.name)

    def _build(self, outline: Outline) -> None:
        """Straight from the tags of the page: making nodes first would cost as much again."""
        name, tags, parent = self.name, self.tag, self.parent
        stop, start, end = self.stop, self.start, self.end
        html, partners = self.html, outline.partners
        open_items: list[int] = []
        item_of: dict[int, int] = {}
        unclosed: list[int] = []

        def close(upto: int, at: int) -> None:
            while open_items:
                item = open_items.pop()
                stop[item] = len(name)
                end[item] = at
                if unclosed and unclosed[-1] == item:
                    unclosed.pop()
                if item == upto:
                    break

        def add_text(first: int, after: int) -> None:
            text = html[first:after]
            if text.isspace() or is_blank(text):
                return
            self.texts.append(len(name))
            name.append(TEXT)
            tags.append(None)
            parent.append(open_items[-1] if open_items else -1)
            stop.append(len(name))
            start.append(first)
            end.append(after)

        if outline.starts[0]:
            add_text(0, outline.starts[0])
        for index, (tag, first, after) in enumerate(
            zip(outline.tags, outline.starts, outline.starts[1:], strict=False)
        ):
            kind = tag.kind
            position = first + len(tag.source)
            if kind == CLOSE:
                item = item_of.pop(partners[index], -1)
                if item >= 0:
                    close(item, position)
            elif kind != SKIPPED:
                while unclosed:
                    last = unclosed[-1]
                    if tag.name not in _ENDED_BY[name[last]]:
                        break
                    if any(name[i] in _SCOPES for i in open_items[-8:] if i > last):
                        break
                    close(last, first)
                item = len(name)
                name.append(tag.name)
                tags.append(tag)
                parent.append(open_items[-1] if open_items else -1)
                stop.append(item + 1)
                start.append(first)
                end.append(position)
                if kind == OPEN and len(open_items) < MAX_DEPTH:
                    if partners[index] >= 0:
                        open_items.append(item)
                        item_of[index] = item
                    elif tag.name in _ENDED_BY:
                        open_items.append(item)
                        unclosed.append(item)
            if position < after:
                add_text(position, after)
        close(-1, len(html))

    def text(self, item: int) -> str:
        """What a text says, as a person reads it."""
        folded = self._folded.get(item)
        if folded is None:
            folded = self._folded[item] = fold(self.html[self.start[item] : self.end[item]])
        return folded

    def children(self, item: int) -> list[int]:
        """The items directly inside ``item``; of the page itself for -1."""
        found = []
        at, last = (item + 1, self.stop[item]) if item >= 0 else (0, len(self.name))
        stop = self.stop
        while at < last:
            found.append(at)
            at = stop[at]
        return found

    def ancestors(self, item: int) -> list[int]:
        """The elements around ``item``, innermost first."""
        found = []
        item = self.parent[item]
        while item >= 0:
            found.append(item)
            item = self.parent[item]
        return found

    def classes(self, item: int) -> frozenset[str]:
        tag = self.tag[item]
        return class_names(tag) if tag is not None else frozenset()

    def texts_in(self, first: int, stop: int) -> list[int]:
        """The texts among the items ``first`` up to ``stop``."""
        return self.texts[bisect_left(self.texts, first) : bisect_left(self.texts, stop)]

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The items that begin in characters ``start`` to ``end``, as a range."""
        return bisect_left(self.start, start), bisect_left(self.start, end)

    def item_at(self, position: int) -> int:
        """The innermost item whose source contains a position; -1 outside of all."""
        item = bisect_right(self.start, position) - 1
        while item >= 0 and self.end[item] <= position:
            item = self.parent[item]
        return item

    def named(self, name: str) -> list[int]:
        """All elements of a name, in order."""
        if self._by_name is None:
            by_name: dict[str, list[int]] = {}
            for item, found in enumerate(self.name):
                by_name.setdefault(found, []).append(item)
            self._by_name = by_name
        return self._by_name.get(name, [])

    def with_class(self, name: str, class_name: str) -> list[int]:
        """All elements of a name that carry a class, in order."""
        by_class = self._by_class.get(name)
        if by_class is None:
            by_class = self._by_class[name] = {}
            for item in self.named(name):
                for found in self.classes(item):
                    by_class.setdefault(found, []).append(item)
        return by_class.get(class_name, [])


_TREES: WeakKeyDictionary[Page, Tree] = WeakKeyDictionary()


def tree_of(page: Page) -> Tree:
    """The page's tree, built once for as long as the page lives."""
    tree = _TREES.get(page)
    if tree is None:
        tree = _TREES[page] = Tree(page.html, page.outline)
    return tree


_NO_CLASSES: frozenset[str] = frozenset()


def class_names(tag: Tag) -> frozenset[str]:
    """The classes of a tag, as a set."""
    for attribute in tag.attributes:
        if attribute.name == "class":
            return _split_classes(attribute.value)
    return _NO_CLASSES


@lru_cache(maxsize=1 << 14)
def _split_classes(value: str) -> frozenset[str]:
    return frozenset(value.split())
