"""The reader of last resort: a mask beside a stricter wrapper, for the places of a page where that one fails.

Problem: a strict wrapper reads a damaged record in part, joins it with the next, skips it, or finds no record at all.
Idea: what healthy pages never show is a sign of that: a record that lacks what all learned records had, one that
is far too long, a gap where a record would fit, no record. Only there the mask reads, with the strict reading's
neighbours as limits, and its records are taken only where they hold more. Pages without a sign cost nothing more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce, InvalidWrapper
from ..labels import Span
from ..page import Page, Region
from ..tokenizer import OPEN, parse_tag
from ..wrapper import Extraction, Failure
from . import mask as masks
from .background import with_background
from .learn import learn_mask
from .lessons import lessons_of
from .mask import Mask
from .tokens import tag_shape
from .tune import score
from .wrapper import LOW_CONFIDENCE, FuzzyPlace, FuzzyWrapper, read_records

if TYPE_CHECKING:
    from ..labels import LabelledPage
    from ..wrapper import Place, Wrapper

_RECORDS_LEARNED_FROM = 20
_PAGES_LEARNED_FROM = 2
_MOST_FIELDS = 12
_LEAST_RECORDS = 3
_LEAST_FAITH = 0.9
_MARGIN = 1.5
_LEAST_GAP = 0.5
_SURE = 0.6
_AROUND = 2000
_SELDOM = 0.2


@dataclass(frozen=True)
class LastResort:
    """A mask, and what the strict readings of the learned pages looked like.

    ``always`` are the fields that every learned record had; ``longest`` and ``widest`` are the longest record
    and the widest gap between two, as multiples of the page's usual distance from record to record; ``texts``
    is the greatest number of texts from the begin of one record to that of the next; ``overlaps`` tells whether
    values of two fields may share their place.
    """

    mask: Mask
    always: tuple[str, ...]
    longest: float
    widest: float
    texts: int
    overlaps: bool

    def __str__(self) -> str:
        return (
            "last resort: a fuzzy mask where a record lacks a field it should have"
            f" ({', '.join(self.always) or 'none'}), is too long or is missing"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "always": list(self.always),
            "longest": self.longest,
            "widest": self.widest,
            "texts": self.texts,
            "overlaps": self.overlaps,
            "mask": masks.to_dict(self.mask),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LastResort:
        return cls(
            masks.from_dict(data["mask"]),
            tuple(map(str, data["always"])),
            float(data["longest"]),
            float(data["widest"]),
            int(data["texts"]),
            bool(data["overlaps"]),
        )


def learn_last_resort(strict: Wrapper, pages: Sequence[LabelledPage]) -> LastResort | None:
    """The last resort of a wrapper, from the labels that it was learned from.

    None where the strict reading of the learned pages shows no regular list, or a mask does not read
    them well enough to be trusted with others.
    """
    rhythms = [
        rhythm
        for labelled in pages
        if (rhythm := _Rhythm.of(labelled.page, strict.extract(labelled.page).places)) is not None
    ]
    if len(rhythms) < len([page for page in pages if page.records]) or not rhythms:
        return None
    records = [record for page in pages for record in page.records]
    if len({name for record in records for name in record.values}) > _MOST_FIELDS:
        return None
    try:
        lessons = with_background(
            lessons_of(pages[:_PAGES_LEARNED_FROM], most=_RECORDS_LEARNED_FROM)
        )
        mask = learn_mask(lessons)
    except CannotInduce:
        return None
    if score(mask, lessons) < _LEAST_FAITH:
        return None
    names = dict.fromkeys(name for record in records for name in record.values)
    return LastResort(
        mask,
        tuple(name for name in names if all(name in record.values for record in records)),
        round(max(rhythm.longest for rhythm in rhythms), 3),
        round(max(rhythm.widest for rhythm in rhythms), 3),
        max(count for rhythm in rhythms for count in rhythm.texts),
        any(overlap for rhythm in rhythms for overlap in rhythm.overlaps),
    )


@dataclass(frozen=True)
class _Rhythm:
    """Where the records of a strict reading stand, and how far it is from one to the next.

    For each record: the texts up to the next, the values that do not share their place, whether some do.
    """

    extents: tuple[Span, ...]
    pitch: float
    texts: tuple[int, ...]
    values: tuple[int, ...]
    overlaps: tuple[bool, ...]

    @classmethod
    def of(cls, page: Page, places: Sequence[Place]) -> _Rhythm | None:
        """None where there are too few records, or they interleave."""
        by_record: dict[int, list[Span]] = {}
        for place in places:
            by_record.setdefault(place.record, []).append(Span(place.start, place.end))
        spans = [sorted(by_record[number]) for number in sorted(by_record)]
        extents = tuple(Span(one[0].start, max(span.end for span in one)) for one in spans)
        apart = [after.start - before.start for before, after in _pairs(extents)]
        if len(extents) < _LEAST_RECORDS or any(
            after.start < before.end for before, after in _pairs(extents)
        ):
            return None
        pitch = max(1.0, median(apart))
        last = extents[-1].end  # what stands behind the last record need not be its own
        overlaps = [sum(b.start < a.end for a, b in _pairs(one)) for one in spans]
        return cls(
            extents,
            pitch,
            _texts_between(page, [*(extent.start for extent in extents), last]),
            tuple(len(one) - shared for one, shared in zip(spans, overlaps, strict=True)),
            tuple(map(bool, overlaps)),
        )

    @property
    def longest(self) -> float:
        return max(end - start for start, end in self.extents) / self.pitch

    @property
    def widest(self) -> float:
        return max(after.start - before.end for before, after in _pairs(self.extents)) / self.pitch


def _texts_between(page: Page, borders: Sequence[int]) -> tuple[int, ...]:
    """How many stretches of text begin from each border up to the next."""
    starts = [
        at
        for at, part in zip(page.part_offsets[::2], page.parts[::2], strict=False)
        if part and not part.isspace()
    ]
    numbers = [bisect_left(starts, border) for border in borders]
    return tuple(after - before for before, after in pairwise(numbers))


def _pairs(extents: Sequence[Span]) -> list[tuple[Span, Span]]:
    return list(pairwise(extents))


def rescued(wrapper: Wrapper, page: Page, strict: Extraction) -> Extraction:
    """What the strict wrapper read, and what its last resort reads where that failed.

    ``coverage`` stays that of the strict wrapper: it no longer fits the page, whoever reads it.
    """
    resort = wrapper.last_resort
    if resort is None:
        return strict
    if not strict.records:
        return _whole_page(wrapper, resort, page, strict)
    rhythm = _Rhythm.of(page, strict.places)
    if rhythm is None:
        return strict
    result = strict
    # From the end, so that the numbers of the records before stay what they are.
    for first, stop, zone in reversed(_troubles(resort, strict, rhythm, len(page.html))):
        found = _sure(resort, _read_zone(resort.mask, page, zone))
        held = sum(rhythm.values[first:stop])
        if len(found.records) >= stop - first and len(found.places) > held:
            result = _with(result, first, stop, found, zone)
    return result


def _read_zone(mask: Mask, page: Page, zone: Span) -> Extraction:
    """What a mask reads in a zone; made a page of its own, so that the rest of the page costs nothing."""
    first = max(0, page.html.rfind("<", 0, max(0, zone.start - _AROUND)))
    last = page.html.find(">", zone.end + _AROUND) + 1 or len(page.html)
    window = Page(page.html[first:last])
    region = Region(window, zone.start - first, zone.end - first)
    found = read_records(FuzzyWrapper(mask), window, region)
    shifted = [
        replace(place, start=place.start + first, end=place.end + first) for place in found.places
    ]
    return replace(found, places=shifted)


def _troubles(
    resort: LastResort, strict: Extraction, rhythm: _Rhythm, length: int
) -> list[tuple[int, int, Span]]:
    """Ranges of records that show a sign of failure, each with the zone that is theirs to fill."""
    extents, pitch = rhythm.extents, rhythm.pitch
    too_long = max(_MARGIN * resort.longest, resort.longest + _LEAST_GAP) * pitch
    too_wide = max(_MARGIN * resort.widest, resort.widest + _LEAST_GAP) * pitch
    bad = [
        end - start > too_long
        or texts > resort.texts
        or (overlaps and not resort.overlaps)
        or any(name not in record for name in resort.always)
        for record, (start, end), texts, overlaps in zip(
            strict.records, extents, rhythm.texts, rhythm.overlaps, strict=True
        )
    ]
    wide = [after.start - before.end > too_wide for before, after in _pairs(extents)]
    if not any(bad) and not any(wide):
        return []
    reach = round(_MARGIN * pitch)
    found: list[tuple[int, int, Span]] = []
    first = None
    for number in range(len(bad) + 1):
        # A zone begins before a bad record or in a wide gap, and ends where a good record begins.
        here = number < len(bad) and bad[number]
        gap = 0 < number < len(bad) and wide[number - 1]
        if first is None and (here or gap):
            first = number
        if first is not None and not here:
            following = number < len(bad) and number < len(wide) + 1
            start = extents[first - 1].end if first else max(0, extents[0].start - reach)
            end = extents[number].start if following else min(length, extents[-1].end + reach)
            found.append((first, number, Span(start, end)))
            first = None
    return found


def _sure(resort: LastResort, found: Extraction) -> Extraction:
    """The records of a mask's reading that are as sure and as full as a record must be."""
    least = max(1, (len(resort.always) + 1) // 2)
    kept = []
    for number, record in enumerate(found.records):
        sure = [
            p.confidence for p in found.places if p.record == number and isinstance(p, FuzzyPlace)
        ]
        if len(record) >= least and sum(sure) >= _SURE * len(sure):
            kept.append(number)
    renumbered = {number: at for at, number in enumerate(kept)}
    return Extraction(
        records=[found.records[number] for number in kept],
        places=[
            replace(place, record=renumbered[place.record])
            for place in found.places
            if place.record in renumbered
        ],
    )


def _with(result: Extraction, first: int, stop: int, found: Extraction, zone: Span) -> Extraction:
    """The extraction with records ``first`` up to ``stop`` replaced by what the mask found."""
    more = len(found.records) - (stop - first)
    return Extraction(
        records=[*result.records[:first], *found.records, *result.records[stop:]],
        coverage=result.coverage,
        failures=[
            *(f for f in result.failures if f.start is None or not _inside(f, zone)),
            *_told(found, first),
        ],
        places=[
            *(place for place in result.places if place.record < first),
            *(replace(place, record=place.record + first) for place in found.places),
            *(
                replace(place, record=place.record + more)
                for place in result.places
                if place.record >= stop
            ),
        ],
    )


def _inside(failure: Failure, zone: Span) -> bool:
    return failure.start is not None and zone.start <= failure.start < zone.end


def _told(found: Extraction, first: int) -> list[Failure]:
    """That records were read by the mask, how surely, and which of their values are doubtful."""
    failures = []
    for number in range(len(found.records)):
        places = [p for p in found.places if p.record == number and isinstance(p, FuzzyPlace)]
        sure = sum(place.confidence for place in places) / len(places)
        what = f"record {first + number + 1}"
        reason = f"read by the fuzzy mask, with a confidence of {sure:.2f}: the strict reading failed here"
        start, end = min(p.start for p in places), max(p.end for p in places)
        failures.append(Failure(what, reason, start, end))
        failures += [
            Failure(
                f"field {place.field!r} of {what}",
                f"read as {place.value!r:.80} with a confidence of only {place.confidence:.2f}",
                place.start,
                place.end,
            )
            for place in places
            if place.confidence < LOW_CONFIDENCE
        ]
    return failures


def _whole_page(wrapper: Wrapper, resort: LastResort, page: Page, strict: Extraction) -> Extraction:
    """A page on which the strict wrapper finds no record at all, read by the mask alone.

    Taken only where the values are like those that the wrapper read while it was right: a page of another
    design, or of another kind, is to be noticed and not to be guessed at.
    """
    if not _recognisable(resort.mask, page):
        return strict
    from ..upkeep.health import kept_health
    from ..upkeep.verify import plainly_wrong

    try:
        health = kept_health(wrapper)
    except InvalidWrapper:
        return strict
    found = _sure(resort, read_records(FuzzyWrapper(resort.mask), page))
    if (
        len(found.records) < _LEAST_RECORDS
        or _joined(resort, found)
        or plainly_wrong(health, found)
    ):
        return strict
    return replace(found, coverage=strict.coverage, failures=[*strict.failures, *_told(found, 0)])


def _joined(resort: LastResort, found: Extraction) -> bool:
    """Whether many records have a field twice that no learned record had twice: then several were read as one."""
    order = resort.mask.order
    once = {
        field.name for field in resort.mask.fields if not order.get(field.name, {}).get(field.name)
    }
    twice = sum(
        any(name in once and isinstance(value, list) for name, value in record.items())
        for record in found.records
    )
    return twice > _SELDOM * len(found.records)


def _recognisable(mask: Mask, page: Page) -> bool:
    """Whether the tags that best tell where fields begin stand on the page: a quick look before a long one."""
    parsed = map(parse_tag, set(page.parts[1::2]))
    spelled = {
        spelling
        for tag in parsed
        if tag.kind == OPEN
        for spelling, _ in tag_shape(tag).spellings[:1]
    }
    shown = [field for field in mask.fields if field.shown]
    known = sum(
        any(
            not each.left.matrix.counts.keys().isdisjoint(spelled)
            for each in field.begin.alternatives
        )
        for field in shown
    )
    return 2 * known >= len(shown)
