"""Candidates that hold pieces of sentences become candidates that hold the sentences.

Words and tags that stand in many texts by chance split flowing text anywhere. What such a split leaves is
nothing that anybody wants; the text around it may well be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ...landmark.flow import goes_on, heading_of, is_marked, joined
from ...texts import Extent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ...landmark.candidates import Candidate
    from ...texts import Texts

TEMPLATE_SHARE = 0.6  # of the headings that are cut: an element in more of them is the template's
WAYS_TO_CUT = 3  # numbers of text nodes in headings of a kind
LEAST_SHARE = (
    0.1  # of a candidate's pages: on how many it must touch flowing text to be read as such
)


class FlowingText:
    """The flowing texts of a page: for each text node where the one that it belongs to begins and ends.

    A text in a run that ``recurs`` on other pages is the template's, and what stands behind it a value of its own.
    ``headings`` are those that are one text each (:func:`whole_headings`).
    """

    def __init__(
        self, texts: Texts, recurs: Callable[[str], bool], headings: Collection[str] = ()
    ) -> None:
        self._texts = texts
        self.begins = list(range(len(texts.starts)))
        self.ends = list(range(1, len(texts.starts) + 1))
        self._before = [0]
        for first, last in texts.runs:
            if last - first == 1:
                flowing = False
            elif heading := heading_of(texts, first, last):
                flowing = heading in headings and not any(map(recurs, texts.folded[first:last]))
            else:
                flowing = goes_on(texts, first, last) and not any(
                    self._is_of_template(node, recurs) for node in range(first, last)
                )
            if flowing:
                self.begins[first:last] = [first] * (last - first)
                self.ends[first:last] = [last] * (last - first)
            self._before += [self._before[-1] + flowing * at for at in range(1, last - first + 1)]

    def _is_of_template(self, node: int, recurs: Callable[[str], bool]) -> bool:
        """Whether the template has put a text node here; a word that many authors link to is theirs."""
        text = self._texts.folded[node]
        return recurs(text) and (" " in text or not is_marked(self._texts, node))

    def touches(self, extent: Extent) -> bool:
        return self._before[extent.last] > self._before[extent.first]

    def holds(self, node: int) -> bool:
        """Whether a text node is a piece of flowing text."""
        return self.ends[node] - self.begins[node] > 1

    def around(self, extent: Extent) -> Extent:
        """An extent without half texts at its ends."""
        first, last = self.begins[extent.first], self.ends[extent.last - 1]
        starts, ends = self._texts.starts, self._texts.ends
        start = starts[first] if first < extent.first else extent.start
        end = ends[last - 1] if last > extent.last else extent.end
        return Extent(first, last, start, end)

    def texts_of(self, extent: Extent) -> list[str]:
        """The texts of an extent, flowing ones as one."""
        found = []
        node = extent.first
        while node < extent.last:
            last = min(self.ends[node], extent.last)
            found.append(joined(self._texts, node, last))
            node = last
        return found


def sentences(texts: Texts) -> list[tuple[int, int]]:
    """Where the flowing texts of a page go on behind the text node that they begin with."""
    return [
        (texts.ends[first], texts.ends[last - 1])
        for first, last in texts.runs
        if goes_on(texts, first, last)
    ]


def whole_headings(pages: Sequence[Texts]) -> frozenset[str]:
    """The kinds of headings that inline markup cuts in another way from page to page.

    Where a template makes a heading of several values, the elements around them are the same on most pages; an
    author's emphasis follows no such rule.
    """
    lengths: dict[str, set[int]] = defaultdict(set)
    elements: dict[str, Counter[tuple[str | None, ...]]] = defaultdict(Counter)
    cut: Counter[str] = Counter()
    for texts in pages:
        for first, last in texts.runs:
            if name := heading_of(texts, first, last):
                lengths[name].add(last - first)
                cut[name] += last - first > 1
                elements[name].update(_elements_in(texts, first, last) if last - first > 1 else ())
    return frozenset(
        name
        for name, seen in lengths.items()
        if len(seen) >= WAYS_TO_CUT
        and max(elements[name].values(), default=0) < TEMPLATE_SHARE * cut[name]
    )


def _elements_in(texts: Texts, first: int, last: int) -> set[tuple[str | None, ...]]:
    """The inline elements that say what they are, at the beginning of text nodes of a run."""
    tags = texts.outline.tags
    held = [
        tags[(texts.parts[node] >> 1) - 1] for node in range(first, last) if is_marked(texts, node)
    ]
    kinds = {(tag.name, tag.get("id"), tag.get("class")) for tag in held}
    return {kind for kind in kinds if any(kind[1:])}


def with_whole_texts(
    candidates: Sequence[Candidate], pages: Sequence[FlowingText]
) -> list[Candidate]:
    """The candidates, those that touch flowing text grown to all of it; what is then the same is there once."""
    found: dict[tuple[Extent | None, ...], Candidate] = {}
    for candidate in candidates:
        touched = sum(
            extent is not None and page.touches(extent)
            for page, extent in zip(pages, candidate.extents, strict=True)
        )
        if touched and touched >= LEAST_SHARE * len(candidate.pages):
            extents = tuple(
                extent and page.around(extent)
                for page, extent in zip(pages, candidate.extents, strict=True)
            )
            candidate = replace(candidate, extents=extents, flowing=True)
        found.setdefault(candidate.extents, candidate)
    return list(found.values())
