"""Where the landmarks of a wrapper stand on a page, found without looking at what does not matter.

A finder is made once per wrapper. Which of its landmarks a tag and the text behind it are, is asked once per distinct
piece of source, not once per occurrence; an occurrence is a number until somebody asks for its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..memo import Repeats
from ..outline import MOST_PIECES, PieceTags, outline
from ..tokenizer import (
    EMPTY,
    OPEN,
    Tag,
    decoded,
    encoded_words,
    fold,
    new_tag,
    says_the_same,
    shown_words,
    words,
)
from .lattice import TAG, TEXT, WORD, Landmark, matches, matching

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..outline import Outline
    from ..page import Page
    from ..texts import Texts

MOST_FOUND = 8  # occurrences in a region that anybody looks at
# With more landmarks of one name, parsing a tag takes less time than looking for them.
MOST_NEEDLES = 50
FEW_WORDS = 8  # landmarks that are words, to be looked for one by one
Hit = tuple[int, int, int]  # the number of a landmark in a text, and where it starts and ends there


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

    ``marks`` are the numbers of the landmarks that it is, ``hits`` are those in the text.
    """

    marks: tuple[int, ...] = ()
    hits: tuple[Hit, ...] = ()


class _Sought:
    """The landmarks that a tag of one name may be."""

    def __init__(self) -> None:
        self.any: tuple[int, ...] = ()  # the name is all they ask for
        self.attributes: set[str] = set()  # of which one is in a tag that is any of the others
        # What stands somewhere in the tag, entities decoded, if it is the landmark behind it.
        self.needles: list[tuple[str, int, Landmark]] = []

    def add(self, number: int, mark: Landmark) -> None:
        if not mark.attribute:
            self.any += (number,)
            return
        self.attributes.add(mark.attribute.rstrip("?~#"))
        # Of an id only the digits are known to differ.
        parts = re.split("[0-9]+", mark.value) if mark.attribute == "id#" else mark.value.split()
        self.needles.append((max(parts, key=len, default=""), number, mark))


def _sought(marks: Mapping[Landmark, int]) -> dict[str, _Sought]:
    """The landmarks that are tags by the names of these."""
    found: dict[str, _Sought] = defaultdict(_Sought)
    for mark, number in marks.items():
        if mark.kind == TAG:
            found[mark.name].add(number, mark)
    return dict(found)


def _is_shown(mark: Landmark) -> bool:
    """Whether a landmark is a text; what a file calls so may be empty."""
    return mark.kind == TEXT and bool(mark.name)


def _is_one_word(mark: Landmark) -> bool:
    """Whether a landmark is a word; what a file calls so may be anything."""
    return mark.kind == WORD and mark.name.split() == [mark.name]


class Finder(PieceTags):
    """Finds some landmarks on pages; their numbers are their places in ``marks``."""

    def __init__(self, marks: Iterable[Landmark]) -> None:
        super().__init__()
        numbers = {mark: number for number, mark in enumerate(marks)}
        self._numbers = numbers
        self._sought = _sought(numbers)
        self._texts = {mark.name: at for mark, at in numbers.items() if _is_shown(mark)}
        self._words = {mark.name: at for mark, at in numbers.items() if _is_one_word(mark)}
        self._plain_words = [item for item in self._words.items() if says_the_same(item[0])]
        self._first_words = {text.split(" ", 1)[0] for text in self._texts}
        self._reads_texts = bool(self._texts or self._words)
        self._of_tag: Repeats[Tag, tuple[int, ...]] = Repeats(MOST_PIECES)

    def find(self, page: Page) -> Spots:
        """Never raises, on any page."""
        html = page.html
        found = outline(html, self)
        tags: dict[int, list[int]] = {}
        texts: dict[int, list[Spot]] = {}
        lead = html[: found.starts[0]]
        for mark, low, high in self._text_hits(lead) if lead.strip() else ():
            texts.setdefault(mark, []).append(Spot(low, high))
        for at in found.marked:
            tag = found.tags[at]
            if type(tag) is not _Marked:
                continue
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
        html, names = page.page.html, self._sought
        for at, tag in enumerate(page.outline.tags):
            if tag.name in names:
                for mark in self._known_marks(tag):
                    tags.setdefault(mark, []).append(at)
        for folded, start, end in zip(page.folded, page.starts, page.ends, strict=True):
            mark = self._texts.get(folded, -1)
            if mark >= 0:
                texts.setdefault(mark, []).append(Spot(start, end))
            if self._words:
                for mark, low, high in self._words_among(html[start:end], folded.split()):
                    texts.setdefault(mark, []).append(Spot(start + low, start + high))
        return Spots(page.outline, tags, texts)

    def tag(self, source: str) -> Tag:
        tag = new_tag(source)
        marks = self._marks(tag) if tag.name in self._sought else ()
        return _Marked(tag.kind, tag.name, source, marks) if marks else tag

    def mark(self, tag: Tag, text: str) -> Tag:
        if not self._reads_texts or text.isspace():
            return tag
        hits = self._text_hits(text)
        if not hits:
            return tag
        marks = tag.marks if isinstance(tag, _Marked) else ()
        return _Marked(tag.kind, tag.name, tag.source, marks, tuple(hits))

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
        found, needles = sought.any, sought.needles
        if len(needles) > MOST_NEEDLES:
            numbers = self._numbers
            return tuple(numbers[mark] for mark in matching(tag) if mark in numbers)
        if needles:
            source = tag.source
            if "&" in source:
                named = source.lower()
                if not any(name in named for name in sought.attributes):
                    return found
                source = decoded(source)
            for needle, number, mark in needles:
                if needle in source and matches(mark, tag):
                    found += (number,)
        return found

    def _text_hits(self, text: str) -> list[Hit]:
        """Which landmarks stand in a text that shows something."""
        hits: list[Hit] = []
        if self._texts:
            # Most texts are data, and need not be decoded to know it: an entity is needed to change the first word.
            first = text.split(None, 1)[0]
            if first in self._first_words or not says_the_same(first):
                mark = self._texts.get(fold(text))
                if mark is not None:
                    hits.append((mark, 0, len(text)))
        if self._words:
            hits += self._words_in(text)
        return hits

    def _words_in(self, text: str) -> list[Hit]:
        if len(self._words) > FEW_WORDS or self._has_encoded_words(text):
            return self._words_among(text, shown_words(text))
        hits = []
        for word, mark in self._plain_words:
            start = text.find(word)
            while start >= 0:
                end = start + len(word)
                if not text[start - 1 : start].strip() and not text[end : end + 1].strip():
                    hits.append((mark, start, end))
                start = text.find(word, end)
        return hits

    def _has_encoded_words(self, text: str) -> bool:
        """Whether one of the landmarks stands in a text and is not written as a person reads it."""
        if says_the_same(text):
            return False
        shown = shown_words(" ".join(encoded_words(text)))
        return not self._words.keys().isdisjoint(shown)

    def _words_among(self, text: str, shown: list[str]) -> list[Hit]:
        """The landmarks among the words that a text shows."""
        if self._words.keys().isdisjoint(shown):
            return []
        places = zip(words(text), shown, strict=False)
        return [(self._words[word], *span) for span, word in places if word in self._words]
