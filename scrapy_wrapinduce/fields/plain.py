"""Types that a field can be given without an item class: the values stay what JSON can hold.

An item class decides by its annotations (``fields.types``). Where there is none, a field can be said to be one of
these; a value that is not of its type is left out of the item, as with item classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from .types import to_bool, to_date, to_number

_CURRENCY = re.compile(r"[A-Z]{3}\b|[$€£¥₹₽₩₺₫฿₴₪]|kr\b|zł|Kč|Ft\b")
_UNKNOWN = "unknown type {!r}; there are: {}"


def typed(value: Any, kind: str, url: str | None = None) -> Any:
    """A value as one of :data:`TYPES`; None where it is none.

    >>> typed("£51.77", "number"), typed("£51.77", "price"), typed(["1 May 2021"], "date")
    (51.77, {'amount': 51.77, 'currency': '£'}, ['2021-05-01'])
    >>> typed("/b/1", "url", "https://books.example/"), typed("poetry", "list"), typed("many", "number")
    ('https://books.example/b/1', ['poetry'], None)
    """
    if kind == "list":
        return value if isinstance(value, list) else [value]
    if isinstance(value, list):
        found = [typed(part, kind, url) for part in value]
        return [part for part in found if part is not None] or None
    if kind == "url":
        return urljoin(url or "", str(value).strip())
    return TYPES[kind](value)


def typed_record(
    record: Mapping[str, Any], types: Mapping[str, str], url: str | None = None
) -> dict[str, Any]:
    """A record with its values as the types say; what is not of its type is left out."""
    found = {
        name: typed(value, types[name], url) if name in types else value
        for name, value in record.items()
    }
    return {name: value for name, value in found.items() if value is not None}


def fault(types: object) -> str | None:
    """What is wrong with types that somebody has written down; None where nothing is."""
    if not isinstance(types, Mapping):
        return "types must map the names of fields to types"
    for name, kind in types.items():
        if not isinstance(name, str) or not isinstance(kind, str) or kind not in TYPES:
            return f"field {name!r}: {_UNKNOWN.format(kind, ', '.join(TYPES))}"
    return None


def _number(value: Any) -> int | float | None:
    number = to_number(str(value))
    if number is None:
        return None
    return int(number) if number == number.to_integral_value() else float(number)


def _price(value: Any) -> dict[str, Any] | None:
    amount = _number(value)
    if amount is None:
        return None
    sign = _CURRENCY.search(str(value))
    return {"amount": amount, **({"currency": sign[0]} if sign else {})}


def _date(value: Any) -> str | None:
    day = to_date(str(value))
    return day.isoformat() if day else None


TYPES: dict[str, Callable[[Any], Any]] = {
    "text": lambda value: value,
    "number": _number,
    "price": _price,
    "date": _date,
    "yes/no": lambda value: to_bool(str(value)),
    "url": str,
    "list": lambda value: [value],
}
