"""Find what repeats in a page: lists of records, without any label.

Siblings with similar contents are a list; siblings of several kinds that alternate are a list whose records are
runs of them; similar lists in similar places (the rows of a grid, the groups of a listing) are one.
Contents are compared as bit masks of the tags and classes below an element, made in one pass from the
leaves up, so that finding all lists is linear in the page but for the sort.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import accumulate, pairwise
from operator import and_, or_
from statistics import median
from typing import TYPE_CHECKING
from zlib import crc32

from .tree import TEXT, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

_BITS = 192
ALIKE = 0.45
_MAX_CHILDREN = 2000
_MAX_LISTS = 400
_LONG = 600
_LONGEST_PERIOD = 4
_IN_TURN = 0.95
_KNOWN_WEIGHT = 0.1
LINKED = 0.85
_ASIDE = frozenset(("nav", "header", "footer", "aside", "select", "form", "head", "noscript"))
_ASIDE_WORDS = re.compile(
    r"(?:^|[^a-z])(?:nav|navbar|navigation|menu|footer|header|sidebar|breadcrumbs?|pagination|pager|"
    r"toolbar|social|share|facets?|filters?|cookie)(?:$|[^a-z])",
    re.IGNORECASE,
)
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundList:
    """A list on a page: its records' ranges in the tree, and how much of a main list it is.

    ``path`` names the tags from the page to its records; lists of one template share it. ``shape`` is the mask
    of what most of its records hold.
    """

    path: tuple[str, ...]
    regions: tuple[Range, ...]
    score: float
    regularity: float
    text: float
    texts_per_record: float
    shape: int = 0


class Outline:
    """What is measured of a tree once: masks of contents, lengths of texts and of links.

    Texts that are known to stand on every page of the template hardly count.
    """

    def __init__(self, tree: Tree, known: frozenset[str] = frozenset()) -> None:
        self.tree = tree
        size = len(tree)
        self.mask = [0] * size
        folded = [tree.text(text) for text in tree.texts]
        self.whole = [0, *accumulate(map(len, folded))]
        linked = [False] * size
        aside = [False] * size
        for item in range(size):
            parent = tree.parent[item]
            tag = tree.tag[item]
            if tag is not None:
                self.mask[item] = _bits(tag.name, tree.classes(item))
            if parent >= 0:
                linked[item] = linked[parent] or tree.name[parent] == "a"
                aside[item] = aside[parent]
            if tag is not None and not aside[item] and _is_aside(tree, item):
                low, high = self.texts(item, tree.stop[item])
                text = self.whole[high] - self.whole[low]
                # What is called a menu and is large may be that of a restaurant; links alone are one of the site.
                aside[item] = 5 * text < 2 * self.whole[-1] or _is_linked(tree, low, high, text)
        for item in range(size - 1, -1, -1):
            parent = tree.parent[item]
            if parent >= 0:
                self.mask[parent] |= self.mask[item]
        self.aside = aside
        lengths = [len(text) * (_KNOWN_WEIGHT if text in known else 1.0) for text in folded]
        self.length = [0, *accumulate(lengths)]
        self.new = [0, *accumulate(text not in known for text in folded)]
        self.links = [
            0,
            *accumulate(n * linked[t] for n, t in zip(lengths, tree.texts, strict=True)),
        ]

    def main_text(self) -> float:
        """Length of all text that is not in navigation, header, footer and the like."""
        aside = (self.aside[text] for text in self.tree.texts)
        return sum(
            b - a for (a, b), out in zip(pairwise(self.length), aside, strict=True) if not out
        )

    def texts(self, first: int, stop: int) -> Range:
        return bisect_left(self.tree.texts, first), bisect_left(self.tree.texts, stop)

    def says_more(self, region: Range) -> bool:
        """Whether there is any text in a range that does not stand on every page."""
        low, high = self.texts(*region)
        return self.new[high] > self.new[low]

    def measures(self, region: Range) -> tuple[float, float, int]:
        """Length of text, length of linked text and number of texts in a range."""
        low, high = self.texts(*region)
        return self.length[high] - self.length[low], self.links[high] - self.links[low], high - low


def similar(one: int, other: int) -> float:
    """How much two masks have in common, from 0 to 1."""
    return (one & other).bit_count() / ((one | other).bit_count() or 1)


def find_lists(outline: Outline, first: int = 0, stop: int | None = None) -> list[FoundList]:
    """The lists in a range of the tree, the most main one first."""
    tree = outline.tree
    end = len(tree) if stop is None else stop
    pieces: dict[tuple[str, ...], list[tuple[int, list[Range]]]] = {}
    for container in [*([-1] if first == 0 else ()), *range(first, end)]:
        if container >= 0 and (tree.tag[container] is None or tree.stop[container] - container < 4):
            continue
        children = [c for c in tree.children(container) if tree.name[c] != TEXT][:_MAX_CHILDREN]
        if len(children) < 2:
            continue
        path: tuple[str, ...] | None = None
        for mask, regions in _lists_of(outline, children, container):
            if path is None:
                around = [container, *tree.ancestors(container)] if container >= 0 else []
                path = tuple(tree.name[i] for i in reversed(around))
            name = tree.name[regions[0][0]]
            kind = "+" if regions[0][1] != tree.stop[regions[0][0]] else ""
            pieces.setdefault((*path, name + kind), []).append((mask, regions))
    found = []
    for key, groups in pieces.items():
        for mask, regions in _joined(groups):
            one = _measured(outline, key, mask, regions)
            if one is not None:
                found.append(one)
    found.sort(key=lambda one: -one.score)
    return _inner_first(outline, found[:_MAX_LISTS])


def _lists_of(
    outline: Outline, children: Sequence[int], container: int
) -> list[tuple[int, list[Range]]]:
    """Clusters of similar children, and runs where clusters alternate."""
    tree, mask = outline.tree, outline.mask
    clusters: list[tuple[str, int, list[int]]] = []
    label: dict[int, int] = {}
    for child in children:
        for number, (name, shape, members) in enumerate(clusters):
            if name == tree.name[child] and similar(shape, mask[child]) >= ALIKE:
                members.append(child)
                label[child] = number
                break
        else:
            if len(clusters) < 24:
                label[child] = len(clusters)
                clusters.append((tree.name[child], mask[child], [child]))
    found = []
    for _, shape, members in clusters:
        if len(members) > 1:
            found.append((shape, [(m, tree.stop[m]) for m in members]))
    run = _alternating(outline, max((members for _, _, members in clusters), key=len, default=[]))
    if run is None:
        run = _run(outline, children, label, [members for _, _, members in clusters])
    if run is not None:
        end = tree.stop[container] if container >= 0 else len(tree)
        shape = clusters[label[run[0]]][1]
        regions = list(zip(run, [*run[1:], end], strict=True))
        sizes = [stop - start for start, stop in regions[:-1]]
        limit = run[-1]
        for child in children:
            if child >= run[-1] and tree.stop[child] - run[-1] <= 2 * median(sizes):
                limit = tree.stop[child]
        regions[-1] = (run[-1], max(limit, tree.stop[run[-1]]))
        found.append((shape, regions))
    return found


def _alternating(outline: Outline, members: Sequence[int]) -> list[int] | None:
    """The first of every few similar siblings that differ in turn, such as two table rows for each record.

    Rows that differ in a class alone are zebra stripes, and records of their own.
    """
    tree = outline.tree
    kinds = [
        (tree.classes(item), sum(tree.tag[inner] is not None for inner in tree.children(item)))
        for item in members
    ]
    for period in range(2, _LONGEST_PERIOD + 1):
        pairs = list(zip(kinds, kinds[period:], strict=False))
        turn = kinds[:period]
        if (
            len(pairs) >= 2 * period
            and turn.count(turn[0]) == 1
            and (len({size for _, size in turn}) > 1 or _differ_inside(outline, members, period))
            and sum(a == b for a, b in pairs) >= _IN_TURN * len(pairs)
        ):
            return list(members[::period])
    return None


def _differ_inside(outline: Outline, members: Sequence[int], period: int) -> bool:
    """Whether all of the first in turn hold something that none of the next in turn hold, or the reverse."""
    tree = outline.tree
    inside = [_range_mask(outline, (item + 1, tree.stop[item])) for item in members]
    first, following = inside[::period], inside[1::period]
    in_all = reduce(and_, first), reduce(and_, following)
    in_any = reduce(or_, first), reduce(or_, following)
    return bool(in_all[0] & ~in_any[1] or in_all[1] & ~in_any[0])


def _run(
    outline: Outline, children: Sequence[int], label: dict[int, int], clusters: Sequence[list[int]]
) -> list[int] | None:
    """The children that start records made of several siblings; ``None`` where siblings are records."""
    repeated = {n for n, members in enumerate(clusters) if len(members) > 2}
    if len(repeated) < 2:
        return None
    for number in sorted(repeated, key=lambda n: clusters[n][0]):
        starts = clusters[number]
        if not outline.measures((starts[0], outline.tree.stop[starts[0]]))[0]:
            continue
        filled = 0
        own = other = 0.0
        at = bisect_left(children, starts[0])
        for start, following in pairwise(starts):
            own += outline.measures((start, outline.tree.stop[start]))[0]
            gap = 0.0
            at += 1
            while at < len(children) and children[at] < following:
                if label.get(children[at]) in repeated:
                    gap += outline.measures((children[at], outline.tree.stop[children[at]]))[0]
                at += 1
            filled += gap > 0
            other += gap
        if filled >= 0.7 * (len(starts) - 1) and other > 0.2 * own:
            return starts
    return None


def _joined(groups: Sequence[tuple[int, list[Range]]]) -> list[tuple[int, list[Range]]]:
    """Similar lists in places of one path as one list."""
    joined: list[tuple[int, list[Range]]] = []
    for mask, regions in groups:
        for known, members in joined:
            if similar(known, mask) >= ALIKE:
                members += regions
                break
        else:
            if len(joined) < 24:
                joined.append((mask, list(regions)))
    return joined


def _measured(
    outline: Outline, path: tuple[str, ...], mask: int, regions: Sequence[Range]
) -> FoundList | None:
    if len(regions) < 2:
        return None
    measures = [outline.measures(region) for region in regions]
    text = sum(m[0] for m in measures)
    if not text:
        return None
    area = sum(min(t, _LONG) - 0.7 * min(linked, _LONG) for t, linked, _ in measures)
    filled = [r for r, m in zip(regions, measures, strict=True) if m[0]]
    tree = outline.tree
    shapes = [_range_mask(outline, region) for region in filled[:60]]
    common = Counter(bit for shape in shapes for bit in _set_bits(shape))
    usual = sum(1 << bit for bit, count in common.items() if 2 * count >= len(shapes))
    regularity = sum(similar(usual, shape) for shape in shapes) / len(shapes)
    contents = {tuple(tree.text(t) for t in tree.texts_in(*region)[:40]) for region in filled[:60]}
    distinct = len(contents) / len(filled[:60])
    texts = sum(m[2] for m in measures) / len(filled)
    score = area * regularity * (0.3 + 0.7 * distinct) * min(1.0, 0.25 + 0.35 * texts)
    score *= len(filled) / (len(filled) + 2)
    if outline.aside[regions[0][0]]:
        score *= 0.25
    if 2 * sum(map(outline.says_more, filled)) < len(filled):
        # The menu of a large site may be longer than what its pages are about.
        score *= _KNOWN_WEIGHT
    return FoundList(path, tuple(sorted(regions)), score, regularity, text, texts, usual)


def _inner_first(outline: Outline, lists: Sequence[FoundList]) -> list[FoundList]:
    """Lists by score; but where the records of one are made of similar records, those come before it."""
    found = list(lists)
    for position, outer in enumerate(found[:12]):
        for number, inner in enumerate(found):
            if (
                len(inner.path) > len(outer.path)
                and len(inner.regions) >= 2 * len(outer.regions)
                and inner.texts_per_record >= 2
                and inner.regularity >= max(0.6, outer.regularity - 0.1)
                and 5 * inner.text >= 4 * outer.text
                and _inside(inner, outer)
                and inner.score <= outer.score
            ):
                found[number] = replace(inner, score=found[position].score * 1.01)
    return sorted(found, key=lambda one: -one.score)


def _inside(inner: FoundList, outer: FoundList) -> bool:
    starts = [region[0] for region in outer.regions]
    for first, stop in inner.regions:
        at = bisect_left(starts, first + 1) - 1
        if at < 0 or outer.regions[at][1] < stop:
            return False
    return True


def _range_mask(outline: Outline, region: Range) -> int:
    mask, item = 0, region[0]
    while item < region[1]:
        mask |= outline.mask[item]
        item = outline.tree.stop[item]
    return mask


def _set_bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@lru_cache(maxsize=1 << 14)
def _bits(name: str, classes: frozenset[str]) -> int:
    mask = 1 << crc32(name.encode()) % _BITS
    for one in classes:
        mask |= 1 << crc32(f"{name}.{one}".encode()) % _BITS
    return mask


def _is_linked(tree: Tree, low: int, high: int, text: int) -> bool:
    """Whether hardly anything of some texts of a page stands outside of links."""
    free = 0
    for item in tree.texts[low:high]:
        if all(tree.name[around] != "a" for around in tree.ancestors(item)):
            free += len(tree.text(item))
            if free > (1.0 - LINKED) * text:
                return False
    return True


def _is_aside(tree: Tree, item: int) -> bool:
    tag = tree.tag[item]
    if tag is None or tag.name in ("html", "body"):
        return False
    if tag.name in _ASIDE:
        return tag.name != "form"
    return any(
        a.name in ("class", "id", "role") and len(a.value) < 200 and _ASIDE_WORDS.search(a.value)
        for a in tag.attributes
    )
