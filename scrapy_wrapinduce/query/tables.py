"""Nested records as columns: one type for each path, however the pages differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..sections.grammar import Rule

TEXT = "text"
NOTHING = ""
_BIGINT = 1 << 63


@dataclass(frozen=True, slots=True)
class Column:
    """A column's type: a scalar, a struct of ``fields``, or a list of either if ``many``.

    Names are unique whatever their capitals, as SQL's are; the first spelling seen is kept.
    """

    scalar: str = "VARCHAR"
    fields: Mapping[str, Column] = field(default_factory=dict)
    many: bool = False

    def sql(self) -> str:
        """The type as SQL says it."""
        inner = ", ".join(f"{quote(name)} {column.sql()}" for name, column in self.fields.items())
        return (f"STRUCT({inner})" if inner else self.scalar or "VARCHAR") + "[]" * self.many


def quote(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def from_grammar(rule: Rule) -> Column:
    """The columns that a grammar promises; a section with sections has its own text under ``text``."""
    if not rule.children:
        return Column()
    fields = {TEXT: Column()} if rule.pages and rule.name != "page" else {}
    for child in rule.children:
        _add(fields, child.name, from_grammar(child))
    return Column(fields=fields)


def from_rows(rows: Iterable[Mapping[str, Any]]) -> Column:
    """The columns that hold all of some rows."""
    column = Column(NOTHING)
    for row in rows:
        column = _join(column, _of(row))
    return column


def merge(one: Column, other: Column) -> Column:
    """Columns that hold what either does."""
    return _join(one, other)


def _of(value: Any) -> Column:
    if isinstance(value, Mapping):
        fields: dict[str, Column] = {}
        for name, inner in value.items():
            if inner is not None:
                _add(fields, str(name), _of(inner))
        return Column(NOTHING, fields)
    if isinstance(value, list | tuple):
        inner = Column(NOTHING)
        for item in value:
            if item is not None:
                inner = _join(inner, _of(item))
        return Column(inner.scalar, inner.fields, many=True)
    if isinstance(value, bool):
        return Column("BOOLEAN")
    if isinstance(value, int) and abs(value) < _BIGINT:
        return Column("BIGINT")
    return Column("DOUBLE" if isinstance(value, float) else "VARCHAR")


def _add(fields: dict[str, Column], name: str, column: Column) -> None:
    same = next((known for known in fields if known.lower() == name.lower()), name)
    fields[same] = _join(fields[same], column) if same in fields else column


def _join(one: Column, other: Column) -> Column:
    many = one.many or other.many
    if one.fields or other.fields:
        fields = dict(one.fields)
        for name, column in other.fields.items():
            _add(fields, name, column)
        # Text on one page and sections on another: the text goes beside the sections.
        if any(not column.fields and column.scalar != NOTHING for column in (one, other)):
            _add(fields, TEXT, Column())
        return Column(fields=fields, many=many)
    scalars = {one.scalar, other.scalar} - {NOTHING}
    if len(scalars) == 1:
        return Column(scalars.pop(), many=many)
    mixed = "DOUBLE" if scalars == {"BIGINT", "DOUBLE"} else "VARCHAR"
    return Column(mixed if scalars else NOTHING, many=many)


def fit(value: Any, column: Column) -> Any:
    """A value in the form of its column."""
    if value is None:
        return None
    if column.many:
        items = value if isinstance(value, list | tuple) else [value]
        return [fit(item, Column(column.scalar, column.fields)) for item in items]
    if isinstance(value, list | tuple):
        value = _one(value)
    if column.fields:
        if not isinstance(value, Mapping):
            return {TEXT: _text(value)}
        # Of names that differ in capitals alone, the first counts.
        found = {str(name).lower(): inner for name, inner in reversed(list(value.items()))}
        return {
            name: fit(found[name.lower()], inner)
            for name, inner in column.fields.items()
            if name.lower() in found
        }
    if column.scalar in ("VARCHAR", NOTHING):
        return _text(value)
    return value


def _one(values: Sequence[Any]) -> Any:
    """A repeated section as one: its texts after each other, of its sections each the first."""
    if all(isinstance(value, str) for value in values):
        return " / ".join(values)
    merged: dict[str, Any] = {}
    for value in values:
        for name, inner in (value if isinstance(value, Mapping) else {TEXT: value}).items():
            merged.setdefault(name, inner)
    return merged


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def paths(column: Column, above: str = "") -> Iterator[str]:
    """Every path of a table's columns."""
    for name, inner in column.fields.items():
        yield f"{above}{name}"
        yield from paths(inner, f"{above}{name}.")
