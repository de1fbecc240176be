"""Values found by the label in front of them, wherever in its region the label stands.

Rows of a table of facts are optional and change places; what a value follows is surer than how many texts
come before it. For every text that recurs, the smallest nonterminal is taken in which it stands exactly
once on the pages that have it; the value is the element or the text right behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import compress, count
from typing import TYPE_CHECKING

from ..tokenizer import OPEN
from .lattice import is_phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..texts import Extent, Texts
    from .read import Nonterminal

LABEL_LENGTH = 50
MOST_NODES = 400  # text nodes of a region in which a label is looked for
ALMOST_ALL = 0.9
WAYS = 2  # regions kept per label


def recurring_texts(texts: Sequence[Texts]) -> dict[str, int]:
    """Texts that may be labels, with the number of pages that show them."""
    seen: Counter[str] = Counter()
    for page in texts:
        seen.update(set(page.folded))
    return {
        text: count
        for text, count in seen.items()
        if count > 1 and len(text) <= LABEL_LENGTH and is_phrase(text)
    }


def regions_of_labels(
    labels: Mapping[str, int],
    places: Mapping[Nonterminal, Sequence[Extent | None]],
    texts: Sequence[Texts],
) -> Iterator[tuple[str, Nonterminal]]:
    """For every label the smallest nonterminals in which it stands exactly once."""

    def mean_size(nonterminal: Nonterminal) -> float:
        sizes = [extent.last - extent.first for extent in places[nonterminal] if extent]
        return sum(sizes) / len(sizes)

    ways: Counter[str] = Counter()
    done: set[tuple[Extent | None, ...]] = set()
    shown = [_Labels(page, labels) for page in texts]
    for nonterminal in sorted(places, key=mean_size):
        extents = tuple(places[nonterminal])
        if extents in done:
            continue
        done.add(extents)
        once: Counter[str] = Counter()
        for page, extent in zip(shown, extents, strict=True):
            if extent is not None and 1 < extent.last - extent.first <= MOST_NODES:
                once.update(page.once(extent.first, extent.last))
        for label, pages in once.items():
            if pages >= ALMOST_ALL * labels[label] and ways[label] < WAYS:
                ways[label] += 1
                yield label, nonterminal


class _Labels:
    """The text nodes of a page that may be labels."""

    def __init__(self, page: Texts, labels: Mapping[str, int]) -> None:
        known = list(map(labels.__contains__, page.folded))
        self._nodes = list(compress(count(), known))
        self._texts = list(compress(page.folded, known))

    def once(self, first: int, last: int) -> Iterable[str]:
        """Those that are there exactly once among some text nodes."""
        low = bisect_left(self._nodes, first)
        texts = self._texts[low : bisect_left(self._nodes, last, lo=low)]
        if len(texts) < 2:
            return texts
        return [text for text, times in Counter(texts).items() if times == 1]


def value_after(page: Texts, label: int, last: int) -> tuple[int, int] | None:
    """The text nodes of the value behind a label, as a range; ``last`` bounds it.

    That is the element that begins right behind the label, or else the next text alone; a term of a definition list
    has all the ``dd`` that follow it.
    """
    first = label + 1
    if first >= last:
        return None
    outline = page.outline
    for index in range(page.parts[label] + 1, page.parts[first], 2):
        if outline.tags[index >> 1].kind != OPEN:
            continue
        partner = outline.partners[index >> 1]
        if partner < 0:
            continue
        stop = _nodes_before(page, first, last, outline.starts[partner])
        is_definition = outline.tags[index >> 1].name == "dd"
        while is_definition and (end := _end_of_next(page, partner, "dd")) is not None:
            partner = end
            stop = _nodes_before(page, stop, last, outline.starts[end])
        return (first, stop) if stop > first else None
    return first, first + 1


def _nodes_before(page: Texts, first: int, last: int, end: int) -> int:
    while first < last and page.starts[first] < end:
        first += 1
    return first


def _end_of_next(page: Texts, closed: int, name: str) -> int | None:
    """The end tag of the element of a name that follows an end tag at once."""
    outline = page.outline
    following = closed + 1
    if following >= len(outline.tags):
        return None
    between = outline.html[outline.text_start(closed) : outline.starts[following]]
    tag, partner = outline.tags[following], outline.partners[following]
    if between.strip() or tag.kind != OPEN or tag.name != name or partner < 0:
        return None
    return partner


def is_label_of(page: Texts, node: int, element: str) -> bool:
    """Whether a text node is the first thing in an element of a name, as labels are."""
    index = page.parts[node] - 1
    if index < 0 or len(page.folded[node]) > LABEL_LENGTH:
        return False
    tag = page.outline.tags[index >> 1]
    return tag.kind == OPEN and tag.name == element
