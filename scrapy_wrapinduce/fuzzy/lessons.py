"""Lessons: labelled pages in tokens, with the places where their records begin.

Labels say where values stand; where one record ends and the next begins they do not say. The place is
taken where the page itself divides most deeply, and where it is flat at a tag that belongs to no value.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import CannotInduce
from ..labels import LabelledPage, Record, Span
from ..tokenizer import CLOSE, EMPTY
from .tokens import TokenizedPage, tokenize

_BEFORE = 5_000  # characters that show what the rest of a page looks like


@dataclass(frozen=True)
class LabelledValue:
    """A value in tokens: from token ``first`` through ``last``; ``attribute`` when inside a tag."""

    field: str
    first: int
    last: int
    attribute: str | None


@dataclass(frozen=True)
class Lesson:
    """A tokenized page with its records' values in page order and the place where each record begins."""

    page: TokenizedPage
    records: tuple[tuple[LabelledValue, ...], ...]
    record_starts: tuple[int, ...]


def lessons_of(pages: Sequence[LabelledPage], most: int | None = None) -> list[Lesson]:
    """The pages that have labelled records, in tokens; up to where record number ``most`` ends, if given."""
    lessons = [_lesson(labelled, number, most) for number, labelled in enumerate(pages)]
    return [lesson for lesson in lessons if lesson.records]


def _lesson(labelled: LabelledPage, number: int, most: int | None) -> Lesson:
    start, end = _extract(labelled, most)
    tokens = tokenize(labelled.page, start, end)
    where = labelled.page.url or f"page {number + 1}"
    records = []
    for record in labelled.records[:most]:
        if any(record.children.values()):
            raise CannotInduce(
                f"{where}: field {next(iter(record.children))!r} holds nested records, which the fuzzy "
                "family does not read; use the nlr or records family."
            )
        values = sorted(_labelled_values(tokens, record), key=lambda value: value.first)
        if values:
            records.append(tuple(values))
    return Lesson(tokens, tuple(records), tuple(_record_starts(tokens, records)))


def _extract(labelled: LabelledPage, most: int | None) -> tuple[int, int | None]:
    """The part of a page that its first records stand in, with what comes right before them."""
    if most is None:
        return 0, None
    starts = [_start(record) for record in labelled.records[: most + 1] if record.values]
    first = max(0, min(starts, default=0) - _BEFORE)
    if len(labelled.records) <= most:
        return first, max(starts, default=0) + _BEFORE
    return first, starts[-1]


def _start(record: Record) -> int:
    spans = (spans if isinstance(spans, Span) else spans[0] for spans in record.values.values())
    return min(span.start for span in spans)


def _labelled_values(tokens: TokenizedPage, record: Record) -> list[LabelledValue]:
    values = []
    for name, spans in record.values.items():
        for span in (spans,) if isinstance(spans, Span) else spans:
            value = _labelled_value(tokens, name, span)
            if value is not None:
                values.append(value)
    return values


def _labelled_value(tokens: TokenizedPage, name: str, span: Span) -> LabelledValue | None:
    first = bisect_right(tokens.ends, span.start)
    if first == len(tokens) or tokens.starts[first] >= span.end:
        return None
    tag = tokens.node(first).tag
    if tag is not None and tokens.starts[first] < span.start and span.end < tokens.ends[first]:
        inside = span.start - tokens.starts[first]
        for attribute in tag.attributes:
            if attribute.start <= inside <= attribute.end:
                return LabelledValue(name, first, first, attribute.name)
        return None
    words = _words_until(tokens, first, span.end)
    return LabelledValue(name, words[0], words[-1], None) if words else None


def _words_until(tokens: TokenizedPage, first: int, end: int) -> list[int]:
    words = []
    index = first
    while index < len(tokens) and tokens.starts[index] < end:
        if not tokens.shapes[index].is_tag:
            words.append(index)
        index += 1
    return words


def _record_starts(
    tokens: TokenizedPage, records: Sequence[tuple[LabelledValue, ...]]
) -> list[int]:
    """The token before which each record begins."""
    if not records:
        return []
    between = [_division(tokens, before, after) for before, after in itertools.pairwise(records)]
    between = _as_most_begin(tokens, records, between)
    return [_first_start(tokens, records[0], records[1:], between), *between]


def _as_most_begin(
    tokens: TokenizedPage, records: Sequence[tuple[LabelledValue, ...]], between: Sequence[int]
) -> list[int]:
    """Where the depths mislead, as unclosed tags make them, a record begins with what most begin with."""
    if not between:
        return []
    usual = _usual_spelling(tokens, between)
    settled = []
    for before, after, gap in zip(records, records[1:], between, strict=False):
        same = [
            index
            for index in range(before[-1].last + 1, after[0].first + 1)
            if _spelling(tokens, index) == usual
        ]
        settled.append(same[0] if len(same) == 1 else gap)
    return settled


def _spelling(tokens: TokenizedPage, index: int) -> str:
    return tokens.shapes[index].spellings[0][0]


def _usual_spelling(tokens: TokenizedPage, indexes: Sequence[int]) -> str:
    return Counter(_spelling(tokens, index) for index in indexes).most_common(1)[0][0]


def _division(
    tokens: TokenizedPage, before: tuple[LabelledValue, ...], after: tuple[LabelledValue, ...]
) -> int:
    """Where the next record begins, somewhere after the last value of one and before those of the next."""
    last, first = before[-1].last, after[0].first
    gap = range(last + 1, first)
    if not gap:
        return first
    depths = {index: tokens.node(index).depth for index in gap}
    least = min(depths.values())
    shallow = [index for index in gap if depths[index] == least]
    # In a flat page, the tags around single values lie as deep as what divides the records.
    free = [
        index
        for index in shallow
        if not _belongs_to_value(tokens, index, before)
        and not _belongs_to_value(tokens, index, after)
    ]
    divider = (free or shallow)[0]
    tag = tokens.node(divider).tag
    # An end tag ends what was before; so does a tag without content, such as <br>.
    ends_before = tag is not None and (tag.kind == CLOSE or (bool(free) and tag.kind == EMPTY))
    return divider + 1 if ends_before else divider


def _belongs_to_value(tokens: TokenizedPage, index: int, record: tuple[LabelledValue, ...]) -> bool:
    """Whether the tag encloses some but not all values of the record."""
    node = tokens.node(index)
    if node.partner < 0:
        return False
    low, high = sorted((tokens.nodes[index], node.partner))
    inside = sum(low < tokens.nodes[value.first] < high for value in record)
    return 0 < inside < len(record)


def _first_start(
    tokens: TokenizedPage,
    first: tuple[LabelledValue, ...],
    rest: Sequence[tuple[LabelledValue, ...]],
    between: Sequence[int],
) -> int:
    """The first record begins at the nearest token spelled like the tokens that begin the others."""
    if not between:
        return first[0].first
    usual = _usual_spelling(tokens, between)
    reach = max(record[0].first - gap for record, gap in zip(rest, between, strict=True))
    for gap in range(first[0].first, max(-1, first[0].first - 2 * reach - 4), -1):
        if _spelling(tokens, gap) == usual:
            return gap
    return first[0].first


def extent(lesson: Lesson, number: int) -> tuple[int, int]:
    """A record's tokens; the last one ends as far behind its values as the one before it did."""
    starts, records = lesson.record_starts, lesson.records
    begin = min(starts[number], records[number][0].first)
    if number + 1 < len(starts):
        return begin, starts[number + 1]
    tails = [start - record[-1].last for start, record in zip(starts[1:], records, strict=False)]
    return begin, min(len(lesson.page), records[number][-1].last + min(tails, default=1))
