"""Align the values of records that nobody labelled.

Every text, link and image of a record has a slot: the tags and lasting classes between the record and it. Values
in the same slot of different records are one field. A slot that recurs a varying number of times in a record is
one field of several values. What never changes is a caption, not data. Text with inline markup is read as
one value, its links and dates as values of their own too.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..fields.columns.naming import make_distinct
from ..labels import Record, Span
from .naming import base_name, classes_of, column_heads, label_before, with_title
from .read import trimmed
from .tree import TEXT, Tree
from .wrapper import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_INLINE = frozenset(
    "a abbr acronym b bdi big br cite code em font i img ins kbd mark nobr q s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)
_CELLS = frozenset(("td", "th"))
_ATTRIBUTES = {
    "a": ("href",),
    "img": ("src", "data-src"),
    "time": ("datetime",),
    "meta": ("content",),
}
_PASSING = re.compile(r"\d|^(?:odd|even|first|last|active|current|selected|alt|clearfix|row|col)$")
_MAX_FIELDS = 40
_MAX_SLOTS = 1000
_PIECE = "piece "
_MAX_PIECES = 6
_MAX_ITEMS = 3000

Region = tuple[Tree, int, int]
Key = tuple[tuple[str, ...], str]


@dataclass(frozen=True)
class FoundField:
    """A field found by alignment, and what its surroundings call it.

    ``label`` is a constant text before it in the record, ``words`` its classes and other names, innermost
    first, ``tag`` its element and ``kind`` either ``text`` or an attribute (``@href``).
    """

    name: str
    tag: str
    kind: str
    words: tuple[str, ...]
    label: str
    share: float
    many: bool


def align(regions: Sequence[Region]) -> tuple[list[FoundField], list[Record]]:
    """The fields of the records, in the order of the page, and each record's values under them."""
    lasting = _lasting_classes(regions)
    rows = [_slots(*region, lasting) for region in regions]
    columns: dict[Key, list[list[Span]]] = {}
    order: dict[Key, float] = {}
    for number, row in enumerate(rows):
        for place, (key, span) in enumerate(row):
            if key not in columns:
                if len(columns) >= _MAX_SLOTS:
                    continue
                columns[key] = [[] for _ in regions]
            columns[key][number].append(span)
            order.setdefault(key, place)
    _drop_pieces(regions, columns)
    _merge_variants(columns)
    fields: list[tuple[float, Key, int | None, list[list[Span]]]] = []
    for key, column in columns.items():
        counts = Counter(len(spans) for spans in column if spans)
        most, usual = counts.most_common(1)[0]
        if max(counts) == 1:
            fields.append((order[key], key, None, column))
        elif usual >= 0.7 * sum(counts.values()) and most <= 8:
            for rank in range(most):
                ranked = [spans[rank : rank + 1] for spans in column]
                fields.append((order[key] + rank / 100, key, rank, ranked))
        else:
            fields.append((order[key], key, -1, column))
    kept = _telling(regions, fields)
    return _named(regions, kept)


def _merge_variants(columns: dict[Key, list[list[Span]]]) -> None:
    """Join slots that no record has both of and that end in the same classes: records of several shapes."""
    by_end: dict[tuple[str, str], list[Key]] = {}
    for path, kind in columns:
        if path and "." in path[-1]:
            by_end.setdefault((path[-1], kind), []).append((path, kind))
    for keys in by_end.values():
        for key in keys[1:]:
            for known in keys[: keys.index(key)]:
                pairs = list(zip(columns.get(known, ()), columns[key], strict=False))
                if pairs and not any(a and b for a, b in pairs):
                    columns[known] = [a or b for a, b in pairs]
                    del columns[key]
                    break


def _drop_pieces(regions: Sequence[Region], columns: dict[Key, list[list[Span]]]) -> None:
    """Keep the pieces of a line only where a caption in it ("by", "Price:") is what they are told from."""
    by_line: dict[Key, list[Key]] = {}
    for path, kind in columns:
        if kind.startswith(_PIECE):
            by_line.setdefault((path, kind.partition("/")[2]), []).append((path, kind))
    for (path, _), pieces in by_line.items():
        lines = sum(map(bool, columns.get((path, "text"), ())))
        captions = [key for key in pieces if _is_caption(regions, columns[key])]
        covered = sum(map(bool, columns[pieces[0]]))
        if not captions or len(captions) == len(pieces) or 10 * covered < 7 * lines:
            captions = pieces
        for key in captions:
            del columns[key]


def _is_caption(regions: Sequence[Region], column: Sequence[Sequence[Span]]) -> bool:
    values = Counter(
        value_of(tree.html, spans[0])
        for (tree, _, _), spans in zip(regions, column, strict=True)
        if spans
    )
    return 10 * values.most_common(1)[0][1] >= 9 * sum(values.values()) > 10


def _lasting_classes(regions: Sequence[Region]) -> dict[tuple[str, str], float]:
    """The share of records that have an element of a name with a class; of one record only: left out."""
    counts: Counter[tuple[str, str]] = Counter()
    for tree, first, stop in regions:
        seen: set[tuple[str, str]] = set()
        for item in range(first, min(stop, first + _MAX_ITEMS)):
            seen.update((tree.name[item], one) for one in tree.classes(item))
        counts.update(seen)
    least = 2 if len(regions) > 2 else 1
    return {
        key: count / len(regions)
        for key, count in counts.items()
        if count >= least and not _PASSING.search(key[1])
    }


def _slots(
    tree: Tree, first: int, stop: int, lasting: Mapping[tuple[str, str], float]
) -> list[tuple[Key, Span]]:
    found: list[tuple[Key, Span]] = []
    keys: dict[int, tuple[str, ...]] = {}

    def key_of(item: int) -> tuple[str, ...]:
        if item < first:
            return ()
        if item not in keys:
            parent = tree.parent[item]
            base = key_of(parent) if parent < first or parent in keys else ()
            # Records may be told apart by a class of their own, as odd and even rows are.
            whole = item == first and tree.stop[item] == stop
            keys[item] = (*base, tree.name[item] if whole else _step(tree, item, first, lasting))
        return keys[item]

    whole_until = first
    for item in range(first, min(stop, first + _MAX_ITEMS)):
        key = key_of(item) if tree.tag[item] is not None else ()
        if tree.tag[item] is None:
            if item >= whole_until:
                found.append(((key_of(tree.parent[item]), "text"), _text_span(tree, item, item)))
            continue
        found += _attribute_values(tree, item, key)
        texts = tree.texts_in(item, tree.stop[item])
        if not texts:
            continue
        if item < whole_until:
            if tree.name[item] in ("a", "time"):
                found.append(((key, "text"), _text_span(tree, texts[0], texts[-1])))
        elif len(texts) > 1 and _is_inline(tree, item):
            found.append(((key, "text"), _text_span(tree, texts[0], texts[-1])))
            if len(texts) <= _MAX_PIECES:
                for rank, text in enumerate(texts):
                    piece = (key, f"{_PIECE}{rank}/{len(texts)}")
                    found.append((piece, _text_span(tree, text, text)))
            whole_until = tree.stop[item]
    return [(key, span) for key, span in found if span.end > span.start]


def _step(tree: Tree, item: int, first: int, lasting: Mapping[tuple[str, str], float]) -> str:
    """An element by the classes that most records have there; where it has none of these, by its own."""
    name = tree.name[item]
    if name in _CELLS:
        siblings = tree.children(tree.parent[item])[:200]
        return f"{name}{sum(tree.name[s] in _CELLS for s in siblings if s < item and s >= first)}"
    shares = {one: lasting[name, one] for one in tree.classes(item) if (name, one) in lasting}
    usual = [one for one, share in shares.items() if share >= 0.5]
    return ".".join((name, *sorted(usual or shares)[:4]))


def _text_span(tree: Tree, first: int, last: int) -> Span:
    return trimmed(tree.html, Span(tree.start[first], tree.end[last]))


def _attribute_values(tree: Tree, item: int, key: tuple[str, ...]) -> Iterator[tuple[Key, Span]]:
    tag = tree.tag[item]
    wanted = _ATTRIBUTES.get(tree.name[item], ())
    for attribute in tag.attributes if tag is not None and wanted else ():
        if attribute.name in wanted and attribute.value and attribute.value[0] != "#":
            at = tree.start[item]
            yield (key, f"@{attribute.name}"), Span(at + attribute.start, at + attribute.end)


def _is_inline(tree: Tree, item: int) -> bool:
    """Whether an element is one line of text: text of its own, and only inline markup in it."""
    stop = tree.stop[item]
    if stop - item > 80 or tree.name[item] in ("tr", "table", "ul", "ol"):
        return False
    own = any(tree.name[child] == TEXT for child in tree.children(item))
    return own and all(
        tree.name[inner] == TEXT or tree.name[inner] in _INLINE for inner in range(item + 1, stop)
    )


def _telling(
    regions: Sequence[Region], fields: Sequence[tuple[float, Key, int | None, list[list[Span]]]]
) -> list[tuple[float, Key, int | None, list[list[Span]]]]:
    """Fields without captions, rare accidents and repetitions of other fields."""
    least = max(2.0, 0.1 * len(regions)) if len(regions) > 3 else 1.0
    seen: set[tuple[str, ...]] = set()
    ranked = []
    for field in sorted(fields, key=lambda field: field[1][1].startswith(_PIECE)):
        values = [
            " | ".join(value_of(tree.html, span) for span in spans)
            for (tree, _, _), spans in zip(regions, field[3], strict=True)
        ]
        filled = [value for value in values if any(map(str.isalnum, value))]
        if len(filled) < least or (len(set(filled)) < 2 and len(regions) > 1):
            continue
        if tuple(values) in seen:
            continue
        seen.add(tuple(values))
        ranked.append((len(filled), field))
    ranked.sort(key=lambda pair: -pair[0])
    return sorted((field for _, field in ranked[:_MAX_FIELDS]), key=lambda field: field[0])


def _named(
    regions: Sequence[Region], kept: Sequence[tuple[float, Key, int | None, list[list[Span]]]]
) -> tuple[list[FoundField], list[Record]]:
    # What all records are called says nothing about a field.
    of_elements = all(tree.stop[first] == stop for tree, first, stop in regions)
    heads = column_heads(*regions[0][:2])
    labels = [label_before(regions, column) for _, _, _, column in kept]
    paths = [path[1:] if of_elements else path for _, (path, _), _, _ in kept]
    kinds = ["text" if kind.startswith(_PIECE) else kind for _, (_, kind), _, _ in kept]
    wishes = [
        base_name(path, kind, label, heads, _texts(regions, column))
        for path, kind, label, (_, _, _, column) in zip(paths, kinds, labels, kept, strict=True)
    ]
    names = make_distinct(with_title(wishes))
    found = []
    values: list[dict[str, Span | tuple[Span, ...]]] = [{} for _ in regions]
    for name, path, kind, label, (_, _, rank, column) in zip(
        names, paths, kinds, labels, kept, strict=True
    ):
        many = rank == -1
        share = sum(map(bool, column)) / len(column)
        tag = re.split(r"\.|(?<=^t[dh])", path[-1], maxsplit=1)[0] if path else ""
        found.append(FoundField(name, tag, kind, classes_of(path), label, share, many))
        for record, spans in zip(values, column, strict=True):
            if spans:
                record[name] = tuple(spans) if many else spans[0]
    return found, [Record(record) for record in values]


def _texts(regions: Sequence[Region], column: Sequence[Sequence[Span]]) -> list[str]:
    return [
        value_of(tree.html, span)
        for (tree, _, _), spans in zip(regions, column, strict=True)
        for span in spans[:3]
    ]
