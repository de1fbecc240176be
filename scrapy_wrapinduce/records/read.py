"""Read a page with a list model: find its records' regions, then each field inside them.

A region is a range of the page's tree. Elements are looked up by name and class in sorted lists, so that a
record costs a few binary searches per field.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from ..labels import Span
from ..tokenizer import words
from .tree import TEXT, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Cut, Locator, Pattern, Unit

_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_MAX_VALUES = 1000


def matches(tree: Tree, item: int, pattern: Pattern) -> bool:
    """Whether an element is one that the pattern describes."""
    if tree.name[item] != pattern.name:
        return False
    if pattern.classes and not tree.classes(item).issuperset(pattern.classes):
        return False
    tag = tree.tag[item]
    return all(tag is not None and tag.get(name) == value for name, value in pattern.attributes)


def matching(tree: Tree, pattern: Pattern, first: int, stop: int) -> list[int]:
    """The elements of a range that the pattern describes, in order."""
    if pattern.classes:
        found = min((tree.with_class(pattern.name, name) for name in pattern.classes), key=len)
    else:
        found = tree.named(pattern.name)
    found = found[bisect_left(found, first) : bisect_left(found, stop)]
    if len(pattern.classes) < 2 and not pattern.attributes:
        return found
    return [item for item in found if matches(tree, item, pattern)]


def regions(tree: Tree, unit: Unit, first: int, stop: int) -> list[tuple[int, int]]:
    """The ranges that a unit takes for records, in order; of nested elements the outermost."""
    starts = unit_items(tree, unit, first, stop)
    found: list[tuple[int, int]] = []
    if unit.kind == "element":
        end = -1
        for item in starts:
            if item >= end:
                end = tree.stop[item]
                found.append((item, end))
        return found
    by_parent: dict[int, list[int]] = {}
    for item in starts:
        by_parent.setdefault(tree.parent[item], []).append(item)
    for parent, markers in by_parent.items():
        end = min(stop, tree.stop[parent] if parent >= 0 else len(tree))
        if unit.kind == "between":
            after = [max(first, parent + 1), *(tree.stop[marker] for marker in markers)]
            found += [(a, b) for a, b in zip(after, [*markers, end], strict=True) if a < b]
        elif unit.kind == "run":
            found += zip(markers, [*markers[1:], end], strict=True)
        else:
            found += _periods(tree, markers[0], end, unit.size)
    return sorted(found)


def unit_items(tree: Tree, unit: Unit, first: int, stop: int) -> list[int]:
    """The elements that match a unit's pattern, parents and conditions."""
    return [
        item
        for item in matching(tree, unit.pattern, first, stop)
        if _parents_match(tree, item, unit)
        and all(
            bool(matching(tree, c.pattern, item + 1, tree.stop[item])) is c.has
            for c in unit.conditions
        )
    ]


def _parents_match(tree: Tree, item: int, unit: Unit) -> bool:
    for parent in unit.parents:
        item = tree.parent[item]
        if item < 0 or not matches(tree, item, parent):
            return False
    return True


def _periods(tree: Tree, item: int, end: int, size: int) -> list[tuple[int, int]]:
    """Stretches of so many elements, from an item on; texts between them belong to the one before."""
    siblings = []
    while item < end:
        if tree.name[item] != TEXT:
            siblings.append(item)
        item = tree.stop[item]
    starts = siblings[:: max(size, 1)]
    stops = [*starts[1:], end] if starts else []
    return list(zip(starts, stops, strict=True))


def spans(tree: Tree, locator: Locator, first: int, stop: int) -> list[Span]:
    """What a locator finds in the region ``first`` up to ``stop``; empty where it finds nothing."""
    if locator.by == "source":
        end = tree.end[first] if tree.stop[first] == stop else _source_end(tree, stop)
        whole = [Span(tree.start[first], end)]
    elif locator.by == "text":
        texts = tree.texts_in(first, stop)
        whole = [Span(tree.start[t], tree.end[t]) for t in _pick(texts, locator.nth)]
    elif locator.by == "label":
        whole = _after_label(tree, locator, first, stop)
    else:
        if locator.by == "path":
            items: Sequence[int] = _walk(tree, locator.path, first, stop)
        else:
            items = _pick(_chained(tree, locator.steps, first, stop), locator.nth)
        whole = [span for item in items if (span := take(tree, item, locator)) is not None]
    found = []
    for span in whole:
        part = cut(tree.html, span, locator.cut) if locator.cut else trimmed(tree.html, span)
        if part is not None and part.end > part.start:
            found.append(part)
    return found


def _source_end(tree: Tree, stop: int) -> int:
    return tree.start[stop] if stop < len(tree) else len(tree.html)


def _pick(items: Sequence[int], nth: int | None) -> Sequence[int]:
    if nth is None:
        return items[:_MAX_VALUES]
    if -len(items) <= nth < len(items):
        return [items[nth]]
    return []


def _chained(tree: Tree, steps: Sequence[Pattern], first: int, stop: int) -> list[int]:
    """Elements that match the last step inside elements that match the steps before."""
    ranges = [(first, stop)]
    for step in steps[:-1]:
        inner: list[tuple[int, int]] = []
        for low, high in ranges:
            end = low
            for item in matching(tree, step, low, high):
                if item >= end:
                    end = tree.stop[item]
                    inner.append((item + 1, end))
        ranges = inner
    return [item for low, high in ranges for item in matching(tree, steps[-1], low, high)]


def _walk(tree: Tree, path: Sequence[tuple[str, int | None]], first: int, stop: int) -> list[int]:
    item = first
    for depth, (name, rank) in enumerate(path):
        at, end = (first, stop) if depth == 0 else (item + 1, tree.stop[item])
        same = []
        while at < end:
            if tree.name[at] == name:
                same.append(at)
                if rank is not None and 0 <= rank < len(same):
                    break
            at = tree.stop[at]
        if rank is None:
            return same[:_MAX_VALUES]
        if not -len(same) <= rank < len(same):
            return []
        item = same[rank]
    return [item]


def _after_label(tree: Tree, locator: Locator, first: int, stop: int) -> list[Span]:
    texts = tree.texts_in(first, stop)
    for label, value in pairwise(texts):
        if tree.text(label) == locator.label:
            return [Span(tree.start[value], tree.end[value])]
    return []


def take(tree: Tree, item: int, locator: Locator) -> Span | None:
    """What a locator reads of an element."""
    if locator.take[0] == "@":
        tag = tree.tag[item]
        for attribute in tag.attributes if tag is not None else ():
            if attribute.name == locator.take[1:]:
                return Span(tree.start[item] + attribute.start, tree.start[item] + attribute.end)
        return None
    if locator.take == "own":
        texts = [child for child in tree.children(item) if tree.name[child] == TEXT]
        if -len(texts) <= locator.index < len(texts):
            text = texts[locator.index]
            return Span(tree.start[text], tree.end[text])
        return None
    texts = tree.texts_in(item, tree.stop[item])
    return Span(tree.start[texts[0]], tree.end[texts[-1]]) if texts else None


def trimmed(html: str, span: Span) -> Span:
    """A span without the white space at its ends."""
    piece = html[span.start : span.end]
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, max(start, span.start + len(piece.rstrip())))


def cut(html: str, span: Span, how: Cut) -> Span | None:
    """The part of a span that a cut keeps; ``None`` where its marks are missing."""
    piece = html[span.start : span.end]
    if how.kind == "between":
        start = piece.find(how.left)
        if start < 0:
            return None
        start += len(how.left)
        end = piece.find(how.right, start) if how.right else len(piece)
        return None if end < 0 else trimmed(html, Span(span.start + start, span.start + end))
    places = [m.span() for m in _NUMBER.finditer(piece)] if how.kind == "number" else words(piece)
    if how.kind == "number":
        places = places[how.first : how.first + 1 or None]
    else:
        places = places[how.first : how.last]
    return Span(span.start + places[0][0], span.start + places[-1][1]) if places else None
