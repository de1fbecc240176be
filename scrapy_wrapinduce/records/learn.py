"""Learn a records wrapper from labelled pages (Kushmerick 2000 asks for exact delimiters; this does not).

First the regions of the records, then every field inside them, then nested lists inside the regions; last the
model is read back on its own pages, and what that finds beyond the labels decides which fields a
record must show.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ..errors import CannotInduce
from ..labels import Span
from .features import Labelled, Learned, shutting_out
from .locators import Sample, learn_field
from .model import ListModel, Pattern, Unit
from .tree import tree_of
from .units import learn_units
from .wrapper import RecordsWrapper, read_list

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..labels import LabelledPage, Record
    from .tree import Tree

_LEAST_TO_SHUT_OUT = 5
# One look-alike may just be a record that was left out of the examples.
_LEAST_EVIDENCE = 2
_NOWHERE = Span(0, 0)

Scoped = tuple["Tree", "Record", int, int]


def learn(
    pages: Sequence[LabelledPage],
    *,
    every_field: bool = True,
    within: Sequence[tuple[int, int]] | None = None,
) -> RecordsWrapper:
    """A wrapper that reads the records of pages like these.

    One page is enough when it shows the records' variety. Raises :class:`CannotInduce` where records
    cannot be told apart or a field stands in no recurring place; without ``every_field`` such a field is
    left out instead. Where the list stands in a known region, ``within`` has its characters on each page, and
    the wrapper is for such regions, not for whole pages.
    """
    records: list[Scoped] = []
    for number, labelled in enumerate(pages):
        tree = tree_of(labelled.page)
        first, stop = tree.between(*within[number]) if within else (0, len(tree))
        records += [(tree, record, first, stop) for record in labelled.records]
    if not records:
        raise CannotInduce("no labelled records: give at least one page with its records")
    where = next((p.page.url for p in pages if p.page.url), None) or "the labelled page"
    return RecordsWrapper(_learn_list(records, where, every_field))


def _learn_list(records: Sequence[Scoped], where: str, every_field: bool) -> ListModel:
    usable = [scoped for scoped in records if _items(*scoped[:2])]
    labelled = [Labelled(t, _items(t, r), first, stop) for t, r, first, stop in usable]
    if not labelled:
        raise CannotInduce(f"{where}: the labelled records hold no values")
    if _interleave(labelled):
        return _learn_columns(usable, where)
    learned = learn_units(labelled)
    if learned is None:
        raise CannotInduce(
            f"{where}: the {len(labelled)} records cannot be told apart by elements, markers or a fixed "
            "number of siblings between them"
        )
    names = list(dict.fromkeys(name for _, r, _, _ in usable for name in r.values))
    fields = []
    for name in names:
        many = any(not isinstance(r.values.get(name, _NOWHERE), Span) for _, r, _, _ in usable)
        samples = [
            Sample(tree, *region, _spans(record.values, name))
            for (tree, record, _, _), region in zip(usable, learned.regions, strict=True)
        ]
        field = learn_field(name, samples, many)
        if field is None and not every_field:
            continue
        if field is None:
            raise CannotInduce(
                f"{where}: field {name!r} stands in no place that recurs in the {len(usable)} records"
            )
        fields.append(field)
    children = _learn_children(usable, learned, where, every_field)
    model = ListModel(learned.levels, tuple(fields), children)
    return _with_requirements(model, usable, learned, every_field)


def _interleave(records: Sequence[Labelled]) -> bool:
    """Whether most records start before the one before them ends, as the columns of a table do."""
    pairs = [(a, b) for a, b in pairwise(records) if a.tree is b.tree]
    mixed = sum(min(b.items) < max(a.items) for a, b in pairs)
    return len(records) > 2 and 3 * mixed > 2 * len(pairs)


def _learn_columns(records: Sequence[Scoped], where: str) -> ListModel:
    names = list(dict.fromkeys(name for _, record, _, _ in records for name in record.values))
    scopes = list(
        {(id(t), first, stop): (t, first, stop) for t, _, first, stop in records}.values()
    )
    fields = []
    for name in names:
        samples = []
        for tree, first, stop in scopes:
            own = [r for t, r, f, s in records if (t, f, s) == (tree, first, stop)]
            values = tuple(sorted(span for r in own for span in _spans(r.values, name)))
            samples.append(Sample(tree, first, stop, values))
        field = learn_field(name, samples, many=True)
        if field is None:
            raise CannotInduce(
                f"{where}: the records' values are mixed, and those of field {name!r} stand in no row "
                "or column of their own"
            )
        fields.append(field)
    return ListModel(((Unit("columns", Pattern("html")),),), tuple(fields))


def _learn_children(
    records: Sequence[Scoped], learned: Learned, where: str, every_field: bool
) -> tuple[tuple[str, ListModel], ...]:
    names = list(dict.fromkeys(name for _, record, _, _ in records for name in record.children))
    found = []
    for name in names:
        inner: list[Scoped] = []
        for (tree, record, _, _), (first, stop) in zip(records, learned.regions, strict=True):
            inner += [(tree, child, first, stop) for child in record.children.get(name, ())]
        if inner:
            found.append((name, _learn_list(inner, f"{where}, nested {name!r}", every_field)))
    return tuple(found)


def _with_requirements(
    model: ListModel, records: Sequence[Scoped], learned: Learned, every_field: bool
) -> ListModel:
    """Require the fields that tell the labelled records from whatever else the units find."""
    always = [
        field.name
        for field in model.fields
        if all(field.name in record.values for _, record, _, _ in records)
    ]
    if not every_field:
        return replace(model, least=max(1, len(always) // 3))
    model = replace(model, least=max(1, (len(always) + 1) // 2))
    own = {(id(tree), region) for (tree, *_), region in zip(records, learned.regions, strict=True)}
    scopes = {(id(tree), first, stop): (tree, first, stop) for tree, _, first, stop in records}
    strangers = [
        (tree, reading)
        for tree, first, stop in scopes.values()
        for reading in read_list(tree, model, first, stop)
        if (id(tree), reading.region) not in own
    ]
    complete = sum(all(name in s.values for name in always) for _, s in strangers)
    if complete >= len(records):
        # So many more of the same: the examples are some of the page's records, not all.
        return model
    required: list[str] = []
    while strangers:
        counts = {
            name: sum(name not in s.values for _, s in strangers)
            for name in always
            if name not in required
        }
        best = max(counts, key=lambda name: counts[name], default=None)
        if best is None or not counts[best]:
            break
        required.append(best)
        strangers = [(tree, s) for tree, s in strangers if best in s.values]
    model = replace(model, required=tuple(required))
    if len(records) < _LEAST_TO_SHUT_OUT or 2 * len(strangers) > len(records):
        return model
    inside = [(tree, *region) for (tree, *_), region in zip(records, learned.regions, strict=True)]
    conditions = shutting_out(
        inside, [(tree, *s.region) for tree, s in strangers], evidence=_LEAST_EVIDENCE
    )
    levels = tuple(
        tuple(
            replace(unit, conditions=unit.conditions + conditions)
            if unit.kind == "element"
            else unit
            for unit in level
        )
        for level in model.levels
    )
    return replace(model, levels=levels)


def _items(tree: Tree, record: Record) -> tuple[int, ...]:
    """The items of the tree that hold a record's values, its nested records' included."""
    found: list[int] = []
    waiting = [record]
    while waiting:
        one = waiting.pop()
        for name in one.values:
            for span in _spans(one.values, name):
                found.append(tree.item_at(span.start))
                found.append(tree.item_at(max(span.start, span.end - 1)))
        waiting += [child for children in one.children.values() for child in children]
    return tuple(sorted(item for item in set(found) if item >= 0))


def _spans(values: Mapping[str, Span | tuple[Span, ...]], name: str) -> tuple[Span, ...]:
    value = values.get(name, ())
    return (value,) if isinstance(value, Span) else value
