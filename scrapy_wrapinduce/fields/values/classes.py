"""Item classes of all kinds: the names, types and needs of their fields.

Dataclasses, attrs (so also zyte-common-items), pydantic models and ``scrapy.Item``, none of which has to be
installed. A field of a ``scrapy.Item`` says its type as ``Field(type=Decimal)``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_type_hints

# In an item that is given as a single text, the field that the text is for.
_MAIN = ("name", "url", "text", "value", "ratingValue", "title")


def field_names_of(item_class: type) -> list[str] | None:
    """The names of the fields of an item class; None for any other class."""
    if dataclasses.is_dataclass(item_class):
        return [field.name for field in dataclasses.fields(item_class) if field.init]
    if hasattr(item_class, "__attrs_attrs__"):
        return [one.alias or one.name for one in item_class.__attrs_attrs__ if one.init]
    for described in ("model_fields", "fields"):
        fields = getattr(item_class, described, None)
        if isinstance(fields, Mapping):
            return list(fields)
    return None


def is_item_class(item_class: Any) -> bool:
    return isinstance(item_class, type) and field_names_of(item_class) is not None


@lru_cache(maxsize=256)
def field_types(item_class: type) -> Mapping[str, Any]:
    """What each field of an item class is annotated with; ``Any`` where nothing is."""
    names = field_names_of(item_class) or []
    try:
        hints = get_type_hints(item_class, include_extras=True)
    except (NameError, TypeError, AttributeError):
        # Names that exist for type checkers only: what is no text annotation is still known.
        hints = dict(getattr(item_class, "__annotations__", {}))
    fields = getattr(item_class, "fields", None)
    if isinstance(fields, Mapping):
        hints = {
            name: meta["type"]
            for name, meta in fields.items()
            if isinstance(meta, Mapping) and "type" in meta
        }
    return {name: hints.get(name, Any) for name in names}


@lru_cache(maxsize=256)
def required_fields(item_class: type) -> tuple[str, ...]:
    """The fields that an item of a class cannot be made without."""
    if dataclasses.is_dataclass(item_class):
        missing = dataclasses.MISSING
        return tuple(
            one.name
            for one in dataclasses.fields(item_class)
            if one.init and one.default is missing and one.default_factory is missing
        )
    if hasattr(item_class, "__attrs_attrs__"):
        import attr

        return tuple(
            one.alias or one.name
            for one in attr.fields(item_class)
            if one.init and one.default is attr.NOTHING
        )
    model = getattr(item_class, "model_fields", None)
    if isinstance(model, Mapping):
        return tuple(name for name, one in model.items() if one.is_required())
    return ()


def main_field(item_class: type) -> str:
    """The field that says what an item is: the only one it needs, or one that is called so."""
    required = required_fields(item_class)
    if len(required) == 1:
        return required[0]
    names = field_names_of(item_class) or []
    return next((name for name in _MAIN if name in names), "")
