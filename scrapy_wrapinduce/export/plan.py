"""From a wrapper and sample pages to the selectors that read the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..errors import WrapinduceError
from ..page import Page
from ..wrapper import Wrapper
from .cases import Row, is_plain, page_rows
from .choose import choose
from .containers import find_container
from .dom import Document
from .rules import FieldRules, Plan

LEAST_SHARE = 0.5
RECORDS_ASKED = 80
REASONS_NAMED = 3


class CannotExport(WrapinduceError):
    """A wrapper cannot be turned into selectors; the message says why."""


def make_plan(wrapper: Wrapper, pages: Sequence[Page]) -> Plan:
    """Selectors for the fields of a wrapper, derived from what it reads on sample pages."""
    documents = [Document(page) for page in pages]
    extractions = [wrapper.extract(page) for page in pages]
    if not any(extraction.records for extraction in extractions):
        raise CannotExport(
            "the wrapper reads nothing on the sample pages: are they of its template?"
        )
    container = None
    if max(len(extraction.records) for extraction in extractions) > 1:
        found = find_container(documents, extractions)
        if found is None:
            raise CannotExport(
                "the records of the sample pages have no element of their own that a selector could find"
            )
        container, rows = found
    else:
        rows = page_rows(documents, extractions)
    fields: list[FieldRules] = []
    unexpressed: list[tuple[str, str]] = []
    for name in field_names(wrapper, rows):
        values = [row.values[name] for row in rows if name in row.values]
        if not values:
            unexpressed.append((name, "not on the sample pages"))
        elif not all(map(is_plain, values)):
            unexpressed.append((name, "holds nested records"))
        else:
            chosen = choose(name, [row.case(name) for row in _spread(rows)])
            if chosen.share < LEAST_SHARE:
                unexpressed.append(
                    (name, f"selectors give {chosen.equal} of {chosen.total} values")
                )
            else:
                fields.append(chosen)
    if not fields:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in unexpressed[:REASONS_NAMED])
        raise CannotExport(f"selectors can read none of the fields ({reasons})")
    required = () if container is None else _required(fields, rows)
    return Plan(tuple(fields), container, required, tuple(unexpressed))


def field_names(wrapper: Wrapper, rows: Sequence[Row]) -> list[str]:
    """The wrapper's fields, and those that only its records name."""
    return list(dict.fromkeys([*wrapper.fields, *(name for row in rows for name in row.values)]))


def _required(fields: Sequence[FieldRules], rows: Sequence[Row]) -> tuple[str, ...]:
    """The field that tells a record from other elements: one that every record has."""
    counts = Counter(name for row in rows for name in row.values)
    sure = [item.name for item in fields if item.share == 1 and counts[item.name] == len(rows)]
    return tuple(sure[:2])


def _spread(rows: Sequence[Row]) -> Sequence[Row]:
    """Some rows of all pages, where there are very many."""
    return rows[:: max(1, len(rows) // RECORDS_ASKED)] if len(rows) > RECORDS_ASKED else rows
