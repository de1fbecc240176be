"""From example values to labels: which place of a value is the one that is meant?

A value may stand in many places; the records of a list resemble each other and keep their order. So every
place is first priced by how many other records have a value of that field in a similar position (same tags,
classes, cell), then each record becomes a few compact clusters of places, one per value, and the
cheapest chain of clusters in page order is found by dynamic programming.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from ..labels import LabelledPage, Record, Span
from ..records.tree import Tree, tree_of
from .occurrences import Occurrence, index_of, occurrences, squeeze, text_of

if TYPE_CHECKING:
    from ..page import Page

__all__ = ["Occurrence", "locate_record", "locate_records", "occurrences", "text_of"]

_CLUSTERS_PER_RECORD = 120
_NEIGHBOURS = 16
_SHARED_PLACE = 0.6
_TOLERATED_SHARE = 0.1
_CELLS = frozenset(("td", "th", "li", "dd", "dt"))


@dataclass(frozen=True, slots=True)
class _Want:
    """One value of one record that is to be placed."""

    field: str
    value: str
    places: Sequence[Occurrence]


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A choice of places for all values of a record."""

    start: int
    end: int
    cost: float
    chosen: tuple[Occurrence, ...]


def locate_record(page: Page, example: Mapping[str, Any]) -> dict[str, list[list[Occurrence]]]:
    """All plausible places of each value of a page's single record: ``{field: [places per value]}``.

    Raises :class:`CannotInduce` for a value that the page does not show.
    """
    found = {}
    for name, value in example.items():
        wants = [v for v in _flat(value) if squeeze(v)]
        if wants:
            found[name] = [_places(page, name, v) for v in wants]
    return found


def locate_records(page: Page, examples: Sequence[Mapping[str, Any]]) -> LabelledPage:
    """Label the places of a page's list of records, given in page order.

    A field is a string, a list of strings or a list of dicts (nested records); it may be left out or be
    ``None`` where a record has no value. Raises :class:`CannotInduce`, naming field and value, where the
    page does not show a value; on long lists a tenth of a field's values may be absent.
    """
    if not examples:
        raise CannotInduce(f"{_name(page)}: the list of example records is empty")
    return LabelledPage(page, _locate(page, examples, Span(0, len(page.html))))


def _locate(page: Page, examples: Sequence[Mapping[str, Any]], scope: Span) -> tuple[Record, ...]:
    wants = _wants(page, examples, scope)
    tree = tree_of(page)
    prices = _prices(tree, wants)
    pitch = _pitch(wants, scope)
    clusters = [_clusters(tree, record, prices, pitch) for record in wants]
    chain = _chain(clusters, pitch, overlap=False) or _chain(clusters, pitch, overlap=True)
    chain = chain or _one_by_one(clusters)
    order = sorted(range(len(chain)), key=lambda i: chain[i].start)
    records = []
    for position, i in enumerate(order):
        low = max((chain[j].end for j in order[:position][-1:]), default=scope.start)
        high = min((chain[j].start for j in order[position + 1 :][:1]), default=scope.end)
        records.append(_record(page, examples[i], wants[i], chain[i], Span(low, high)))
    return tuple(records)


def _record(
    page: Page,
    example: Mapping[str, Any],
    wants: Sequence[_Want],
    cluster: _Cluster,
    room: Span,
) -> Record:
    values: dict[str, Span | tuple[Span, ...]] = {}
    for name, value in example.items():
        spans = [
            p.span for want, p in zip(wants, cluster.chosen, strict=True) if want.field == name
        ]
        if not spans:
            continue
        values[name] = tuple(sorted(spans)) if _is_many(value) else spans[0]
    children = {
        name: _locate_children(page, [child for child in value if child], cluster, room)
        for name, value in example.items()
        if _is_nested(value)
    }
    return Record(values, children)


def _locate_children(
    page: Page, examples: Sequence[Mapping[str, Any]], parent: _Cluster, room: Span
) -> tuple[Record, ...]:
    """Nested records stand after what their record starts with, or else before it."""
    try:
        return _locate(page, examples, Span(parent.start, room.end))
    except CannotInduce:
        return _locate(page, examples, room)


def _wants(page: Page, examples: Sequence[Mapping[str, Any]], scope: Span) -> list[list[_Want]]:
    asked: Counter[str] = Counter()
    lost: dict[str, list[tuple[int, str]]] = {}
    cache: dict[str, list[Occurrence]] = {}
    found: list[list[_Want]] = []
    for number, example in enumerate(examples):
        record = []
        own = {k: v for k, v in example.items() if not _is_nested(v)} or example
        for name, value in own.items():
            for text in _flat(value):
                if not squeeze(text):
                    continue
                asked[name] += 1
                if text not in cache:
                    cache[text] = occurrences(page, text)
                places = [
                    o
                    for o in cache[text]
                    if scope.start <= o.span.start and o.span.end <= scope.end
                ]
                if places:
                    record.append(_Want(name, text, places))
                else:
                    lost.setdefault(name, []).append((number, text))
        found.append(record)
    for name, missing in lost.items():
        if len(missing) > asked[name] * _TOLERATED_SHARE:
            number, text = missing[0]
            raise CannotInduce(_not_found(page, f"{name!r} of record {number + 1}", text))
    if not any(found):
        raise CannotInduce(f"{_name(page)}: the example records hold no values")
    return found


def _prices(tree: Tree, records: Sequence[Sequence[_Want]]) -> dict[tuple[str, Occurrence], float]:
    """What it costs to take a place for a field: less, the more records have one in a similar position."""
    positions: dict[Occurrence, tuple[object, ...]] = {}
    support: dict[str, Counter[object]] = {}
    total: Counter[str] = Counter()
    for record in records:
        for name in dict.fromkeys(want.field for want in record):
            seen: set[object] = set()
            for want in record:
                if want.field != name:
                    continue
                for place in want.places:
                    if place not in positions:
                        positions[place] = _position(tree, place)
                    seen.update(positions[place])
            support.setdefault(name, Counter()).update(seen)
            total[name] += 1
    prices = {}
    for record in records:
        for want in record:
            known, count = support[want.field], total[want.field]
            for place in want.places:
                shares = [known[key] / count for key in positions[place]]
                unusual = 1.0 - sum(shares) / len(shares)
                prices[want.field, place] = unusual + 0.6 * (1.0 - place.quality)
    return prices


def _position(tree: Tree, place: Occurrence) -> tuple[object, ...]:
    around = [place.item, *tree.ancestors(place.item)]
    names = (place.how == "attribute", place.attribute, *(tree.name[i] for i in around))
    holder = next((i for i in around if tree.tag[i] is not None), -1)
    cell = next((i for i in around if tree.name[i] in _CELLS), -1)
    classes = tuple(tree.classes(i) for i in around[:4])
    return (
        (1, names),
        (2, names, classes),
        (3, names, _rank(tree, holder)),
        (4, names, _rank(tree, cell), _rank(tree, place.item)),
    )


def _rank(tree: Tree, item: int) -> int:
    """How many siblings of the same name stand before an item; far ones are not told apart."""
    if item < 0:
        return -1
    rank = 0
    sibling = tree.parent[item] + 1
    for _ in range(64):
        if sibling >= item:
            break
        rank += tree.name[sibling] == tree.name[item]
        sibling = tree.stop[sibling]
    return rank


def _pitch(records: Sequence[Sequence[_Want]], scope: Span) -> float:
    """About how far apart records are, told by the values that stand in one place only."""
    sure = []
    for number, record in enumerate(records):
        unique = [want.places[0].span.start for want in record if len(want.places) == 1]
        if unique:
            sure.append((number, unique[0]))
    steps = [(q - p) / (j - i) for (i, p), (j, q) in pairwise(sure) if q > p]
    return max(20.0, median(steps) if steps else (scope.end - scope.start) / (len(records) + 1))


def _clusters(
    tree: Tree,
    wants: Sequence[_Want],
    prices: Mapping[tuple[str, Occurrence], float],
    pitch: float,
) -> list[_Cluster]:
    """Around each place of the record's rarest value the best places of its other values.

    They may stand on both sides of it, but where records touch, those of the neighbour may be nearer: so
    there is a cluster after, one before and one inside the smallest element too, and the chain decides.
    """
    if not wants:
        return []
    order = sorted(range(len(wants)), key=lambda i: len(wants[i].places))
    anchor = wants[order[0]]
    anchors = sorted(anchor.places, key=lambda place: prices[anchor.field, place])
    usual = [_usual(want, prices) for want in wants]
    clusters: dict[tuple[Occurrence, ...], _Cluster] = {}
    for first in anchors[:_CLUSTERS_PER_RECORD]:
        at = first.span.start
        around = [_near(want.places, at) + _near(usual[i], at) for i, want in enumerate(wants)]
        for side, together in ((0, 0.6), (0, 6.0), (1, 0.6), (-1, 0.6)):
            chosen: dict[int, Occurrence] = {order[0]: first}
            cost = prices[anchor.field, first]
            for i in order[1:]:
                priced = [prices[wants[i].field, place] for place in around[i]]
                costs = _costs(tree, first, around[i], priced, pitch, together)
                on_side = [
                    (price + _SHARED_PLACE * (place in chosen.values()), place)
                    for price, place in zip(costs, around[i], strict=True)
                    if not side or (place.span.start - at) * side >= 0
                ]
                if not on_side:
                    break
                price, chosen[i] = min(on_side, key=lambda option: option[0])
                cost += price
            if len(chosen) < len(wants):
                continue
            places = tuple(chosen[i] for i in range(len(wants)))
            start = min(place.span.start for place in places)
            end = max(place.span.end for place in places)
            clusters[places] = _Cluster(start, end, cost, places)
    return list(clusters.values())


def _usual(want: _Want, prices: Mapping[tuple[str, Occurrence], float]) -> list[Occurrence]:
    fair = min(prices[want.field, place] for place in want.places) + 0.2
    return [place for place in want.places if prices[want.field, place] <= fair]


def _near(places: Sequence[Occurrence], position: int) -> list[Occurrence]:
    middle = bisect_left(places, position, key=lambda place: place.span.start)
    return list(places[max(0, middle - _NEIGHBOURS) : middle + _NEIGHBOURS])


def _costs(
    tree: Tree,
    first: Occurrence,
    near: Sequence[Occurrence],
    priced: Sequence[float],
    pitch: float,
    together: float,
) -> list[float]:
    """What it costs to take each of the places together with ``first``."""
    steps = _steps_up(tree, first.item, [place.item for place in near])
    fair = min(priced) + 0.2
    least = min(up for up, price in zip(steps, priced, strict=True) if price <= fair)
    return [
        price
        + 0.5 * min(abs(place.span.start - first.span.start) / pitch, 6.0)
        + together * min(max(up - least, 0), 3)
        for place, up, price in zip(near, steps, priced, strict=True)
    ]


def _steps_up(tree: Tree, item: int, others: Sequence[int]) -> list[int]:
    """How far up from an item the element is that holds it together with each of the others."""
    path = [item, *tree.ancestors(item)]
    found = []
    for other in others:
        steps = 0
        while steps < len(path) and not path[steps] <= other < tree.stop[path[steps]]:
            steps += 1
        found.append(steps)
    return found


def _chain(
    clusters: Sequence[Sequence[_Cluster]], pitch: float, *, overlap: bool
) -> list[_Cluster] | None:
    """The cheapest choice of one cluster per record that keeps the records in order."""
    gap = 0.05 / pitch
    best: list[tuple[float, int]] = [(0.0, -1)]
    before: list[_Cluster] = [_Cluster(0, 0, 0.0, ())]
    trail: list[tuple[list[_Cluster], list[tuple[float, int]]]] = []
    for options in clusters:
        if not options:
            continue
        ranked = sorted(options, key=lambda c: (c.start, c.end) if overlap else (c.end, c.start))
        limits = [c.start if overlap else c.end for c in before]
        cheapest: list[int] = []
        for i, (cost, _) in enumerate(best):
            value = cost - gap * before[i].end
            if not cheapest or value < best[cheapest[-1]][0] - gap * before[cheapest[-1]].end:
                cheapest.append(i)
            else:
                cheapest.append(cheapest[-1])
        row: list[tuple[float, int]] = []
        for option in ranked:
            limit = option.start - 1 if overlap and trail else option.start
            upto = bisect_right(limits, limit)
            if not upto or best[cheapest[upto - 1]][0] == inf:
                row.append((inf, -1))
                continue
            previous = cheapest[upto - 1]
            distance = max(0, option.start - before[previous].end) if trail else 0
            row.append((best[previous][0] + option.cost + gap * distance, previous))
        trail.append((ranked, row))
        best, before = row, ranked
    at = min(range(len(best)), key=lambda i: best[i][0])
    if best[at][0] == inf:
        return None
    chain: list[_Cluster] = []
    for ranked, row in reversed(trail):
        chain.append(ranked[at])
        at = row[at][1]
    chain.reverse()
    return _with_empty(clusters, chain)


def _with_empty(
    clusters: Sequence[Sequence[_Cluster]], chain: Sequence[_Cluster]
) -> list[_Cluster]:
    """Records without any value stand where the record before them ends."""
    found: list[_Cluster] = []
    rest = iter(chain)
    for options in clusters:
        end = found[-1].end if found else 0
        found.append(next(rest) if options else _Cluster(end, end, 0.0, ()))
    return found


def _one_by_one(clusters: Sequence[Sequence[_Cluster]]) -> list[_Cluster]:
    """Records that are not in page order: each takes its cheapest free cluster."""
    taken: set[Occurrence] = set()
    found: list[_Cluster] = []
    for options in clusters:
        end = found[-1].end if found else 0
        free = [c for c in options if not taken.intersection(c.chosen)] or options
        choice = min(free, key=lambda c: c.cost, default=_Cluster(end, end, 0.0, ()))
        taken.update(choice.chosen)
        found.append(choice)
    return found


def _places(page: Page, name: str, value: str) -> list[Occurrence]:
    found = occurrences(page, value)
    if not found:
        raise CannotInduce(_not_found(page, repr(name), value))
    return found


def _flat(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in _flat(part)]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [text for part in value for text in _flat(part)]
    return [str(value)]


def _is_many(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


def _is_nested(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(part, Mapping) for part in value)


def _name(page: Page) -> str:
    return page.url or "the page"


def _not_found(page: Page, what: str, value: str) -> str:
    message = f"{_name(page)}: the value {_short(value)!r} of field {what} is not on the page"
    nearest = nearest_text(page, value)
    return f"{message}; the nearest text is {_short(nearest)!r}" if nearest else message


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def nearest_text(page: Page, value: str) -> str:
    """The text of the page that resembles a value most; empty where none does."""
    tree = index_of(page).tree
    wanted = squeeze(value)[:200]
    letters = Counter(wanted)
    ranked = []
    for item in tree.texts:
        text = squeeze(page.html[tree.start[item] : tree.end[item]])[:400]
        common = sum((letters & Counter(text)).values())
        ranked.append((2 * common / (len(wanted) + len(text) or 1), item, text))
    ranked.sort(key=lambda r: -r[0])
    matcher = SequenceMatcher(autojunk=False, b=wanted)
    best, where = 0.3, -1
    for _, item, text in ranked[:40]:
        matcher.set_seq1(text)
        if matcher.ratio() > best:
            best, where = matcher.ratio(), item
    return text_of(page.html, tree.start[where], tree.end[where]) if where >= 0 else ""
