"""Where recognized instances stand in relation to an anchor: the hypotheses of corroboration.

A page is a row of cells: its texts and the attributes that hold data, each with the tag it stands
at. A slot names a cell by its place among those of the same tag after (or before) the nearest
anchor, and the fixed text around the value in it. True instances share one slot, inventions are
scattered over many, and where an instance was missed the slot still says where it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..fields.recognizers import DATA_ATTRIBUTES
from ..labels import Span
from ..tokenizer import is_blank, parse_tag

if TYPE_CHECKING:
    from ..page import Page


class Cell(NamedTuple):
    """A text or an attribute's value, with the tag before it (name, class) and the attribute's
    name; ``outer`` is the tag before that."""

    start: int
    end: int
    key: tuple[str, ...]
    outer: tuple[str, ...]


class Kind(NamedTuple):
    """Cells behind the same two tags, with fixed text around the value."""

    key: tuple[str, ...]
    outer: tuple[str, ...]
    prefix: str
    suffix: str


class Slot(NamedTuple):
    """A place relative to the anchor: ``number`` counts cells of the same key away from it."""

    behind: bool
    key: tuple[str, ...]
    number: int
    prefix: str
    suffix: str


class Cells:
    """The cells of a page, by place."""

    def __init__(self, page: Page) -> None:
        self.html = page.html
        self._cells = list(_cells(page))
        self._starts = [cell.start for cell in self._cells]
        self._ends = [cell.end for cell in self._cells]

    def kind_of(self, span: Span) -> Kind | None:
        """The kind of cell that holds an instance."""
        index = bisect_right(self._starts, span.start) - 1
        if index < 0 or span.end > self._ends[index]:
            return None
        cell = self._cells[index]
        around = (
            self.html[cell.start : span.start].strip(),
            self.html[span.end : cell.end].strip(),
        )
        return Kind(cell.key, cell.outer, *around)

    def of_kind(self, kind: Kind) -> list[Span]:
        """The values in all cells of a kind."""
        found = (
            _inside(self.html, cell, kind.prefix, kind.suffix)
            for cell in self._cells
            if (cell.key, cell.outer) == (kind.key, kind.outer)
        )
        return [span for span in found if span is not None]

    def between(self, start: int, end: int) -> list[Cell]:
        """The cells from ``start`` to ``end``; those cut by an edge carry a mark."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        found = []
        for cell in self._cells[first:last]:
            cut = cell._replace(start=max(cell.start, start), end=min(cell.end, end))
            if cut[:2] != cell[:2]:
                cut = cut._replace(key=(*cell.key, "cut"))
            if not is_blank(self.html[cut.start : cut.end]):
                found.append(cut)
        return found


def _cells(page: Page) -> Iterable[Cell]:
    key: tuple[str, ...] = ("",)
    outer = key
    for index, (part, start) in enumerate(zip(page.parts, page.part_offsets, strict=False)):
        if index % 2 == 0:
            if not is_blank(part):
                yield Cell(start, start + len(part), key, outer)
            continue
        tag = parse_tag(part)
        outer, key = key, (tag.kind, tag.name, tag.get("class") or "")
        for attribute in tag.attributes:
            if attribute.name in DATA_ATTRIBUTES and attribute.end > attribute.start:
                place = (start + attribute.start, start + attribute.end)
                yield Cell(*place, (*key, attribute.name), outer)


def zones(anchors: Sequence[Span], length: int, *, behind: bool) -> list[tuple[int, int]]:
    """For each anchor, the part of the page that follows it, or that precedes it."""
    if behind:
        edges = [*(span.start for span in anchors[1:]), length]
        return [(span.end, edge) for span, edge in zip(anchors, edges, strict=True)]
    edges = [0, *(span.end for span in anchors)]
    return [(edge, span.start) for edge, span in zip(edges, anchors, strict=False)]


def numbered(cells: Sequence[Cell], *, behind: bool) -> list[tuple[Cell, int]]:
    """Cells with their place among those of the same key, counted away from the anchor."""
    counts: Counter[tuple[str, ...]] = Counter()
    result = []
    for cell in cells if behind else reversed(cells):
        result.append((cell, counts[cell.key]))
        counts[cell.key] += 1
    return result


def slots_of(
    cells: Cells, zone: tuple[int, int], instances: Sequence[Span], *, behind: bool
) -> set[Slot]:
    """The slots in which a recognizer found something near one anchor."""
    at = bisect_left(instances, zone)
    inside = []
    while at < len(instances) and instances[at].end <= zone[1]:
        inside.append(instances[at])
        at += 1
    if not inside:
        return set()
    by_cell = defaultdict(list)
    row = numbered(cells.between(*zone), behind=behind)
    ordered = sorted(row, key=lambda item: item[0].start)
    starts = [cell.start for cell, _ in ordered]
    for span in inside:
        index = bisect_right(starts, span.start) - 1
        if index >= 0 and span.end <= ordered[index][0].end:
            by_cell[index].append(span)
    html = cells.html
    return {
        Slot(
            behind,
            ordered[index][0].key,
            ordered[index][1],
            html[ordered[index][0].start : span.start].strip(),
            html[span.end : ordered[index][0].end].strip(),
        )
        for index, spans in by_cell.items()
        for span in spans
    }


def fill(cells: Cells, zone: tuple[int, int], slot: Slot) -> Span | None:
    """The value in a slot, whether or not a recognizer saw it."""
    for cell, number in numbered(cells.between(*zone), behind=slot.behind):
        if (cell.key, number) == (slot.key, slot.number):
            return _inside(cells.html, cell, slot.prefix, slot.suffix)
    return None


def _inside(html: str, cell: Cell, prefix: str, suffix: str) -> Span | None:
    """The value of a cell between the fixed texts around it."""
    text = html[cell.start : cell.end]
    inner = text.strip()
    if not (inner.startswith(prefix) and inner.endswith(suffix)):
        return None
    inner = inner[len(prefix) : len(inner) - len(suffix)].strip()
    if not inner:
        return None
    start = cell.start + text.index(inner, text.index(prefix) + len(prefix))
    return Span(start, start + len(inner))
