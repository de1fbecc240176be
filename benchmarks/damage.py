"""Damage the records of a page on purpose, and know what is true of the result.

A share of the records is hit, each by one kind of damage: an attribute dropped, two swapped, one repeated
with another record's value, a delimiter mistyped, or an inline tag changed. Everything is drawn from one seed.
Values are marked with private-use characters while the source is edited, so that the labels of the damaged
page follow from the edits and not from a search.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scrapy_wrapinduce.labels import LabelledPage, Record, Span
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import OPEN

OPENING, NAMED, CLOSING = "\ue000", "\ue001", "\ue002"
_MARK = re.compile(f"{OPENING}(\\d+):([^{NAMED}]*){NAMED}|{CLOSING}")
_INLINE = frozenset("a b big cite code em font i label q s small span strong sub sup tt u".split())
_OTHER_INLINE = {"b": "strong", "strong": "b", "i": "em", "em": "i", "a": "span", "span": "font"}


@dataclass(frozen=True)
class _Value:
    record: int
    field: str
    start: int
    end: int
    block: tuple[int, int]


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


Damage = Callable[["_Source", Sequence[_Value], random.Random], "list[_Edit] | None"]


class _Source:
    """A labelled page with, for each value, the block that moves with it: the largest element around it alone."""

    def __init__(self, labelled: LabelledPage) -> None:
        self.page = labelled.page
        self.html = labelled.page.html
        places = [
            (number, name, span)
            for number, record in enumerate(labelled.records)
            for name, spans in record.values.items()
            for span in ((spans,) if isinstance(spans, Span) else spans)
        ]
        elements = [
            (node.start, self.page.nodes[node.partner].end)
            for node in self.page.nodes
            if node.tag is not None and node.tag.kind == OPEN and node.partner >= 0
        ]
        starts = sorted(span.start for _, _, span in places)
        self.values = [
            _Value(number, name, *span, self._block(span, elements, starts))
            for number, name, span in places
        ]
        self.count = len(labelled.records)

    @staticmethod
    def _block(
        span: Span, elements: Sequence[tuple[int, int]], starts: Sequence[int]
    ) -> tuple[int, int]:
        for start, end in elements:  # in page order, so that outer elements come first
            around = start <= span.start and span.end <= end
            if around and sum(start <= other < end for other in starts) == 1:
                return start, end
        return span.start, span.end

    def marked(self, value: _Value, text: str | None = None) -> str:
        """The value's block with its marks, and another text in its place if one is given."""
        start, end = value.block
        shown = self.html[value.start : value.end] if text is None else text
        marked = f"{OPENING}{value.record}:{value.field}{NAMED}{shown}{CLOSING}"
        return self.html[start : value.start] + marked + self.html[value.end : end]


def damaged(labelled: LabelledPage, rate: float, seed: int) -> LabelledPage:
    """The page with about ``rate`` of its records damaged."""
    chance = random.Random(seed)
    source = _Source(labelled)
    hit = set(chance.sample(range(source.count), round(rate * source.count)))
    edits: list[_Edit] = []
    for number in range(source.count):
        values = [value for value in source.values if value.record == number]
        done: list[_Edit] = []
        if number in hit:
            kinds = list(DAMAGES.values())
            chance.shuffle(kinds)
            done = next((made for kind in kinds if (made := kind(source, values, chance))), [])
        edits += done
        for value in values:
            if any(edit.start <= value.start and value.end <= edit.end for edit in done):
                continue
            edits.append(_Edit(value.start, value.start, f"{OPENING}{number}:{value.field}{NAMED}"))
            edits.append(_Edit(value.end, value.end, CLOSING))
    return _unmarked(_apply(source.html, edits), labelled.page.url)


def _drop(source: _Source, values: Sequence[_Value], chance: random.Random) -> list[_Edit] | None:
    if len(values) < 2:
        return None
    value = chance.choice(values)
    whole = chance.random() < 0.5
    start, end = value.block if whole else (value.start, value.end)
    return [_Edit(start, end, "")]


def _swap(source: _Source, values: Sequence[_Value], chance: random.Random) -> list[_Edit] | None:
    if len(values) < 2:
        return None
    one, other = chance.sample(list(values), 2)
    return [
        _Edit(*one.block, source.marked(other)),
        _Edit(*other.block, source.marked(one)),
    ]


def _repeat(source: _Source, values: Sequence[_Value], chance: random.Random) -> list[_Edit] | None:
    value = chance.choice(values)
    same = [each for each in source.values if each.field == value.field]
    another = chance.choice(same)
    text = source.html[another.start : another.end]
    return [_Edit(*value.block, source.marked(value) + "\n" + source.marked(value, text))]


def _mistype(
    source: _Source, values: Sequence[_Value], chance: random.Random
) -> list[_Edit] | None:
    value = chance.choice(values)
    before = [node for node in source.page.nodes if node.end <= value.start][-2:]
    after = [node for node in source.page.nodes if node.start >= value.end][:2]
    tags = [node for node in (*before, *after) if node.tag is not None]
    if not tags:
        return None
    node = chance.choice(tags)
    text = source.html[node.start : node.end]
    return [_Edit(node.start, node.end, _typo(text, chance))]


def _typo(tag: str, chance: random.Random) -> str:
    """A start or end tag as a careless hand types it."""
    inside = [at for at in range(1, min(16, len(tag) - 1)) if tag[at].isalnum()]
    at = chance.choice(inside)
    kind = chance.randrange(4)
    if kind == 0:
        return tag[:at] + tag[at + 1 :] if len(inside) > 1 else tag[:at] + "x" + tag[at + 1 :]
    if kind == 1:
        return tag[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + tag[at + 1 :]
    if kind == 2:
        return tag[:at] + tag[at] + tag[at:]
    return ""


def _inline(source: _Source, values: Sequence[_Value], chance: random.Random) -> list[_Edit] | None:
    value = chance.choice(values)
    nodes = source.page.nodes
    around = [
        (node, nodes[node.partner])
        for node in nodes
        if node.tag is not None
        and node.tag.kind == OPEN
        and node.tag.name in _INLINE
        and node.partner >= 0
        and value.block[0] <= node.start < value.start
        and value.end <= nodes[node.partner].start < value.block[1]
    ]
    if around and chance.random() < 0.7:
        opened, closed = around[-1]
        assert opened.tag is not None
        other = _OTHER_INLINE.get(opened.tag.name, "b")
        if chance.random() < 0.3:
            return [_Edit(opened.start, opened.end, ""), _Edit(closed.start, closed.end, "")]
        rest = source.html[opened.start + 1 + len(opened.tag.name) : opened.end]
        return [
            _Edit(opened.start, opened.end, f"<{other}{rest}"),
            _Edit(closed.start, closed.end, f"</{other}>"),
        ]
    if "<" in source.html[value.block[0] : value.start].rpartition(">")[2]:
        return None  # inside a tag, where no tag can be added
    mark = f"{OPENING}{value.record}:{value.field}{NAMED}"
    shown = source.html[value.start : value.end]
    return [_Edit(value.start, value.end, f"<b>{mark}{shown}{CLOSING}</b>")]


DAMAGES: dict[str, Damage] = {
    "drop": _drop,
    "swap": _swap,
    "repeat": _repeat,
    "mistype": _mistype,
    "inline": _inline,
}


def _apply(html: str, edits: Sequence[_Edit]) -> str:
    done: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:  # a block that an earlier edit has replaced already
            continue
        done += (html[at : edit.start], edit.text)
        at = edit.end
    return "".join((*done, html[at:]))


def _unmarked(html: str, url: str | None) -> LabelledPage:
    """The page without its marks, and the labels that the marks have shown."""
    pieces: list[str] = []
    length = at = 0
    records: dict[int, dict[str, list[Span]]] = {}
    opened: tuple[int, str, int] | None = None
    for found in _MARK.finditer(html):
        pieces.append(html[at : found.start()])
        length += len(pieces[-1])
        at = found.end()
        if found[1] is not None:
            opened = (int(found[1]), found[2], length)
        elif opened is not None:
            number, name, start = opened
            records.setdefault(number, {}).setdefault(name, []).append(Span(start, length))
            opened = None
    page = Page("".join((*pieces, html[at:])), url)
    return LabelledPage(page, tuple(_record(records[number]) for number in sorted(records)))


def _record(values: dict[str, list[Span]]) -> Record:
    return Record(
        {name: spans[0] if len(spans) == 1 else tuple(spans) for name, spans in values.items()}
    )


def records_of(labelled: LabelledPage) -> Iterator[dict[str, tuple[Span, ...]]]:
    """The labelled records, every field with all its spans."""
    for record in labelled.records:
        yield {
            name: (spans,) if isinstance(spans, Span) else spans
            for name, spans in record.values.items()
        }
