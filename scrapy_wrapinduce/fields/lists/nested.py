"""Lists of records inside a page's record: the reviews of a product, the players of a team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import CannotInduce
from ...labels import Span
from ...landmark.field import NestedList
from ...landmark.read import ROOT
from ..examples.locate import locate_records

if TYPE_CHECKING:
    from ...labels import LabelledPage
    from ...landmark.read import Nonterminal, Reading
    from ...page import Page

Example = Mapping[str, Any] | None


def split_nested(
    pages: Sequence[Page], examples: Sequence[Example], readings: Sequence[Reading]
) -> tuple[list[Example], tuple[NestedList, ...]]:
    """The examples without their lists of records, and wrappers learned from those lists.

    Raises :class:`CannotInduce` where a list is not on its page.
    """
    names = dict.fromkeys(
        name for example in examples if example for name, value in example.items() if _nested(value)
    )
    lists = []
    for name in names:
        shown = [
            (locate_records(page, example[name]), reading)
            for page, example, reading in zip(pages, examples, readings, strict=True)
            if example and _nested(example.get(name))
        ]
        lists.append(_learned(name, [page for page, _ in shown], [at for _, at in shown]))
    flat: list[Example] = [
        None if one is None else {name: value for name, value in one.items() if name not in names}
        for one in examples
    ]
    return flat, tuple(lists)


def _learned(
    name: str, labelled: Sequence[LabelledPage], readings: Sequence[Reading]
) -> NestedList:
    """A list, read in the smallest region of the template that holds all of it."""
    from ... import records

    spans = [_extent(page) for page in labelled]
    around = [
        {
            nonterminal: (low, high)
            for nonterminal, (low, high) in reading.regions.items()
            if low <= start and end <= high
        }
        for reading, (start, end) in zip(readings, spans, strict=True)
    ]
    shared = set.intersection(*(set(regions) for regions in around)) - {ROOT}
    smallest = min(shared, key=lambda one: (_size(one, around), one), default=ROOT)
    if smallest != ROOT:
        within = [regions[smallest] for regions in around]
        try:
            return NestedList(name, records.learn(labelled, within=within), smallest)
        except CannotInduce:
            pass  # In its region alone a list may be too short to show what its records have in common.
    return NestedList(name, records.learn(labelled))


def _size(nonterminal: Nonterminal, around: Sequence[Mapping[Nonterminal, tuple[int, int]]]) -> int:
    return sum(regions[nonterminal][1] - regions[nonterminal][0] for regions in around)


def _extent(page: LabelledPage) -> tuple[int, int]:
    """From the first value of a page's records to the last."""
    pending = list(page.records)
    spans: list[Span] = []
    while pending:
        record = pending.pop()
        for at in record.values.values():
            spans += [at] if isinstance(at, Span) else at
        pending += [child for children in record.children.values() for child in children]
    return min(span.start for span in spans), max(span.end for span in spans)


def _nested(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(part, Mapping) for part in value)
    )
