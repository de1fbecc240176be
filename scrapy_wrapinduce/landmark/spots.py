"""Where the landmarks of a wrapper stand on a page, found without looking at what does not matter.

A finder is made once per wrapper. Which of its landmarks a tag and the text behind it are, is asked once per distinct
piece of source, not once per occurrence; an occurrence is a number until somebody asks for its place.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..memo import Memo
from ..outline import MOST_PIECES, PieceTags, outline
from ..tokenizer import EMPTY, OPEN, Tag, fold, words
from .lattice import TAG, TEXT, WORD, Landmark, matching

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..outline import Outline
    from ..page import Page
    from ..texts import Texts

MOST_FOUND = 8  # occurrences in a region that anybody looks at
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


def _needles(marks: Iterable[Landmark]) -> dict[str, tuple[str, ...] | None]:
    """For every element name a few texts, one of which stands in each tag that is more than any tag of its name.

    None where a landmark asks for something that may be written in several ways, and where there are so many texts that
    parsing a tag takes less time than looking for them.
    """
    found: dict[str, set[str] | None] = {}
    for mark in marks:
        known = found.setdefault(mark.name, set()) if mark.kind == TAG else None
        if known is None or not mark.attribute:
            continue
        if mark.attribute.endswith(("?", "#")):
            found[mark.name] = None
        else:
            known.add(max(mark.value.split(), key=len, default=""))
    return {
        name: None if texts is None or len(texts) > MOST_NEEDLES else tuple(texts)
        for name, texts in found.items()
    }


class Finder(PieceTags):
    """Finds some landmarks on pages; their numbers are their places in ``marks``."""

    def __init__(self, marks: Iterable[Landmark]) -> None:
        super().__init__()
        self._numbers = {mark: number for number, mark in enumerate(marks)}
        self._names = {mark.name for mark in self._numbers if mark.kind == TAG}
        self._texts = self._of_kind(TEXT)
        self._words = self._of_kind(WORD)
        self._reads_texts = bool(self._texts or self._words)
        self._needles = _needles(self._numbers)
        self._of_tag: Memo[Tag, tuple[int, ...]] = Memo(MOST_PIECES)

    def _of_kind(self, kind: str) -> dict[str, int]:
        return {mark.name: number for mark, number in self._numbers.items() if mark.kind == kind}

    def find(self, page: Page) -> Spots:
        """Never raises, on any page."""
        html = page.html
        found = outline(html, self)
        tags: dict[int, list[int]] = {}
        texts: dict[int, list[Spot]] = {}
        for mark, low, high in (
            self._text_hits(html[: found.starts[0]]) if self._reads_texts else ()
        ):
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
        names = self._names
        for at, tag in enumerate(page.outline.tags):
            if tag.name in names:
                for mark in self._marks(tag):
                    tags.setdefault(mark, []).append(at)
        for folded, start, end in zip(page.folded, page.starts, page.ends, strict=True):
            mark = self._texts.get(folded, -1)
            if mark >= 0:
                texts.setdefault(mark, []).append(Spot(start, end))
            if self._words:
                for mark, low, high in self._words_in(page.page.html[start:end], folded):
                    texts.setdefault(mark, []).append(Spot(start + low, start + high))
        return Spots(page.outline, tags, texts)

    def mark(self, tag: Tag, text: str) -> Tag:
        marks = self._marks(tag) if tag.name in self._names else ()
        hits = self._text_hits(text) if self._reads_texts and text else ()
        return _Marked(tag.kind, tag.name, tag.source, marks, hits) if marks or hits else tag

    def _marks(self, tag: Tag) -> tuple[int, ...]:
        if tag.kind not in (OPEN, EMPTY):
            return ()
        found = self._of_tag.get(tag)
        if found is None:
            found = self._of_tag.recall(tag)
        if found is None:
            numbers, needles = self._numbers, self._needles[tag.name]
            source = tag.source
            if needles is None or "&" in source or any(needle in source for needle in needles):
                found = tuple(numbers[mark] for mark in matching(tag) if mark in numbers)
            else:
                # None of the values is there: most links of a page need not be parsed.
                any_tag = numbers.get(Landmark(TAG, tag.name))
                found = () if any_tag is None else (any_tag,)
            self._of_tag.keep(tag, found)
        return found

    def _text_hits(self, text: str) -> tuple[tuple[int, int, int], ...]:
        """Which landmarks stand in a text: their numbers, and where they start and end in it."""
        if text.isspace():
            return ()
        folded = fold(text)
        found = []
        mark = self._texts.get(folded)
        if mark is not None:
            found.append((mark, 0, len(text)))
        return (*found, *self._words_in(text, folded)) if self._words else tuple(found)

    def _words_in(self, text: str, folded: str) -> Iterator[tuple[int, int, int]]:
        listed = folded.split()
        if not self._words.keys().isdisjoint(listed):
            for (low, high), word in zip(words(text), listed, strict=False):
                mark = self._words.get(word)
                if mark is not None:
                    yield mark, low, high
