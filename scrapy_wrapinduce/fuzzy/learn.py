"""Learning a mask from labelled pages: where the zones' separators are, and what surrounds them.

Labels say where values stand; where one record ends and the next begins they do not say. The place is
taken where the page itself divides most deeply, and where it is flat at a tag that belongs to no value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import CannotInduce
from ..labels import LabelledPage, Record, Span
from ..tokenizer import CLOSE
from .mask import BEGIN, END, FieldMask, Mask
from .separator import Place, Separator, learn_separator, place_at
from .tokens import TokenizedPage, tokenize

_MAX_OTHERS = 1500
_DATA_TRUST = 0.35


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
                for before, after in zip(record, record[1:], strict=False)
            ),
            default=1,
        ),
    )


def with_zone(mask: Mask, lessons: Sequence[Lesson]) -> Mask:
    """The mask with separators for the zone that holds all records."""
    others = _other_places(lessons)
    begins = [place_at(each.page.shapes, each.record_starts[0]) for each in lessons]
    ends = [place_at(each.page.shapes, each.records[-1][-1].last + 1) for each in lessons]
    return replace(
        mask, zone_begin=learn_separator(begins, others.anywhere), zone_end=learn_separator(ends, others.anywhere)
    )


def lessons_of(pages: Sequence[LabelledPage]) -> list[Lesson]:
    """The pages that have labelled records, in tokens."""
    lessons = [_lesson(labelled, number) for number, labelled in enumerate(pages)]
    return [lesson for lesson in lessons if lesson.records]


def _lesson(labelled: LabelledPage, number: int) -> Lesson:
    tokens = tokenize(labelled.page)
    where = labelled.page.url or f"page {number + 1}"
    records = []
    for record in labelled.records:
        if any(record.children.values()):
            raise CannotInduce(
                f"{where}: field {next(iter(record.children))!r} holds nested records, which the fuzzy "
                "family does not read; use the nlr or records family."
            )
        values = sorted(_labelled_values(tokens, record), key=lambda value: value.first)
        if values:
            records.append(tuple(values))
    return Lesson(tokens, tuple(records), tuple(_record_starts(tokens, records)))


def _labelled_values(tokens: TokenizedPage, record: Record) -> list[LabelledValue]:
    values = []
    for name, spans in record.values.items():
        for span in (spans,) if isinstance(spans, Span) else spans:
            value = _labelled_value(tokens, name, span)
            if value is not None:
                values.append(value)
    return values


def _labelled_value(tokens: TokenizedPage, name: str, span: Span) -> LabelledValue | None:
    first = _first_ending_after(tokens, span.start)
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


def _first_ending_after(tokens: TokenizedPage, offset: int) -> int:
    low, high = 0, len(tokens)
    while low < high:
        middle = (low + high) // 2
        if tokens.ends[middle] > offset:
            high = middle
        else:
            low = middle + 1
    return low


def _record_starts(
    tokens: TokenizedPage, records: Sequence[tuple[LabelledValue, ...]]
) -> list[int]:
    """The token before which each record begins."""
    if not records:
        return []
    between = [
        _division(tokens, before, after)
        for before, after in zip(records, records[1:], strict=False)
    ]
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
        if not _belongs_to_value(tokens, index, before) and not _belongs_to_value(tokens, index, after)
    ]
    divider = (free or shallow)[0]
    tag = tokens.node(divider).tag
    # An end tag ends what was before; so does a tag without content, such as <br>.
    ends_before = tag is not None and (tag.kind == CLOSE or (bool(free) and tag.kind == "empty"))
    return divider + 1 if ends_before else divider


def _belongs_to_value(
    tokens: TokenizedPage, index: int, record: tuple[LabelledValue, ...]
) -> bool:
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
    reach = max(
        record[0].first - gap for record, gap in zip(rest, between, strict=True)
    )
    for gap in range(first[0].first, max(-1, first[0].first - 2 * reach - 4), -1):
        if _spelling(tokens, gap) == usual:
            return gap
    return first[0].first


@dataclass(frozen=True)
class _Others:
    """A sample of all places of the pages, against which separators must stand out."""

    before_words: Sequence[Place]
    after_words: Sequence[Place]
    anywhere: Sequence[Place]


def _other_places(lessons: Sequence[Lesson]) -> _Others:
    everywhere = [(lesson.page.shapes, gap) for lesson in lessons for gap in range(len(lesson.page))]
    words = [(shapes, gap) for shapes, gap in everywhere if not shapes[gap].is_tag]
    some_words = words[:: max(1, len(words) // _MAX_OTHERS)]
    return _Others(
        [place_at(shapes, gap) for shapes, gap in some_words],
        [place_at(shapes, gap + 1) for shapes, gap in some_words],
        [
            place_at(shapes, gap)
            for shapes, gap in everywhere[:: max(1, len(everywhere) // _MAX_OTHERS)]
        ],
    )


def _field_names(lessons: Sequence[Lesson]) -> list[str]:
    """The fields in the order in which they usually stand in a record."""
    places: dict[str, list[float]] = {}
    for lesson in lessons:
        for record in lesson.records:
            for index, value in enumerate(record):
                places.setdefault(value.field, []).append(index / len(record))
    return sorted(places, key=lambda name: sum(places[name]) / len(places[name]))


def _field_mask(
    name: str, lessons: Sequence[Lesson], others: _Others, records: int
) -> FieldMask:
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
    return FieldMask(
        name,
        begin=learn_separator(
            [place_at(page.shapes, value.first) for page, value in found],
            others.before_words,
            trust_right=_DATA_TRUST,
        ),
        end=learn_separator(
            [place_at(page.shapes, value.last + 1) for page, value in found],
            others.after_words,
            trust_left=_DATA_TRUST,
        ),
        attribute=attribute,
        longest=max(value.last - value.first + 1 for _, value in found),
        inner_tags=frozenset(inner),
        begins_in_text=any(_is_text(page, value.first - 1) for page, value in found),
        ends_in_text=any(_is_text(page, value.last + 1) for page, value in found),
        fills_element=all(page.fills_element(value.first, value.last) for page, value in found),
        presence=round(having / records, 4),
    )


def _is_text(page: TokenizedPage, token: int) -> bool:
    return 0 <= token < len(page) and not page.shapes[token].is_tag


def _order(records: Sequence[tuple[LabelledValue, ...]]) -> dict[str, dict[str, int]]:
    """How often each field came right after each other, after the record's begin, or before its end."""
    counts: dict[str, dict[str, int]] = {}
    for record in records:
        names = [BEGIN, *(value.field for value in record), END]
        for before, after in zip(names, names[1:], strict=False):
            row = counts.setdefault(before, {})
            row[after] = row.get(after, 0) + 1
    return counts
