"""Item recovery on pages that are about one thing each (Meng, Hu, Li 2003, section 3.2, with pages for blocks).

Here every page is one semantic block, so that a field is a place that holds one value on each page. Places are
compared with fields over all changed pages together; the surest pairs are taken first, and no value is used twice. Of places that are
about as likely, the one between the field's old neighbours is taken.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from .candidates import Candidate, Columns
from .features import profile
from .likeness import called, fit, likeness, named_as_rival
from .sightings import Observer

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..labels import Span
    from ..records.tree import Tree
    from .candidates import Key
    from .health import FieldHealth, Health

_PLACES_COMPARED = 40
_LEAST_LIKENESS = 0.35
_CALLED = 0.1
_RIVAL = 0.75
_NEIGHBOUR = 0.04
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
    patterns = {
        pattern
        for field in fields.values()
        if field.profile.rigid and field.profile.kind == "text"
        for pattern in field.profile.patterns
    }
    by_key: dict[Key, Place] = defaultdict(lambda: [[] for _ in trees])
    for number, tree in enumerate(trees):
        columns = Columns(tree, labels, patterns, every_rank=True)
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
    first = _chosen(offers, taken)
    order = list(health.fields)
    stand = {**settled, **first}
    offers = [
        (alike + _NEIGHBOUR * _between_neighbours(order, name, place, stand), name, place)
        for alike, name, place in offers
    ]
    for name, place in _chosen(offers, taken).items():
        _take(name, place, found, taken)
    return found


def _chosen(
    offers: Sequence[tuple[float, str, Place]], taken: Collection[tuple[int, Span]]
) -> dict[str, Place]:
    """One place per field, the surest first; none is used twice."""
    used = set(taken)
    done: dict[str, Place] = {}
    for _, name, place in sorted(offers, key=lambda offer: -offer[0]):
        spans = {(number, c.span) for number, row in enumerate(place) for c in row}
        if name not in done and used.isdisjoint(spans):
            done[name] = place
            used |= spans
    return done


def _between_neighbours(
    order: Sequence[str],
    name: str,
    place: Place,
    stand: Mapping[str, Sequence[Sequence[Candidate]]],
) -> float:
    """The share of a field's neighbours that stand on the side of it where they stood before."""
    at = order.index(name)
    sides = [
        (other, side) for other, side in ((at - 1, -1), (at + 1, 1)) if 0 <= other < len(order)
    ]
    kept = []
    for other, side in sides:
        for row, rows in zip(place, stand.get(order[other], ()), strict=False):
            if row and rows:
                kept.append((rows[0].span.start - row[0].span.start) * side > 0)
    return sum(kept) / len(kept) if kept else 0.0


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
