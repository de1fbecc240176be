"""Carry the names of fields over to a wrapper that was learned anew (Meng, Hu, Li 2003, section 3.4).

With enough changed pages there are two ways: repair the old wrapper, and add what only the new design has; or, where that cannot be
done, learn a new one and find out which of its fields are the old ones.
"""

from __future__ import annotations

import re
from collections import Counter
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
_TO_SAY_THE_SAME = 3
_POOR = 0.5
_SAME = 0.98
_DIGITS = re.compile(r"\d+")


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
        return name, with_new_fields(best.wrapper, new, pages)
    for name, old in olds.items():
        wrapper = renamed(old, new, pages) if old.health is not None else None
        if wrapper is not None:
            return name, wrapper
    return None


def says_nothing(olds: Mapping[str, Wrapper], new: Wrapper, pages: Sequence[Page]) -> bool:
    """Whether pages at known addresses have few fields and say all the same in them, but for numbers.

    So do the pages that a site shows while it is out of order, with a status that says all is well.
    """
    fields = [len(old.fields) for old in olds.values() if old.health is not None]
    if not fields or len(pages) < _TO_SAY_THE_SAME or len(new.fields) > _POOR * min(fields):
        return False
    said = {
        _DIGITS.sub("", repr(sorted(record.items())))
        for page in pages
        for record in new.extract(page).records
    }
    return len(said) <= 1


def with_new_fields(repaired: Wrapper, new: Wrapper, pages: Sequence[Page]) -> Wrapper:
    """A repaired wrapper that also reads what only the new design has; itself, where that cannot be had for certain."""
    from ..induce import induce

    read = [(repaired.extract(page), new.extract(page)) for page in pages]
    if any(len(one.records) != 1 or len(two.records) != 1 for one, two in read):
        return repaired
    shown: Counter[str] = Counter()
    shared = set(repaired.fields)
    for one, two in read:
        taken = [(place.start, place.end) for place in one.places]
        texts = {place.value for place in one.places}
        # What stands on the page a second time is not new.
        shown.update({place.field for place in two.places if place.value not in texts})
        shared |= {p.field for p in two.places if any(p.start < b and a < p.end for a, b in taken)}
    added = [f for f, count in shown.items() if f not in shared and count >= _ENOUGH * len(pages)]
    if not added:
        return repaired
    examples = [
        {**one.records[0], **{f: two.records[0][f] for f in added if f in two.records[0]}}
        for one, two in read
    ]
    try:
        wrapper = induce(pages, examples=examples)
    except CannotInduce:
        return repaired
    records = [wrapper.extract(page).records or [{}] for page in pages]
    same = [
        record[0].get(field) == value
        for record, (one, _) in zip(records, read, strict=True)
        for field, value in one.records[0].items()
    ]
    return wrapper if sum(same) >= _SAME * len(same) else repaired


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
