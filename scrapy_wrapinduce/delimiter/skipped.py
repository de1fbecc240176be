"""Attributes that are read only to get past them: the addresses that stand between a tag's name and
the value behind it.

In ``<a href="/item/17">Title`` no string before the title is both constant and telling: what all
records share is ``">``. Read as one more attribute of the record, with delimiters of its own, the
address is out of the way; it is dropped when the page is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import parse_tag
from .examples import Example
from .gaps import common_suffix
from .vector import SKIPPED, Event, Layout, Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..tokenizer import Tag
    from .gaps import Gap, Parts


class _Volatile(NamedTuple):
    """Attributes of the tag that begins before the last ``behind`` characters in front of a value."""

    behind: int
    names: tuple[str, ...]


def with_skipped(
    layout: Layout, examples: Sequence[Example], parts: Parts
) -> tuple[Layout, list[Example]] | None:
    """The layout and the labels with attributes to skip, or nothing where there are none."""
    skipped = [_volatile(parts.of(attribute)) for attribute in range(len(layout.paths))]
    if not any(volatile.names for volatile in skipped):
        return None
    levels: list[Level] = []
    numbers: list[int] = []
    total = 0
    for level in layout.levels:
        fields: list[str] = []
        for name in level.fields:
            extra = len(skipped[len(numbers)].names)
            fields += [*[SKIPPED] * extra, name]
            total += extra + 1
            numbers.append(total - 1)
        levels.append(Level(level.name, tuple(fields)))
    multiple = frozenset(numbers[attribute] for attribute in layout.multiple)
    augmented = []
    for example in examples:
        events: list[Event] = []
        for event in example.events:
            before = events[-1].end if events else 0
            number = numbers[event.attribute]
            spans = _spans(example.html, before, event.start, skipped[event.attribute])
            events += [Event(number - len(spans) + at, *span) for at, span in enumerate(spans)]
            events.append(event._replace(attribute=number))
        augmented.append(Example(example.html, tuple(events), example.number))
    return Layout(tuple(levels), multiple), augmented


def _volatile(gaps: Sequence[Gap]) -> _Volatile:
    """The attributes that change from record to record, in the tag where what all gaps have in
    common begins."""
    common = common_suffix((gap.html, gap.start, gap.end) for gap in gaps)
    behind = len(common)
    tags = []
    for gap in gaps:
        start, tag = _tag(gap.html, gap.start, gap.end - behind)
        if not common or start < 0 or gap.html.rfind(">", gap.start, gap.end - behind) > start:
            return _Volatile(behind, ())
        tags.append(tag)
    order = [attribute.name for attribute in tags[0].attributes]
    for tag in tags:
        if tag.name != tags[0].name or [attribute.name for attribute in tag.attributes] != order:
            return _Volatile(behind, ())
    names = tuple(name for name in order if len({tag.get(name) for tag in tags}) > 1)
    return _Volatile(behind, names)


def _spans(html: str, start: int, end: int, volatile: _Volatile) -> list[tuple[int, int]]:
    if not volatile.names:
        return []
    at, tag = _tag(html, start, end - volatile.behind)
    return [
        (at + attribute.start, at + attribute.end)
        for attribute in tag.attributes
        if attribute.name in volatile.names
    ]


def _tag(html: str, start: int, cut: int) -> tuple[int, Tag]:
    """The tag that begins last before a place, and where; -1 where none does."""
    at = html.rfind("<", start, cut)
    return at, parse_tag(html[at : html.find(">", cut) + 1] if at >= 0 else "")
