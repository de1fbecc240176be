"""Choose one place for every value of a list of records.

Every place is priced by how many other records have a value of that field in a similar position (same tags,
classes, cell). Each record becomes a few compact clusters of places, one per value, and the cheapest chain
of clusters in page order is found by dynamic programming, in O(n log n) of all clusters.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

from ...labels import Span
from ...records.tree import Tree
from .occurrences import Occurrence

_CLUSTERS_PER_RECORD = 120
_NEIGHBOURS = 16
_SHARED_PLACE = 0.6
_CELLS = frozenset(("td", "th", "li", "dd", "dt"))


@dataclass(frozen=True, slots=True)
class Want:
    """One value of one record that is to be placed."""

    field: str
    value: str
    places: Sequence[Occurrence]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A choice of places for all values of a record."""

    start: int
    end: int
    cost: float
    chosen: tuple[Occurrence, ...]


def prices_of(tree: Tree, records: Sequence[Sequence[Want]]) -> dict[tuple[str, Occurrence], float]:
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


def pitch_of(records: Sequence[Sequence[Want]], scope: Span) -> float:
    """About how far apart records are, told by the values that stand in one place only."""
    sure = []
    for number, record in enumerate(records):
        unique = [want.places[0].span.start for want in record if len(want.places) == 1]
        if unique:
            sure.append((number, unique[0]))
    steps = [(q - p) / (j - i) for (i, p), (j, q) in pairwise(sure) if q > p]
    return max(20.0, median(steps) if steps else (scope.end - scope.start) / (len(records) + 1))


def clusters_of(
    tree: Tree,
    wants: Sequence[Want],
    prices: Mapping[tuple[str, Occurrence], float],
    pitch: float,
) -> list[Cluster]:
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
    clusters: dict[tuple[Occurrence, ...], Cluster] = {}
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
            clusters[places] = Cluster(start, end, cost, places)
    return list(clusters.values())


def _usual(want: Want, prices: Mapping[tuple[str, Occurrence], float]) -> list[Occurrence]:
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


def cheapest_chain(
    clusters: Sequence[Sequence[Cluster]], pitch: float, *, overlap: bool
) -> list[Cluster] | None:
    """The cheapest choice of one cluster per record that keeps the records in order."""
    gap = 0.05 / pitch
    best: list[tuple[float, int]] = [(0.0, -1)]
    before: list[Cluster] = [Cluster(0, 0, 0.0, ())]
    trail: list[tuple[list[Cluster], list[tuple[float, int]]]] = []
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
    chain: list[Cluster] = []
    for ranked, row in reversed(trail):
        chain.append(ranked[at])
        at = row[at][1]
    chain.reverse()
    return _with_empty(clusters, chain)


def _with_empty(clusters: Sequence[Sequence[Cluster]], chain: Sequence[Cluster]) -> list[Cluster]:
    """Records without any value stand where the record before them ends."""
    found: list[Cluster] = []
    rest = iter(chain)
    for options in clusters:
        end = found[-1].end if found else 0
        found.append(next(rest) if options else Cluster(end, end, 0.0, ()))
    return found


def one_by_one(clusters: Sequence[Sequence[Cluster]]) -> list[Cluster]:
    """Records that are not in page order: each takes its cheapest free cluster."""
    taken: set[Occurrence] = set()
    found: list[Cluster] = []
    for options in clusters:
        end = found[-1].end if found else 0
        free = [c for c in options if not taken.intersection(c.chosen)] or options
        choice = min(free, key=lambda c: c.cost, default=Cluster(end, end, 0.0, ()))
        taken.update(choice.chosen)
        found.append(choice)
    return found
