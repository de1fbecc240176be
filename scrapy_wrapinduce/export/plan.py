"""From a wrapper and sample pages to the selectors that read the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from ..errors import WrapinduceError
from ..fields.values.clean import NOTHING, Cleaning
from ..page import Page
from ..wrapper import Wrapper
from .candidates import labels_above
from .cases import Row, Scope, is_list, is_plain, located, page_rows
from .choose import choose
from .containers import Listing, find_container
from .dom import Document
from .rules import FieldRules, ListRules, Plan, Record, Rules, elements, is_record, read_record

LEAST_SHARE = 0.5
RECORDS_ASKED = 80
REASONS_NAMED = 3
MOST_HEADS = 5
MOST_TELLING = 4  # fields of which those that tell a record from other elements are chosen


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
    planner = _Planner(wrapper.cleanings)
    container = None
    required: tuple[str, ...] = ()
    if max(len(extraction.records) for extraction in extractions) > 1:
        listings = [
            Listing(Scope(document, document.root), located(document, extraction))
            for document, extraction in zip(documents, extractions, strict=True)
        ]
        found = find_container(listings)
        if found is None:
            raise CannotExport(
                "the records of the sample pages have no element of their own that a selector could find"
            )
        container, rows = found
        fields = planner.fields(rows, wrapper.fields)
        # A value that is not of its type is left out of an item: such fields tell nothing.
        required = _sure([item for item in fields if item.name not in wrapper.types], rows)
    else:
        fields = planner.fields(page_rows(documents, extractions), wrapper.fields)
    if not fields:
        reasons = "; ".join(
            f"{name}: {reason}" for name, reason in planner.unexpressed[:REASONS_NAMED]
        )
        raise CannotExport(f"selectors can read none of the fields ({reasons})")
    types = {name: kind for name, kind in wrapper.types.items() if kind != "text"}
    return Plan(tuple(fields), container, required, tuple(planner.unexpressed), types)


@dataclass
class _Planner:
    """Finds the rules of fields and keeps what cannot be expressed."""

    cleanings: Mapping[str, Cleaning]
    unexpressed: list[tuple[str, str]] = field(default_factory=list)

    def fields(
        self, rows: Sequence[Row], names: Sequence[str] = (), prefix: str = ""
    ) -> list[Rules]:
        """The fields of records; ``names`` come first, whether the records have them or not."""
        found: list[Rules] = []
        for name in dict.fromkeys([*names, *(name for row in rows for name in row.values)]):
            path = f"{prefix}{name}"
            values = [row.values[name] for row in rows if name in row.values]
            if not values:
                self._leave_out(path, "not on the sample pages")
            elif all(map(is_list, values)):
                one = self._list(name, path, rows)
                found += [] if one is None else [one]
            elif not all(map(is_plain, values)):
                self._leave_out(path, "holds records in other ways than a list of them")
            else:
                chosen = choose(name, [row.case(name) for row in _spread(rows)])
                if chosen.share < LEAST_SHARE:
                    self._leave_out(path, f"selectors give {chosen.equal} of {chosen.total} values")
                else:
                    cleaning = self.cleanings.get(path, NOTHING)
                    found.append(replace(chosen, cleaning=cleaning))
        return found

    def _list(self, name: str, path: str, rows: Sequence[Row]) -> ListRules | None:
        """The rules of a list of records inside the records."""
        listings = [Listing(row.scope, row.record.lists.get(name, [])) for row in rows]
        having = [listing for listing in listings if listing.records]
        container = find_container(listings, labels_above(having))
        if container is None:
            self._leave_out(path, "its records have no element of their own")
            return None
        where, inner = container
        fields = self.fields(inner, prefix=f"{path}.")
        if not fields:
            self._leave_out(path, "selectors can read none of its fields")
            return None
        read = [
            [read_record(element, fields) for element in elements(row.scope.element, where)]
            for row in rows
        ]
        wanted = [row.values.get(name) for row in rows]
        required = _telling(fields, inner, read, wanted)
        heads = _heads(fields, [_kept(records, required) for records in read], wanted)
        one = ListRules(name, where, tuple(fields), required, heads)
        given = [one.read(row.scope.element) for row in rows]
        pairs = [(a, b) for a, b in zip(given, wanted, strict=True) if a or b]
        return replace(one, equal=sum(a == b for a, b in pairs), total=len(pairs))

    def _leave_out(self, path: str, reason: str) -> None:
        self.unexpressed.append((path, reason))


def _telling(
    fields: Sequence[Rules],
    rows: Sequence[Row],
    read: Sequence[Sequence[Record]],
    wanted: Sequence[Sequence[Record] | None],
) -> tuple[str, ...]:
    """The fields that tell a record from other elements: with them, the most lists are equal."""
    counts = Counter(name for row in rows for name in row.values)
    usual = [item.name for item in fields if counts[item.name] >= 0.9 * len(rows)]
    choices = [choice for size in range(3) for choice in combinations(usual[:MOST_TELLING], size)]

    def worth(choice: tuple[str, ...]) -> tuple[int, int]:
        given = [_kept(records, choice) for records in read]
        pairs = list(zip(given, wanted, strict=True))
        return (
            sum(a == (b or []) for a, b in pairs),
            sum(len(a) == len(b or ()) for a, b in pairs),
        )

    return max(choices, key=worth)


def _heads(
    fields: Sequence[Rules],
    read: Sequence[Sequence[Record]],
    wanted: Sequence[Sequence[Record] | None],
) -> dict[str, tuple[str, ...]]:
    """The field by which rows that are no records can be told, and what it says in them: heads, mostly."""
    others = [
        [one for one in records if one not in (real or ())]
        for records, real in zip(read, wanted, strict=True)
    ]
    several = sum(map(bool, others))
    for item in fields:
        real = {str(one.get(item.name)) for records in wanted for one in records or ()}
        seen = Counter(
            text for records in others for text in {str(one.get(item.name)) for one in records}
        )
        told = [text for text, count in seen.items() if count > 1 and text not in real]
        if told and len(told) <= MOST_HEADS and 2 * max(map(seen.__getitem__, told)) >= several:
            return {item.name: tuple(sorted(told))}
    return {}


def _kept(records: Sequence[Record], required: Sequence[str]) -> list[Record]:
    return [record for record in records if is_record(record, required)]


def _sure(fields: Sequence[Rules], rows: Sequence[Row]) -> tuple[str, ...]:
    """The fields that tell a record from other elements: those that every record has."""
    counts = Counter(name for row in rows for name in row.values)
    sure = [
        item.name
        for item in fields
        if isinstance(item, FieldRules) and item.share == 1 and counts[item.name] == len(rows)
    ]
    return tuple(sure[:2])


def _spread(rows: Sequence[Row]) -> Sequence[Row]:
    """Some rows of all pages, where there are very many."""
    return rows[:: max(1, len(rows) // RECORDS_ASKED)] if len(rows) > RECORDS_ASKED else rows
