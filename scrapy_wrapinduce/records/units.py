"""Learn where records are from labelled ones.

The region of a record is the largest element that holds its values and no other record's; where there is
no such element, records are runs of siblings.
Records of several shapes (first row, odd and even, featured) give several units. A unit is as strict as the
labelled records allow, with looser levels for pages where the strict one finds nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from .features import Labelled, Learned, common_pattern, contents, shutting_out
from .model import Pattern, Unit
from .read import regions, unit_items
from .runs import learn_runs
from .tree import TEXT, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_SHAPES = 6
_MAX_SIBLINGS = 200
_FEW = 4
_MAX_CLIMB = 12


def learn_units(records: Sequence[Labelled]) -> Learned | None:
    """Units for records in page order; ``None`` where the records have no regions of their own."""
    chains = _own_elements(records)
    flat = [i for i, chain in enumerate(chains) if not chain]
    if len(flat) * 5 > len(records):
        runs = learn_runs(records)
        if runs is not None or len(flat) * 2 > len(records):
            return runs
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
    apart = [_not_around(_plain(unit, records), records, own) for unit in strict]
    strict = list(dict.fromkeys(unit for unit in apart if unit is not None)) or strict
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
        usual = next(iter(groups[0].items())) if groups else None
        name = records[usual[0]].tree.name[usual[1]] if usual else ""
        best = max(counts, key=lambda path: (counts[path], path[0] == name, -len(path)))
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
    own = contents(tree, element + 1, tree.stop[element])
    found = []
    for other in tree.children(tree.parent[element])[:_MAX_SIBLINGS]:
        if other != element and tree.name[other] == tree.name[element]:
            inside = contents(tree, other + 1, tree.stop[other])
            if 2 * len(own & inside) >= len(own | inside) > 0:
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


def _not_around(
    unit: Unit, records: Sequence[Labelled], own: dict[int, tuple[int, int]]
) -> Unit | None:
    """The unit without elements that hold whole records of another one, as of tables in tables.

    ``None`` where these cannot be told from its own records and hold more records than it has.
    """
    wanted = {(id(records[i].tree), region[0]) for i, region in own.items()}
    starts = sorted(wanted)
    scopes = {(id(r.tree), r.first, r.stop): (r.tree, r.first, r.stop) for r in records}

    def held(tree: Tree, item: int) -> int:
        """How many records of others an element holds."""
        low = bisect_left(starts, (id(tree), item + 1))
        return bisect_left(starts, (id(tree), tree.stop[item])) - low

    def found(one: Unit) -> list[tuple[Tree, int]]:
        return [(t, item) for t, *scope in scopes.values() for item in unit_items(t, one, *scope)]

    inside = [(t, i, t.stop[i]) for t, i in found(unit) if (id(t), i) in wanted]
    outside = [(t, i, t.stop[i]) for t, i in found(unit) if held(t, i)]
    if not outside:
        return unit
    better = replace(unit, conditions=shutting_out(inside, outside, evidence=1))
    return None if sum(held(*one) for one in found(better)) > len(inside) else better
