"""Labelled pages as the paper's examples: a page and its label, a sequence of attribute values.

Records become a sequence of events. In the tabular classes every record has every field once, in
one order; in the nested ones attribute k has a value only below one of attribute k-1 (section 4.4),
so fields may be missing or repeated only where that still holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CannotInduce
from ..labels import Span
from .vector import NESTED, Event, Layout, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..labels import LabelledPage, Record

_WIDEST = 400
_SPACE_BEFORE_TAG = re.compile(r"((?:\s|&nbsp;)+)<")
_SPACE_AFTER_TAG = re.compile(r"(>)(?:\s|&nbsp;)+\Z")


@dataclass(frozen=True)
class Example:
    """A page's source and its values in page order. ``number`` counts pages as people do, from 1."""

    html: str
    events: tuple[Event, ...]
    number: int


def read_examples(family: str, pages: Sequence[LabelledPage]) -> tuple[Layout, list[Example]]:
    """The layout that all records share and the pages' labels; raises :class:`CannotInduce` where
    the class cannot hold them."""
    levels: list[Level] = []
    generation = [
        (f"record {index} of page {number}", record)
        for number, page in enumerate(pages, 1)
        for index, record in enumerate(page.records, 1)
    ]
    if not generation:
        raise CannotInduce(f"{family}: none of the pages has a labelled record")
    name = ""
    while generation:
        levels.append(Level(name, _order(family, generation)))
        name, generation = _children(family, generation)
    layout = Layout(tuple(levels))
    multiple: set[int] = set()
    examples = []
    for number, page in enumerate(pages, 1):
        events: list[Event] = []
        for index, record in enumerate(page.records, 1):
            where = f"record {index} of page {number}"
            for event, repeated in _events(layout, record):
                if repeated:
                    multiple.add(event.attribute)
                _check(family, layout, events, event, where, len(page.page.html))
                events.append(_widened(page.page.html, event))
        examples.append(Example(page.page.html, tuple(events), number))
    return Layout(layout.levels, frozenset(multiple)), examples


def _spans(value: Span | tuple[Span, ...]) -> tuple[Span, ...]:
    return (value,) if isinstance(value, Span) else value


def _order(family: str, records: list[tuple[str, Record]]) -> tuple[str, ...]:
    """The fields of a kind of record in page order, which must be the same in all of them."""
    longest: tuple[str, ...] = ()
    orders = []
    for where, record in records:
        spans = {name: _spans(value) for name, value in record.values.items()}
        order = tuple(
            sorted((name for name in spans if spans[name]), key=lambda name: spans[name][0])
        )
        several = next((name for name in order if len(spans[name]) > 1), None)
        if several is not None and (family not in NESTED or several == order[0]):
            raise CannotInduce(f"{family}: field {several!r} has several values in {where}")
        orders.append((where, order))
        if len(order) > len(longest):
            longest = order
    if not longest:
        raise CannotInduce(f"{family}: {records[0][0]} has no values")
    for where, order in orders:
        if order == longest:
            continue
        missing = [name for name in longest if name not in order]
        if order == longest[: len(order)] and order and family in NESTED:
            continue
        if missing:
            raise CannotInduce(f"{family}: field {missing[0]!r} is missing in {where}")
        strange = next(
            (name for name, other in zip(order, longest, strict=False) if name != other), order[-1]
        )
        raise CannotInduce(
            f"{family}: field {strange!r} is not where it is in other records, in {where}"
        )
    return longest


def _children(
    family: str, records: list[tuple[str, Record]]
) -> tuple[str, list[tuple[str, Record]]]:
    """The name of the records' nested lists and what is in them."""
    name = ""
    inner = []
    for where, record in records:
        for key, children in record.children.items():
            if not children:
                continue
            if family not in NESTED:
                raise CannotInduce(
                    f"{family}: {where} holds a list of records, {key!r}; only nlr and nhlrt read these"
                )
            if name and key != name:
                raise CannotInduce(
                    f"{family}: records hold two lists, {name!r} and {key!r} ({where}); one can be read"
                )
            name = key
            inner += [(where, child) for child in children]
    return name, inner


def _events(layout: Layout, top: Record) -> Iterator[tuple[Event, bool]]:
    """A record's values with those of the records in it, outer before inner, and whether a value is
    one of several."""
    first = [0]
    for level in layout.levels:
        first.append(first[-1] + len(level.fields))
    pending: list[tuple[int, Record]] = [(0, top)]
    while pending:
        depth, record = pending.pop()
        for number, name in enumerate(layout.levels[depth].fields):
            spans = _spans(record.values.get(name, ()))
            for span in spans:
                yield Event(first[depth] + number, *span), len(spans) > 1
        for children in record.children.values():
            pending += [(depth + 1, child) for child in reversed(children)]


def _widened(html: str, event: Event) -> Event:
    """The event with the white space between its value and a tag beside it: pages vary in it,
    values do not show it."""
    before = _SPACE_AFTER_TAG.search(html, max(0, event.start - _WIDEST), event.start)
    behind = _SPACE_BEFORE_TAG.match(html, event.end, event.end + _WIDEST)
    return Event(
        event.attribute,
        before.end(1) if before else event.start,
        behind.end(1) if behind else event.end,
    )


def _check(
    family: str, layout: Layout, before: list[Event], event: Event, where: str, length: int
) -> None:
    """Whether an event may follow those before it."""
    field = layout.paths[event.attribute]
    if not 0 <= event.start <= event.end <= length:
        raise CannotInduce(
            f"{family}: the label of field {field!r} lies outside the page, in {where}"
        )
    if before and event.start < before[-1].end:
        raise CannotInduce(
            f"{family}: field {field!r} stands before the end of field"
            f" {layout.paths[before[-1].attribute]!r}, in {where}: records overlap or are interleaved"
        )
    allowed = before[-1].attribute + 1 if before else 0
    if event.attribute > allowed:
        raise CannotInduce(
            f"{family}: field {layout.paths[event.attribute - 1]!r} is missing in {where}"
        )
