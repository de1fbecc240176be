"""The figures of a report: what each field is like over the pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..wrapper import Extraction, Wrapper

SAMPLES = 3


@dataclass(frozen=True, slots=True)
class FieldFigures:
    """One field: where it was found, how varied it is, and why it was missing."""

    name: str
    records: int
    of_records: int
    distinct: int
    samples: tuple[str, ...]
    failures: int
    reasons: tuple[tuple[str, int], ...]
    by_page: tuple[float, ...]  # share of a page's records that have it, page by page
    history: tuple[float, ...] = ()  # share of the records, run by run

    @property
    def coverage(self) -> float:
        return self.records / self.of_records if self.of_records else 0.0


def field_figures(names: Sequence[str], extractions: Sequence[Extraction]) -> list[FieldFigures]:
    """The figures of all fields, in order."""
    # A page that gave nothing counts as one record that is missing.
    expected = [max(1, len(extraction.records)) for extraction in extractions]
    figures = []
    for name in names:
        having = [
            sum(name in record for record in extraction.records) for extraction in extractions
        ]
        values = [
            text
            for extraction in extractions
            for record in extraction.records
            for text in texts_of(record.get(name))
        ]
        reasons = Counter(
            failure.reason
            for extraction in extractions
            for failure in extraction.failures
            if failure.what == name
        )
        figures.append(
            FieldFigures(
                name,
                sum(having),
                sum(expected),
                len(set(values)),
                tuple(dict.fromkeys(values))[:SAMPLES],
                sum(reasons.values()),
                tuple(reasons.most_common(SAMPLES)),
                tuple(count / of for count, of in zip(having, expected, strict=True)),
            )
        )
    return figures


def cleaned(wrapper: Wrapper, extractions: Sequence[Extraction]) -> list[Extraction]:
    """What was read as items have it."""
    return [
        Extraction(list(map(wrapper.clean, one.records)), one.coverage, one.failures, one.places)
        for one in extractions
    ]


def texts_of(value: Any) -> list[str]:
    """All texts in a value, however nested."""
    found: list[str] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending += reversed(list(item.values()))
        elif isinstance(item, list):
            pending += reversed(item)
        elif item is not None:
            found.append(str(item))
    return found


def all_fields(names: Sequence[str], extractions: Sequence[Extraction]) -> list[str]:
    """The wrapper's fields, and those that only its records name."""
    seen = (name for extraction in extractions for record in extraction.records for name in record)
    return list(dict.fromkeys([*names, *seen]))
