"""Paths such as ``Geography.Area.total_area`` into the nested record of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..sections.subfields import labelled, pairs
from .errors import unknown_path

_TEXT = "text"


def lookup(record: Mapping[str, Any], path: str, source: str = "the page") -> Any:
    """What a record holds at a path; capitals do not matter.

    A path may go on into a section's text, where that lists labelled values or names with amounts. Raises
    :class:`UnknownPath` with the nearest names where there is nothing.

    >>> lookup({"Land": {"borders": "Spain 623 km, Italy 488 km"}}, "land.borders.italy")
    '488 km'
    """
    at: Any = record
    for name in path.split("."):
        at = _step(at, name.lower())
        if at is None:
            raise unknown_path(path, source, all_paths(record))
    return at


def _step(value: Any, name: str) -> Any:
    if isinstance(value, list):
        found = [inner for item in value if (inner := _step(item, name)) is not None]
        return found[0] if len(found) == 1 else found or None
    if isinstance(value, str):
        inside = labelled(value) or dict(pairs(value))
        return next((text for label, text in inside.items() if label.lower() == name), None)
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key.lower() == name:
                return inner
        return _step(value[_TEXT], name) if isinstance(value.get(_TEXT), str) else None
    return None


def all_paths(record: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Every path of a record, outermost first."""
    for name, value in record.items():
        path = f"{above}{name}"
        yield path
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Mapping):
                yield from all_paths(inner, f"{path}.")
