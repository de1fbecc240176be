"""Where the landmarks of a wrapper stand on a page, found without looking at what does not matter.

A finder is made once per wrapper. Which of its landmarks a tag and the text behind it are, is asked once per distinct
piece of source, not once per occurrence; an occurrence is a number until somebody asks for its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from ..memo import Repeats
from ..outline import MOST_PIECES, PieceTags, outline
from ..tokenizer import EMPTY, OPEN, Tag, new_tag, says_the_same, shown_words, words
from .lattice import TAG, TEXT, WORD, Landmark, matches, matching

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..outline import Outline
    from ..page import Page
    from ..texts import Texts

MOST_FOUND = 8  # occurrences in a region that anybody looks at
# With more landmarks of one name, parsing a tag takes less time than looking for them.
MOST_NEEDLES = 50


class Spot(NamedTuple):
    """An occurrence of a landmark in characters; ``inner_start`` is -1 where it has no inside."""

    start: int
    end: int
    inner_start: int = -1
    inner_end: int = -1


class Spots:
    """The occurrences of every landmark on one page, by the landmark's number."""

    def __init__(
        self, outline: Outline, tags: Mapping[int, list[int]], texts: Mapping[int, list[Spot]]
    ) -> None:
        self.outline = outline
        self._tags = tags
        self._texts = texts

    def inside(self, mark: int, start: int, end: int) -> list[Spot]:
        """The first occurrences that lie in a region as a whole."""
        if mark in self._tags:
            return self._tags_inside(self._tags[mark], start, end)
        spots = self._texts.get(mark, ())
        found: list[Spot] = []
        for at in range(bisect_left(spots, (start,)), len(spots)):
            spot = spots[at]
            if spot.start >= end or len(found) == MOST_FOUND:
                break
            if spot.end <= end:
                found.append(spot)
        return found

    def only(self, mark: int) -> Spot | None:
        """The occurrence of a landmark that is on the page just once."""
        spots = self._texts.get(mark) or list(map(self._spot, self._tags.get(mark, ())[:2]))
        return spots[0] if len(spots) == 1 else None

    def _tags_inside(self, tags: list[int], start: int, end: int) -> list[Spot]:
        starts = self.outline.starts
        found: list[Spot] = []
        for at in range(bisect_left(tags, bisect_left(starts, start)), len(tags)):
            tag = tags[at]
            if starts[tag] >= end or len(found) == MOST_FOUND:
                break
            spot = self._spot(tag)
            if spot.end <= end:
                found.append(spot)
        return found

    def _spot(self, tag: int) -> Spot:
        outline = self.outline
        start, partner = outline.starts[tag], outline.partners[tag]
        after = start + len(outline.tags[tag].source)
        if partner < 0:
            return Spot(start, after)
        close = outline.starts[partner]
        return Spot(start, close + len(outline.tags[partner].source), after, close)


@dataclass(slots=True, eq=False)
class _Marked(Tag):
    """A tag that is a landmark, or has one in the text behind it.

    ``marks`` are the numbers of the landmarks that it is; ``hits`` those in the text, with start and end in it.
    """

    marks: tuple[int, ...] = ()
    hits: tuple[tuple[int, int, int], ...] = ()


class _Sought(NamedTuple):
    """A landmark that a tag of its name may be, and what then stands somewhere in the tag, entities decoded."""

    needle: str
    number: int
    mark: Landmark


def _sought(marks: Mapping[Landmark, int]) -> dict[str, list[_Sought]]:
    """The landmarks that are tags by the names of these."""
    found: dict[str, list[_Sought]] = {}
    for mark, number in marks.items():
        if mark.kind == TAG:
            # Of an id only the digits are known to differ.
            parts = (
                re.split("[0-9]+", mark.value) if mark.attribute == "id#" else mark.value.split()
            )
            needle = max(parts, key=len, default="")
            found.setdefault(mark.name, []).append(_Sought(needle, number, mark))
    return found


class Finder(PieceTags):
    """Finds some landmarks on pages; their numbers are their places in ``marks``."""

    def __init__(self, marks: Iterable[Landmark]) -> None:
        super().__init__()
        numbers = {mark: number for number, mark in enumerate(marks)}
        self._numbers = numbers
        self._sought = _sought(numbers)
        self._texts = {mark.name: at for mark, at in numbers.items() if mark.kind == TEXT}
        self._words = {mark.name: at for mark, at in numbers.items() if mark.kind == WORD}
        self._first_words = {text.split(" ", 1)[0] for text in self._texts}
        self._reads_texts = bool(self._texts or self._words)
        self._of_tag: Repeats[Tag, tuple[int, ...]] = Repeats(MOST_PIECES)

    def find(self, page: Page) -> Spots:
        """Never raises, on any page."""
        html = page.html
        found = outline(html, self)
        tags: dict[int, list[int]] = {}
        texts: dict[int, list[Spot]] = {}
        for mark, low, high in self._text_hits(html[: found.starts[0]]):
            texts.setdefault(mark, []).append(Spot(low, high))
        marked = [(at, tag) for at, tag in enumerate(found.tags) if type(tag) is _Marked]
        for at, tag in marked:
            for mark in tag.marks:
                tags.setdefault(mark, []).append(at)
            for mark, low, high in tag.hits:
                start = found.text_start(at)
                texts.setdefault(mark, []).append(Spot(start + low, start + high))
        return Spots(found, tags, texts)

    def find_in(self, page: Texts) -> Spots:
        """The same of a page whose texts are known: it need not be cut again."""
        tags: dict[int, list[int]] = {}
        texts: dict[int, list[Spot]] = {}
        names = self._sought
        for at, tag in enumerate(page.outline.tags):
            if tag.name in names:
                for mark in self._known_marks(tag):
                    tags.setdefault(mark, []).append(at)
        for folded, start, end in zip(page.folded, page.starts, page.ends, strict=True):
            mark = self._texts.get(folded, -1)
            if mark >= 0:
                texts.setdefault(mark, []).append(Spot(start, end))
            if self._words:
                for mark, low, high in self._words_in(page.page.html[start:end], folded.split()):
                    texts.setdefault(mark, []).append(Spot(start + low, start + high))
        return Spots(page.outline, tags, texts)

    def tag(self, source: str) -> Tag:
        tag = new_tag(source)
        marks = self._marks(tag) if tag.name in self._sought else ()
        return _Marked(tag.kind, tag.name, source, marks) if marks else tag

    def mark(self, tag: Tag, text: str) -> Tag:
        hits = self._text_hits(text)
        if not hits:
            return tag
        marks = tag.marks if isinstance(tag, _Marked) else ()
        return _Marked(tag.kind, tag.name, tag.source, marks, hits)

    def _known_marks(self, tag: Tag) -> tuple[int, ...]:
        found = self._of_tag.get(tag)
        if found is None:
            found = self._of_tag.recall(tag)
        if found is None:
            found = self._marks(tag)
            self._of_tag.keep(tag, found)
        return found

    def _marks(self, tag: Tag) -> tuple[int, ...]:
        """Which landmarks a tag is, if it has the name of one; most tags of a page need not be parsed for that."""
        if tag.kind not in (OPEN, EMPTY):
            return ()
        sought = self._sought[tag.name]
        if len(sought) > MOST_NEEDLES:
            numbers = self._numbers
            return tuple(numbers[mark] for mark in matching(tag) if mark in numbers)
        source = unescape(tag.source) if "&" in tag.source else tag.source
        return tuple(
            number for needle, number, mark in sought if needle in source and matches(mark, tag)
        )

    def _text_hits(self, text: str) -> tuple[tuple[int, int, int], ...]:
        """Which landmarks stand in a text: their numbers, and where they start and end in it."""
        if not self._reads_texts:
            return ()
        if says_the_same(text):
            first = text.split(None, 1)
            if not first:
                return ()
            # Most texts are data, and need not be cut into words to know it.
            if first[0] not in self._first_words and not any(map(text.__contains__, self._words)):
                return ()
        listed = shown_words(text)
        if not listed:
            return ()
        mark = self._texts.get(" ".join(listed)) if listed[0] in self._first_words else None
        found = () if mark is None else ((mark, 0, len(text)),)
        return (*found, *self._words_in(text, listed)) if self._words else found

    def _words_in(self, text: str, listed: list[str]) -> Iterator[tuple[int, int, int]]:
        if not self._words.keys().isdisjoint(listed):
            for (low, high), word in zip(words(text), listed, strict=False):
                mark = self._words.get(word)
                if mark is not None:
                    yield mark, low, high
