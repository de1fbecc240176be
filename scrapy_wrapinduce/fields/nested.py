"""Lists of records inside a page's record: the reviews of a product, the players of a team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..landmark.wrapper import NestedList
from .locate import locate_records

if TYPE_CHECKING:
    from ..page import Page

Example = Mapping[str, Any] | None


def split_nested(
    pages: Sequence[Page], examples: Sequence[Example]
) -> tuple[list[Example], tuple[NestedList, ...]]:
    """The examples without their lists of records, and wrappers learned from those lists.

    Raises :class:`CannotInduce` where a list is not on its page.
    """
    from .. import records

    names = dict.fromkeys(
        name for example in examples if example for name, value in example.items() if _nested(value)
    )
    lists = []
    for name in names:
        labelled = [
            locate_records(page, example[name])
            for page, example in zip(pages, examples, strict=True)
            if example and _nested(example.get(name))
        ]
        lists.append(NestedList(name, records.learn(labelled)))
    flat: list[Example] = [
        {name: value for name, value in example.items() if name not in names} if example else None
        for example in examples
    ]
    return flat, tuple(lists)


def _nested(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(part, Mapping) for part in value)
    )
