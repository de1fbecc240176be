"""Examples that no column shows as they are: part of a text, or the value of an attribute.

Where the page says ``MSRP: $34,020`` and the example ``$34,020``, the texts around the value on the labelled
page are shortened until they stand on the other pages too; what is between them is the field. An attribute
is found by its tag, what tells the tag from others, and its place in the smallest region that will do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...landmark.field import Field
from ...landmark.parts import MARKS, AttributeAt, Part, attributes_in
from ...tokenizer import fold
from ..default import likeness
from .occurrences import ATTRIBUTE, occurrences, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...labels import Span
    from ...landmark.read import Nonterminal, Reading
    from ...page import Page
    from ...tokenizer import Tag
    from ..columns.column import Column
    from ..sample.texts import Sample

SHARE = 0.8  # of the values: how many must have the texts around the part
MOST_COLUMNS = 40
MOST_PLACES = 6
MOST_REGIONS = 60
MOST_LOCATORS = 3


def bind_part(
    name: str, wanted: Mapping[int, list[str]], columns: Sequence[Column], sample: Sample
) -> Field | None:
    """A field that is part of a column's text, or None."""
    best: tuple[float, Field] | None = None
    page, values = next(iter(wanted.items()))
    html = sample.texts[page].page.html
    for span in _spans(sample.texts[page].page, values[0], in_attributes=False):
        text = fold(html[slice(*span)])
        for column in _around(columns, page, span):
            whole = " ".join(column.values[page])
            part = _part(text, whole, column) if text in whole else None
            if part is None or not _shows(part, wanted, column, sample):
                continue
            texts = [" ".join(value) for value in column.values if value]
            found = {cut for whole in texts if (cut := part.cut(whole))}
            score = likeness(column) + (len(found) > 1) - len(whole) / 200
            if best is None or score > best[0]:
                best = score, Field(name, column.candidate.locators, part=part)
    return best[1] if best else None


def _spans(page: Page, value: str, *, in_attributes: bool) -> list[Span]:
    found = occurrences(page, value)
    # "/img/7.jpg" as it is in an attribute is surer than the number 7 in a text.
    written = squeeze(value)
    exact = [o for o in found if squeeze(page.html[slice(*o.span)]) == written]
    found = [o for o in exact or found if (o.how == ATTRIBUTE) == in_attributes]
    best = max((place.quality for place in found), default=0.0)
    return [place.span for place in found if place.quality >= best - 0.1][:MOST_PLACES]


def _around(columns: Sequence[Column], page: int, span: Span) -> list[Column]:
    """The columns that hold a place, the tightest first."""
    held = []
    for column in columns:
        extent = column.candidate.extents[page]
        if extent is not None and extent.start <= span.start and span.end <= extent.end:
            held.append((extent.end - extent.start, -len(column.candidate.pages), column))
    held.sort(key=lambda item: item[:2])
    return [column for _, _, column in held[:MOST_COLUMNS]]


def _part(value: str, whole: str, column: Column) -> Part | None:
    texts = [" ".join(held) for held in column.values if held]
    start = whole.find(value)
    for before in _endings(whole[:start]):
        having = [text for text in texts if before in text]
        if len(having) < SHARE * len(texts):
            continue
        for after in _beginnings(whole[start + len(value) :]):
            part = Part(before, after)
            having_both = [t for t in having if after in t[t.find(before) + len(before) :]]
            if part.cut(whole) == value and len(having_both) >= SHARE * len(having):
                return part
    return None


def _endings(text: str) -> Iterator[str]:
    """A text, and ever shorter ends of it that begin with a word or a sign."""
    for place in range(len(text)):
        if not (place and text[place].isalnum() and text[place - 1].isalnum()):
            yield text[place:]
    if not text:
        yield ""


def _beginnings(text: str) -> Iterator[str]:
    for place in range(len(text), 0, -1):
        if not (place < len(text) and text[place].isalnum() and text[place - 1].isalnum()):
            yield text[:place]
    if not text.strip():
        yield ""


def _shows(part: Part, wanted: Mapping[int, list[str]], column: Column, sample: Sample) -> bool:
    """Whether a part is what the examples of all pages ask for."""
    for page, values in wanted.items():
        cut = part.cut(" ".join(column.values[page]))
        source = sample.texts[page].page
        written = {
            fold(source.html[slice(*span)])
            for value in values
            for span in _spans(source, value, in_attributes=False)
        }
        if cut is None or cut not in written | set(values):
            return False
    return True


def bind_attribute(
    name: str,
    wanted: Mapping[int, list[str]],
    pages: Sequence[Page],
    readings: Sequence[Reading],
    regions: int = MOST_REGIONS,
) -> Field | None:
    """A field that is an attribute's value, or None. The smallest ``regions`` around it are looked at."""
    page, values = next(iter(wanted.items()))
    places = {
        number: {
            tuple(span)
            for value in asked
            for span in _spans(pages[number], value, in_attributes=True)
        }
        for number, asked in wanted.items()
    }
    ranked: list[tuple[float, int, AttributeAt]] = []
    for span in _spans(pages[page], values[0], in_attributes=True):
        best = 0  # ways than which none is surer; of those the first are taken
        is_marked = False
        for at in _ways(pages[page], readings[page], span, regions):
            is_marked = is_marked or bool(at.mark)
            if all(
                (hit := at.read(pages[n], readings[n])) is not None and hit[1:] in places[n]
                for n in wanted
            ):
                found = [at.read(one, read) for one, read in zip(pages, readings, strict=True)]
                held = [hit[0] for hit in found if hit is not None]
                varied = len(set(held)) > 1 or len(pages) == 1
                sure = len(held) / len(pages) + varied + 0.3 * bool(at.mark)
                ranked.append((-sure, len(ranked), at))
                best += len(held) == len(pages) and varied and bool(at.mark) is is_marked
                if best == MOST_LOCATORS:
                    break
    ranked.sort()
    return (
        Field(name, (), attributes=tuple(at for _, _, at in ranked[:MOST_LOCATORS]))
        if ranked
        else None
    )


def _ways(page: Page, reading: Reading, span: Span, most: int) -> Iterator[AttributeAt]:
    """Ways to find the attribute at a place, by the smallest regions and by what its tag says."""
    around = sorted(
        (end - start, nonterminal)
        for nonterminal, (start, end) in reading.regions.items()
        if start <= span.start and span.end <= end
    )
    regions: list[Nonterminal] = [nonterminal for _, nonterminal in around[:most]]
    if around:
        regions.append(around[-1][1])
    for nonterminal in dict.fromkeys(regions):
        held = list(attributes_in(reading.outline, *reading.regions[nonterminal]))
        mine = next((at for at, start, end in held if (start, end) == tuple(span)), None)
        if mine is None:
            continue
        tag, attribute = mine
        for mark in (*(mark for mark in MARKS if mark != attribute and tag.get(mark)), ""):
            says = (tag.get(mark) or "") if mark else ""
            alike = [
                place for (other, kind), *place in held if _alike(other, kind, tag, attribute, mark)
            ]
            index = alike.index(list(span))
            yield AttributeAt(nonterminal, tag.name, attribute, mark, says, index + 1)
            yield AttributeAt(nonterminal, tag.name, attribute, mark, says, index - len(alike))


def _alike(other: Tag, kind: str, tag: Tag, attribute: str, mark: str) -> bool:
    same = other.name == tag.name and kind == attribute
    return same and (not mark or other.get(mark) == tag.get(mark))
