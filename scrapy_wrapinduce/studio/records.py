"""Changes of the records that are examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import WrapinduceError

Record = dict[str, Any]
Examples = dict[str, Any]  # page name to a record, or to the list of its records


class Refused(WrapinduceError):
    """A correction makes no sense; the message says why."""


def for_records(examples: Examples, change: Callable[[Record], Record], keep: bool = False) -> None:
    for name, example in examples.items():
        changed = [change(record) for record in records_of(example)]
        if not any(changed) and not keep:
            raise Refused("that would leave no field at all")
        examples[name] = changed if isinstance(example, list) else changed[0]


def records_of(example: Any) -> list[Record]:
    return example if isinstance(example, list) else [example]


def is_in(value: Any, values: Sequence[str]) -> bool:
    """Whether a field's value is part of a list that becomes another field."""
    own = value if isinstance(value, list) else [value]
    return bool(own) and all(isinstance(part, str) and part in values for part in own)


def without(record: Mapping[str, Any], *names: str) -> Record:
    return {key: value for key, value in record.items() if key not in names}


def renamed(record: Mapping[str, Any], old: str, new: str) -> Record:
    return {new if key == old else key: value for key, value in record.items()}
