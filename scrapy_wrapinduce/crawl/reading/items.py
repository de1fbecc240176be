"""Records become items: dicts, or objects of the spider's item class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from itemadapter import ItemAdapter

from ...fields.types import Unconverted, convert
from ...fields.values.classes import required_fields

# An extracted field of this name makes room for the page's address.
URL, URL_ON_PAGE = "url", "url_on_page"


def _ignored(problem: Unconverted) -> None:
    pass


def make_item(
    record: Mapping[str, Any],
    url: str,
    item_class: type | None,
    provenance: Mapping[str, Any],
    report: Callable[[Unconverted], None] = _ignored,
) -> Any:
    """One record as an item; ``provenance`` is added where the item has room for it.

    An item class has its values converted to the types it asks for. What cannot be converted is left to
    the class's default and given to ``report``.
    """
    if item_class is None or item_class is dict:
        values = {URL_ON_PAGE if name == URL else name: value for name, value in record.items()}
        return {URL: url, **values, **provenance}
    names = ItemAdapter.get_field_names_from_class(item_class) or ()
    values, problems = convert({**record, URL: url}, item_class, url)
    for problem in problems:
        report(problem)
    values |= {name: value for name, value in provenance.items() if name in names}
    for name in required_fields(item_class):
        values.setdefault(name, None)
    return item_class(**values)
