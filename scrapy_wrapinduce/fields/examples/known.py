"""Examples that show what the default item has: the fields they mean are known then.

A person who corrects one field of an item leaves the others as they are: what has the name of a field of the
default item, and the value that this has on the same page, is that field. Under another name the values of two
pages are needed, as one may be shared by chance. A known field is taken as it is, with the ways to find it,
cleaning and all; what else an example shows is looked for (``examples``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .spelling import plain

if TYPE_CHECKING:
    from ...landmark.wrapper import LandmarkWrapper
    from ...page import Page

SURELY = 2  # different values: so many are not shared by chance
Example = Mapping[str, Any] | None


def known_fields(
    default: LandmarkWrapper, pages: Sequence[Page], examples: Sequence[Example]
) -> dict[str, str]:
    """The names in the examples that are fields of the default item there, with the names that these have."""
    labelled = [number for number, example in enumerate(examples) if example is not None]
    items = [_item(default, pages[number]) for number in labelled]
    own = {item.name for item in default.named} | {item.name for item in default.lists}
    by_values: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for name in dict.fromkeys(name for item in items for name in item if name in own):
        by_values[tuple(_comparable(item.get(name)) for item in items)].append(name)
    shown = [examples[number] or {} for number in labelled]
    asked: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for name in dict.fromkeys(name for example in shown for name in example):
        asked[tuple(_comparable(example.get(name)) for example in shown)].append(name)
    found: dict[str, str] = {}
    for values, names in asked.items():
        theirs = by_values.get(values, [])
        same = [name for name in names if name in theirs]
        found |= {name: name for name in same}
        others = [name for name in names if name not in same]
        free = [name for name in theirs if name not in same]
        if len({value for value in values if value is not None}) >= SURELY and len(others) == len(
            free
        ):
            found |= dict(zip(others, free, strict=True))
    return {name: found[name] for example in shown for name in example if name in found}


def _item(default: LandmarkWrapper, page: Page) -> dict[str, Any]:
    records = default.extract(page).records
    return default.clean(records[0]) if records else {}


def _comparable(value: Any) -> Any:
    """A value as it is compared, the same for lists and tuples; nothing and no value are one."""
    if isinstance(value, Mapping):
        return tuple(sorted((str(name), _comparable(part)) for name, part in value.items()))
    if isinstance(value, list | tuple):
        return tuple(map(_comparable, value)) or None
    return plain(str(value)) or None if value is not None else None
