"""What the fields of a list are called: the head of their column, their label, their markup, or their kind."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ..fields.columns.markup import STRUCK, is_prose, kind_name, markup_name
from ..labels import Span
from ..names import slug
from .tree import TEXT, Tree
from .wrapper import value_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CELL = re.compile(r"t[dh](\d+)")
_HEADING = re.compile(r"h[1-6]\b")
_LABEL_LENGTH = 40
_MOST_HEADS = 60
_SUFFIXES = {"@href": "_url", "@src": "_image", "@data-src": "_image"}
_ATTRIBUTES = {"@href": "url", "@src": "image", "@data-src": "image", "@datetime": "date"}
_TAGS = {"time": "date", "blockquote": "quote", "address": "address", "cite": "author"}


def base_name(
    path: Sequence[str], kind: str, label: str, heads: Mapping[int, str], texts: Sequence[str]
) -> str:
    """The best name for a slot of a record; others may have the same.

    ``path`` are the elements from the record to the value, ``kind`` is ``text`` or an attribute.
    """
    suffix = _SUFFIXES.get(kind, "")
    head = slug(heads.get(_column(path), ""))
    if head and kind == "text":
        return head
    said = slug(label.rstrip(":：")) if label.endswith((":", "：")) else ""
    if said and kind == "text":
        return said
    for step in list(reversed(path))[:3]:
        if name := markup_name(" ".join(step.split(".")[1:])):
            return name if name.endswith(suffix) else name + suffix
    if kind != "text":
        return head + suffix if head and suffix else _ATTRIBUTES.get(kind, "value")
    if any(_HEADING.match(step) for step in path[-2:]):
        return "title"
    tag = path[-1].partition(".")[0] if path else ""
    by_kind = kind_name(texts)
    if by_kind == "price" and tag in STRUCK:
        return "old_price"
    return by_kind or _TAGS.get(tag) or ("text" if tag != "a" or is_prose(texts) else "link")


def with_title(names: Sequence[str]) -> list[str]:
    """The same names; where none is a title, the first text that is linked is what the record is about."""
    if "link" not in names or {"title", "name"} & set(names):
        return list(names)
    first = names.index("link")
    return [*names[:first], "title", *names[first + 1 :]]


def classes_of(path: Sequence[str]) -> tuple[str, ...]:
    """The class words of the innermost elements, innermost first."""
    return tuple(
        word for step in list(reversed(path))[:3] for word in step.split(".")[1:] if len(word) > 2
    )


def column_heads(tree: Tree, first: int) -> dict[int, str]:
    """For a record that is a row of a table: the heads of its columns, by the number of the cell."""
    if tree.name[first] != "tr":
        return {}
    table = next((up for up in tree.ancestors(first) if tree.name[up] == "table"), -1)
    own = len(_cells(tree, first))
    rows = [item for item in range(max(table, 0), first) if tree.name[item] == "tr"]
    for row in reversed(rows[-3:] + rows[:1]):
        cells = _cells(tree, row)
        texts = [_text(tree, cell) for cell in cells]
        are_heads = all(tree.name[cell] == "th" for cell in cells)
        short = all(len(text) <= _LABEL_LENGTH for text in texts)
        if are_heads and short and len(cells) == own and sum(map(bool, texts)) > 1:
            return dict(enumerate(texts))
    return {}


def label_before(regions: Sequence[tuple[Tree, int, int]], column: Sequence[Sequence[Span]]) -> str:
    """The text that stands right before a field in most of its records."""
    before: Counter[str] = Counter()
    for (tree, first, _), spans in zip(regions, column, strict=True):
        if spans:
            item = tree.item_at(spans[0].start)
            texts = tree.texts_in(first, item)
            if texts and tree.name[item] == TEXT:
                before[value_of(tree.html, Span(tree.start[texts[-1]], tree.end[texts[-1]]))] += 1
    text, count = before.most_common(1)[0] if before else ("", 0)
    is_usual = count > 1 and 2 * count > sum(map(bool, column))
    return text if len(text) <= _LABEL_LENGTH and is_usual else ""


def _column(path: Sequence[str]) -> int:
    """The number of the cell that a path goes through, -1 for none."""
    for step in path:
        if found := _CELL.fullmatch(step):
            return int(found[1])
    return -1


def _cells(tree: Tree, row: int) -> list[int]:
    return [cell for cell in tree.children(row)[:_MOST_HEADS] if tree.name[cell] in ("td", "th")]


def _text(tree: Tree, item: int) -> str:
    texts = tree.texts_in(item, tree.stop[item])
    if not texts:
        return ""
    return value_of(tree.html, Span(tree.start[texts[0]], tree.end[texts[-1]]))
