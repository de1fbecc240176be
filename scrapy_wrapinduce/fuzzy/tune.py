"""Learned thresholds: how strict a mask must be is found out on the pages it was learned from.

The most tolerant setting that reads the learned pages best wins: strictness, or separators for the zone of
all records, are taken on only where they remove false records. (The paper leaves its threshold to the user.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..page import Region
from .background import HIDDEN
from .candidates import Candidate
from .learn import with_zone
from .lessons import Lesson
from .mask import Mask
from .read import Sighting, decide, look
from .tokens import TokenizedPage

_VALUE = (0.45, 0.3)
_RECORD = (0.15, 0.35)
_REPEAT = (0.05, 1.0)
_WORTH_IT = 0.002
# Strictness that the learned pages reward by this little would lose more on pages yet unseen.
_STRICTER = 0.04


def tuned(mask: Mask, lessons: Sequence[Lesson], *, zoned: bool = True) -> Mask:
    """The mask with the thresholds, and if need be the zone, that suit its lessons.

    Lessons that end in the middle of a list do not show its zone.

    One thing after the other is made stricter and stays so where that pays: trying all combinations would take
    three times as long and hardly ever ends elsewhere.
    """
    sightings: dict[bool, list[Sighting]] = {}

    def reached(tried: Mask) -> float:
        has_zone = tried.zone_begin is not None
        if has_zone not in sightings:
            sightings[has_zone] = [look(tried, _whole(lesson)) for lesson in lessons]
        loss = (tried.thresholds.value < _VALUE[0]) + (tried.thresholds.record > _RECORD[0])
        return _score(tried, lessons, sightings[has_zone]) - _STRICTER * loss

    best, best_score = mask, reached(mask)
    steps: tuple[Callable[[Mask], Mask], ...] = (
        lambda one: with_zone(one, lessons),
        lambda one: _with(one, value=_VALUE[1]),
        lambda one: _with(one, record=_RECORD[1]),
        lambda one: _with(one, repeat=_REPEAT[1]),
    )
    for stricter in steps if zoned else steps[1:]:
        if best_score == 1.0:
            break
        tried = stricter(best)
        its_score = reached(tried)
        if its_score > best_score + _WORTH_IT:
            best, best_score = tried, its_score
    return best


def _with(mask: Mask, **thresholds: float) -> Mask:
    return replace(mask, thresholds=replace(mask.thresholds, **thresholds))


def _whole(lesson: Lesson) -> Region:
    page = lesson.page
    return Region(page.page, page.starts[0], page.ends[-1])


def score(mask: Mask, lessons: Sequence[Lesson]) -> float:
    """F of whole records when a mask reads the records of its lessons."""
    return _score(mask, lessons, [look(mask, _records_of(lesson)) for lesson in lessons])


def _records_of(lesson: Lesson) -> Region:
    page = lesson.page
    return Region(page.page, page.starts[lesson.record_starts[0]], page.ends[-1])


def _score(mask: Mask, lessons: Sequence[Lesson], sightings: Sequence[Sighting]) -> float:
    """F of whole records."""
    right = found = true = 0
    for lesson, sighting in zip(lessons, sightings, strict=True):
        read = Counter(
            key for record in decide(mask, sighting) if (key := _key(mask, sighting.tokens, record))
        )
        page = lesson.page
        labelled = Counter(
            frozenset(
                (value.field, page.starts[value.first], page.ends[value.last])
                for value in record
                if not value.field.startswith(HIDDEN)
            )
            for record in lesson.records
        )
        right += (read & labelled).total()
        found += read.total()
        true += labelled.total()
    return 2 * right / (found + true) if found + true else 0.0


def _key(
    mask: Mask, tokens: TokenizedPage, record: Sequence[Candidate]
) -> frozenset[tuple[str, int, int]]:
    return frozenset(
        (mask.fields[each.field].name, tokens.starts[each.first], tokens.ends[each.last])
        for each in record
        if mask.fields[each.field].shown
    )
