"""What speaks against a wrapper, page by page and field by field: tests behind a verdict (Meng, Hu, Li 2003, section 5).

A reason is *sure* where it cannot be chance: records or whole columns are gone, a field stands under the name of another. Others, an
odd value or a missing one, are counted by :mod:`.verify`, which knows how many of them any page may have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .features import profile
from .likeness import aspects, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .features import Profile
    from .health import FieldHealth, Health, Reading

_VALUES_JUDGED = 200
_UNSEEN = 0.15
_FEW = 0.5
_ALWAYS = 0.95
_MANY_RECORDS = 50
_LEAST_KNOWN = 3
_USUAL = 0.5
_TO_COMPARE = 10  # values that make a profile of their own
_LEAST_SURE = 3.0  # standard errors
_LOST_COVERAGE = 0.5
_SURELY_ANOTHER = 0.35
_BY_CHANCE = 0.001
_NO_CHANCE = 1e-6
_LEAST_LOST = 0.1
_FEW_RECORDS = 3
_TRIES_COUNTED = 300
_DIFFERENT = 0.5
_LEAST_NEW = 3
_RECURRING = 0.8  # of the values occur again


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a wrapper is not trusted: the field (empty: the whole record), what was seen, how bad, from 0 to 1.

    ``in_place`` is a field that still stands under its own label: its values are odd, not its place.
    """

    field: str
    evidence: str
    weight: float = 1.0
    sure: bool = False
    in_place: bool = False

    def __str__(self) -> str:
        return f"{self.field}: {self.evidence}" if self.field else self.evidence


def page_reasons(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether pages have no records, or much less of the wrapper finds its place."""
    empty = [r for r in readings if not r.extraction.records]
    usual = sum(not count for count in health.records) / max(1, len(health.records))
    share = len(empty) / len(readings)
    fell = share == 1 or share - usual > _doubt(usual, len(readings), health.pages)
    if fell and usual < 1:
        what = "no record found on the page"
        if len(readings) > 1:
            what = f"no record found on {len(empty)} of {len(readings)} pages"
        return [Reason("", what, min(1.0, share), sure=True)]
    full = [r.extraction.coverage for r in readings if r.extraction.records]
    coverage = sum(full) / len(full) if full else 0.0
    if full and coverage < _LOST_COVERAGE * health.coverage:
        what = f"only {coverage:.0%} of the wrapper found its place, before {health.coverage:.0%}"
        return [Reason("", what, 1.0 - coverage, sure=True)]
    return []


def field_reasons(name: str, health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """What speaks against one field; the first evidence is enough."""
    field = health.fields[name]
    records = sum(len(r.extraction.records) for r in readings)
    shown = sum(reading.shown[name] for reading in readings)
    seen = [s for reading in readings for s in reading.sightings.get(name, ())]
    found = _gone(name, field, shown, records, sum(health.records))
    if found or not seen:
        return found
    healthy, now = field.profile, profile(seen)
    values = [sighting.value for sighting in seen]
    return (
        _of_another_kind(name, healthy, now)
        or _odd(name, field, now, values, shown)
        or _unheard_of(name, healthy, values, shown)
        or _always_the_same(name, healthy, values, shown)
    )


def unfit(field: FieldHealth, values: Sequence[str]) -> bool:
    """Whether values fit a field's profile worse than chance allows."""
    mean, deviation = field.fit
    count = max(1, field.profile.count)
    found = sum(fit(field.profile, value) for value in values) / len(values)
    # Healthy values were seen by the profile that they are measured with; new ones were not.
    doubt = _LEAST_SURE * deviation * math.sqrt(1 / len(values) + 1 / count)
    return found < mean - doubt - _UNSEEN - _FEW / math.sqrt(count)


def _gone(name: str, field: FieldHealth, shown: int, records: int, before: int) -> list[Reason]:
    """Whether a field is missing where it used to be.

    Pages that follow each other in a crawl are often of one kind, so that a field which some pages lack may be missing
    on all pages of a window.
    """
    share = shown / max(1, records)
    if field.share < _ALWAYS:
        gone = not shown and field.share >= _USUAL and records >= _MANY_RECORDS
        chance = 1.0
    else:
        chance = chance_of_so_few(shown, records, field.share, before)
        few = records < _FEW_RECORDS and not shown
        gone = few or (chance < _BY_CHANCE and field.share - share > _LEAST_LOST)
    if not gone:
        return []
    what = f"in {share:.0%} of the records, before in {field.share:.0%}"
    return [Reason(name, what, min(1.0, field.share - share), sure=chance < _NO_CHANCE)]


def _of_another_kind(name: str, healthy: Profile, now: Profile) -> list[Reason]:
    if healthy.kind != now.kind and now.kinds.get(healthy.kind, 0.0) < 0.5:
        what = f"now read from {now.kind}, before from {healthy.kind}"
        return [Reason(name, what, sure=True)]
    return []


def _odd(
    name: str, field: FieldHealth, now: Profile, values: Sequence[str], records: int
) -> list[Reason]:
    """Whether the values are of another kind: of other shapes, mixes and lengths than healthy ones."""
    healthy = field.profile
    if healthy.count < _LEAST_KNOWN:
        return []
    sample = values[:: max(1, len(values) // _VALUES_JUDGED)]
    parts = aspects(healthy, now)
    # Of a few words that recur, another one may be the usual one today.
    other_kind = min(parts["pairs"], parts["mix"]) < _SURELY_ANOTHER
    another = other_kind and records >= _TO_COMPARE and healthy.recurring < _RECURRING
    if not another and not unfit(field, sample):
        return []
    example = min(sample, key=lambda value: fit(healthy, value))
    what = f"values like {short(example)!r}, before like {short(_example(healthy))!r}"
    # Values of the same kind that only are too short or too long are cut off, or run together.
    labels = healthy.annotations().items() & now.annotations(least=1).items()
    in_place = other_kind and bool(labels)
    sure = another and not in_place
    return [Reason(name, what, 1.0 - fit(healthy, example), sure=sure, in_place=in_place)]


def _unheard_of(name: str, healthy: Profile, values: Sequence[str], records: int) -> list[Reason]:
    """Whether a field that had the same few values over and over has none of them now.

    A few that are new say nothing: there are new judges and makers all the time.
    """
    if healthy.recurring < _RECURRING or len(set(values)) < _LEAST_NEW:
        return []
    if not set(healthy.known).isdisjoint(values):
        return []
    chance = chance_of_so_few(0, records, healthy.recurring, healthy.count)
    if chance >= _BY_CHANCE:
        return []
    what = f"values like {short(values[0])!r}, none of those seen before"
    return [Reason(name, what, sure=chance < _NO_CHANCE)]


def _always_the_same(
    name: str, healthy: Profile, values: Sequence[str], records: int
) -> list[Reason]:
    if min(healthy.count, records) < _TO_COMPARE or healthy.distinct <= _DIFFERENT:
        return []
    if len(set(values)) > 1:
        return []
    what = f"always {short(values[0])!r}, before different values"
    return [Reason(name, what, 0.9, sure=True)]


def chance_of_so_few(hits: int, tries: int, usual: float, before: int) -> float:
    """How likely so few hits or fewer are by chance, where ``usual`` of ``before`` tries were hits.

    The beta-binomial law: what was seen before is itself only a sample.

    >>> chance_of_so_few(0, 1, 1.0, 20) > 0.02, chance_of_so_few(0, 5, 1.0, 20) < 0.00001
    (True, True)
    """
    if tries > _TRIES_COUNTED:
        hits, tries = round(hits * _TRIES_COUNTED / tries), _TRIES_COUNTED
    good, bad = usual * before + 0.5, (1 - usual) * before + 0.5
    whole = math.lgamma(good) + math.lgamma(bad) - math.lgamma(good + bad)
    total = 0.0
    for found in range(hits + 1):
        ways = math.lgamma(tries + 1) - math.lgamma(found + 1) - math.lgamma(tries - found + 1)
        odds = math.lgamma(found + good) + math.lgamma(tries - found + bad)
        total += math.exp(ways + odds - math.lgamma(tries + good + bad) - whole)
    return min(1.0, total)


def _doubt(share: float, seen: int, before: int) -> float:
    """How far a share may lie from the usual one by chance."""
    smooth = min(max(share, 1 / (before + 2)), 1 - 1 / (before + 2))
    error = math.sqrt(smooth * (1 - smooth) * (1 / max(1, seen) + 1 / max(1, before)))
    return max(0.1, _LEAST_SURE * error)


def _example(healthy: Profile) -> str:
    return healthy.known[0] if healthy.known else next(iter(healthy.shapes), "")


def short(text: str) -> str:
    """A value as a reason shows it."""
    return text if len(text) <= 40 else text[:37] + "..."
