"""Values of the types that an item class asks for.

The annotations decide: numbers, dates, truth values, addresses, lists and items inside items. Numbers are read
with ``price-parser`` and dates with ``dateparser`` where they are installed (extra ``types``), else by simpler
means. A value that cannot be converted is left out and reported, never an error; the raw text stays with the
extraction.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from urllib.parse import urljoin

from .values.classes import field_types, is_item_class, main_field
from .values.formats import date_of, numbers_in

MOST_DEPTH = 4
MOST_TEXT = 300  # characters in which a number or a date is looked for
YES = frozenset(
    "yes true y on in stock available instock ✓ ✔ 1 si sí ja oui да はい 是".split()
) | {"in stock"}
NO = frozenset("no false n off unavailable outofstock ✗ ✘ 0 nein non нет いいえ 否".split()) | {
    "out of stock",
    "not available",
    "sold out",
}
NEGATIVE = re.compile(r"^\s*[-−]\s*\D{0,3}\d")


class _NotThatType(Exception):
    """A text is not a value of a type; caught where the text is reported."""


@dataclass(frozen=True, slots=True)
class Unconverted:
    """A value that is not of the type its field asks for."""

    field: str
    value: Any
    wanted: str

    def __str__(self) -> str:
        return f"{self.field}: {self.value!r} is no {self.wanted}"


def convert(
    record: Mapping[str, Any], item_class: type, url: str | None = None
) -> tuple[dict[str, Any], list[Unconverted]]:
    """The values of a record that an item class has fields for, converted, and those that cannot be.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Book:
    ...     title: str
    ...     price: Decimal
    ...     pages: int
    >>> convert({"title": "Emma", "price": "£51.77", "pages": "many", "isbn": "1"}, Book)
    ({'title': 'Emma', 'price': Decimal('51.77')}, [Unconverted(field='pages', value='many', wanted='int')])
    """
    return _Converter(url).record(record, item_class, 0)


@dataclass(frozen=True, slots=True)
class _Converter:
    url: str | None

    def record(
        self, record: Mapping[str, Any], item_class: type, depth: int
    ) -> tuple[dict[str, Any], list[Unconverted]]:
        converted: dict[str, Any] = {}
        problems = []
        for name, wanted in field_types(item_class).items():
            if name not in record or record[name] is None:
                continue
            try:
                converted[name] = self.value(record[name], wanted, depth)
            except _NotThatType:
                problems.append(Unconverted(name, record[name], _name(wanted)))
        return converted, problems

    def value(self, value: Any, wanted: Any, depth: int) -> Any:
        if depth > MOST_DEPTH:
            raise _NotThatType
        origin = get_origin(wanted)
        if origin is Annotated:
            return self.value(value, get_args(wanted)[0], depth)
        if origin in (Union, types.UnionType):
            return self._first_of(value, get_args(wanted), depth)
        if origin is Literal:
            return _among(value, {str(choice): choice for choice in get_args(wanted)})
        if wanted in (list, tuple, set, frozenset) or (
            isinstance(origin, type) and issubclass(origin, Iterable) and not _is_mapping(origin)
        ):
            return self._several(value, origin or wanted, get_args(wanted), depth)
        if wanted is Any or not isinstance(wanted, type) or origin is not None:
            return value
        if is_item_class(wanted):
            return self._item(value, wanted, depth)
        return self._single(value, wanted)

    def _first_of(self, value: Any, choices: Sequence[Any], depth: int) -> Any:
        """By the first of several types that will do; text, which always will, comes last."""
        real = [choice for choice in choices if choice is not type(None)]
        for choice in sorted(real, key=lambda choice: choice is str):
            try:
                return self.value(value, choice, depth + 1)
            except _NotThatType:
                continue
        raise _NotThatType

    def _several(self, value: Any, kind: type, inner: Sequence[Any], depth: int) -> Any:
        wanted = inner[0] if inner else Any
        parts = value if isinstance(value, list | tuple) else [value]
        found = [self.value(part, wanted, depth + 1) for part in parts]
        return kind(found) if kind in (tuple, set, frozenset) else found

    def _item(self, value: Any, wanted: type, depth: int) -> Any:
        """An item in an item: from a nested record, or from the one text that it is about."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, Mapping):
            name = main_field(wanted)
            if not name or isinstance(value, list):
                raise _NotThatType
            value = {name: value}
        values, problems = self.record(value, wanted, depth + 1)
        if problems or not values:
            raise _NotThatType
        try:
            return wanted(**values)
        except Exception as error:
            # The class is the user's: it may refuse a value in any way it likes.
            raise _NotThatType from error

    def _single(self, value: Any, wanted: type) -> Any:
        if isinstance(value, list):
            if not value or any(not isinstance(part, str) for part in value):
                raise _NotThatType
            value = ", ".join(value) if wanted is str or len(value) > 1 else value[0]
        if isinstance(value, wanted) and not isinstance(value, str):
            return value
        text = value if isinstance(value, str) else str(value)
        if issubclass(wanted, Enum):
            return _among(text, {str(one.value): one for one in wanted} | dict(wanted.__members__))
        for kind, read in _READERS:
            if issubclass(wanted, kind):
                found = read(text)
                if found is None:
                    raise _NotThatType
                return found
        if "url" in wanted.__name__.lower():
            return self._address(text, wanted)
        return value

    def _address(self, text: str, wanted: type) -> Any:
        address = urljoin(self.url or "", text.strip())
        try:
            return wanted(address)
        except Exception as error:
            raise _NotThatType from error


def to_number(text: str) -> Decimal | None:
    """The number in a text, the first where there are several.

    >>> to_number("1.234,50 €"), to_number("288 pages"), to_number("none")
    (Decimal('1234.50'), Decimal('288'), None)
    """
    text = text[:MOST_TEXT]
    try:
        from price_parser import Price  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        found = numbers_in(text)
        number = abs(found[0][0]) if found else None
    else:
        amount = Price.fromstring(text).amount
        number = None if amount is None else abs(amount)
    return -number if number is not None and NEGATIVE.match(text) else number


def to_datetime(text: str) -> datetime | None:
    """The moment that a text names; midnight where it names a day only."""
    text = text.strip()[:MOST_TEXT]
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        pass
    try:
        import dateparser  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        day = date_of(text)
        return datetime(day.year, day.month, day.day) if day else None
    # A text without a digit ("now", "May") names no moment that would be the same tomorrow.
    found: datetime | None = dateparser.parse(text) if any(map(str.isdigit, text)) else None
    return found


def to_date(text: str) -> date | None:
    """The day that a text names."""
    day = date_of(text)
    if day is None:
        moment = to_datetime(text)
        day = moment.date() if moment else None
    return day


def to_bool(text: str) -> bool | None:
    """Yes or no, where a text says one of them."""
    said = " ".join(text.casefold().split()).strip(" .!")
    said = said.rsplit("/", 1)[-1]  # schema.org says https://schema.org/InStock
    return True if said in YES else False if said in NO else None


def _to_int(text: str) -> int | None:
    number = to_number(text)
    return int(number) if number is not None and number == number.to_integral_value() else None


def _to_float(text: str) -> float | None:
    number = to_number(text)
    return None if number is None else float(number)


# A truth value is an int and a moment is a date: the narrower type comes first.
_READERS: tuple[tuple[type, Callable[[str], Any]], ...] = (
    (bool, to_bool),
    (int, _to_int),
    (float, _to_float),
    (Decimal, to_number),
    (datetime, to_datetime),
    (date, to_date),
    (str, str),
)


def _among(value: Any, choices: Mapping[str, Any]) -> Any:
    said = str(value).strip().casefold()
    for text, choice in choices.items():
        if text.casefold() == said:
            return choice
    raise _NotThatType


def _is_mapping(kind: type) -> bool:
    return issubclass(kind, Mapping) or issubclass(kind, str)


def _name(wanted: Any) -> str:
    return wanted.__name__ if isinstance(wanted, type) and not get_args(wanted) else str(wanted)
