"""Carry the names of fields over to a wrapper that was learned anew (Meng, Hu, Li 2003, section 3.4).

With enough changed pages there are two ways: repair the old wrapper, and add what only the new design has; or, where that cannot be
done, learn a new one and find out which of its fields are the old ones.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import CannotInduce, CannotRepair, InvalidWrapper
from ..fields.refine import refine
from ..induce import induce
from ..landmark.wrapper import LandmarkWrapper
from .health import Health, health_of, kept_health
from .likeness import are_labels, likeness
from .repair import repair

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..page import Page
    from ..wrapper import Extraction, Wrapper

_SURE = 0.55
_ENOUGH = 0.5
_TO_SAY_THE_SAME = 3
_POOR = 0.5
_SAME = 0.98
_MOSTLY = 0.8
_BETTER = 0.05
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
        return name, with_new_fields(olds[name], best.wrapper, new, pages)
    for name, old in olds.items():
        if old.health is None:
            continue
        for shape in (new, *in_shape_of(old, new, pages)):
            wrapper = renamed(old, shape, pages)
            if wrapper is not None:
                return name, wrapper
    return None


def in_shape_of(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> list[Wrapper]:
    """A wrapper for pages about one thing each, as the old one's were, where the new one takes them for something else.

    A page about a maker that lists its products may be taken for a list of products, and for a document where its parts have
    headings, above all where there are few pages to tell by.
    """
    from ..fields.item import learn_item

    if old.family != "landmark" or new.family == "landmark":
        return []
    try:
        return [learn_item(pages)]
    except CannotInduce:
        return []


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


def with_new_fields(
    old: Wrapper, repaired: Wrapper, new: Wrapper, pages: Sequence[Page]
) -> Wrapper:
    """A repaired wrapper that also reads what the new one finds: itself, where that cannot be had for certain.

    The new one, learned without a word about the old, may know an optional field that the repair was not sure of, the whole of a
    text where the repair has a part, and fields that only the new design has.
    """
    read = [(repaired.extract(page), new.extract(page)) for page in pages]
    if any(len(one.records) != 1 or len(two.records) != 1 for one, two in read):
        return repaired
    before, mended, after = kept_health(old), health_of(repaired, pages), health_of(new, pages)
    sources = {**_wider(before, mended, after, read), **_found_again(before, mended, after, read)}
    taken = {*sources.values(), *_overlapping(read)}
    sources |= {
        _name(field, {}, before): field
        for field, count in _shown(read).items()
        if field not in taken and field not in mended.fields and count >= _ENOUGH * len(pages)
    }
    if not sources:
        return repaired
    shown = [two.records[0] for _, two in read]
    try:
        wrapper = _taught(
            repaired, pages, [{f: r.get(g) for f, g in sources.items()} for r in shown]
        )
    except CannotInduce:
        return repaired
    records = [wrapper.extract(page).records or [{}] for page in pages]
    same = [
        record[0].get(field) == value
        for record, (one, _) in zip(records, read, strict=True)
        for field, value in one.records[0].items()
        if field not in sources
    ]
    return wrapper if sum(same) >= _SAME * len(same) else repaired


def _taught(
    repaired: Wrapper, pages: Sequence[Page], examples: Sequence[Mapping[str, object]]
) -> Wrapper:
    """A wrapper that reads further fields; those that it has stay as they are, where that can be."""
    if not isinstance(repaired, LandmarkWrapper):
        before = [repaired.extract(page).records[0] for page in pages]
        return induce(pages, examples=[{**a, **b} for a, b in zip(before, examples, strict=True)])
    wrapper = refine(repaired, pages, examples)
    return wrapper.with_health(health_of(wrapper, pages).to_dict())


def _wider(
    before: Health, mended: Health, after: Health, read: Sequence[tuple[Extraction, Extraction]]
) -> dict[str, str]:
    """Repaired fields whose values are part of a new field's, which is more like the old one: field to new field."""
    found = {}
    for name, field in mended.fields.items():
        if name not in before.fields or "." in name:
            continue
        around = Counter(
            two_place.field
            for one, two in read
            for one_place in one.places
            for two_place in two.places
            if one_place.field == name
            and two_place.start <= one_place.start
            and one_place.end <= two_place.end
            and (one_place.start, one_place.end) != (two_place.start, two_place.end)
        )
        other, count = around.most_common(1)[0] if around else ("", 0)
        if not other or "." in other or count < _MOSTLY * field.profile.count:
            continue
        old = before.fields[name].profile
        if likeness(old, after.fields[other].profile) > likeness(old, field.profile) + _BETTER:
            found[name] = other
    return found


def _found_again(
    before: Health, mended: Health, after: Health, read: Sequence[tuple[Extraction, Extraction]]
) -> dict[str, str]:
    """Old fields that the repair has left out, and the new ones that they are."""
    shared = _overlapping(read)
    lost = {n: f for n, f in before.fields.items() if n not in mended.fields and "." not in n}
    free = {n: f for n, f in after.fields.items() if n not in shared and "." not in n}
    labels = before.labels() | after.labels()
    names = match_fields(replace(before, fields=lost), replace(after, fields=free), labels)
    return {name: field for field, name in names.items()}


def _overlapping(read: Sequence[tuple[Extraction, Extraction]]) -> set[str]:
    """New fields that have values in common with repaired ones."""
    shared = set()
    for one, two in read:
        taken = [(place.start, place.end) for place in one.places]
        shared |= {p.field for p in two.places if any(p.start < b and a < p.end for a, b in taken)}
    return shared


def _shown(read: Sequence[tuple[Extraction, Extraction]]) -> Counter[str]:
    """On how many pages each new field has a value of its own: what stands on the page a second time is not new."""
    shown: Counter[str] = Counter()
    for one, two in read:
        texts = {place.value for place in one.places}
        shown.update({place.field for place in two.places if place.value not in texts})
    return shown


def renamed(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> Wrapper | None:
    """The new wrapper under the old names, where it has at least half of the old fields."""
    before, after = kept_health(old), health_of(new, pages)
    names = match_fields(before, after, before.labels() | after.labels())
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
    try:
        return induce(pages, examples=examples)
    except CannotInduce:
        return None


def match_fields(before: Health, after: Health, labels: Collection[str] = ()) -> dict[str, str]:
    """New field to old field, the surest pairs first; a field that shows ``labels`` is none."""
    pairs = sorted(
        (
            (likeness(old.profile, new.profile), new_name, old_name)
            for new_name, new in after.fields.items()
            for old_name, old in before.fields.items()
            if not are_labels(new.profile.known, labels, old.profile)
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
