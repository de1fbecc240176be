"""What speaks against whole records, though each field by itself looks right (Meng, Hu, Li 2003, section 5).

Records that are all one, a value in every field, numbers that fields no longer share, records that were missed; :mod:`.misnamed` adds
fields that stand under each other's labels.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .evidence import Reason, chance_of_so_few, short
from .extent import beyond
from .health import echoes
from .misnamed import misnamed
from .unread import missed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .health import Health, Reading

_TO_COMPARE = 10  # values that make a profile of their own
_MISSED = 0.1
_LEAST_MISSED = 3
_ECHOED = 0.8
_NO_ECHO = 0.3
_BY_CHANCE = 0.001
_TO_REPEAT = 5  # records that are all the same
_ALL_DIFFERENT = 0.9
_LEAST_ALIKE = 3


def record_reasons(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """What speaks against whole records, though each field looks right."""
    return (
        _same_in_all_fields(health, readings)
        + _one_for_all(health, readings)
        + _cut_or_grown(health, readings)
        + misnamed(health, readings)
        + _without_echoes(health, readings)
        + _missing_records(health, readings)
    )


def _same_in_all_fields(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether one value stands in most fields of a record: a placeholder, and not what was asked for."""
    known = {name: set(field.profile.known) for name, field in health.fields.items()}
    records = [r for reading in readings for r in reading.extraction.records]
    same: Counter[str] = Counter()
    for record in records:
        values = {n: v for n, v in record.items() if isinstance(v, str) and n in known}
        value, count = Counter(values.values()).most_common(1)[0] if values else ("", 0)
        new = sum(v == value and v not in known[n] for n, v in values.items())
        if count >= _LEAST_ALIKE and 2 * new > len(values):
            same[value] += 1
    if 2 * same.total() <= len(records):
        return []
    what = f"{short(same.most_common(1)[0][0])!r} stands in most fields of a record"
    return [Reason("", what, same.total() / len(records), sure=True)]


def _one_for_all(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether all records are one: pages from a cache that went wrong.

    Pages that follow each other may have a field in common, but not all of those that never were the same.
    """
    records = [r for reading in readings for r in reading.extraction.records]
    different = [
        name
        for name, field in health.fields.items()
        if field.profile.distinct >= _ALL_DIFFERENT and field.profile.count >= _TO_COMPARE
    ]
    if len(records) < _TO_REPEAT or not different:
        return []
    first = [records[0].get(name) for name in different]
    if not any(first) or any([r.get(name) for name in different] != first for r in records):
        return []
    return [Reason("", f"the same record {len(records)} times", sure=True)]


def _cut_or_grown(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether the values of all fields together are shorter or longer than those of a page ever were."""
    if health.extent is None:
        return []
    profiles = {name: field.profile for name, field in health.fields.items()}
    far = beyond(health.extent, profiles, [reading.sightings for reading in readings], health.pages)
    if not far:
        return []
    what = f"the values of a page are all {'longer' if far > 0 else 'shorter'} than before"
    return [Reason("", f"{what} ({abs(far):.1f} standard deviations)", 0.5, sure=True)]


def _without_echoes(health: Health, readings: Sequence[Reading]) -> list[Reason]:
    """Whether fields that shared a number in each record no longer do: then values of several records are mixed."""
    records = [record for r in readings for record in r.extraction.records]
    now = echoes(records, least=0.0)
    for name, row in health.echoes.items():
        for other, usual in row.items():
            share = now.get(name, {}).get(other)
            if name > other or share is None or usual < _ECHOED or share >= _NO_ECHO * usual:
                continue
            both = sum(name in record and other in record for record in records)
            chance = chance_of_so_few(round(share * both), both, usual, sum(health.records))
            if chance < _BY_CHANCE:
                what = f"shares its number with {other!r} in {share:.0%} of the records, before {usual:.0%}"
                return [Reason(name, what, 1.0 - share, sure=True)]
    return []


def _missing_records(health: Health, readings: Sequence[Reading]) -> list[Reason]:
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
            what = f"{count} more values like {short(example)!r} on the page than were read"
            return [Reason(name, what, count / (count + taken), sure=True)]
    return []
