"""Carry the names of fields over to a wrapper that was learned anew (Meng, Hu, Li 2003, section 3.4).

With enough changed pages there are two ways: repair the old wrapper, or learn a new one and find out which of its fields are
the old ones. A repair keeps just the old fields; a new wrapper may have more of them than can be repaired. The
one that keeps more of the old fields is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import CannotInduce, CannotRepair, InvalidWrapper
from .health import Health, health_of, kept_health
from .likeness import likeness
from .repair import repair

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..page import Page
    from ..wrapper import Wrapper

_SURE = 0.55
_ENOUGH = 0.5


def carry_over(
    olds: Mapping[str, Wrapper], new: Wrapper, pages: Sequence[Page]
) -> tuple[str, Wrapper] | None:
    """A wrapper for the changed pages with the names of one of the old ones, and which.

    None where the pages are about other things than all of them.
    """
    repairs = []
    for name, old in olds.items():
        if old.health is None:
            continue
        try:
            repairs.append((name, repair(old, pages, every_field=False)))
        except (CannotRepair, InvalidWrapper):
            continue
    if repairs:
        name, best = max(repairs, key=lambda pair: pair[1].worth)
        return name, best.wrapper
    for name, old in olds.items():
        wrapper = renamed(old, new, pages) if old.health is not None else None
        if wrapper is not None:
            return name, wrapper
    return None


def renamed(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> Wrapper | None:
    """The new wrapper under the old names, where it has at least half of the old fields."""
    before, after = kept_health(old), health_of(new, pages)
    names = match_fields(before, after)
    if len(names) < _ENOUGH * len(before.fields) or all(a == b for a, b in names.items()):
        return None
    examples = []
    for page in pages:
        records = [
            {_name(field, names, before): value for field, value in record.items()}
            for record in new.extract(page).records
        ]
        single = len(records) == 1 and max(after.records, default=0) <= 1
        examples.append((records[0] if single else records) or None)
    from ..induce import induce

    try:
        return induce(pages, examples=examples)
    except CannotInduce:
        return None


def match_fields(before: Health, after: Health) -> dict[str, str]:
    """New field to old field, the surest pairs first."""
    pairs = sorted(
        (
            (likeness(old.profile, new.profile), new_name, old_name)
            for new_name, new in after.fields.items()
            for old_name, old in before.fields.items()
        ),
        reverse=True,
    )
    names: dict[str, str] = {}
    for alike, new_name, old_name in pairs:
        if alike < _SURE:
            break
        if new_name not in names and old_name not in names.values():
            names[new_name] = old_name
    return names


def _name(field: str, names: dict[str, str], before: Health) -> str:
    """A field's old name; one that is new must not take the name of another."""
    if field in names:
        return names[field]
    return f"{field}_new" if field in before.fields else field
