"""From example values to labels: which place of a value is the one that is meant?

A value may stand in many places. For a page's single record all of them are given; the records of a list
resemble each other and keep their order, which settles most doubts (see ``chain``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from ...errors import CannotInduce
from ...labels import LabelledPage, Record, Span
from ...records.tree import tree_of
from .chain import Cluster, Want, cheapest_chain, clusters_of, one_by_one, pitch_of, prices_of
from .occurrences import Occurrence, index_of, occurrences, squeeze, text_of

if TYPE_CHECKING:
    from ...page import Page

__all__ = ["Occurrence", "locate_record", "locate_records", "occurrences", "text_of"]

_TOLERATED_SHARE = 0.1


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
    prices = prices_of(tree, wants)
    pitch = pitch_of(wants, scope)
    clusters = [clusters_of(tree, record, prices, pitch) for record in wants]
    chain = cheapest_chain(clusters, pitch, overlap=False) or cheapest_chain(
        clusters, pitch, overlap=True
    )
    chain = chain or one_by_one(clusters)
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
    wants: Sequence[Want],
    cluster: Cluster,
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
    page: Page, examples: Sequence[Mapping[str, Any]], parent: Cluster, room: Span
) -> tuple[Record, ...]:
    """Nested records stand after what their record starts with, or else before it."""
    try:
        return _locate(page, examples, Span(parent.start, room.end))
    except CannotInduce:
        return _locate(page, examples, room)


def _wants(page: Page, examples: Sequence[Mapping[str, Any]], scope: Span) -> list[list[Want]]:
    asked: Counter[str] = Counter()
    lost: dict[str, list[tuple[int, str]]] = {}
    cache: dict[str, list[Occurrence]] = {}
    found: list[list[Want]] = []
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
                    record.append(Want(name, text, places))
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
