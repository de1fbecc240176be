"""Learn where records are from labelled ones.

The region of a record is the largest element that holds its values and no other record's; where there is
no such element, records are runs of siblings that start at a marker, or a fixed number of siblings.
Records of several shapes (first row, odd and even, featured) give several units. A unit is as strict as the
labelled records allow, with looser levels for pages where the strict one finds nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from .model import Condition, Pattern, Unit
from .read import matching, regions
from .tree import TEXT, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAX_SHAPES = 6
_MAX_CONDITIONS = 3
_MAX_SIBLINGS = 200
_FEW = 4
_MAX_CLIMB = 12


@dataclass(frozen=True)
class Labelled:
    """One labelled record in a tree: the items that hold its values, and the range it must lie in."""

    tree: Tree
    items: tuple[int, ...]
    first: int
    stop: int


@dataclass(frozen=True)
class Learned:
    """Units by level, and for each labelled record the region that is its own."""

    levels: tuple[tuple[Unit, ...], ...]
    regions: tuple[tuple[int, int], ...]


def learn_units(records: Sequence[Labelled]) -> Learned | None:
    """Units for records in page order; ``None`` where the records have no regions of their own."""
    chains = _own_elements(records)
    flat = [i for i, chain in enumerate(chains) if not chain]
    if len(flat) * 5 > len(records):
        return _learn_runs(records)
    groups = _shapes(records, chains)
    strict: list[Unit] = []
    own: dict[int, tuple[int, int]] = {}
    for group in groups:
        strict.append(_element_unit(records, group))
        own.update({i: (item, records[i].tree.stop[item]) for i, item in group.items()})
    strict = _merged(strict)
    for i in flat:
        own[i] = (
            min(records[i].items),
            max(records[i].tree.stop[item] for item in records[i].items),
        )
    strict = [_not_around(_plain(unit, records), records, own) for unit in strict]
    levels = [tuple(strict)]
    for keep in (1, 0):
        level = tuple(dict.fromkeys(replace(unit, parents=unit.parents[:keep]) for unit in strict))
        if level not in levels and all(
            u.parents or u.pattern.classes or u.pattern.attributes for u in level
        ):
            levels.append(level)
    return Learned(tuple(levels), tuple(own[i] for i in range(len(records))))


def _own_elements(records: Sequence[Labelled]) -> list[list[int]]:
    """For each record the elements that hold all its values and no other record's, smallest first."""
    by_tree: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, record in enumerate(records):
        by_tree[id(record.tree)] += [(item, number) for item in record.items]
    for owners in by_tree.values():
        owners.sort()
    chains = []
    for number, record in enumerate(records):
        tree, owners = record.tree, by_tree[id(record.tree)]
        low, high = min(record.items), max(record.items)
        element = low if tree.name[low] != TEXT else tree.parent[low]
        while element >= 0 and tree.stop[element] <= high:
            element = tree.parent[element]
        chain = []
        while element >= record.first and element >= 0 and tree.stop[element] <= record.stop:
            inside = owners[
                bisect_left(owners, (element, -1)) : bisect_left(owners, (tree.stop[element], -1))
            ]
            if any(owner != number for _, owner in inside):
                break
            if tree.name[element] not in ("html", "body"):
                chain.append(element)
            element = tree.parent[element]
        chains.append(chain)
    return chains


def _shapes(records: Sequence[Labelled], chains: Sequence[list[int]]) -> list[dict[int, int]]:
    """Records grouped by the path of tags to their element; each group has one element per record."""
    if len(records) == 1:
        return [{0: _repeated(records[0].tree, chains[0])}]
    paths: list[dict[tuple[str, ...], int]] = []
    for record, chain in zip(records, chains, strict=True):
        found = {}
        for element in chain:
            around = record.tree.ancestors(element)
            found[tuple(record.tree.name[i] for i in (element, *around))] = element
        paths.append(found)
    left = {i for i, found in enumerate(paths) if found}
    groups: list[dict[int, int]] = []
    while left and len(groups) < _MAX_SHAPES:
        counts = Counter(path for i in left for path in paths[i])
        best = max(counts, key=lambda path: (counts[path], -len(path)))
        group = {i: paths[i][best] for i in left if best in paths[i]}
        groups.append(group)
        left -= set(group)
    for i in left:
        groups[0][i] = chains[i][-1]
    return groups


def _repeated(tree: Tree, chain: Sequence[int]) -> int:
    """A single record's element: the one with most siblings like it, the smallest of these."""
    return max(chain[:_MAX_CLIMB], key=lambda element: len(alike(tree, element)))


def alike(tree: Tree, element: int) -> list[int]:
    """The siblings of an element that have about the same contents."""
    own = _contents(tree, element + 1, tree.stop[element])
    found = []
    for other in tree.children(tree.parent[element])[:_MAX_SIBLINGS]:
        if other != element and tree.name[other] == tree.name[element]:
            contents = _contents(tree, other + 1, tree.stop[other])
            if 2 * len(own & contents) >= len(own | contents) > 0:
                found.append(other)
    return found


def _element_unit(records: Sequence[Labelled], group: dict[int, int]) -> Unit:
    members = [(records[i].tree, item) for i, item in group.items()]
    if len(members) < _FEW:
        # Too few to tell what all records share (odd and even rows): their siblings help.
        members += [(tree, other) for tree, item in members for other in alike(tree, item)]
    pattern = common_pattern(members)
    parents: list[Pattern] = []
    while len(parents) < 3:
        members = [(tree, tree.parent[item]) for tree, item in members]
        if any(
            item < 0 or tree.name[item] != members[0][0].name[members[0][1]]
            for tree, item in members
        ):
            break
        parents.append(common_pattern(members))
        if parents[-1].name == "body":
            break
    return Unit("element", pattern, tuple(parents))


def common_pattern(members: Sequence[tuple[Tree, int]]) -> Pattern:
    """What all of some elements of one name have in common."""
    tree, item = members[0]
    classes = frozenset.intersection(*(t.classes(i) for t, i in members))
    attributes = []
    for key in ("itemprop", "itemtype", "role", "typeof"):
        values = {tag.get(key) if (tag := t.tag[i]) is not None else None for t, i in members}
        value = next(iter(values))
        if len(values) == 1 and value:
            attributes.append((key, value))
    if len(set(map(_key, members))) == 1:
        # One element for all records: its id names the list, unless it numbers pages or sessions.
        tag = tree.tag[item]
        identity = tag.get("id") if tag is not None else None
        if identity and not any(map(str.isdigit, identity)):
            attributes.append(("id", identity))
    if len(members) == 1 or len(set(map(_key, members))) == 1:
        classes = frozenset(name for name in classes if not any(map(str.isdigit, name)))
    return Pattern(tree.name[item], tuple(sorted(classes)), tuple(attributes))


def _key(member: tuple[Tree, int]) -> tuple[int, int]:
    return id(member[0]), member[1]


def _merged(units: Sequence[Unit]) -> list[Unit]:
    """Units without those that another one includes."""
    kept: list[Unit] = []
    for unit in units:
        if not any(
            _includes(other, unit) for other in units if other is not unit and other not in kept
        ):
            kept.append(unit)
    return kept or list(units[:1])


def _includes(wide: Unit, narrow: Unit) -> bool:
    if len(wide.parents) > len(narrow.parents):
        return False
    pairs = [
        (wide.pattern, narrow.pattern),
        *zip(wide.parents, narrow.parents, strict=False),
    ]
    return wide != narrow and all(
        w.name == n.name
        and set(w.classes) <= set(n.classes)
        and set(w.attributes) <= set(n.attributes)
        for w, n in pairs
    )


def _plain(unit: Unit, records: Sequence[Labelled]) -> Unit:
    """The unit with one class, where that finds the same: the others may be passing states.

    The class that authors write first is what an element is, those after it what it is like.
    """
    if len(unit.pattern.classes) < 2:
        return unit
    scopes = {(id(r.tree), r.first, r.stop): (r.tree, r.first, r.stop) for r in records}.values()
    wanted = [regions(tree, unit, first, stop) for tree, first, stop in scopes]
    written: list[str] = []
    for (tree, _, _), found in zip(scopes, wanted, strict=True):
        for item, _ in found[:1]:
            tag = tree.tag[item]
            written += (tag.get("class") or "").split() if tag is not None else []
    for name in dict.fromkeys(one for one in written if one in unit.pattern.classes):
        plain = replace(unit, pattern=replace(unit.pattern, classes=(name,)))
        if [regions(tree, plain, first, stop) for tree, first, stop in scopes] == wanted:
            return plain
    return unit


def _not_around(unit: Unit, records: Sequence[Labelled], own: dict[int, tuple[int, int]]) -> Unit:
    """The unit without elements that hold whole records of another one, as of tables in tables."""
    wanted = {(id(records[i].tree), *region) for i, region in own.items()}
    starts = sorted({(id(records[i].tree), region[0]) for i, region in own.items()})
    inside: list[tuple[Tree, int, int]] = []
    outside: list[tuple[Tree, int, int]] = []
    scopes = {(id(r.tree), r.first, r.stop): (r.tree, r.first, r.stop) for r in records}
    for tree, first, stop in scopes.values():
        for region in regions(tree, unit, first, stop):
            if (id(tree), *region) in wanted:
                inside.append((tree, *region))
            elif bisect_left(starts, (id(tree), region[0])) < bisect_left(
                starts, (id(tree), region[1])
            ):
                outside.append((tree, *region))
    if not inside or not outside:
        return unit
    return replace(unit, conditions=shutting_out(inside, outside, evidence=1))


def shutting_out(
    inside: Sequence[tuple[Tree, int, int]],
    outside: Sequence[tuple[Tree, int, int]],
    evidence: int,
) -> tuple[Condition, ...]:
    """Conditions that all regions inside meet and as many as possible of those outside do not.

    Each shuts out at least ``evidence`` regions.
    """
    conditions: list[Condition] = []
    options = _options(inside, outside)
    while outside and len(conditions) < _MAX_CONDITIONS:
        ranked = []
        for number, condition in enumerate(options):
            if all(_meets(one, condition) for one in inside):
                shut_out = sum(not _meets(one, condition) for one in outside)
                ranked.append((shut_out, -number, condition))
        best = max(ranked, default=None, key=lambda option: option[:2])
        if best is None or best[0] < evidence:
            break
        conditions.append(best[2])
        outside = [one for one in outside if _meets(one, best[2])]
    return tuple(conditions)


def _options(
    inside: Sequence[tuple[Tree, int, int]], outside: Sequence[tuple[Tree, int, int]]
) -> list[Condition]:
    has = Counter(p for one in inside[:40] for p in _contents(*one))
    lacks = Counter(p for one in outside[:40] for p in _contents(*one))
    sure = min(len(inside), 40)
    options = [
        Condition(p) for p, count in has.items() if count == sure and lacks[p] < len(outside)
    ]
    options += [Condition(p, has=False) for p in lacks if not has[p]]
    return sorted(options, key=lambda c: (not c.pattern.classes, not c.has, str(c.pattern)))[:300]


def _contents(tree: Tree, first: int, stop: int) -> set[Pattern]:
    found: set[Pattern] = set()
    for item in range(first, min(stop, first + 400)):
        name = tree.name[item]
        if name != TEXT:
            found.add(Pattern(name))
            found.update(Pattern(name, (one,)) for one in tree.classes(item))
    return found


def _meets(region: tuple[Tree, int, int], condition: Condition) -> bool:
    tree, first, stop = region
    return bool(matching(tree, condition.pattern, first, stop)) is condition.has


def _learn_runs(records: Sequence[Labelled]) -> Learned | None:
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
    gaps, bodies = _gaps(records, spans, kept)
    for marker, condition in _markers(records, spans, kept, gaps, bodies):
        unit = Unit(
            "run",
            marker,
            _container(records, spans, kept),
            (condition,) if condition else (),
        )
        own = _assign(records, unit)
        if own is not None:
            loose = replace(unit, parents=unit.parents[:1])
            return Learned(((unit,), (loose,)) if loose != unit else ((unit,),), own)
    return _learn_period(records, spans, kept)


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
    spans: Sequence[tuple[int, int, int]],
    kept: Sequence[int],
    gaps: Sequence[Sequence[int]],
    bodies: Sequence[Sequence[int]],
) -> Iterable[tuple[Pattern, Condition | None]]:
    """Patterns, with what they must contain, that occur in every gap and in no body; the nearest first."""

    def keys(tree: Tree, item: int) -> set[tuple[Pattern, Condition | None]]:
        if tree.name[item] == TEXT:
            return set()
        own = [Pattern(tree.name[item])]
        own += [Pattern(tree.name[item], (one,)) for one in tree.classes(item)]
        found: set[tuple[Pattern, Condition | None]] = {(one, None) for one in own}
        for content in _contents(tree, item + 1, tree.stop[item]):
            found.add((own[0], Condition(content)))
            found.add((own[0], Condition(content, has=False)))
        return found

    counts: Counter[tuple[Pattern, Condition | None]] = Counter()
    near: Counter[tuple[Pattern, Condition | None]] = Counter()
    forbidden: set[tuple[Pattern, Condition | None]] = set()
    for i, gap, body in zip(kept, gaps, bodies, strict=True):
        tree = records[i].tree
        seen: set[tuple[Pattern, Condition | None]] = set()
        for item in gap[-12:]:
            seen |= keys(tree, item)
        counts.update(seen)
        near.update(keys(tree, gap[-1]))
        for item in body[:60]:
            forbidden |= keys(tree, item)
            plain = Pattern(tree.name[item])
            contents = _contents(tree, item + 1, tree.stop[item])
            for pattern, condition in seen:
                if (
                    condition
                    and not condition.has
                    and pattern == plain
                    and condition.pattern not in contents
                ):
                    forbidden.add((pattern, condition))
    enough = len(kept) - (len(kept) > 2)
    good = [key for key, count in counts.items() if count >= enough and key not in forbidden]
    return sorted(
        good,
        key=lambda k: (
            -near[k],
            k[1] is not None,
            k[1] is not None and not k[1].has,
            not k[0].classes,
            str(k[0]),
        ),
    )[:40]


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


def _assign(records: Sequence[Labelled], unit: Unit) -> tuple[tuple[int, int], ...] | None:
    """The unit's region of each record, if nearly every record has one of its own."""
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
    return tuple(own) if missing * 10 <= len(records) else None


def _learn_period(
    records: Sequence[Labelled],
    spans: Sequence[tuple[int, int, int]],
    kept: Sequence[int],
) -> Learned | None:
    """Records of a fixed number of siblings."""
    sizes: Counter[int] = Counter()
    for i, j in pairwise(kept):
        if records[i].tree is records[j].tree and spans[i][0] == spans[j][0]:
            between = _siblings(records[i].tree, spans[i][1], spans[j][1])
            sizes[sum(records[i].tree.name[item] != TEXT for item in between)] += 1
    if not sizes:
        return None
    size, count = sizes.most_common(1)[0]
    if size < 1 or count * 10 < 9 * sum(sizes.values()):
        return None
    first = common_pattern([(records[i].tree, spans[i][1]) for i in kept[:1]])
    unit = Unit("period", first, _container(records, spans, kept), (), size)
    own = _assign(records, unit)
    return Learned(((unit,),), own) if own is not None else None
