"""Fuzzy masks: records with missing, moved, repeated and mistyped attributes."""

from __future__ import annotations

from collections.abc import Sequence

from ..labels import LabelledPage
from .background import with_background
from .learn import learn_mask
from .lessons import lessons_of
from .rescue import LastResort, learn_last_resort
from .tune import tuned
from .wrapper import FuzzyPlace, FuzzyWrapper, read_records

__all__ = [
    "FuzzyPlace",
    "FuzzyWrapper",
    "LastResort",
    "learn",
    "learn_last_resort",
    "read_records",
]


def learn(pages: Sequence[LabelledPage], most: int | None = None) -> FuzzyWrapper:
    """A wrapper from labelled pages; raises :class:`~scrapy_wrapinduce.CannotInduce` with the reason.

    ``most`` limits the records of a page that it learns from, and with them the time.
    """
    lessons = with_background(lessons_of(pages, most))
    return FuzzyWrapper(tuned(learn_mask(lessons), lessons, zoned=most is None))
