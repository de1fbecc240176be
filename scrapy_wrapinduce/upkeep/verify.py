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
from .features import profile
from .health import echoes, kept_health, missed, read
from .likeness import aspects, fit, words_alike

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..wrapper import Extraction, Wrapper
    from .features import Profile
    from .health import FieldHealth, Health, Reading

_VALUES_JUDGED = 200
_UNSEEN = 0.15
_FEW = 0.5
_ALWAYS = 0.95
_MANY_RECORDS = 50
_LEAST_KNOWN = 3
_VALUES_GLANCED_AT = 5
_USUAL = 0.5
_PLAINLY = 1 / 3
_TO_COMPARE = 10  # values that make a profile of their own
_LEAST_SURE = 3.0  # standard errors
_LOST_COVERAGE = 0.5
_MISSED = 0.1
_LEAST_MISSED = 3
_BY_CHANCE = 0.05  # of many fields, one may stand out without a reason
_ECHOED = 0.8
_NO_ECHO = 0.3
_SURELY_ANOTHER = 0.35


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a wrapper is not trusted: the field (empty: the whole record), what was seen, how bad, from 0 to 1."""

    field: str
    evidence: str
    weight: float = 1.0

    def __str__(self) -> str:
        return f"{self.field}: {self.evidence}" if self.field else self.evidence


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
    reasons = _judge_pages(health, readings)
    if any(reading.extraction.records for reading in readings):
        for name, field in health.fields.items():
            reasons += _judge_field(name, field, health, readings)
        reasons += _judge_echoes(health, readings)
        reasons += _judge_missed(health, readings)
    fields = {reason.field for reason in reasons}
    ok = "" not in fields and len(fields) <= _BY_CHANCE * len(health.fields)
    return Verdict(ok, _score(health, reasons), tuple(reasons))


def _score(health: Health, reasons: Sequence[Reason]) -> float:
    """What is left of the trust in a wrapper: the whole record counts in full, a field for its part."""
    whole = math.prod(1.0 - reason.weight for reason in reasons if not reason.field)
    worst: dict[str, float] = {}
    for reason in reasons:
        if reason.field:
            worst[reason.field] = max(worst.get(reason.field, 0.0), reason.weight)
    return round(whole * (1.0 - sum(worst.values()) / max(1, len(health.fields))), 4)


def plainly_wrong(health: Health, extraction: Extraction) -> bool:
    """Whether one page's values are so unlike healthy ones that the page must be of another design.

    Cheap enough for every page of a crawl: values only, and not where they stand.
    """
    seen: dict[str, list[str]] = {}
    for place in extraction.places:
        values = seen.setdefault(place.field, [])
        if len(values) < _VALUES_GLANCED_AT:
            values.append(place.value)
    judged = wrong = 0
    for name, field in health.fields.items():
        if field.share < _USUAL or field.profile.count < _LEAST_KNOWN:
            continue
        judged += 1
        found = seen.get(name)
        wrong += not found or _unfit(field, found)
    return judged > 0 and wrong > max(1, _PLAINLY * judged)


def _unfit(field: FieldHealth, values: Sequence[str]) -> bool:
    """Whether values fit a field's profile worse than chance allows."""
    mean, deviation = field.fit
    count = max(1, field.profile.count)
    found = sum(fit(field.profile, value) for value in values) / len(values)
    # Healthy values were seen by the profile that they are measured with; new ones were not.
    doubt = _LEAST_SURE * deviation * math.sqrt(1 / len(values) + 1 / count)
    return found < mean - doubt - _UNSEEN - _FEW / math.sqrt(count)


def _judge_pages(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    empty = [r for r in readings if not r.extraction.records]
    usual = sum(not count for count in health.records) / max(1, len(health.records))
    share = len(empty) / len(readings)
    fell = share == 1 or share - usual > _doubt(usual, len(readings), health.pages)
    if fell and usual < 1:
        what = "no record found on the page"
        if len(readings) > 1:
            what = f"no record found on {len(empty)} of {len(readings)} pages"
        return [Reason("", what, min(1.0, share))]
    full = [r.extraction.coverage for r in readings if r.extraction.records]
    coverage = sum(full) / len(full) if full else 0.0
    if full and coverage < _LOST_COVERAGE * health.coverage:
        what = f"only {coverage:.0%} of the wrapper found its place, before {health.coverage:.0%}"
        return [Reason("", what, 1.0 - coverage)]
    return []


def _judge_field(
    name: str, field: FieldHealth, health: Health, readings: Sequence[Reading]
) -> list[Reason]:
    records = sum(len(r.extraction.records) for r in readings)
    shown = sum(reading.shown[name] for reading in readings)
    seen = [s for reading in readings for s in reading.sightings.get(name, ())]
    reasons = []
    share = shown / max(1, records)
    if _has_gone(field, share, records, sum(health.records)):
        what = f"in {share:.0%} of the records, before in {field.share:.0%}"
        reasons.append(Reason(name, what, min(1.0, field.share - share)))
    if not seen:
        return reasons
    healthy, now = field.profile, profile(seen)
    reasons += _judge_kind(name, healthy, now)
    if not reasons:
        reasons += _judge_values(name, field, now, [s.value for s in seen])
    if not reasons:
        reasons += _judge_annotation(name, healthy, now, health)
    return reasons


def _has_gone(field: FieldHealth, share: float, records: int, before: int) -> bool:
    """Whether a field is missing where it used to be.

    Pages that follow each other in a crawl are often of one kind, so that a field which some pages lack may be missing
    on all pages of a window.
    """
    if field.share < _ALWAYS:
        return not share and field.share >= _USUAL and records >= _MANY_RECORDS
    return field.share - share > _doubt(field.share, records, before)


def _judge_kind(name: str, healthy: Profile, now: Profile) -> list[Reason]:
    if healthy.kind != now.kind and now.kinds.get(healthy.kind, 0.0) < 0.5:
        return [Reason(name, f"now read from {now.kind}, before from {healthy.kind}")]
    return []


def _judge_values(
    name: str, field: FieldHealth, now: Profile, values: Sequence[str]
) -> list[Reason]:
    """Whether the values are of another kind: of other shapes, mixes and lengths than healthy ones."""
    healthy = field.profile
    sample = values[:: max(1, len(values) // _VALUES_JUDGED)]
    parts = aspects(healthy, now)
    another = len(values) >= _TO_COMPARE and min(parts["pairs"], parts["mix"]) < _SURELY_ANOTHER
    if healthy.count >= _LEAST_KNOWN and (another or _unfit(field, sample)):
        example = min(sample, key=lambda value: fit(healthy, value))
        what = f"values like {_short(example)!r}, before like {_short(_example(healthy))!r}"
        return [Reason(name, what, 1.0 - fit(healthy, example))]
    constant = len(values) >= _TO_COMPARE and len(set(values)) == 1
    if constant and healthy.distinct > 0.5 and healthy.count >= _TO_COMPARE:
        return [Reason(name, f"always {_short(values[0])!r}, before different values", 0.9)]
    return []


def _judge_annotation(name: str, healthy: Profile, now: Profile, health: Health) -> list[Reason]:
    """Whether the values now stand where the page announces another field."""
    before, after = healthy.annotations(), now.annotations()
    for relation, text in after.items():
        own = before.get(relation)
        if own is None or own == text or words_alike(own, text) > 0.5:
            continue
        for other, field in health.fields.items():
            if other != name and field.profile.annotations().get(relation) == text:
                what = f"now under {text!r}, which announces {other!r}; before under {own!r}"
                return [Reason(name, what, 0.9)]
    return []


def _judge_echoes(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether fields that shared a number in each record no longer do: then values of several records are mixed."""
    now = echoes([record for r in readings for record in r.extraction.records], least=0.0)
    for name, row in health.echoes.items():
        for other, usual in row.items():
            share = now.get(name, {}).get(other)
            if name < other and share is not None and usual >= _ECHOED and share < _NO_ECHO * usual:
                what = f"shares its number with {other!r} in {share:.0%} of the records, before {usual:.0%}"
                return [Reason(name, what, 1.0 - share)]
    return []


def _judge_missed(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether list pages show many more values of a field than were read: then records are missed."""
    if max(health.records, default=0) < _LEAST_MISSED:
        return []
    for name, field in health.fields.items():
        if field.missed is None:
            continue
        found = [missed(reading, name, field.profile) for reading in readings]
        count = sum(map(len, found))
        taken = sum(len(reading.sightings.get(name, ())) for reading in readings)
        usual = field.missed * max(len(readings), taken / max(1, field.profile.count))
        if count - usual > max(_LEAST_MISSED, _MISSED * taken, 2 * usual):
            example = next(value for values in found for value in values)
            what = f"{count} more values like {_short(example)!r} on the page than were read"
            return [Reason(name, what, count / (count + taken))]
    return []


def _doubt(share: float, seen: int, before: int) -> float:
    """How far a share may lie from the usual one by chance."""
    smooth = min(max(share, 1 / (before + 2)), 1 - 1 / (before + 2))
    error = math.sqrt(smooth * (1 - smooth) * (1 / max(1, seen) + 1 / max(1, before)))
    return max(0.1, _LEAST_SURE * error)


def _example(healthy: Profile) -> str:
    return healthy.known[0] if healthy.known else next(iter(healthy.shapes), "")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
