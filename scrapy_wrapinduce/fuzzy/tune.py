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
from .candidates import Candidate
from .learn import Lesson, with_zone
from .mask import Mask, Thresholds
from .read import Sighting, decide, look

_VALUE = (0.45, 0.3)
_RECORD = (0.15, 0.35)
_REPEAT = (0.2, 1.0)
_WORTH_IT = 0.002


def tuned(mask: Mask, lessons: Sequence[Lesson]) -> Mask:
    """The mask with the thresholds, and if need be the zone, that suit its lessons."""
    best, score = _best_thresholds(mask, lessons)
    if score < 1.0:
        zoned, zoned_score = _best_thresholds(with_zone(mask, lessons), lessons)
        if zoned_score > score + _WORTH_IT:
            return zoned
    return best


def _best_thresholds(mask: Mask, lessons: Sequence[Lesson]) -> tuple[Mask, float]:
    sightings = [
        look(mask, Region(lesson.page.page, 0, len(lesson.page.page.html))) for lesson in lessons
    ]
    best, best_score = mask, -1.0
    for repeat, record, value in product(_REPEAT, _RECORD, _VALUE):
        tried = replace(mask, thresholds=Thresholds(value, record, repeat))
        score = _score(tried, lessons, sightings)
        if score > best_score + _WORTH_IT:
            best, best_score = tried, score
        if best_score == 1.0:
            break
    return best, best_score


def _score(mask: Mask, lessons: Sequence[Lesson], sightings: Sequence[Sighting]) -> float:
    """F of whole records."""
    right = found = true = 0
    for lesson, sighting in zip(lessons, sightings, strict=True):
        read = Counter(_key(mask, record) for record in decide(mask, sighting))
        labelled = Counter(
            frozenset((value.field, value.first, value.last) for value in record)
            for record in lesson.records
        )
        right += (read & labelled).total()
        found += read.total()
        true += labelled.total()
    return 2 * right / (found + true) if found + true else 0.0


def _key(mask: Mask, record: Sequence[Candidate]) -> frozenset[tuple[str, int, int]]:
    return frozenset((mask.fields[each.field].name, each.first, each.last) for each in record)
