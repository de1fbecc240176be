"""Health: what a wrapper extracted while it was right, kept with it as plain data.

Made once, after learning, from the sample pages; saved in the wrapper's file under ``health``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..errors import InvalidWrapper, in_a_line
from ..labels import Span
from ..records.tree import tree_of
from .extent import usual_extent
from .features import Profile, count_of, profile, share_of, spread
from .likeness import fit_of_shape
from .sightings import Observer
from .unread import missed, rivals
from .values import marks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..page import Page
    from ..wrapper import Extraction, Place, Wrapper
    from .sightings import Sighting

VERSION = 1
_MOST_PAGES = 40
_MOST_FIELDS = 200
_MOST_RECORDS = 300
_MOST_ECHOING = 12
_ECHOING = 0.6
_LEAST_IN_LISTS = 2
_VALUES_FITTED = 40


@dataclass(frozen=True, slots=True)
class FieldHealth:
    """A field while the wrapper was right: its profile and how many records and pages showed it.

    ``missed`` is how many values of the same shape a page had besides those read; None where that says nothing.
    ``fit`` is how well its own values fit the profile: the mean and the deviation. ``rivals`` are what the pages
    call values of the same shape that are not the field's: "List price", where the field is "Our price".
    """

    profile: Profile
    share: float
    pages: float
    many: bool
    missed: int | None
    fit: tuple[float, float]
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """A wrapper while it was right. ``fields`` are in the order of the page.

    ``extent`` is how long the values of a page were together, where pages are about one thing each.
    """

    pages: int
    records: tuple[int, ...]
    coverage: float
    fields: dict[str, FieldHealth]
    echoes: dict[str, dict[str, float]]
    extent: tuple[float, float] | None = None

    def labels(self, least: int = 2) -> frozenset[str]:
        """What the pages call the fields; ``least`` as for :meth:`.Profile.annotations`."""
        profiles = (field.profile for field in self.fields.values())
        return frozenset(text for one in profiles for text in one.annotations(least).values())

    def to_dict(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "pages": self.pages,
            "records": list(self.records),
            "coverage": self.coverage,
            "echoes": self.echoes,
            "extent": self.extent,
            "fields": {
                name: {
                    "share": f.share,
                    "pages": f.pages,
                    "many": f.many,
                    "missed": f.missed,
                    "fit": f.fit,
                    "rivals": list(f.rivals),
                    **f.profile.to_dict(),
                }
                for name, f in self.fields.items()
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Health:
        return cls(
            count_of(data["pages"]),
            tuple(map(count_of, data["records"])),
            share_of(data["coverage"]),
            {
                str(name): FieldHealth(
                    Profile.from_dict(f),
                    share_of(f["share"]),
                    share_of(f["pages"]),
                    bool(f["many"]),
                    None if f["missed"] is None else count_of(f["missed"]),
                    (float(f["fit"][0]), float(f["fit"][1])),
                    tuple(map(str, f.get("rivals", ()))),
                )
                for name, f in data["fields"].items()
            },
            {
                str(name): {str(other): share_of(share) for other, share in row.items()}
                for name, row in data["echoes"].items()
            },
            (float(data["extent"][0]), float(data["extent"][1])) if data.get("extent") else None,
        )


@dataclass(frozen=True)
class Reading:
    """What a wrapper read from one page, its values with their surroundings.

    Without the page, values that were missed cannot be looked for.
    """

    page: Page | None
    extraction: Extraction
    sightings: dict[str, list[Sighting]]
    shown: Counter[str]


def read(wrapper: Wrapper, page: Page) -> Reading:
    """Extract a page and look at where each value stands."""
    return look(page, wrapper.extract(page))


def look(page: Page, extraction: Extraction, most: int | None = None) -> Reading:
    """Look at where extracted values stand; at no more than ``most`` values of each field."""
    observer = Observer(tree_of(page))
    found: dict[str, list[Sighting]] = {}
    for field, value, span in _whole_values(extraction):
        seen = len(found.get(field, ()))
        if (seen or len(found) < _MOST_FIELDS) and (most is None or seen < most):
            found.setdefault(field, []).append(observer.see(span, value))
    shown = Counter(field for _, field in {(p.record, p.field) for p in extraction.places})
    return Reading(page, extraction, found, shown)


def kept_health(wrapper: Wrapper) -> Health:
    """The health that a wrapper carries; raises :class:`InvalidWrapper` where it has none."""
    if wrapper.health is None:
        raise InvalidWrapper(
            "the wrapper does not know what it read while it was right: learn it again, or give it pages "
            "that it reads right with health_of"
        )
    try:
        return Health.from_dict(wrapper.health)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InvalidWrapper(in_a_line(f"the wrapper's health is broken: {error!r}")) from error


def health_of(wrapper: Wrapper, pages: Sequence[Page]) -> Health:
    """The health of a wrapper that reads these pages right."""
    return sum_up([read(wrapper, page) for page in pages[:_MOST_PAGES]])


def sum_up(readings: Sequence[Reading]) -> Health:
    """The health that readings of several pages show together."""
    total = sum(len(reading.extraction.records) for reading in readings)
    names: dict[str, list[int]] = {}
    for reading in readings:
        for name, seen in reading.sightings.items():
            names.setdefault(name, []).extend(s.start for s in seen[:1])
    order = sorted(names, key=lambda name: sum(names[name]) / len(names[name]))
    fields = {}
    for name in order:
        seen = [s for reading in readings for s in reading.sightings.get(name, ())]
        shown = [reading.shown[name] for reading in readings]
        known = replace(profile(seen), recurring=_recurring(readings, name))
        telling = known.rigid and known.kind == "text" and total > _LEAST_IN_LISTS * len(readings)
        fields[name] = FieldHealth(
            known,
            round(sum(shown) / max(1, total), 4),
            round(sum(map(bool, shown)) / max(1, len(readings)), 4),
            any(_is_many(reading.extraction, name) for reading in readings),
            max(len(missed(reading, name, known)) for reading in readings) if telling else None,
            _usual_fit(known),
            rivals(readings, name, known) if known.rigid and known.kind == "text" else (),
        )
    counts = tuple(len(reading.extraction.records) for reading in readings)
    profiles = {name: field.profile for name, field in fields.items()}
    single = max(counts, default=0) <= 1
    coverage = sum(r.extraction.coverage for r in readings) / max(1, len(readings))
    return Health(
        len(readings),
        counts,
        round(coverage, 4),
        fields,
        echoes([record for r in readings for record in r.extraction.records]),
        usual_extent(profiles, [r.sightings for r in readings]) if single else None,
    )


def _recurring(readings: Sequence[Reading], name: str) -> float:
    """The share of a field's values that other pages have too; of one page, that it has more than once.

    What all records of one page have in common says nothing about the next.
    """
    pages = [[s.value for s in reading.sightings.get(name, ())] for reading in readings]
    pages = [list(dict.fromkeys(values)) for values in pages] if len(pages) > 1 else pages
    counts = Counter(value for values in pages for value in values)
    again = sum(count for count in counts.values() if count > 1)
    return round(again / max(1, counts.total()), 4)


def _usual_fit(known: Profile) -> tuple[float, float]:
    return spread([fit_of_shape(known, value) for value in known.known[:_VALUES_FITTED]])


def echoes(
    records: Sequence[Mapping[str, Any]], least: float = _ECHOING
) -> dict[str, dict[str, float]]:
    """Fields that share a number or code in most records, as an address often repeats its record's number."""
    together: Counter[tuple[str, str]] = Counter()
    shared: Counter[tuple[str, str]] = Counter()
    for record in records[:_MOST_RECORDS]:
        found = [(name, marks(value)) for name, value in record.items() if isinstance(value, str)]
        for pair in combinations(found[:_MOST_ECHOING], 2):
            key = (pair[0][0], pair[1][0])
            together[key] += 1
            shared[key] += not pair[0][1].isdisjoint(pair[1][1])
    table: dict[str, dict[str, float]] = {}
    for (one, other), count in shared.items():
        share = round(count / together[one, other], 4)
        if share >= least:
            table.setdefault(one, {})[other] = share
            table.setdefault(other, {})[one] = share
    return table


def _whole_values(extraction: Extraction) -> list[tuple[str, str, Span]]:
    """The values in page order; one that was read from several texts is one value."""
    joined: dict[tuple[int, str], list[Place]] = {}
    for place in extraction.places:
        joined.setdefault((place.record, place.field), []).append(place)
    found = []
    for (record, field), places in joined.items():
        value = extraction.records[record].get(field) if record < len(extraction.records) else None
        if isinstance(value, str) and len(places) > 1:
            span = Span(min(p.start for p in places), max(p.end for p in places))
            found.append((field, value, span))
        else:
            found += [(field, p.value, Span(p.start, p.end)) for p in places]
    return found


def _is_many(extraction: Extraction, field: str) -> bool:
    return any(isinstance(record.get(field), list) for record in extraction.records)
