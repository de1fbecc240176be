"""Candidates: every value that a changed page offers, in columns (Meng, Hu, Li 2003, section 3.2).

Texts, whole lines with inline markup, parts of texts and attribute values are candidates. Those that stand in like
places (the same path of tags, with or without classes and ranks) are a *column*. Which column is which field is
decided elsewhere; here nothing is left out but what no field can be.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..labels import Span
from ..records.tree import MAX_DEPTH, TEXT, Tree
from ..records.wrapper import value_of
from ..tokenizer import fold, trimmed
from .inside import parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_INLINE = frozenset(
    "a abbr b bdi big br cite code em font i img ins kbd mark q s small span strong sub sup time tt u var wbr".split()
)
_CELLS = frozenset(("td", "th"))
_ROWS = frozenset(("tr", "li", "article", "section", "tbody", "dl", "table", "body", "html"))
_PASSING = re.compile(r"\d|^(?:odd|even|first|last|active|current|selected|alt)$|-(?:first|last)$")
_LONGEST_TEXT = 2000
_LONGEST_LINE = 40  # items of a line with inline markup
_LONGEST_LABEL = 200
_SEVERAL = 0.15  # of the changed pages
_LETTER = re.compile(r"[^\W\d_]")
_NEAR = 4  # steps of a path that tell a column where the way to it differs
_RANKED_LEVELS = 3
_MOST_CANDIDATES = 60_000

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a page offers: ``part`` is its rank among the parts of its text, -1 for a whole.

    ``label`` is the known label that stands before it in its own text, where one does.
    """

    value: str
    span: Span
    item: int
    kind: str
    part: int = -1
    label: str = ""


def unranked(key: Key) -> Key:
    """The key of the column that places of one rank are part of."""
    how = {"rank": "path", "class and rank": "class"}.get(str(key[0]))
    return (how, *key[1:-1]) if how else ()


def candidates(
    tree: Tree,
    kinds: Collection[str],
    labels: Collection[str] = (),
    patterns: Collection[str] = (),
) -> Iterator[Candidate]:
    """The candidates of a page, of texts and of the attributes that fields are read from.

    Known labels and patterns of values tell parts of texts.
    """
    attributes = {kind[1:] for kind in kinds if kind.startswith("@")}
    if "text" in kinds:
        yield from _texts(tree, labels, patterns)
    if attributes:
        yield from _attributes(tree, attributes)


def _texts(tree: Tree, labels: Collection[str], patterns: Collection[str]) -> Iterator[Candidate]:
    html = tree.html
    for item in range(len(tree)):
        if tree.tag[item] is not None:
            if _is_line(tree, item):
                texts = tree.texts_in(item, tree.stop[item])
                span = _trim(tree, tree.start[texts[0]], tree.end[texts[-1]])
                yield Candidate(value_of(html, span), span, item, "text")
            continue
        if tree.end[item] - tree.start[item] > _LONGEST_TEXT:
            continue
        span = _trim(tree, tree.start[item], tree.end[item])
        if span.end <= span.start:
            continue
        yield Candidate(value_of(html, span), span, item, "text")
        for part in parts(html[span.start : span.end], labels, patterns):
            place = _trim(tree, span.start + part.start, span.start + part.end)
            if place.end > place.start:
                value = value_of(html, place)
                yield Candidate(value, place, item, "text", part.rank, part.label)


def _attributes(tree: Tree, wanted: Collection[str]) -> Iterator[Candidate]:
    for item, tag in enumerate(tree.tag):
        if tag is None or "=" not in tag.source:
            continue
        for attribute in tag.attributes:
            if attribute.name in wanted and attribute.value.strip("# \t\n"):
                at = tree.start[item]
                span = Span(at + attribute.start, at + attribute.end)
                yield Candidate(value_of(tree.html, span), span, item, f"@{attribute.name}")


def _is_line(tree: Tree, item: int) -> bool:
    """Whether an element holds several texts and nothing but inline markup."""
    stop = tree.stop[item]
    if (
        stop - item > _LONGEST_LINE
        or stop - item < 3
        or tree.name[item] in ("tr", "table", "ul", "ol")
    ):
        return False
    inner = range(item + 1, stop)
    texts = sum(tree.name[i] == TEXT for i in inner)
    return texts > 0 and all(tree.name[i] == TEXT or tree.name[i] in _INLINE for i in inner)


def _trim(tree: Tree, start: int, end: int) -> Span:
    first, last = trimmed(tree.html[start:end])
    return Span(start + first, start + last)


def _labelled(tree: Tree, labels: Collection[str]) -> dict[int, str]:
    """The texts that stand right after a text that is one of the labels."""
    found = {}
    label = None
    for item in tree.texts if labels else ():
        if label is not None:
            found[item] = label
        size = tree.end[item] - tree.start[item]
        text = fold(tree.html[tree.start[item] : tree.end[item]]) if size < _LONGEST_LABEL else ""
        label = text if text in labels else None
    return found


def captions(trees: Sequence[Tree]) -> frozenset[str]:
    """Texts that several of the changed pages have, once each: labels among them, which the old pages did not have."""
    pages: Counter[str] = Counter()
    for tree in trees:
        texts = Counter(
            fold(tree.html[tree.start[item] : tree.end[item]])
            for item in tree.texts
            if tree.end[item] - tree.start[item] < _LONGEST_LABEL
        )
        pages.update(text for text, count in texts.items() if count == 1 and _LETTER.search(text))
    least = max(2, _SEVERAL * len(trees))
    return frozenset(text for text, count in pages.items() if count >= least)


class Columns:
    """Sorts the candidates of one page into columns.

    Known labels stand before values, or inside a text; ``captions`` are texts that may be labels of the changed page itself.
    """

    def __init__(
        self,
        tree: Tree,
        labels: Collection[str] = (),
        patterns: Collection[str] = (),
        captions: Collection[str] = (),
        *,
        every_rank: bool = False,
    ) -> None:
        self.tree = tree
        self._levels = MAX_DEPTH if every_rank else _RANKED_LEVELS
        self._stops: frozenset[str] = frozenset() if every_rank else _ROWS
        self._labels = labels
        self._patterns = patterns
        self._labelled = _labelled(tree, {*labels, *captions})
        self._paths: dict[int, tuple[str, ...]] = {-1: ()}
        self._named: dict[int, tuple[str, ...]] = {-1: ()}
        self.by_key: dict[Key, list[Candidate]] = {}

    def fill(self, kinds: Collection[str]) -> None:
        """Take in all candidates of the page, up to a bound."""
        for number, candidate in enumerate(
            candidates(self.tree, kinds, self._labels, self._patterns)
        ):
            if number >= _MOST_CANDIDATES:
                break
            for key in self._keys(candidate):
                self.by_key.setdefault(key, []).append(candidate)

    def distinct(self) -> list[tuple[Key, list[Candidate]]]:
        """The columns, each set of places once, under its plainest key."""
        seen: set[tuple[Span, ...]] = set()
        found = []
        for key, column in self.by_key.items():
            places = tuple(candidate.span for candidate in column)
            if places not in seen:
                seen.add(places)
                found.append((key, column))
        return found

    def _keys(self, candidate: Candidate) -> Iterator[Key]:
        if candidate.label:
            yield ("label", candidate.kind, candidate.part, candidate.label)
            return
        item = candidate.item
        path, named = self._path(item), self._class_path(item)
        base = (candidate.kind, candidate.part, path)
        yield ("path", *base)
        yield ("near", candidate.kind, candidate.part, path[-_NEAR:], named)
        yield ("class", *base, named)
        ranks = self._ranks(item)
        for depth in {1, 2, 3, len(ranks)}.intersection(range(1, len(ranks) + 1)):
            yield ("rank", *base, ranks[:depth])
            yield ("class and rank", *base, named, ranks[:depth])
        label = self._labelled.get(item)
        if label is not None:
            yield ("label", candidate.kind, candidate.part, label)

    def _path(self, item: int) -> tuple[str, ...]:
        known = self._paths.get(item)
        if known is None:
            tree = self.tree
            chain = [item]
            while tree.parent[chain[-1]] not in self._paths:
                chain.append(tree.parent[chain[-1]])
            for one in reversed(chain):
                self._paths[one] = (*self._paths[tree.parent[one]], self._step(one))
            known = self._paths[item]
        return known

    def _step(self, item: int) -> str:
        name = self.tree.name[item]
        return f"{name}{self._rank(item, _CELLS)}" if name in _CELLS else name

    def _class_path(self, item: int) -> tuple[str, ...]:
        """The lasting classes of the innermost elements."""
        known = self._named.get(item)
        if known is None:
            tree = self.tree
            steps = []
            at = item
            for _ in range(4):
                if at < 0:
                    break
                steps.append(
                    ".".join(sorted(c for c in tree.classes(at) if not _PASSING.search(c)))
                )
                at = tree.parent[at]
            known = self._named[item] = tuple(steps)
        return known

    def _ranks(self, item: int) -> tuple[int, ...]:
        """The ranks among siblings of the same name, up to the row that the item stands in."""
        tree = self.tree
        ranks = []
        for _ in range(self._levels):
            if item < 0 or tree.name[item] in self._stops:
                break
            if tree.name[item] not in _CELLS:
                ranks.append(self._rank(item, frozenset((tree.name[item],))))
            item = tree.parent[item]
        return tuple(ranks)

    def _rank(self, item: int, names: Collection[str]) -> int:
        tree = self.tree
        sibling = tree.parent[item] + 1
        rank = 0
        for _ in range(64):
            if sibling >= item:
                break
            rank += tree.name[sibling] in names
            sibling = tree.stop[sibling]
        return rank
