"""Item recovery on pages that are about one thing each (Meng, Hu, Li 2003, section 3.2, with pages for blocks).

Here every page is one semantic block, so that a field is a place that holds one value on each page. Places are
compared with fields over all changed pages together; the surest pairs are taken first, and no value is used twice.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from .candidates import Candidate, Columns
from .features import profile
from .likeness import called, fit, likeness, named_as_rival
from .sightings import Observer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..labels import Span
    from ..records.tree import Tree
    from .candidates import Key
    from .health import FieldHealth, Health

_PLACES_COMPARED = 40
_LEAST_LIKENESS = 0.35
_CALLED = 0.1
_RIVAL = 0.75
_ON_EVERY_PAGE = 0.5  # what it weighs that a place is on about as many pages as the field was

Found = dict[str, list[Candidate]]
Place = list[list[Candidate]]  # the candidates of each page


def recover_single(
    trees: Sequence[Tree],
    health: Health,
    settled: Mapping[str, Sequence[Sequence[Candidate]]] | None = None,
) -> list[Found]:
    """Each page's values by field; a field whose place is not sure is left out.

    ``settled`` has the values of fields that the old wrapper still reads right, page by page.
    """
    settled = settled or {}
    fields = {name: field for name, field in health.fields.items() if name not in settled}
    found: list[Found] = [{} for _ in trees]
    taken: set[tuple[int, Span]] = set()
    for name, rows in settled.items():
        _take(name, rows, found, taken)
    kinds = {field.profile.kind for field in fields.values()}
    labels = {text for field in fields.values() for text in field.profile.annotations().values()}
    by_key: dict[Key, Place] = defaultdict(lambda: [[] for _ in trees])
    for number, tree in enumerate(trees):
        columns = Columns(tree, labels, every_rank=True)
        columns.fill(kinds)
        for key, column in columns.by_key.items():
            by_key[key][number] = column
    places = _distinct(list(by_key.values()))
    observers = [Observer(tree) for tree in trees]
    offers = [
        (alike, name, place)
        for name, field in fields.items()
        for alike, place in _ranked(name, field, places, observers)
    ]
    offers.sort(key=lambda offer: -offer[0])
    done: set[str] = set()
    for _, name, place in offers:
        spans = {(number, c.span) for number, row in enumerate(place) for c in row}
        if name not in done and taken.isdisjoint(spans):
            done.add(name)
            _take(name, place, found, taken)
    return found


def _take(
    name: str,
    place: Sequence[Sequence[Candidate]],
    found: Sequence[Found],
    taken: set[tuple[int, Span]],
) -> None:
    for number, values in enumerate(place):
        if values:
            found[number][name] = list(values)
            taken.update((number, candidate.span) for candidate in values)


def _distinct(places: Sequence[Place]) -> list[Place]:
    seen = set()
    kept = []
    for place in places:
        spans = tuple(tuple(c.span for c in row) for row in place)
        if spans not in seen:
            seen.add(spans)
            kept.append(place)
    return kept


def _ranked(
    name: str, field: FieldHealth, places: Sequence[Place], observers: Sequence[Observer]
) -> list[tuple[float, Place]]:
    healthy = field.profile
    quick = []
    for place in places:
        shown = [row for row in place if row]
        if shown[0][0].kind != healthy.kind:
            continue
        if not field.many and any(len(row) > 1 for row in shown):
            continue
        fits = [fit(healthy, c.value) for row in shown[:12] for c in row[:4]]
        quick.append((sum(fits) / len(fits) * _presence(field, place), place))
    quick.sort(key=lambda pair: -pair[0])
    ranked = []
    for _, place in quick[:_PLACES_COMPARED]:
        seen = [
            observer.see(c.span, c.value)
            for observer, row in zip(observers, place, strict=True)
            for c in row
        ]
        other = profile(seen)
        alike = likeness(healthy, other) + _CALLED * called(name, other)
        alike *= _presence(field, place)
        if named_as_rival(field.rivals, healthy, other):
            alike *= _RIVAL
        if alike >= _LEAST_LIKENESS:
            ranked.append((alike, place))
    return ranked


def _presence(field: FieldHealth, place: Place) -> float:
    share = sum(map(bool, place)) / len(place)
    return 1.0 - _ON_EVERY_PAGE * abs(field.pages - share)
