"""Fields that stand under the labels of others: two like columns that changed places (Meng, Hu, Li 2003, section 5).

"List price" and "Our price" have the same patterns, and only what the page calls them tells one from the other. A label alone may be
where an optional field has left a gap; fields that stand under each other's labels on one page, in a ring of two or more, have
changed places there. Other pages of the window may have other fields in such a ring, so that each page is looked at by itself.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .evidence import Reason
from .features import profile
from .likeness import words_alike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .features import Profile
    from .health import Health, Reading
    from .sightings import Sighting

_ALWAYS = 0.95
_LEAST_KNOWN = 3
_CONSTANT = 0.9
_TO_BE_SURE = 3  # pages
_OFTEN = 0.1  # of the pages of a window

Labels = dict[str, dict[str, str]]  # field → relation → label
Standing = dict[str, dict[str, str]]  # field → the fields whose label it stands under → that label


def misnamed(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Fields that stand under the label of another, page by page or on most pages."""
    labels: Labels = {
        name: field.profile.annotations()
        for name, field in health.fields.items()
        if field.profile.count >= _LEAST_KNOWN
    }
    found = _exchanged(health, readings, labels)
    named = {reason.field for reason in found}
    return found + [
        reason for reason in _displaced(health, readings, labels) if reason.field not in named
    ]


def _exchanged(health: Health, readings: Sequence[Reading], labels: Labels) -> list[Reason]:
    """Fields that on some pages stand under each other's labels."""
    owners: dict[tuple[str, str], list[str]] = {}
    for name, own in labels.items():
        usual = _usual(health.fields[name].profile)
        for relation, text in own.items():
            # A sign or a number may be the value next to it, unless it is always the same one.
            if any(map(str.isalpha, text)) or usual[relation][text] >= _CONSTANT:
                owners.setdefault((relation, text), []).append(name)
    pages: Counter[str] = Counter()
    examples: dict[str, tuple[str, str]] = {}
    for reading in readings:
        single = len(reading.extraction.records) <= 1
        standing: Standing = {}
        for name, seen in reading.sightings.items():
            if name in labels:
                now = _labels_on_page(seen, single=single)
                under = _under_others(health.fields[name].profile, labels[name], now, owners)
                under.pop(name, None)
                if under:
                    standing[name] = under
        for name, others in _rings(standing).items():
            pages[name] += 1
            examples.setdefault(name, next(iter(others.items())))
    reasons = []
    for name, count in pages.items():
        other, text = examples[name]
        before = next(iter(labels[name].values()), "")
        where = f" on {count} of {len(readings)} pages" if len(readings) > 1 else ""
        what = f"now under {text!r}{where}, which announces {other!r}; before under {before!r}"
        reasons.append(Reason(name, what, 0.9, sure=count >= _OFTEN * len(readings)))
    return reasons


def _labels_on_page(seen: Sequence[Sighting], *, single: bool) -> dict[str, str]:
    """What a page calls a field: of one record's values, what stands before the first; else what stands before most."""
    found = {}
    for relation in ("within", "before", "head"):
        texts = [getattr(sighting, relation) for sighting in (seen[:1] if single else seen)]
        text, count = Counter(texts).most_common(1)[0]
        if text and 2 * count > len(texts):
            found[relation] = text
    return found


def _under_others(
    healthy: Profile,
    own: Mapping[str, str],
    now: Mapping[str, str],
    owners: Mapping[tuple[str, str], Sequence[str]],
) -> dict[str, str]:
    """The fields whose label a field stands under, where it never stood under that label while all was right."""
    usual = _usual(healthy)
    return {
        other: text
        for relation, text in now.items()
        if relation in own and text not in usual[relation]
        for other in owners.get((relation, text), ())
    }


def _usual(healthy: Profile) -> dict[str, Mapping[str, float]]:
    return {"within": healthy.within, "before": healthy.before, "head": healthy.heads}


def _rings(standing: Standing) -> Standing:
    """The fields that stand under each other's labels, directly or around a ring."""
    ring = standing
    while True:
        announced = {other for others in ring.values() for other in others}
        kept = {
            name: {other: text for other, text in others.items() if other in ring}
            for name, others in ring.items()
            if name in announced
        }
        kept = {name: others for name, others in kept.items() if others}
        if kept == ring:
            return kept
        ring = kept


def _displaced(health: Health, readings: Sequence[Reading], labels: Labels) -> list[Reason]:
    """Fields that mostly stand under the label of another; sure where that one is nowhere, though it always was."""
    reasons = []
    for name in labels:
        seen = [s for reading in readings for s in reading.sightings.get(name, ())]
        found = _under_another_name(name, profile(seen), health, labels) if seen else None
        if found is None:
            continue
        other, text = found
        own = next(iter(labels[name].values()), "")
        displaced = (
            other != ""
            and health.fields[other].share >= _ALWAYS
            and not any(other in reading.sightings for reading in readings)
        )
        # A value that was never missing has left no gap for that of another on so many pages.
        settled = (
            other != ""
            and health.fields[name].share >= _ALWAYS
            and sum(name in reading.sightings for reading in readings) >= _TO_BE_SURE
        )
        if displaced or settled or words_alike(own, text) <= 0.5:
            whose = repr(other) if other else "other values"
            what = f"now under {text!r}, which announces {whose}; before under {own!r}"
            reasons.append(Reason(name, what, 0.9, sure=displaced or settled))
    return reasons


def _under_another_name(
    name: str, now: Profile, health: Health, labels: Labels
) -> tuple[str, str] | None:
    """The field whose label the values now stand under, and the label; without a name, if it is no field's."""
    for relation, text in now.annotations(least=1).items():
        own = labels[name].get(relation)
        if own is None or own == text:
            continue
        for other, others in labels.items():
            if other != name and others.get(relation) == text:
                return other, text
        if text in health.fields[name].rivals:
            return "", text
    return None
