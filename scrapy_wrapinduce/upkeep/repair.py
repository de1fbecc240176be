"""Repair: carry a wrapper over to changed pages (Meng, Hu, Li 2003, section 3).

Four steps: the features kept while the wrapper was healthy, item recovery on the new pages, semantic blocks, and
re-induction from these. The new wrapper must read the pages it was made for as the old one read its own, field
by field, before it takes the old one's place; else :class:`CannotRepair` says what is not sure.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CannotInduce, CannotRepair
from ..labels import Span
from ..landmark.wrapper import LandmarkWrapper
from ..page import Page
from .candidates import Candidate
from .evidence import chance_of_so_few
from .features import profile
from .health import echoes, kept_health, read, sum_up
from .likeness import likeness
from .reinduce import FAITHFUL, Settled, Taught, attempts, induced, induced_single, where
from .unread import missed
from .verify import Verdict, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..wrapper import Wrapper
    from .health import FieldHealth, Health, Reading

_SURE = 0.3
_SURE_OF_ATTRIBUTES = 0.2  # an address may change in every part
_USUAL = 0.5
_ECHO = 0.3
# Below this mean confidence, pages are about other things than those of the wrapper, unless of most fields it is high:
# a new design may lack many boxes of the frame.
_SAME_THINGS = 0.55
_SAME_PARTS, _SURELY_SAME = 0.5, 0.7
_BY_CHANCE = 0.05
_SAME_HEADINGS = 0.5
_SURER = 0.2  # where fields may be left out, those that are kept must be surer
_AS_OFTEN = 0.8


@dataclass(frozen=True)
class Repair:
    """A repaired wrapper and how sure each of its fields is, from 0 to 1.

    ``verdict`` is how the old wrapper's health judges what the new one reads: what is still not as it was.
    """

    wrapper: Wrapper
    confidence: dict[str, float]
    verdict: Verdict
    worth: float = 1.0
    complete: bool = True


def repair(wrapper: Wrapper, changed: Page | Iterable[Page], *, every_field: bool = True) -> Repair:
    """A wrapper of the same fields for the changed pages.

    Without ``every_field``, fields that are not sure are left out, as long as most are sure.
    """
    pages = [changed] if isinstance(changed, Page) else list(changed)
    if not pages:
        raise CannotRepair("there are no pages to repair the wrapper from")
    health = kept_health(wrapper)
    readings = [read(wrapper, page) for page in pages]
    verdict = judge(health, readings)
    if verdict.ok:
        return Repair(wrapper, dict.fromkeys(health.fields, 1.0), verdict)
    if not health.fields:
        raise CannotRepair("the wrapper read nothing while it was healthy: learn it again")
    if wrapper.family == "sections":
        return _relearned_sections(pages, health)
    if max(health.records, default=0) <= 1:
        settled = _settled(health, readings, verdict)
        rules = wrapper.attributes if isinstance(wrapper, LandmarkWrapper) else ()
        taught = induced_single(pages, health, settled, every_field, rules)
        return _verified(_accepted(taught, pages, health, every_field), verdict, pages)
    accepted: list[Repair] = []
    failed: CannotInduce | CannotRepair | None = None
    for attempt in attempts(pages, health):
        try:
            accepted.append(_accepted(induced(attempt), pages, health, every_field))
            if accepted[-1].complete:
                break
        except (CannotInduce, CannotRepair) as error:
            failed = failed or error
    if accepted:
        return _verified(max(accepted, key=lambda one: one.worth), verdict, pages)
    if failed is None:
        raise CannotRepair(f"{where(pages)}: nothing on the page looks like the fields' values")
    raise CannotRepair(str(failed)) from failed


def _verified(repaired: Repair, before: Verdict, pages: Sequence[Page]) -> Repair:
    """A repaired wrapper, where it reads the pages better than the one it replaces."""
    if repaired.verdict.ok or repaired.verdict.score > before.score:
        return repaired
    why = "; ".join(map(str, repaired.verdict.reasons[:3]))
    raise CannotRepair(
        f"{where(pages)}: a repaired wrapper would read the pages no better than the old one ({why}); "
        f"give an example"
    )


def _relearned_sections(pages: Sequence[Page], health: Health) -> Repair:
    """A document's fields are named by its own headings: they are found again by learning, and compared by name."""
    from ..sections import learn

    try:
        wrapper = learn(pages)
    except CannotInduce as error:
        raise CannotRepair(f"{where(pages)}: {error}") from error
    readings = [read(wrapper, page) for page in pages]
    now = {_heading(name) for reading in readings for name in reading.sightings}
    usual = [name for name, field in health.fields.items() if field.pages >= _USUAL]
    confidence = {name: float(_heading(name) in now) for name in health.fields}
    kept = sum(confidence[name] for name in usual)
    if kept < _SAME_HEADINGS * len(usual):
        raise CannotRepair(
            f"{where(pages)}: only {kept:.0f} of the {len(usual)} usual headings are still on the pages"
        )
    share = kept / max(1, len(usual))
    verdict = judge(health, readings)
    return Repair(wrapper.with_health(sum_up(readings).to_dict()), confidence, verdict, share)


def _heading(path: str) -> str:
    return path.rpartition(".")[2].strip(" :").lower()


def _settled(health: Health, readings: Sequence[Reading], verdict: Verdict) -> Settled:
    """The values of fields that the old wrapper still reads as before; only the others have to be found."""
    doubtful = {reason.field for reason in verdict.reasons if not reason.in_place}
    settled: Settled = {}
    for name, field in health.fields.items():
        rows = [reading.sightings.get(name, []) for reading in readings]
        shown = sum(map(bool, rows)) / len(rows)
        if name not in doubtful and shown and shown >= _AS_OFTEN * field.pages:
            settled[name] = [
                [Candidate(s.value, Span(s.start, s.end), s.item, s.kind) for s in row]
                for row in rows
            ]
    return settled


def _accepted(taught: Taught, pages: Sequence[Page], health: Health, every_field: bool) -> Repair:
    """The new wrapper with its own health, where it reads the pages as the old one read its own."""
    wrapper, faith, misread, clear = taught
    readings = [read(wrapper, page) for page in pages]
    confidence = _confidence(health, readings)
    usual = [name for name, field in health.fields.items() if field.share >= _USUAL]
    more = 0.0 if every_field else _SURER
    unsure = [
        name
        for name, sure in confidence.items()
        if name in misread
        or not _is_sure(health.fields[name], sure - (0.0 if name in clear else more))
    ]
    lost = [name for name in usual if name in unsure]
    if lost and (every_field or not _same_things(health, readings, unsure, confidence)):
        raise CannotRepair(
            f"{where(pages)}: no values on the page are sure to be those of field {lost[0]!r} "
            f"(confidence {confidence[lost[0]]:.2f}); give an example"
        )
    if unsure:
        wrapper = wrapper.without_fields([*unsure, *_unsure_lists(confidence, unsure)])
        readings = [read(wrapper, page) for page in pages]
    mean = sum(confidence.values()) / len(confidence)
    missing = _missed_share(health, readings)
    return Repair(
        wrapper.with_health(sum_up(readings).to_dict()),
        {name: sure for name, sure in confidence.items() if name not in unsure},
        judge(health, readings),
        mean * faith * (1.0 - missing),
        faith >= FAITHFUL and missing <= 1 - FAITHFUL,
    )


def _same_things(
    health: Health,
    readings: Sequence[Reading],
    unsure: Sequence[str],
    confidence: Mapping[str, float],
) -> bool:
    """Whether pages are about what the wrapper's were, though some fields are gone.

    A list inside the record is one of its parts, however many fields its records have. An optional field that so few pages
    may all lack by chance does not count.
    """
    counted = [
        name
        for name, field in health.fields.items()
        if field.share >= _USUAL
        and (
            confidence[name] > 0
            or chance_of_so_few(0, len(readings), field.pages, health.pages) < _BY_CHANCE
        )
    ]
    parts = Counter(map(_part, counted))
    weights = {name: 1 / parts[_part(name)] for name in counted if name not in unsure}
    kept = sum(weights.values())
    sure = sum(confidence[name] * weight for name, weight in weights.items())
    half = kept >= _SAME_PARTS * len(parts) and sure >= _SURELY_SAME * kept
    return half or sure >= _SAME_THINGS * len(parts)


def _part(name: str) -> str:
    return name.partition(".")[0]


def _unsure_lists(confidence: Mapping[str, float], unsure: Sequence[str]) -> list[str]:
    """Lists inside the record of whose fields most are not sure."""
    whole = Counter(_part(name) for name in confidence if "." in name)
    lost = Counter(_part(name) for name in unsure if "." in name)
    return [name for name, count in lost.items() if 2 * count > whole[name]]


def _is_sure(field: FieldHealth, confidence: float) -> bool:
    return confidence >= (_SURE if field.profile.kind == "text" else _SURE_OF_ATTRIBUTES)


def _confidence(health: Health, readings: Sequence[Reading]) -> dict[str, float]:
    """How alike the values are to healthy ones; numbers still shared with other fields speak for both."""
    echoed = echoes([record for r in readings for record in r.extraction.records])
    found = {}
    for name, field in health.fields.items():
        seen = [s for reading in readings for s in reading.sightings.get(name, ())]
        sure = likeness(field.profile, profile(seen)) if seen else 0.0
        if any(other in echoed.get(name, ()) for other in health.echoes.get(name, ())):
            sure += _ECHO
        found[name] = round(min(1.0, sure), 4)
    return found


def _missed_share(health: Health, readings: Sequence[Reading]) -> float:
    """The share of values of regular fields that stand on the pages and were not read."""
    shares = [0.0]
    for name, field in health.fields.items():
        if field.missed is None:
            continue
        lost = sum(len(missed(reading, name, field.profile)) for reading in readings)
        taken = sum(len(reading.sightings.get(name, ())) for reading in readings)
        shares.append(max(0, lost - field.missed) / max(1, lost + taken))
    return max(shares)
