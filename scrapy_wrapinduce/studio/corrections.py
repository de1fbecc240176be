"""What a person corrects, as functions from one moment to the next.

A correction is an example. The first one on a page makes the page's record, as the items show it now, an example with the
correction applied; then the wrapper is learned anew. Where other fields would then be read otherwise than before, the
page that shows it becomes an example too: a correction is about what it is about, and nothing else.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..errors import CannotInduce
from ..fields.values.plain import TYPES, merged_into
from ..report.figures import texts_of
from ..tokenizer import fold
from .lesson import Lesson
from .lists import list_around
from .moment import Moment
from .records import Record, Refused, is_in, renamed, without

LEAST_ITEMS = 2
MOST_REMINDERS = 3  # pages that become examples only to keep other fields as they are


@dataclass(frozen=True)
class _About:
    """What a correction changes: fields that get other values, and those that only get another name."""

    changed: frozenset[str] = frozenset()
    names: tuple[tuple[str, str], ...] = ()

    def expected(self, record: Record) -> Record:
        """What is to stay of a record, under its new names."""
        for old, new in self.names:
            record = renamed(record, old, new)
        return without(record, *self.changed)


def set_value(now: Moment, page: int, name: str, value: str, at: int, add: bool = False) -> Moment:
    """Say that ``value``, in the text that begins at ``at`` in a page's source, is what a field is.

    What was another field so far goes by the new name; ``add`` keeps the field's other values.
    """
    name, value = name.strip(), value.strip()
    if not name or not value:
        raise Refused("a field needs a name, and a value")
    former = None if add else _field_at(now, page, value, at)
    if former is not None and name not in (former, *now.fields()):
        inside, dot, _ = former.rpartition(".")
        new = f"{inside}{dot}{name.removeprefix(f'{inside}.')}"
        return rename(now, former, new)

    def correct(lesson: Lesson) -> None:
        lesson.begin(page, {name, former or name})
        record = lesson.record(page, at)
        if former is not None and former != name:
            record.pop(former, None)
        old = record.get(name)
        if add and old is not None:
            record[name] = [*(old if isinstance(old, list) else [old]), value]
        else:
            record[name] = value

    about = _About(frozenset({name, former or name}))
    return _taught(now, correct, about, check=partial(_check, page=page, name=name, value=value))


def set_list(now: Moment, page: int, name: str, first: int, second: int) -> Moment:
    """Say that a field is the list in which the texts at two places stand."""
    name = name.strip()
    if not name:
        raise Refused("a field needs a name")
    values = list_around(now.pages[page].page, first, second)
    if len(values) < LEAST_ITEMS:
        raise Refused("a list has at least two items")
    items = now.items(page)
    held = {key for item in items for key in item if key != name and is_in(item[key], values)}

    def correct(items: list[Any]) -> Callable[[Lesson], None]:
        def teach(lesson: Lesson) -> None:
            lesson.begin(page, {name})
            lesson.for_shown(lambda record: without(record, *held))
            lesson.record(page, first)[name] = items

        return teach

    types = {**_types_without(now, name), name: "list"}
    records = [{"item": value} for value in values]
    about = _About(frozenset({name, *held}))
    check = partial(_check, page=page, name=name, value=values[-1])
    try:
        return _taught(now, correct(values), about, types, check)
    except (Refused, CannotInduce):
        # Where other things stand between its items, the list is one of records with a single value.
        return _taught(now, correct(records), about, types, check)


def rename(now: Moment, old: str, new: str) -> Moment:
    """Call a field something else, on all pages."""
    new = new.strip()
    if not new or new.endswith("."):
        raise Refused("a field needs a name")
    if new == old or new in now.fields():
        raise Refused(f"there is a field {new!r} already: merge the two instead")
    types = {new if name == old else name: kind for name, kind in now.types.items()}
    types = {name: f"as {new}" if kind == f"as {old}" else kind for name, kind in types.items()}
    about = _About(names=((old, new),))
    return _taught(now, lambda lesson: lesson.for_all(lambda r: renamed(r, old, new)), about, types)


def drop(now: Moment, name: str) -> Moment:
    """Leave a field out, on all pages."""
    types = _types_without(now, name)
    about = _About(frozenset({name}))
    return _taught(now, lambda lesson: lesson.for_all(lambda r: without(r, name)), about, types)


def merge(now: Moment, kept: str, other: str) -> Moment:
    """Make two fields one: where a record has both values, they are several values of it."""
    if kept == other or not {kept, other} <= set(now.fields()):
        raise Refused("choose two fields to merge")
    if merged_into(now.types.get(kept, "")):
        raise Refused(f"{kept!r} is merged into another field itself")
    return _typed(now, {**_types_without(now, other), other: f"as {kept}"})


def set_type(now: Moment, name: str, kind: str) -> Moment:
    """Say what the values of a field are; "text" leaves them as they stand on the page."""
    if kind not in TYPES:
        raise Refused(f"unknown type {kind!r}; there are: {', '.join(TYPES)}")
    if name not in now.fields():
        raise Refused(f"there is no field {name!r}")
    typed = {} if kind == "text" else {name: kind}
    return _typed(now, {**_types_without(now, name), **typed})


def _types_without(now: Moment, name: str) -> dict[str, str]:
    """The types of the other fields; what was merged into the field is on its own again."""
    return {
        other: kind
        for other, kind in now.types.items()
        if other != name and merged_into(kind) != name
    }


def _typed(now: Moment, types: Mapping[str, str]) -> Moment:
    if now.wrapper is None:
        raise Refused("nothing has been learned yet")
    return replace(now, types=types, wrapper=now.wrapper.with_types(types))


def _taught(
    now: Moment,
    correct: Callable[[Lesson], None],
    about: _About,
    types: Mapping[str, str] | None = None,
    check: Callable[[Moment], None] = lambda _: None,
) -> Moment:
    if now.is_document:
        raise Refused(
            'these pages are documents: their sections are corrected with "wrapinduce correct"'
        )
    lesson = Lesson(now)
    correct(lesson)
    known = now.types if types is None else types
    best = replace(now, examples=lesson.examples, types=known).learned()
    check(best)
    losses = _losses(now, best, about)
    for _ in range(MOST_REMINDERS):
        if not any(losses):
            break
        lesson.remind(losses.index(max(losses)), about.expected)
        try:
            again = replace(now, examples=lesson.examples, types=known).learned()
            check(again)
        except (CannotInduce, Refused):
            break
        kept = _losses(now, again, about)
        if sum(kept) >= sum(losses):
            break
        best, losses = again, kept
    return best


def _losses(before: Moment, after: Moment, about: _About) -> list[int]:
    """On each page, how many values that the correction is not about are not what they were."""
    return [
        sum(
            old.get(name) != new.get(name)
            for old, new in zip(*_as_long(before.items(page), after.items(page)), strict=True)
            for old, new in [(about.expected(old), without(new, *about.changed))]
            for name in old.keys() | new.keys()
        )
        for page in range(len(before.pages))
    ]


def _as_long(old: list[Record], new: list[Record]) -> tuple[list[Record], list[Record]]:
    longest = max(len(old), len(new))
    return old + [{}] * (longest - len(old)), new + [{}] * (longest - len(new))


def _check(now: Moment, page: int, name: str, value: str) -> None:
    """Nobody is told that a correction is learned when it is not."""
    records = [item[name] for item in now.items(page) if name in item]
    texts = [text for one in records for text in texts_of(one)]
    wholes = [" ".join(texts_of(one)) for one in records]
    if fold(value) not in map(fold, [*texts, *wholes]):
        read = f"it would read {texts[0][:60]!r}" if texts else "it would read nothing there"
        raise Refused(f"the wrapper cannot be taught that {name} is {value[:60]!r}: {read}")


def _field_at(now: Moment, page: int, value: str, at: int) -> str | None:
    """The field that a value of the text at a place is so far."""
    offsets = now.pages[page].page.part_offsets
    end = offsets[min(bisect_right(offsets, at), len(offsets) - 1)]
    for place in now.extractions[page].places:
        if at <= place.start < end and value in (place.value, now.cleaned(place)):
            return place.field
    return None
