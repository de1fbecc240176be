"""Find the places of a value in a page, however the page writes it.

The page is indexed once: all its text without white space, case and markup as one string, so that a single
``str.find`` sees whole texts, parts of them and values cut up by inline tags alike; attribute values and
absolute addresses in tables. A number is found in other notations too; only a value that is found nowhere
is looked for without its punctuation, then as a date.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from html import unescape
from itertools import accumulate
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ...labels import Span
from ...records.tree import Tree, tree_of
from ...tokenizer import fold, split_markup
from ..values.addresses import base_of, comparable, without_host
from ..values.formats import date_of, number_of, numbers_in, spellings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from ...page import Page

WHOLE, ELEMENT, PART, RUN, ATTRIBUTE = "text", "element", "part", "run", "attribute"
_QUALITY = {WHOLE: 1.0, ELEMENT: 0.95, PART: 0.85, RUN: 0.8, ATTRIBUTE: 0.75}
_MAX_OCCURRENCES = 600
_MAX_ATTEMPTS = 6000
_CONTEXT = 40
_ENTITY_OR_CHARACTER = re.compile(r"&(?:amp;)*#?\w{1,32};?|.", re.DOTALL)
_ALIKE = str.maketrans(
    "’‘‛´`“”„«»‐‑‒–—―−\xa0", "'''''\"\"\"\"\"------- ", "\u200b\u200e\u200f\xad\ufeff"
)
_NOT_DATA = re.compile(
    r"class|style|on[a-z]+|xmlns.*|srcset|width|height|tabindex|target|type|method"
)
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d{1,20}\.$")
_GROUP = re.compile(r"\d{3}(?!\d)")
_REST_OF_NUMBER = re.compile(r",\d{3}(?!\d)|\.\d{1,2}(?![\d.])")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|[./?]|[^\s]+/|[^\s]+\.\w{2,5}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place of a value: its span, how it stands there and how well it matches (0…1).

    ``how`` is ``text`` (a whole text node), ``part`` (of one), ``element`` (an element's whole text, over
    several nodes), ``run`` (several nodes that are no element) or ``attribute``. ``item`` is the first text,
    or the element of the attribute, in the page's tree.
    """

    span: Span
    how: str
    quality: float
    item: int
    attribute: str | None = None


def squeeze(text: str) -> str:
    """Text without what does not count: escapes, case, white space, kinds of quotes and dashes."""
    if "&" in text:
        text = unescape(unescape(text))
    return "".join(text.translate(_ALIKE).casefold().split())


def text_of(html: str, start: int, end: int) -> str:
    """The text of a piece of source as a person reads it, tags left out."""
    piece = html[start:end]
    return fold("".join(split_markup(piece)[::2])) if "<" in piece else fold(piece)


class PageIndex:
    """What is needed to find values in one page."""

    def __init__(self, html: str, url: str | None, tree: Tree) -> None:
        self.html = html
        self.tree = tree
        self.base = base_of(tree, url)
        texts = [squeeze(html[tree.start[i] : tree.end[i]]) for i in tree.texts]
        self.offsets = [0, *accumulate(map(len, texts))]
        self.joined = "".join(texts)
        self._whole: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            self._whole.setdefault(text, []).append(number)
        self.ends = frozenset(self._element_ranges())
        self.attributes: dict[str, list[tuple[int, int]]] = {}
        for item, tag in enumerate(tree.tag):
            if tag is not None:
                for number, attribute in enumerate(tag.attributes):
                    if attribute.value and not _NOT_DATA.fullmatch(attribute.name):
                        key = squeeze(attribute.value)
                        self.attributes.setdefault(key, []).append((item, number))
        self._addresses: dict[str, list[tuple[int, int]]] | None = None
        self._numbers: dict[Decimal, list[tuple[int, int, int]]] | None = None
        self._bare: tuple[str, list[int]] | None = None
        self._positions: dict[int, tuple[list[int], list[int]]] = {}

    def _element_ranges(self) -> Iterator[tuple[int, int]]:
        texts, stops = self.tree.texts, self.tree.stop
        for item, tag in enumerate(self.tree.tag):
            if tag is not None and stops[item] > item + 2:
                yield bisect_left(texts, item), bisect_left(texts, stops[item])

    def find(self, value: str) -> list[Occurrence]:
        """All places of a value, in page order; other wordings only where it stands in none."""
        wanted = squeeze(value)
        if not wanted:
            return []
        found = self._texts(wanted, value) + self._attributes(wanted, value)
        if _ADDRESS.match(value.strip()):
            found += [o for o in self._same_address(value) if o not in found]
        starts = {place.span.start for place in found}
        found += [o for o in self._same_number(value) if o.span.start not in starts]
        if not found:
            found = self._same_letters(wanted) or self._same_date(value)
        if not found and len(wanted) > 2:
            found = self._inside_attributes(wanted)
        if len(found) > _MAX_OCCURRENCES:
            found = sorted(found, key=lambda o: -o.quality)[:_MAX_OCCURRENCES]
        return sorted(found, key=lambda o: o.span)

    def _texts(self, wanted: str, value: str) -> list[Occurrence]:
        whole = self._whole.get(wanted, [])[:_MAX_OCCURRENCES]
        places = {self.offsets[text]: self.offsets[text + 1] for text in whole}
        at = self.joined.find(wanted)
        for _ in range(_MAX_ATTEMPTS):
            if at < 0:
                break
            places.setdefault(at, at + len(wanted))
            at = self.joined.find(wanted, at + 1)
        found = (self._text_at(start, end, value) for start, end in places.items())
        return [occurrence for occurrence in found if occurrence is not None]

    def _text_at(self, start: int, end: int, value: str | None) -> Occurrence | None:
        first = bisect_right(self.offsets, start) - 1
        last = bisect_left(self.offsets, end) - 1
        at_start, at_end = self.offsets[first] == start, self.offsets[last + 1] == end
        span_start = self._source(first, start - self.offsets[first])
        span_end = self._source(last, end - self.offsets[last], closing=True)
        if not (at_start and at_end) and self._cuts_a_word(first, last, span_start, span_end):
            return None
        if first == last:
            how = WHOLE if at_start and at_end else PART
        elif at_start and at_end and (first, last + 1) in self.ends:
            how = ELEMENT
        else:
            how = RUN
        quality = _QUALITY[how]
        if how == RUN and not (at_start and at_end):
            quality -= 0.2
        if value is not None and text_of(self.html, span_start, span_end) != fold(value):
            quality *= 0.97
        return Occurrence(Span(span_start, span_end), how, quality, self.tree.texts[first])

    def _source(self, text: int, offset: int, *, closing: bool = False) -> int:
        """Where the ``offset``-th squeezed character of a text starts in the source, or the one before ends."""
        item = self.tree.texts[text]
        start, end = self.tree.start[item], self.tree.end[item]
        if not closing and not offset:
            return start + len(self.html[start:end]) - len(self.html[start:end].lstrip())
        if closing and offset == self.offsets[text + 1] - self.offsets[text]:
            return start + len(self.html[start:end].rstrip())
        if text not in self._positions:
            starts: list[int] = []
            ends: list[int] = []
            for match in _ENTITY_OR_CHARACTER.finditer(self.html, start, end):
                size = len(squeeze(match[0]))
                starts += [match.start()] * size
                ends += [match.end()] * size
            self._positions[text] = starts, ends
        starts, ends = self._positions[text]
        known = ends if closing else starts
        return known[min(offset - closing, len(known) - 1)] if known else end

    def _cuts_a_word(self, first: int, last: int, start: int, end: int) -> bool:
        texts, tree = self.tree.texts, self.tree
        low = max(tree.start[texts[first]], start - _CONTEXT)
        high = min(tree.end[texts[last]], end + _CONTEXT)
        before = fold(self.html[low:start] + "|")[:-1]
        after = fold("|" + self.html[end:high])[1:]
        inside = text_of(self.html, start, end)
        if not inside:
            return False
        if _one_word(before[-1:], inside[0]) or _one_word(inside[-1], after[:1]):
            return True
        in_front = inside[0].isdigit() and (
            _DECIMAL_POINT.search(before)
            or (_GROUP.match(inside) and before[-2:-1].isdigit() and before[-1:] == ",")
        )
        behind = inside[-1].isdigit() and _REST_OF_NUMBER.match(after)
        return bool(in_front or behind)

    def _attributes(self, wanted: str, value: str) -> list[Occurrence]:
        return [self._attribute(*place) for place in self.attributes.get(wanted, ())]

    def _attribute(self, item: int, number: int, factor: float = 1.0) -> Occurrence:
        tag = self.tree.tag[item]
        assert tag is not None
        found = tag.attributes[number]
        at = self.tree.start[item]
        span = Span(at + found.start, at + found.end)
        return Occurrence(span, ATTRIBUTE, _QUALITY[ATTRIBUTE] * factor, item, found.name)

    def _same_address(self, value: str) -> list[Occurrence]:
        if self._addresses is None:
            self._addresses = {}
            for places in self.attributes.values():
                for item, number in places:
                    tag = self.tree.tag[item]
                    assert tag is not None
                    if tag.attributes[number].name in (
                        "href",
                        "src",
                        "content",
                        "action",
                        "data-src",
                        "data-href",
                    ):
                        key = comparable(self.base, tag.attributes[number].value)
                        self._addresses.setdefault(key, []).append((item, number))
                        if not self.base:
                            short = without_host(key)
                            self._addresses.setdefault(short, []).append((item, number))
        keys = [comparable(self.base, value)]
        if not self.base:
            keys.append(without_host(keys[0]))
        places = [place for key in keys for place in self._addresses.get(key, ())]
        return [self._attribute(*place, factor=0.98) for place in dict.fromkeys(places)]

    def _same_number(self, value: str) -> list[Occurrence]:
        number = number_of(unescape(value))
        if number is None:
            return []
        if self._numbers is None:
            self._numbers = {}
            for item in self.tree.texts:
                at, end = self.tree.start[item], self.tree.end[item]
                for known, first, last in numbers_in(self.html[at:end]):
                    self._numbers.setdefault(known, []).append((item, at + first, at + last))
        found = []
        for item, start, end in self._numbers.get(number, ())[:_MAX_OCCURRENCES]:
            whole = fold(self.html[start:end]) == fold(
                self.html[self.tree.start[item] : self.tree.end[item]]
            )
            how = WHOLE if whole else PART
            found.append(Occurrence(Span(start, end), how, _QUALITY[how] * 0.85, item))
        return found

    def _same_date(self, value: str) -> list[Occurrence]:
        day = date_of(unescape(value))
        if day is None:
            return []
        found = [
            _loosened(place)
            for spelling in spellings(day)
            for place in self._texts(squeeze(spelling), spelling)
        ]
        found += [
            _loosened(self._attribute(*place))
            for key, places in self.attributes.items()
            if key.startswith(day.isoformat())
            for place in places
        ]
        return list({place.span: place for place in found}.values())

    def _same_letters(self, wanted: str) -> list[Occurrence]:
        letters = "".join(filter(str.isalnum, wanted))
        if len(letters) < 3:
            return []
        if self._bare is None:
            kept = [place for place, char in enumerate(self.joined) if char.isalnum()]
            self._bare = "".join(self.joined[place] for place in kept), kept
        bare, kept = self._bare
        found: list[Occurrence] = []
        at = bare.find(letters)
        while at >= 0 and len(found) < 100:
            occurrence = self._text_at(kept[at], kept[at + len(letters) - 1] + 1, None)
            if occurrence is not None:
                found.append(_loosened(occurrence))
            at = bare.find(letters, at + 1)
        return found

    def _inside_attributes(self, wanted: str) -> list[Occurrence]:
        found: list[Occurrence] = []
        for key, places in self.attributes.items():
            if wanted not in key:
                continue
            for item, number in places:
                tag = self.tree.tag[item]
                assert tag is not None
                attribute = tag.attributes[number]
                at = self.tree.start[item]
                source = self.html[at + attribute.start : at + attribute.end]
                place = source.casefold().find(wanted)
                if place >= 0 and len(source.casefold()) == len(source):
                    start = at + attribute.start + place
                    found.append(
                        Occurrence(
                            Span(start, start + len(wanted)),
                            ATTRIBUTE,
                            0.5,
                            item,
                            attribute.name,
                        )
                    )
        return found


def _loosened(found: Occurrence) -> Occurrence:
    return Occurrence(found.span, found.how, found.quality * 0.8, found.item, found.attribute)


def _one_word(left: str, right: str) -> bool:
    """Whether two characters side by side belong to one word; scripts without spaces never do."""
    return left.isalnum() and right.isalnum() and max(left, right) < "\u2e80"


_INDEXES: WeakKeyDictionary[Page, PageIndex] = WeakKeyDictionary()


def index_of(page: Page) -> PageIndex:
    """The page's index, built once for as long as the page lives."""
    index = _INDEXES.get(page)
    if index is None:
        index = _INDEXES[page] = PageIndex(page.html, page.url, tree_of(page))
    return index


def occurrences(page: Page, value: str) -> list[Occurrence]:
    """All places where a page shows a value, in page order; an empty list where it does not.

    >>> from scrapy_wrapinduce.page import Page
    >>> page = Page('<p>Price: <b>&pound; 1,250.00</b> <a href="/b/7">more</a></p>', url="http://x.org/a/")
    >>> [(o.how, page.html[slice(*o.span)]) for o in occurrences(page, "£1,250.00")][0]
    ('text', '&pound; 1,250.00')
    >>> [(o.how, page.html[slice(*o.span)]) for o in occurrences(page, "1250")]
    [('part', '1,250.00')]
    >>> [(o.attribute, page.html[slice(*o.span)]) for o in occurrences(page, "http://x.org/b/7")]
    [('href', '/b/7')]
    """
    return index_of(page).find(value)
