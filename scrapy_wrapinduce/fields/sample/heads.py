"""Tables whose first row says what is in the columns: the head above a cell is the cell's label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...tokenizer import CLOSE, OPEN, Tag

if TYPE_CHECKING:
    from ...texts import Texts

LEAST_HEADS = 2
WIDEST = 100


@dataclass(slots=True)
class _Table:
    """A table that is being read: its heads by column, and the row's place and cells so far."""

    heads: dict[int, str] = field(default_factory=dict)
    row: int = -1
    column: int = -1
    width: int = 1
    kind: str = ""
    heads_only: bool = True
    pending: dict[int, int] = field(default_factory=dict)


def table_heads(texts: Texts) -> dict[int, str]:
    """For text nodes in tables with a row of heads: the head above; nothing above the heads themselves."""
    page = texts.page
    node_of = {part: node for node, part in enumerate(texts.parts)}
    found: dict[int, str] = {}
    open_tables: list[_Table] = []
    for index, tag in enumerate(page.tags):
        if tag.name == "table":
            if tag.kind == OPEN:
                open_tables.append(_Table())
            elif tag.kind == CLOSE and open_tables:
                open_tables.pop()
            continue
        if not open_tables:
            continue
        table = open_tables[-1]
        if tag.kind == OPEN and tag.name in ("tr", "td", "th"):
            _step(table, tag)
        node = node_of.get(2 * index + 2)
        if node is not None and table.kind:
            _text(table, node, texts.folded[node], found)
    return found


def _step(table: _Table, tag: Tag) -> None:
    if tag.name == "tr":
        table.row += 1
        table.column, table.width, table.kind = -1, 1, ""
        return
    table.column += table.width
    span = tag.get("colspan") or "1"
    table.width = min(int(span), WIDEST) if span.isascii() and span.isdigit() else 1
    table.kind = tag.name
    if table.row <= 0 and tag.name == "td":
        table.heads_only = False


def _text(table: _Table, node: int, text: str, found: dict[int, str]) -> None:
    if table.row <= 0:
        table.heads.setdefault(table.column, text)
        table.pending[table.column] = node
        return
    head = table.heads.get(table.column) if table.kind == "td" else None
    if head and table.heads_only and len(table.heads) >= LEAST_HEADS:
        found[node] = head
        found |= dict.fromkeys(table.pending.values(), "")
        table.pending = {}
