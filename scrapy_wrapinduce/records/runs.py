"""Learn where records are that have no element of their own.

They are runs of siblings: each starts at a marker that is in no record's middle, or ends at a separator,
or has a fixed number of siblings. Markers are elements by name and class, or by what they contain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from .features import Labelled, Learned, common_pattern, contents
from .model import Condition, Pattern, Unit
from .read import regions
from .tree import TEXT, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence


def learn_runs(records: Sequence[Labelled]) -> Learned | None:
    """Records as runs of siblings: find what starts each of them, and nothing inside them."""
    spans = [_children_of(record) for record in records]
    containers = Counter((id(r.tree), c) for r, (c, _, _) in zip(records, spans, strict=True))
    kept = [
        i
        for i, r in enumerate(records)
        if containers[id(r.tree), spans[i][0]] > 1 or len(records) == 1
    ]
    if not kept:
        return None
    parents = _container(records, spans, kept)
    gaps, bodies = _gaps(records, spans, kept)
    units = [
        Unit("run", marker, parents, (condition,) if condition else ())
        for marker, condition in _markers(records, kept, gaps, bodies)
    ]
    units += [Unit("between", p, parents) for p in _separators(records, spans, kept, gaps)]
    period = _period(records, spans, kept)
    if period:
        units.append(Unit("period", period[0], parents, (), period[1]))
    for tolerated in (0.0, 0.1):
        for unit in units:
            own = _assign(records, unit, tolerated)
            if own is not None:
                loose = replace(unit, parents=unit.parents[:1])
                return Learned(((unit,), (loose,)) if loose != unit else ((unit,),), own)
    return None


def _children_of(record: Labelled) -> tuple[int, int, int]:
    """The element that holds a record's values, and its first and last child that hold some."""
    tree = record.tree
    low, high = min(record.items), max(record.items)
    container = tree.parent[low]
    while container >= 0 and tree.stop[container] <= high:
        container = tree.parent[container]
    ends = []
    for item in (low, high):
        while tree.parent[item] != container and tree.parent[item] >= 0:
            item = tree.parent[item]
        ends.append(item)
    return container, ends[0], ends[1]


def _siblings(tree: Tree, first: int, stop: int) -> list[int]:
    found = []
    while first < stop:
        found.append(first)
        first = tree.stop[first]
    return found


def _gaps(
    records: Sequence[Labelled],
    spans: Sequence[tuple[int, int, int]],
    kept: Sequence[int],
) -> tuple[list[list[int]], list[list[int]]]:
    """Per record the siblings where it may start, and those where none may."""
    gaps, bodies = [], []
    ended: dict[tuple[int, int], int] = {}
    for i in kept:
        tree = records[i].tree
        container, low, high = spans[i]
        start = ended.get((id(tree), container), max(container + 1, records[i].first))
        gaps.append(_siblings(tree, start, tree.stop[low]))
        bodies.append(_siblings(tree, tree.stop[low], tree.stop[high]))
        ended[id(tree), container] = tree.stop[high]
    return gaps, bodies


def _markers(
    records: Sequence[Labelled],
    kept: Sequence[int],
    gaps: Sequence[Sequence[int]],
    bodies: Sequence[Sequence[int]],
) -> list[tuple[Pattern, Condition | None]]:
    """Patterns, with what they contain or lack, that are in every gap and in no body; the nearest first."""
    lacked = Counter(
        pattern
        for i, body in zip(kept[:20], bodies, strict=False)
        for item in body[:20]
        for pattern in contents(records[i].tree, item + 1, records[i].tree.stop[item])
    )
    telling = [pattern for pattern, _ in lacked.most_common(60)]

    def keys(tree: Tree, item: int) -> set[tuple[Pattern, Condition | None]]:
        if tree.name[item] == TEXT:
            return set()
        plain = Pattern(tree.name[item])
        inside = contents(tree, item + 1, tree.stop[item])
        found: set[tuple[Pattern, Condition | None]] = {(plain, None)}
        found.update((one, None) for one in contents(tree, item, item + 1))
        found.update((plain, Condition(one)) for one in inside)
        found.update((plain, Condition(one, has=False)) for one in telling if one not in inside)
        return found

    counts: Counter[tuple[Pattern, Condition | None]] = Counter()
    near: Counter[tuple[Pattern, Condition | None]] = Counter()
    forbidden: set[tuple[Pattern, Condition | None]] = set()
    for i, gap, body in zip(kept, gaps, bodies, strict=True):
        tree = records[i].tree
        counts.update({key for item in gap[-12:] for key in keys(tree, item)})
        near.update(keys(tree, gap[-1]) if gap else ())
        for item in body[:60]:
            forbidden |= keys(tree, item)
    enough = len(kept) - (len(kept) > 2)
    good = [key for key, count in counts.items() if count >= enough and key not in forbidden]
    return sorted(good, key=lambda key: (-near[key], *_preference(*key)))[:40]


def _preference(pattern: Pattern, condition: Condition | None) -> tuple[bool, bool, bool, str]:
    """Plain markers before conditions, what is there before what is not, classes before names."""
    lacks = condition is not None and not condition.has
    telling = condition.pattern if condition is not None else pattern
    return condition is not None, lacks, not telling.classes, f"{pattern} {condition}"


def _separators(
    records: Sequence[Labelled],
    spans: Sequence[tuple[int, int, int]],
    kept: Sequence[int],
    gaps: Sequence[Sequence[int]],
) -> list[Pattern]:
    """Patterns that stand between all records and nowhere in them."""
    counts: Counter[Pattern] = Counter()
    inside: set[Pattern] = set()
    for i, gap in zip(kept, gaps, strict=True):
        tree = records[i].tree
        _, low, high = spans[i]
        for item in _siblings(tree, low, tree.stop[high]):
            inside |= contents(tree, item, item + 1)
        counts.update({one for item in gap[:-1] for one in contents(tree, item, item + 1)})
    containers = len({(id(records[i].tree), spans[i][0]) for i in kept})
    enough = len(kept) - containers
    good = [one for one, count in counts.items() if 0 < enough <= count and one not in inside]
    return sorted(good, key=lambda one: (-counts[one], not one.classes, str(one)))[:10]


def _container(
    records: Sequence[Labelled],
    spans: Sequence[tuple[int, int, int]],
    kept: Sequence[int],
) -> tuple[Pattern, ...]:
    members = [(records[i].tree, spans[i][0]) for i in kept if spans[i][0] >= 0]
    patterns: list[Pattern] = []
    while members and len(patterns) < 2:
        if any(
            item < 0 or t.name[item] != members[0][0].name[members[0][1]] for t, item in members
        ):
            break
        patterns.append(common_pattern(members))
        members = [(tree, tree.parent[item]) for tree, item in members]
    return tuple(patterns)


def _assign(
    records: Sequence[Labelled], unit: Unit, tolerated: float
) -> tuple[tuple[int, int], ...] | None:
    """The unit's region of each record, if all records but a tolerated share have one of their own."""
    cache: dict[int, list[tuple[int, int]]] = {}
    own: list[tuple[int, int]] = []
    taken: set[tuple[int, int, int]] = set()
    missing = 0
    for record in records:
        tree = record.tree
        if id(tree) not in cache:
            cache[id(tree)] = regions(tree, unit, record.first, record.stop)
        low, high = min(record.items), max(record.items)
        found = cache[id(tree)]
        at = bisect_left(found, (low + 1, -1)) - 1
        region = found[at] if at >= 0 else (0, 0)
        if not region[0] <= low <= high < region[1] or (id(tree), *region) in taken:
            missing += 1
            region = (low, high + 1)
        taken.add((id(tree), *region))
        own.append(region)
    return tuple(own) if missing <= tolerated * len(records) else None


def _period(
    records: Sequence[Labelled], spans: Sequence[tuple[int, int, int]], kept: Sequence[int]
) -> tuple[Pattern, int] | None:
    """What the first of a fixed number of siblings is like, and their number."""
    sizes: Counter[int] = Counter()
    for i, j in pairwise(kept):
        if records[i].tree is records[j].tree and spans[i][0] == spans[j][0]:
            between = _siblings(records[i].tree, spans[i][1], spans[j][1])
            sizes[sum(records[i].tree.name[item] != TEXT for item in between)] += 1
    size, count = sizes.most_common(1)[0] if sizes else (0, 0)
    if size < 1 or count * 10 < 9 * sum(sizes.values()):
        return None
    return common_pattern([(records[i].tree, spans[i][1]) for i in kept[:1]]), size
