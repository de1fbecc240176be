"""From a schema to fields, without any example: which column is the price?

Every column is weighed for every field (see :mod:`.evidence`), and columns are given to all fields at once, so
that what speaks for them together is most. A field that nothing speaks for is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from .assignment import best_assignment
from .columns.column import Column
from .columns.field import field_of
from .evidence import evidence
from .values.classes import field_names_of

if TYPE_CHECKING:
    from ..landmark.candidates import Candidate
    from ..landmark.field import Field
    from .sample.texts import Sample

LEAST_EVIDENCE = 0.33
FULL_EVIDENCE = 1.1
ENOUGH_LEAD = 0.25  # over the next best column
MOST_COLUMNS = 12  # per field that are considered
LEAST_COVERAGE = 0.1
MOST_TEXTS = 12
LONGEST_NAME = 200
_CONTROLS = frozenset(("option", "select", "button"))
_BOOKKEEPING = frozenset(("url", "metadata"))


@dataclass(frozen=True, slots=True)
class Binding:
    """A field, the column it is bound to, and how sure that is, from 0 to 1."""

    name: str
    column: Column
    certainty: float


def field_names(schema: Any) -> list[str]:
    """The field names of a schema: a list of names, or an item class of any kind."""
    names = _names_in(schema)
    if any(len(name) > LONGEST_NAME for name in names):
        raise CannotInduce(f"a field's name is longer than {LONGEST_NAME} letters")
    return names


def _names_in(schema: Any) -> list[str]:
    if isinstance(schema, str):
        return [schema]
    if isinstance(schema, Mapping):
        return list(map(str, schema))
    if isinstance(schema, type):
        return _class_fields(schema)
    if isinstance(schema, Sequence) and all(isinstance(name, str) for name in schema):
        return list(schema)
    raise CannotInduce(f"the schema is neither a list of names nor an item class: {schema!r}")


def _class_fields(schema: type) -> list[str]:
    names = field_names_of(schema)
    if names is None:
        raise CannotInduce(
            f"{schema.__name__} is no item class: use a dataclass, attrs, pydantic or scrapy.Item"
        )
    return [name for name in names if name not in _BOOKKEEPING and not name.startswith("_")]


def bind_schema(
    candidates: Sequence[Candidate], sample: Sample, names: Sequence[str]
) -> list[Binding]:
    """The columns that the fields of a schema are bound to; fields that are not found are left out."""
    columns = _columns(candidates, sample)
    held = [tuple(map(tuple, column.values)) for column in columns]
    weighed = [[evidence(name, column) for column in columns] for name in names]
    # Columns that hold the same values are one for all fields: the best of them stands for the others.
    choices: dict[tuple[tuple[str, ...], ...], int] = {}
    for weights in weighed:
        ranked = sorted(range(len(columns)), key=lambda number: -weights[number])
        for number in ranked[: MOST_COLUMNS * 3]:
            choices.setdefault(held[number], len(choices))
    best = [dict.fromkeys(choices.values(), (0.0, -1)) for _ in names]
    for found, weights in zip(best, weighed, strict=True):
        for number, weight in enumerate(weights):
            choice = choices.get(held[number])
            if choice is not None and weight > found[choice][0]:
                found[choice] = weight, number
    table = [[found[choice][0] for choice in choices.values()] for found in best]
    bound = []
    for name, row, found, choice in zip(
        names, table, best, best_assignment(table, LEAST_EVIDENCE), strict=True
    ):
        if choice is not None:
            weight, number = found[choice]
            bound.append(Binding(name, columns[number], _certainty(weight, row, choice)))
    return bound


def _certainty(weight: float, row: Sequence[float], choice: int) -> float:
    """How sure a binding is: by what speaks for it, and by its lead over what else it could be."""
    rival = max((other for number, other in enumerate(row) if number != choice), default=0.0)
    lead = min(1.0, max(0.0, weight - max(rival, 0.0)) / ENOUGH_LEAD)
    return round(min(1.0, weight / FULL_EVIDENCE) * (0.6 + 0.4 * lead), 2)


def fields_of(bindings: Sequence[Binding]) -> tuple[Field, ...]:
    return tuple(
        replace(field_of(item.name, item.column), certainty=item.certainty) for item in bindings
    )


def _columns(candidates: Sequence[Candidate], sample: Sample) -> list[Column]:
    found = []
    for candidate in candidates:
        if sum(extent is not None for extent in candidate.extents) < LEAST_COVERAGE * sample.size:
            continue
        column = Column(candidate, sample)
        counts = column.node_counts
        if column.cut or not counts or max(counts) > MOST_TEXTS:
            continue
        if not column.single and column.template_share > 0.1:
            continue
        if sample.size > 1 and column.distinct < 2 and not column.label:
            continue
        if any(tag.name in _CONTROLS for tag in column.tags):
            continue
        found.append(column)
    return found
