"""Records become items: dicts, or objects of the spider's item class."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from itemadapter import ItemAdapter

# An extracted field of this name makes room for the page's address.
URL, URL_ON_PAGE = "url", "url_on_page"


def make_item(
    record: Mapping[str, Any], url: str, item_class: type | None, provenance: Mapping[str, Any]
) -> Any:
    """One record as an item; ``provenance`` is added where the item has room for it."""
    if item_class is None or item_class is dict:
        values = {URL_ON_PAGE if name == URL else name: value for name, value in record.items()}
        return {URL: url, **values, **provenance}
    names = ItemAdapter.get_field_names_from_class(item_class) or ()
    values = {name: record[name] for name in names if name in record}
    for name, value in {URL: url, **provenance}.items():
        if name in names:
            values[name] = value
    for name in _required(item_class):
        values.setdefault(name, None)
    return item_class(**values)


def _required(item_class: type) -> list[str]:
    """Fields that an item of this class cannot be made without."""
    if dataclasses.is_dataclass(item_class):
        missing = dataclasses.MISSING
        return [
            one.name
            for one in dataclasses.fields(item_class)
            if one.init and one.default is missing and one.default_factory is missing
        ]
    if hasattr(item_class, "__attrs_attrs__"):
        import attr

        return [
            one.name for one in attr.fields(item_class) if one.init and one.default is attr.NOTHING
        ]
    return []
