"""What a page says about itself to machines: schema.org data (JSON-LD, microdata) and OpenGraph.

The data is matched to what people see on the page by its values, and lends those its names. It is read with
``extruct`` (extra ``schema``); without that, or on pages that have none, nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lxml.etree import LxmlError

from ...names import name_of_property
from ...tokenizer import fold
from ..values.formats import number_of, plain_date_of

if TYPE_CHECKING:
    from ...page import Page

MOST_VALUES = 400
LONGEST = 300
SHORT = 30  # a longer text is no number and no day
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d")
# Made of digits, but nothing to count with.
_IDENTIFIERS = frozenset(
    "sku mpn isbn issn product_id identifier serial_number telephone phone fax_number postal_code vat_id id".split()
)
SYNTAXES = ("json-ld", "microdata", "opengraph")
_SIGNS = ("application/ld+json", "itemscope", 'property="og:', "property='og:")
# In a thing inside a thing these say what it is; the name is that of the thing: brand → name.
_SAME = frozenset(("name", "@value", "value", "text", "amount"))
_NOT_DATA = frozenset(
    ("@type", "@context", "@id", "type", "url", "site_name", "locale", "price_currency", "image")
)


def embedded_names(page: Page) -> dict[str, str]:
    """Values that the page's data holds, as :func:`comparable` writes them, with their names."""
    if not any(sign in page.html for sign in _SIGNS):
        return {}
    try:
        import extruct  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return {}
    try:
        data = extruct.extract(page.html, syntaxes=list(SYNTAXES), errors="ignore", uniform=False)
    except (ValueError, RecursionError, LxmlError):
        # A page that its parser refuses has no data that could be read.
        return {}
    found: dict[str, str] = {}
    for syntax in SYNTAXES:
        for name, text in _values(data.get(syntax) or []):
            found.setdefault(comparable(text), name)
            if len(found) >= MOST_VALUES:
                return found
    found.pop("", None)
    return found


@lru_cache(maxsize=1 << 14)
def comparable(text: str) -> str:
    """A value as it is compared: numbers by what they are worth, days as days, texts without regard to case.

    >>> comparable("$1,200.00"), comparable("4 March 2021"), comparable(" The  Book ")
    ('#1200', '@2021-03-04', 'the book')
    """
    if len(text) > SHORT:
        return fold(text).casefold()
    day = plain_date_of(text[:10] if _MOMENT.match(text) else text)
    if day is not None:
        return f"@{day.isoformat()}"
    number = number_of(text)
    return f"#{number.normalize():f}" if number is not None else fold(text).casefold()


def type_of(name: str, compared: str) -> str:
    """The type that a property's values have, by how :func:`comparable` writes them: ``number``, ``date`` or ``text``.

    >>> type_of("price", "#1200"), type_of("sku", "#1200"), type_of("date_published", "@2021-03-04")
    ('number', 'text', 'date')
    """
    if name in _IDENTIFIERS or name.startswith("gtin"):
        return "text"
    return {"#": "number", "@": "date"}.get(compared[:1], "text")


def _values(data: list[Any]) -> Iterator[tuple[str, str]]:
    pending: list[tuple[str, Any]] = [("", entry) for entry in reversed(data)]
    steps = 0
    while pending and steps < 20 * MOST_VALUES:
        steps += 1
        name, value = pending.pop()
        if isinstance(value, Mapping):
            inside = value.get("properties", value)
            pairs = list(inside.items()) if isinstance(inside, Mapping) else list(inside)
            pending += [(_name(str(key), name), part) for key, part in reversed(pairs)]
        elif isinstance(value, list | tuple):
            pending += [(name, part) for part in reversed(value)]
        elif name and name not in _NOT_DATA and _is_data(value):
            yield name, str(value)


def _is_data(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    return 0 < len(str(value)) <= LONGEST


def _name(key: str, parent: str) -> str:
    """A property as a field name.

    >>> _name("ratingValue", "rating"), _name("name", "brand"), _name("product:price:amount", "")
    ('rating_value', 'brand', 'price')
    """
    if key.startswith("@") and key not in _SAME:
        return key
    steps = key.rsplit("/", 1)[-1].split(":")
    own = steps[-2] if len(steps) > 2 and steps[-1] in _SAME else steps[-1]
    return parent if own in _SAME and parent else name_of_property(own)
