"""Learning a mask from lessons: what surrounds each field, each record and all of them (paper, section 4).

A trait of a field is one that most of its values have, not all: the pages one learns from are damaged too.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from ..errors import CannotInduce
from .background import HIDDEN
from .lessons import LabelledValue, Lesson, extent
from .mask import BEGIN, END, FieldMask, Mask
from .separator import Place, learn_separator, place_at
from .tokens import TokenizedPage

_MAX_OTHERS = 800
_DATA_TRUST = 0.35
_SELDOM = 0.15
_Token = tuple[TokenizedPage, int]


def learn_mask(lessons: Sequence[Lesson]) -> Mask:
    """The mask of the labelled records; raises :class:`CannotInduce` when there is nothing to learn."""
    if not lessons:
        raise CannotInduce(
            "No page has a labelled record, so there is nothing to learn from; give examples of records."
        )
    others = _other_places(lessons)
    names = _field_names(lessons)
    records = [record for lesson in lessons for record in lesson.records]
    return Mask(
        fields=tuple(_field_mask(name, lessons, others, len(records)) for name in names),
        order=_order(records),
        record=learn_separator(
            [place_at(each.page.shapes, gap) for each in lessons for gap in each.record_starts],
            others.anywhere,
        ),
        longest_record=max(record[-1].last - record[0].first + 1 for record in records),
        widest_gap=max(
            (
                after.first - before.last
                for record in records
                for before, after in itertools.pairwise(record)
            ),
            default=1,
        ),
    )


def with_zone(mask: Mask, lessons: Sequence[Lesson]) -> Mask:
    """The mask with separators for the zone that holds all records.

    They are told from the borders between records: there is no other place they could be mistaken for.
    """
    begins = [place_at(each.page.shapes, each.record_starts[0]) for each in lessons]
    ends = [place_at(each.page.shapes, _end_of_last(each)) for each in lessons]
    borders = [
        place_at(each.page.shapes, gap) for each in lessons for gap in each.record_starts[1:]
    ]
    others = borders or _other_places(lessons).anywhere
    return replace(
        mask,
        zone_begin=learn_separator(begins, others),
        zone_end=learn_separator(ends, others),
    )


def _end_of_last(lesson: Lesson) -> int:
    return min(len(lesson.page), extent(lesson, len(lesson.records) - 1)[1])


@dataclass(frozen=True)
class _Others:
    """A sample of all words and of all tokens of the pages, around which separators must stand out."""

    words: Sequence[_Token]
    tokens: Sequence[_Token]

    def places(self, separators: Collection[_Token], *, after: bool = False) -> list[Place]:
        """Places before (or after) words, without the separators themselves."""
        return [
            place_at(page.shapes, gap)
            for page, token in self.words
            if (page, (gap := token + after)) not in separators
        ]

    @property
    def anywhere(self) -> list[Place]:
        return [place_at(page.shapes, gap) for page, gap in self.tokens]


def _other_places(lessons: Sequence[Lesson]) -> _Others:
    tokens = [(lesson.page, token) for lesson in lessons for token in range(len(lesson.page))]
    words = [(page, token) for page, token in tokens if not page.shapes[token].is_tag]
    return _Others(
        words[:: max(1, len(words) // _MAX_OTHERS)], tokens[:: max(1, len(tokens) // _MAX_OTHERS)]
    )


def _field_names(lessons: Sequence[Lesson]) -> list[str]:
    """The fields in the order in which they usually stand in a record."""
    places: dict[str, list[float]] = {}
    for lesson in lessons:
        for record in lesson.records:
            for index, value in enumerate(record):
                places.setdefault(value.field, []).append(index / len(record))
    return sorted(places, key=lambda name: sum(places[name]) / len(places[name]))


def _field_mask(name: str, lessons: Sequence[Lesson], others: _Others, records: int) -> FieldMask:
    found = [
        (lesson.page, value)
        for lesson in lessons
        for record in lesson.records
        for value in record
        if value.field == name
    ]
    # The same value may stand as text here and as an attribute there; the usual kind is the field's.
    kinds = Counter(value.attribute for _, value in found)
    attribute = max(kinds, key=lambda kind: kinds[kind])
    found = [(page, value) for page, value in found if value.attribute == attribute]
    inner = {
        tag.name
        for page, value in found
        for index in range(value.first + 1, value.last)
        if (tag := page.node(index).tag) is not None
    }
    having = sum(
        any(value.field == name for value in record)
        for lesson in lessons
        for record in lesson.records
    )
    begins = [(page, value.first) for page, value in found]
    ends = [(page, value.last + 1) for page, value in found]
    return FieldMask(
        name,
        begin=learn_separator(
            [place_at(page.shapes, gap) for page, gap in begins],
            others.places(set(begins)),
            trust_right=_DATA_TRUST,
        ),
        end=learn_separator(
            [place_at(page.shapes, gap) for page, gap in ends],
            others.places(set(ends), after=True),
            trust_left=_DATA_TRUST,
        ),
        attribute=attribute,
        longest=max(value.last - value.first + 1 for _, value in found),
        inner_tags=frozenset(inner),
        begins_in_text=mean(_is_text(page, value.first - 1) for page, value in found) > _SELDOM,
        ends_in_text=mean(_is_text(page, value.last + 1) for page, value in found) > _SELDOM,
        fills_element=mean(page.fills_element(value.first, value.last) for page, value in found)
        > 1 - _SELDOM,
        presence=round(having / records, 4),
        shown=not name.startswith(HIDDEN),
    )


def _is_text(page: TokenizedPage, token: int) -> bool:
    return 0 <= token < len(page) and not page.shapes[token].is_tag


def _order(records: Sequence[tuple[LabelledValue, ...]]) -> dict[str, dict[str, int]]:
    """How often each field came right after each other, after the record's begin, or before its end."""
    counts: dict[str, dict[str, int]] = {}
    for record in records:
        names = [BEGIN, *(value.field for value in record), END]
        for before, after in itertools.pairwise(names):
            row = counts.setdefault(before, {})
            row[after] = row.get(after, 0) + 1
    return counts
