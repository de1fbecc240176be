"""Verify: does a wrapper still read pages as it did while it was right?

Section 5 of Meng, Hu, Li 2003 names what to compare: numeric features of the values (Kushmerick), patterns of their beginnings
and ends (Lerman, Minton), annotations. Values are pooled over all pages given, so that a window of
pages judges more surely than one page; a feature raises an alarm only where it lies outside what the healthy
values themselves vary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..page import Page
from .evidence import Reason, field_reasons, page_reasons, unfit
from .health import kept_health, read
from .record_evidence import record_reasons

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..wrapper import Extraction, Wrapper
    from .health import Health, Reading

__all__ = ["Glance", "Reason", "Verdict", "glance", "judge", "plainly_wrong", "verify"]

_LEAST_KNOWN = 3
_VALUES_GLANCED_AT = 5
_USUAL = 0.5
_ALWAYS = 0.9
_PLAINLY = 1 / 3
_BY_CHANCE = 0.05  # of many fields, one may stand out without a reason
_FEW_RECORDS = 3  # so few say nothing about a single field


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a wrapper still fits: ``ok``, a ``score`` from 0 to 1, and why not."""

    ok: bool
    score: float
    reasons: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.ok:
            return f"ok ({self.score:.2f})"
        return f"no longer fits ({self.score:.2f}): " + "; ".join(map(str, self.reasons))


def verify(wrapper: Wrapper, pages: Page | Iterable[Page]) -> Verdict:
    """Judge a wrapper by what it reads from pages, against its health."""
    window = [pages] if isinstance(pages, Page) else pages
    return judge(kept_health(wrapper), [read(wrapper, page) for page in window])


def judge(health: Health, readings: Sequence[Reading]) -> Verdict:
    """Judge readings against the health of the wrapper they were read with."""
    if not readings:
        return Verdict(True, 1.0)
    reasons = page_reasons(health, readings)
    records = sum(len(reading.extraction.records) for reading in readings)
    if records:
        for name in health.fields:
            reasons += field_reasons(name, health, readings)
        reasons += record_reasons(health, readings)
    doubtful = {reason.field: False for reason in reasons if reason.in_place}
    doubtful |= {reason.field: True for reason in reasons if not (reason.in_place or reason.sure)}
    # Of the fields that stand where they stood, one may be about other things now.
    doubts = sum(doubtful.values()) + max(0, list(doubtful.values()).count(False) - 1)
    ok = doubts <= _allowed(health, records) and not any(r.sure for r in reasons)
    return Verdict(ok, _score(health, reasons), tuple(reasons))


def _allowed(health: Health, records: int) -> float:
    """How many fields may stand out by chance: on a page about one thing, any value may be an odd one."""
    count = len(health.fields)
    share = max(_BY_CHANCE, _PLAINLY / math.sqrt(max(1, records)))
    return max(share * count, 1 if count > 1 and records < _FEW_RECORDS else 0)


def _score(health: Health, reasons: Sequence[Reason]) -> float:
    """What is left of the trust in a wrapper: the whole record counts in full, a field for its part."""
    whole = math.prod(1.0 - reason.weight for reason in reasons if not reason.field)
    worst: dict[str, float] = {}
    for reason in reasons:
        if reason.field:
            worst[reason.field] = max(worst.get(reason.field, 0.0), reason.weight)
    return round(whole * (1.0 - sum(worst.values()) / max(1, len(health.fields))), 4)


def plainly_wrong(health: Health, extraction: Extraction) -> bool:
    """Whether one page's values are so unlike healthy ones that the page must be of another design."""
    return glance(health, extraction).is_plain


@dataclass(frozen=True, slots=True)
class Glance:
    """What one page's values show at once: the fields that could be judged, and those whose values are not their own."""

    judged: int
    odd: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """Whether so many fields are odd that the page must be of another design."""
        return self.judged > 0 and len(self.odd) > max(1, _PLAINLY * self.judged)


def glance(health: Health, extraction: Extraction) -> Glance:
    """Cheap enough for every page of a crawl: values only, and not where they stand."""
    seen: dict[str, list[str]] = {}
    for place in extraction.places:
        values = seen.setdefault(place.field, [])
        if len(values) < _VALUES_GLANCED_AT:
            values.append(place.value)
    judged, odd = 0, set()
    for name, field in health.fields.items():
        if field.share < _USUAL or field.profile.count < _LEAST_KNOWN:
            continue
        found = seen.get(name)
        if not found and (field.share < _ALWAYS or "." in name):
            # What some pages lack says nothing: without reviews there are no ratings, authors and dates either.
            continue
        judged += 1
        if not found or unfit(field, found):
            odd.add(name)
    return Glance(judged, frozenset(odd))
