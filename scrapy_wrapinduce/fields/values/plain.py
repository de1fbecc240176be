"""Types that a field can be given without an item class: the values stay what JSON can hold.

An item class decides by its annotations (``fields.types``). Where there is none, a field can be said to be one of
these; a value that is not of its type is left out of the item, as with item classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from ..types import to_bool, to_date, to_number

CURRENCY = re.compile(r"[A-Z]{3}\b|[$€£¥₹₽₩₺₫฿₴₪]|kr\b|zł|Kč|Ft\b")
_UNKNOWN = "unknown type {!r}; there are: {}, or 'as' and the name of another field"
_AS = "as "


def typed(value: Any, kind: str, url: str | None = None) -> Any:
    """A value as one of :data:`TYPES`; None where it is none.

    >>> typed("£51.77", "number"), typed("£51.77", "price"), typed(["1 May 2021"], "date")
    (51.77, {'amount': 51.77, 'currency': '£'}, ['2021-05-01'])
    >>> typed("/b/1", "url", "https://books.example/"), typed("poetry", "list"), typed("many", "number")
    ('https://books.example/b/1', ['poetry'], None)
    """
    if kind == "list":
        return [_only(part) for part in value] if isinstance(value, list) else [value]
    if isinstance(value, list):
        found = [typed(part, kind, url) for part in value]
        return [part for part in found if part is not None] or None
    if kind == "url":
        return urljoin(url or "", str(value).strip())
    return TYPES[kind](value) if kind in TYPES else value


def typed_record(
    record: Mapping[str, Any], types: Mapping[str, str], url: str | None = None
) -> dict[str, Any]:
    """A record with its values as the types say; what is not of its type is left out.

    A field that is said to be "as" another one gives its values to that one:

    >>> typed_record({"price": "4", "was": "5"}, {"price": "number", "was": "as price"})
    {'price': [4, 5]}
    """
    found: dict[str, Any] = {}
    for name, value in record.items():
        name = merged_into(types.get(name, "")) or name
        value = typed(value, types[name], url) if name in types else value
        if value is None:
            continue
        if name in found:
            value = [*_several(found[name]), *_several(value)]
        found[name] = value
    return found


def merged_into(kind: str) -> str:
    """The field that gets the values of another; empty for a real type.

    >>> merged_into("as price"), merged_into("number")
    ('price', '')
    """
    return kind.removeprefix(_AS).strip() if kind.startswith(_AS) else ""


def fault(types: object) -> str | None:
    """What is wrong with types that somebody has written down; None where nothing is."""
    if not isinstance(types, Mapping):
        return "types must map the names of fields to types"
    for name, kind in types.items():
        known = isinstance(kind, str) and (kind in TYPES or bool(merged_into(kind)))
        if not isinstance(name, str) or not known:
            return f"field {name!r}: {_UNKNOWN.format(kind, ', '.join(TYPES))}"
    return None


def _only(value: Any) -> Any:
    """The one value of a record that has no other."""
    return next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else value


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _number(value: Any) -> int | float | None:
    number = to_number(str(value))
    if number is None:
        return None
    return int(number) if number == number.to_integral_value() else float(number)


def _price(value: Any) -> dict[str, Any] | None:
    amount = _number(value)
    if amount is None:
        return None
    sign = CURRENCY.search(str(value))
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
