"""Where every landmark of a sample of pages occurs.

Landmarks that match the very same tags on all pages (``<h1>`` and ``<h1 id=title>``, say) are one as far as the
search can tell; only the one that says most is kept. Two passes, so that what occurs on too few pages
never takes memory per occurrence. Words inside texts are kept apart: they are looked at last.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from .counting import USUAL
from .lattice import TEXT, WORD, Landmark, is_phrase, is_word, preference, tag_landmarks
from .regions import Occurrence, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .counting import Counting
    from .tokens import TextNode, TokenizedPage

MOST_WORDS = 400  # of a text node: what is longer is prose, and no word of it is a landmark


class Occurrences(NamedTuple):
    """Landmarks by number, and each page as a region: with its tags and texts, and with its words."""

    landmarks: list[Landmark]
    pages: list[Region]
    words: list[Region]


def landmark_occurrences(
    pages: Sequence[TokenizedPage], least: int, counting: Counting = USUAL
) -> Occurrences:
    """The landmarks that occur on at least ``least`` pages, and where."""
    of_source = _tag_landmarks(pages, least, counting)
    texts = _frequent((dict.fromkeys(node.text for node in page.texts) for page in pages), least)
    listed = [
        dict.fromkeys(word for node in page.texts for word in _words_of(node)) for page in pages
    ]
    frequent_words = _frequent(listed, least)
    numbers: dict[Landmark, int] = {}
    for marks in of_source.values():
        for mark in marks:
            numbers.setdefault(mark, len(numbers))
    of_text = {
        text: numbers.setdefault(Landmark(TEXT, text), len(numbers))
        for text in texts
        if is_phrase(text)
    }
    of_word = {
        word: numbers.setdefault(Landmark(WORD, word), len(numbers))
        for word in frequent_words
        if is_word(word)
    }
    source_numbers = {
        source: [numbers[mark] for mark in marks] for source, marks in of_source.items() if marks
    }
    return Occurrences(
        list(numbers),
        [_page_region(at, page, source_numbers, of_text) for at, page in enumerate(pages)],
        [_word_region(at, page, of_word) for at, page in enumerate(pages)],
    )


def _page_region(
    index: int, page: TokenizedPage, of_source: dict[str, list[int]], of_text: dict[str, int]
) -> Region:
    found: list[tuple[Occurrence, int]] = []
    for tag, place in page.tags:
        found += [(place, number) for number in of_source.get(tag.source, ())]
    for node in page.texts:
        key = of_text.get(node.text)
        if key is not None:
            found.append((Occurrence(node.start, node.end), key))
    found.sort(key=_start)
    return _region(index, page, found)


def _word_region(index: int, page: TokenizedPage, of_word: dict[str, int]) -> Region:
    found = [
        (Occurrence(at, at + 1), of_word[word])
        for node in page.texts
        for at, word in enumerate(_words_of(node), node.start)
        if word in of_word
    ]
    return _region(index, page, found)


def _region(index: int, page: TokenizedPage, found: list[tuple[Occurrence, int]]) -> Region:
    numbers = [number for _, number in found]
    return Region(index, 0, len(page), numbers, [place for place, _ in found])


def _start(found: tuple[Occurrence, int]) -> int:
    return found[0][0]


def _words_of(node: TextNode) -> list[str]:
    """The words of a text node that can be landmarks: a lone word is a text, prose is not template."""
    count = node.end - node.start
    if not 1 < count <= MOST_WORDS:
        return []
    found = node.text.split()
    return found if len(found) == count else []


def _frequent(per_page: Iterable[dict[str, None]], least: int) -> list[str]:
    """What occurs on enough pages, in order of first appearance."""
    counts: Counter[str] = Counter()
    for found in per_page:
        counts.update(found.keys())
    return [key for key, pages in counts.items() if pages >= least]


def _tag_landmarks(
    pages: Sequence[TokenizedPage], least: int, counting: Counting
) -> dict[str, list[Landmark]]:
    """For every tag, as it stands in the source, the landmarks that match it and are worth keeping."""
    of_source: dict[str, tuple[Landmark, ...]] = {}
    counts: Counter[Landmark] = Counter()
    for page in pages:
        on_page: dict[Landmark, None] = {}
        for source, tag in {tag.source: tag for tag, _ in page.tags}.items():
            marks = of_source.get(source)
            if marks is None:
                marks = of_source[source] = tag_landmarks(tag, counting)
            on_page.update(dict.fromkeys(marks))
        counts.update(on_page.keys())
    matches: dict[Landmark, list[str]] = {}
    for source, marks in of_source.items():
        for mark in marks:
            if counts[mark] >= least:
                matches.setdefault(mark, []).append(source)
    best: dict[tuple[str, ...], Landmark] = {}
    for mark, sources in matches.items():
        same = tuple(sources)
        if same not in best or preference(mark) < preference(best[same]):
            best[same] = mark
    kept = set(best.values())
    return {source: [m for m in marks if m in kept] for source, marks in of_source.items()}
