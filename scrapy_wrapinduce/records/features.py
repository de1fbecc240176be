"""What elements have in common, and what tells some of them from others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .model import Condition, Pattern, Unit
from .read import matching
from .tree import TEXT, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_CONDITIONS = 3
# Pages without classes tell their rows apart by these.
_STYLING = frozenset(("colspan", "rowspan", "bgcolor", "align", "width", "color", "size"))


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
    has = Counter(p for tree, first, stop in inside[:40] for p in contents(tree, first + 1, stop))
    lacks = Counter(
        p for tree, first, stop in outside[:40] for p in contents(tree, first + 1, stop)
    )
    sure = min(len(inside), 40)
    options = [
        Condition(p) for p, count in has.items() if count == sure and lacks[p] < len(outside)
    ]
    options += [Condition(p, has=False) for p in lacks if not has[p]]
    return sorted(options, key=lambda c: (not c.pattern.classes, not c.has, str(c.pattern)))[:300]


def contents(tree: Tree, first: int, stop: int) -> set[Pattern]:
    """The elements in a range, by name alone, by each of their classes and by telling attributes."""
    found: set[Pattern] = set()
    for item in range(first, min(stop, first + 400)):
        name = tree.name[item]
        if name != TEXT:
            found.add(Pattern(name))
            found.update(Pattern(name, (one,)) for one in tree.classes(item))
            tag = tree.tag[item]
            for attribute in tag.attributes if tag is not None else ():
                if attribute.name in _STYLING and len(attribute.value) < 40:
                    found.add(Pattern(name, (), ((attribute.name, attribute.value),)))
    return found


def _meets(region: tuple[Tree, int, int], condition: Condition) -> bool:
    tree, first, stop = region
    return bool(matching(tree, condition.pattern, first + 1, stop)) is condition.has
