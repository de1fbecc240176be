"""Changes of the records that are examples. A field of a list of records goes by its path, as in ``cast.role``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import WrapinduceError

Record = dict[str, Any]
Examples = dict[str, Any]  # page name to a record, or to the list of its records


class Refused(WrapinduceError):
    """A correction makes no sense; the message says why."""


def records_of(example: Any) -> list[Record]:
    return example if isinstance(example, list) else [example]


def is_in(value: Any, values: Sequence[str]) -> bool:
    """Whether a field's value is part of a list that becomes another field."""
    own = value if isinstance(value, list) else [value]
    return bool(own) and all(isinstance(part, str) and part in values for part in own)


def without(record: Mapping[str, Any], *names: str) -> Record:
    """
    >>> without({"title": "Emma", "cast": [{"actor": "Ann", "role": "E"}]}, "title", "cast.role")
    {'cast': [{'actor': 'Ann'}]}
    """
    kept = {key: value for key, value in record.items() if key not in names}
    for name in names:
        kept = _inside(kept, name, without)
    return kept


def renamed(record: Mapping[str, Any], old: str, new: str) -> Record:
    """
    >>> renamed({"title": "Emma", "cast": [{"who": "Ann"}]}, "cast.who", "cast.actor")
    {'title': 'Emma', 'cast': [{'actor': 'Ann'}]}
    """
    changed = {new if key == old else key: value for key, value in record.items()}
    return _inside(changed, old, lambda inner, rest: renamed(inner, rest, new.partition(".")[2]))


def _inside(record: Record, path: str, change: Callable[[Record, str], Record]) -> Record:
    """A record with the records of one of its lists changed."""
    name, dot, rest = path.partition(".")
    value = record.get(name)
    if not dot or path in record or not isinstance(value, list):
        return record
    parts = (change(part, rest) if isinstance(part, dict) else part for part in value)
    return {**record, name: [part for part in parts if part != {}]}
