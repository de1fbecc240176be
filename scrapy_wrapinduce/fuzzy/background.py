"""The background of records: text that every record has and nobody asked for.

Problem: where a wanted value is missing, the unlabelled text beside it looks most like it and is taken instead.
Idea: recurring unlabelled text becomes hidden fields, which compete for their places like all others
and are left out of what is read; they also hold a record together that has lost what was asked for. Texts are
the same hidden field when they follow the same field and stand between the same tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .lessons import LabelledValue, Lesson, extent
from .tokens import TokenizedPage

HIDDEN = "(background) "
_MOST_FIELDS = 4
_USUAL = 0.5
_Key = tuple[str, str, str, int]


def with_background(lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons with hidden fields among their records' values."""
    found = [
        [list(_unlabelled(lesson, number)) for number in range(len(lesson.records))]
        for lesson in lessons
    ]
    counts = Counter(key for lesson in found for record in lesson for key, _, _ in record)
    needed = _USUAL * sum(len(lesson.records) for lesson in lessons)
    looks = _looks_of_fields(lessons)
    # What stands between the same tags as a wanted field is what it is most easily mistaken for.
    usual = sorted(
        (key for key, count in counts.items() if count >= needed),
        key=lambda key: (key[1:3] not in looks, -counts[key]),
    )
    names = {key: f"{HIDDEN}{number + 1}" for number, key in enumerate(usual[:_MOST_FIELDS])}
    return [
        replace(
            lesson,
            records=tuple(
                _merged(
                    record,
                    [(names[key], first, last) for key, first, last in texts if key in names],
                )
                for record, texts in zip(lesson.records, of_lesson, strict=True)
            ),
        )
        for lesson, of_lesson in zip(lessons, found, strict=True)
    ]


def _looks_of_fields(lessons: Sequence[Lesson]) -> set[tuple[str, str]]:
    """The tags that usually stand right around the values of each field."""
    looks: dict[str, Counter[tuple[str, str]]] = {}
    for lesson in lessons:
        for value in (value for record in lesson.records for value in record):
            around = _spelling(lesson.page, value.first - 1), _spelling(lesson.page, value.last + 1)
            looks.setdefault(value.field, Counter())[around] += 1
    return {seen.most_common(1)[0][0] for seen in looks.values()}


def _merged(
    record: tuple[LabelledValue, ...], hidden: Sequence[tuple[str, int, int]]
) -> tuple[LabelledValue, ...]:
    values = [*record, *(LabelledValue(name, first, last, None) for name, first, last in hidden)]
    return tuple(sorted(values, key=lambda value: value.first))


def _unlabelled(lesson: Lesson, number: int) -> Iterator[tuple[_Key, int, int]]:
    """The stretches of text of a record that hold no label, each with what makes it recognisable."""
    begin, end = extent(lesson, number)
    values = lesson.records[number]
    seen: Counter[tuple[str, str, str]] = Counter()
    for first, last in _texts(lesson.page, begin, end):
        if any(value.first <= last and first <= value.last for value in values):
            continue
        before = [value.field for value in values if value.last < first]
        key = (
            before[-1] if before else "",
            _spelling(lesson.page, first - 1),
            _spelling(lesson.page, last + 1),
        )
        yield (*key, seen[key]), first, last
        seen[key] += 1


def _texts(page: TokenizedPage, begin: int, end: int) -> Iterator[tuple[int, int]]:
    first = begin
    for token in range(begin, end):
        if page.shapes[token].is_tag:
            if first < token:
                yield first, token - 1
            first = token + 1
    if first < end:
        yield first, end - 1


def _spelling(page: TokenizedPage, token: int) -> str:
    return page.shapes[token].spellings[0][0] if 0 <= token < len(page) else ""
