"""Learned thresholds: how strict a mask must be is found out on the pages it was learned from.

The most tolerant setting that reads the learned pages best wins: strictness, or separators for the zone of
all records, are taken on only where they remove false records. (The paper leaves its threshold to the user.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from ..page import Region
from .background import HIDDEN
from .candidates import Candidate
from .learn import with_zone
from .lessons import Lesson
from .mask import Mask, Thresholds
from .read import Sighting, decide, look

_VALUE = (0.45, 0.3)
_RECORD = (0.15, 0.35)
_REPEAT = (0.05, 1.0)
_WORTH_IT = 0.002
# Strictness that the learned pages reward by this little would lose more on pages yet unseen.
_STRICTER = 0.04


def tuned(mask: Mask, lessons: Sequence[Lesson]) -> Mask:
    """The mask with the thresholds, and if need be the zone, that suit its lessons."""
    zoned = with_zone(mask, lessons)
    sightings: dict[bool, list[Sighting]] = {}
    best, best_score = mask, -1.0
    for repeat, record, value, has_zone in product(_REPEAT, _RECORD, _VALUE, (False, True)):
        base = zoned if has_zone else mask
        if has_zone not in sightings:
            sightings[has_zone] = [look(base, _whole(lesson)) for lesson in lessons]
        tried = replace(base, thresholds=Thresholds(value, record, repeat))
        score = _score(tried, lessons, sightings[has_zone])
        score -= _STRICTER * ((value < _VALUE[0]) + (record > _RECORD[0]))
        if score > best_score + _WORTH_IT:
            best, best_score = tried, score
        if best_score == 1.0:
            break
    return best


def _whole(lesson: Lesson) -> Region:
    page = lesson.page.page
    return Region(page, 0, len(page.html))


def _score(mask: Mask, lessons: Sequence[Lesson], sightings: Sequence[Sighting]) -> float:
    """F of whole records."""
    right = found = true = 0
    for lesson, sighting in zip(lessons, sightings, strict=True):
        read = Counter(key for record in decide(mask, sighting) if (key := _key(mask, record)))
        labelled = Counter(
            frozenset(
                (value.field, value.first, value.last)
                for value in record
                if not value.field.startswith(HIDDEN)
            )
            for record in lesson.records
        )
        right += (read & labelled).total()
        found += read.total()
        true += labelled.total()
    return 2 * right / (found + true) if found + true else 0.0


def _key(mask: Mask, record: Sequence[Candidate]) -> frozenset[tuple[str, int, int]]:
    return frozenset(
        (mask.fields[each.field].name, each.first, each.last)
        for each in record
        if mask.fields[each.field].shown
    )
