"""Item recovery on pages that are about one thing each (Meng, Hu, Li 2003, section 3.2, with pages for blocks).

Here every page is one semantic block, so that a field is a place that holds one value on each page. Places are
compared with fields over all changed pages together; the surest pairs are taken first, and no value is used twice. Of places that are
about as likely, the one between the field's old neighbours is taken.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from .candidates import Candidate, Columns, captions, unranked
from .features import profile
from .likeness import are_labels, called, fit, likeness, named_as_rival
from .sightings import Observer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..labels import Span
    from ..records.tree import Tree
    from .candidates import Key
    from .features import Profile
    from .health import FieldHealth, Health

_PLACES_COMPARED = 40
_PAGES_COMPARED = 12
_VALUES_COMPARED = 4  # of a page
_LEAST_LIKENESS = 0.35
_CALLED = 0.1
_RIVAL = 0.75
_SIDE = 0.04  # what it weighs that neighbours stand on the side where they stood
_NEARNESS = 0.08  # and that one small element holds both
_NEAR_BY = 4.0  # other texts in it
_ONE_OF_MANY = 0.8
_FIRST_OF_MANY = 0.95
_AS_WELL = 0.8
_ON_EVERY_PAGE = 0.5  # what it weighs that a place is on about as many pages as the field was
_AS_MANY = 0.3  # and has about as many values there
_TIMES_GIVEN_WAY = 4
_GAIN = 0.01
_AS_BEFORE = 0.2  # for the place where the old wrapper reads values as before
_ALWAYS = 0.95
_CLEARLY = 0.06
_DOUBLED = 0.2  # on so few pages a place may have a second value by chance

Found = dict[str, list[Candidate]]
Place = list[list[Candidate]]  # the candidates of each page


def recover_single(
    trees: Sequence[Tree],
    health: Health,
    settled: Mapping[str, Place] | None = None,
) -> tuple[list[Found], frozenset[str]]:
    """Each page's values by field, without fields that have no place, and the fields that have only one.

    ``settled`` has the values of fields that the old wrapper still reads as before, page by page: what speaks for
    them, but they give way to fields that are surer of a place.
    """
    fields = health.fields
    kinds = {field.profile.kind for field in fields.values()}
    labels = health.labels()
    patterns = {
        pattern
        for field in fields.values()
        if field.profile.rigid and field.profile.kind == "text"
        for pattern in field.profile.patterns
    }
    called_here = captions(trees)
    by_key: dict[Key, Place] = defaultdict(lambda: [[] for _ in trees])
    for number, tree in enumerate(trees):
        # What stood before a single value may be another value, but then no page has it as a label.
        columns = Columns(tree, health.labels(least=1), patterns, called_here, every_rank=True)
        columns.fill(kinds)
        for key, column in columns.by_key.items():
            by_key[key][number] = column
    places = _distinct(by_key)
    observers = [Observer(tree) for tree in trees]
    offers = []
    for name in fields:
        sought = _Sought.of(name, health)
        free = [
            one for one in places if not are_labels(_values(one[0]), labels, sought.field.profile)
        ]
        offers += [(alike, name, place) for alike, place in _ranked(sought, free, observers)]
        if settled and name in settled:
            alike = sought.alike(settled[name], observers) + _AS_BEFORE
            offers.append((alike, name, settled[name]))
    order = list(fields)
    stand = _chosen(offers)
    offers = [
        (alike + _among_neighbours(order, name, place, stand, trees), name, place)
        for alike, name, place in offers
    ]
    found: list[Found] = [{} for _ in trees]
    chosen = _chosen(offers)
    for name, place in chosen.items():
        for number, values in enumerate(place):
            if values:
                found[number][name] = values
    return found, frozenset(name for name in chosen if _is_clear(name, chosen, offers, health))


def _is_clear(
    name: str,
    chosen: Mapping[str, Place],
    offers: Sequence[tuple[float, str, Place]],
    health: Health,
) -> bool:
    """Whether a field that was never missing is on all pages in one place, and any other is much less likely."""
    place = chosen[name]
    if health.fields[name].pages < _ALWAYS or not all(place):
        return False
    taken = {c.span for other, where in chosen.items() if other != name for c in where[0]}
    own = {c.span for c in place[0]}
    alike = max(worth for worth, field, where in offers if field == name and where is place)
    others = [
        worth
        for worth, field, where in offers
        if field == name and not any(c.span in own or c.span in taken for c in where[0])
    ]
    return alike >= max(others, default=0.0) + _CLEARLY


def _values(place: Place) -> list[str]:
    return [candidate.value for row in place for candidate in row]


def _chosen(offers: Sequence[tuple[float, str, Place]]) -> dict[str, Place]:
    """One place per field, the surest first; none is used twice.

    A field gives way where it has another place about as likely, and the one it stood in the way of has none.
    """
    choice = _Choice()
    by_field: dict[str, list[_Offer]] = defaultdict(list)
    for alike, name, place in sorted(offers, key=lambda offer: -offer[0]):
        spans = frozenset((number, c.span) for number, row in enumerate(place) for c in row)
        offer = _Offer(name, alike * alike, place, spans)
        by_field[name].append(offer)
        if name not in choice.made and choice.is_free(offer):
            choice.make(offer)
    for _ in range(_TIMES_GIVEN_WAY):
        given = [name for name, own in by_field.items() if choice.give_way(own, by_field)]
        if not given:
            break
    return {name: offer.place for name, offer in choice.made.items()}


@dataclass(frozen=True)
class _Offer:
    """A place that may be a field's; its worth grows faster than its likeness, so that what is sure comes first."""

    name: str
    worth: float
    place: Place
    spans: frozenset[tuple[int, Span]]


class _Choice:
    """Which place each field has."""

    def __init__(self) -> None:
        self.made: dict[str, _Offer] = {}
        self._owner: dict[tuple[int, Span], str] = {}

    def make(self, offer: _Offer) -> None:
        self.made[offer.name] = offer
        self._owner.update(dict.fromkeys(offer.spans, offer.name))

    def undo(self, name: str) -> None:
        offer = self.made.pop(name, None)
        for span in offer.spans if offer else ():
            del self._owner[span]

    def is_free(self, offer: _Offer) -> bool:
        return not any(self._owner.get(span, offer.name) != offer.name for span in offer.spans)

    def give_way(self, own: Sequence[_Offer], by_field: Mapping[str, Sequence[_Offer]]) -> bool:
        """Give a field the best place that costs the others less than it gains; whether there was one."""
        for offer in own:
            now = self.made.get(offer.name)
            if now is not None and offer.worth <= now.worth:
                return False
            owners = {self._owner[span] for span in offer.spans if span in self._owner}
            owners.discard(offer.name)
            before = [
                self.made[name] for name in (offer.name, *sorted(owners)) if name in self.made
            ]
            for one in before:
                self.undo(one.name)
            self.make(offer)
            for name in sorted(owners):
                other = next((one for one in by_field[name] if self.is_free(one)), None)
                if other is not None:
                    self.make(other)
            after = [self.made[name] for name in (offer.name, *owners) if name in self.made]
            if sum(o.worth for o in after) > sum(o.worth for o in before) + _GAIN:
                return True
            for one in after:
                self.undo(one.name)
            for one in before:
                self.make(one)
        return False


def _among_neighbours(
    order: Sequence[str],
    name: str,
    place: Place,
    stand: Mapping[str, Place],
    trees: Sequence[Tree],
) -> float:
    """How much a place is in one block with the field's old neighbours, and each on the side where it was."""
    at = order.index(name)
    sides = [
        (other, side) for other, side in ((at - 1, -1), (at + 1, 1)) if 0 <= other < len(order)
    ]
    kept, near = [], []
    for other, side in sides:
        for tree, row, rows in zip(trees, place, stand.get(order[other], ()), strict=False):
            if row and rows:
                kept.append((rows[0].span.start - row[0].span.start) * side > 0)
                near.append(1 / (1 + _texts_around(tree, row[0].item, rows[0].item) / _NEAR_BY))
    if not kept:
        return 0.0
    return (_SIDE * sum(kept) + _NEARNESS * sum(near)) / len(kept)


def _texts_around(tree: Tree, one: int, other: int) -> float:
    """How many other texts the smallest element has that holds both; parts of one text are no block."""
    if one == other:
        return inf
    around = min(one, other)
    while around >= 0 and not around <= max(one, other) < tree.stop[around]:
        around = tree.parent[around]
    if around < 0:
        return inf
    texts = tree.texts
    return bisect_left(texts, tree.stop[around]) - bisect_left(texts, around) - 2


def _distinct(by_key: Mapping[Key, Place]) -> list[tuple[Place, Place | None]]:
    """Each place once, and the column of like places that it is one of by rank, where it is."""
    seen = set()
    kept = []
    for key, place in by_key.items():
        spans = tuple(tuple(c.span for c in row) for row in place)
        if spans not in seen:
            seen.add(spans)
            column = by_key.get(unranked(key))
            kept.append((place, column))
    return kept


@dataclass(frozen=True)
class _Sought:
    """A field that is looked for: on a page that has it, it has so many values."""

    name: str
    field: FieldHealth
    values: float
    pages: int

    @classmethod
    def of(cls, name: str, health: Health) -> _Sought:
        field = health.fields[name]
        values = field.profile.count / max(1.0, field.pages * health.pages)
        return cls(name, field, values, health.pages)

    @property
    def many(self) -> bool:
        """Whether a page may have several values: of itself, or of the records of a list in it."""
        return self.field.many or "." in self.name

    def presence(self, place: Place) -> float:
        """How much a place is on as many pages as the field was, with as many values, from 0 to 1."""
        shown = [len(row) for row in place if row]
        values = sum(shown) / len(shown)
        few, much = sorted((values, self.values))
        more = _more_than_chance(len(shown), len(place), self.field.pages, self.pages)
        return 1.0 - _ON_EVERY_PAGE * more - _AS_MANY * (1.0 - few / much)

    def alike(self, place: Place, observers: Sequence[Observer]) -> float:
        """How much a place looks like the field's, from 0 to about 1."""
        seen = [
            observer.see(c.span, c.value)
            for observer, row in zip(observers, place, strict=True)
            for c in row
        ]
        healthy, now = self.field.profile, profile(seen)
        alike = likeness(healthy, now) + _CALLED * called(self.name, now)
        rival = _RIVAL if named_as_rival(self.field.rivals, healthy, now) else 1.0
        return alike * rival * self.presence(place)


def _ranked(
    sought: _Sought,
    places: Sequence[tuple[Place, Place | None]],
    observers: Sequence[Observer],
) -> list[tuple[float, Place]]:
    healthy = sought.field.profile
    quick = []
    for one, column in places:
        place = one if sought.many else _singled(one, healthy)
        if place is None or next(row for row in place if row)[0].kind != healthy.kind:
            continue
        fits = _fits(healthy, place)
        single = _singleness(healthy, place, column) if column else 1.0
        quick.append((fits * sought.presence(place) * single, place, single))
    quick.sort(key=lambda one: -one[0])
    ranked = []
    for _, place, single in quick[:_PLACES_COMPARED]:
        alike = sought.alike(place, observers) * single
        if alike >= _LEAST_LIKENESS:
            ranked.append((alike, place))
    return ranked


def _more_than_chance(shown: int, pages: int, share: float, of_pages: int) -> float:
    """By how much two shares of pages differ, less what they do by chance."""
    both = (shown + share * of_pages) / (pages + of_pages)
    by_chance = math.sqrt(max(0.0, both * (1.0 - both)) * (1 / pages + 1 / max(1, of_pages)))
    return max(0.0, abs(shown / pages - share) - by_chance)


def _singled(place: Place, healthy: Profile) -> Place | None:
    """A place with one value on each page; None where more than a few pages have several."""
    doubled = sum(len(row) > 1 for row in place)
    if not doubled:
        return place
    if doubled > _DOUBLED * sum(map(bool, place)):
        return None
    return [[max(row, key=lambda c: fit(healthy, c.value))] if row else row for row in place]


def _fits(healthy: Profile, place: Place) -> float:
    """How well the values of a place fit a field, on the first pages that have some."""
    shown = [row for row in place if row]
    fits = [
        fit(healthy, c.value) for row in shown[:_PAGES_COMPARED] for c in row[:_VALUES_COMPARED]
    ]
    return sum(fits) / len(fits)


def _singleness(healthy: Profile, place: Place, column: Place) -> float:
    """Less than 1 for a place in a column that fits the field as well, such as the prices of other products.

    The first of each counts for more: a page's director may be the first of all who worked on a film. Of each page as
    many others as are compared: a column may be the thousands of links of a menu.
    """
    others = [
        others
        for row, whole in zip(place, column, strict=True)
        if (others := list(islice((c for c in whole if c not in row), _VALUES_COMPARED)))
    ]
    if not others or _fits(healthy, others) < _AS_WELL * _fits(healthy, place):
        return 1.0
    first = all(row == whole[:1] for row, whole in zip(place, column, strict=True))
    return _FIRST_OF_MANY if first else _ONE_OF_MANY
