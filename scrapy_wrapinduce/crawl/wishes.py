"""What the user wants of the items: an item class, field names, examples; on the spider or in the settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from ..fields.saved import InvalidExamples, Saved, read_saved
from .config import InvalidSetting

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


# What the studio saves in a store.
EXAMPLES_FILE = "examples.json"


def take_wishes(spider: Any, settings: BaseSettings, folder: Path) -> None:
    """Give the spider what the settings, or corrections saved in the store, say and it does not say itself."""
    if getattr(spider, "item_class", None) is None and settings.get("WRAPINDUCE_ITEM_CLASS"):
        spider.item_class = _item_class(settings["WRAPINDUCE_ITEM_CLASS"])
    if not getattr(spider, "fields", None) and settings.get("WRAPINDUCE_FIELDS"):
        spider.fields = _field_names(settings)
    corrected = folder / EXAMPLES_FILE
    for where, given in (
        ("the spider's examples", getattr(spider, "examples", None)),
        ("WRAPINDUCE_EXAMPLES", settings.get("WRAPINDUCE_EXAMPLES")),
        (str(corrected), corrected if corrected.is_file() else None),
    ):
        if given:
            saved = _examples(given, where)
            spider.examples, spider.field_types = saved.examples, saved.types
            break


def _field_names(settings: BaseSettings) -> tuple[str, ...]:
    try:
        names = tuple(settings.getlist("WRAPINDUCE_FIELDS"))
    except TypeError:
        names = (None,)
    if not all(isinstance(name, str) and name for name in names):
        value = settings["WRAPINDUCE_FIELDS"]
        raise InvalidSetting(f"WRAPINDUCE_FIELDS is {value!r}, but has to be a list of field names")
    return names


def _item_class(value: Any) -> type:
    try:
        found = load_object(value)
    except (ImportError, NameError, ValueError, TypeError) as error:
        raise InvalidSetting(
            f"WRAPINDUCE_ITEM_CLASS is {value!r}, but has to be a class or the path of one ({error})"
        ) from error
    if not isinstance(found, type):
        raise InvalidSetting(f"WRAPINDUCE_ITEM_CLASS is {value!r}, but has to be a class")
    return found


def _examples(value: Any, where: str) -> Saved:
    """A dict of addresses and records, or a JSON file that holds one, as the studio writes it."""
    if isinstance(value, str | Path):
        text = str(value)
        try:
            value = json.loads(
                text if text.lstrip().startswith("{") else Path(text).read_text("utf-8")
            )
        except (OSError, ValueError) as error:
            raise InvalidSetting(f"{where} cannot be read: {error}") from error
    if not isinstance(value, Mapping):
        raise InvalidSetting(
            f"{where}: {value!r} has to map addresses to records, or be a JSON file that does"
        )
    try:
        return read_saved(value)
    except InvalidExamples as error:
        raise InvalidSetting(f"{where}: {error}") from error
