"""What a candidate holds on the pages of a sample: its values, how they vary, and how much of them is template."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...texts import node_texts
from .elements import enclosing
from .markup import is_prose, mostly_sentences

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...landmark.candidates import Candidate
    from ..sample.texts import Sample

# Of a column's pages: how many may begin with an element of another kind than goes on.
APART_SHARE = 0.2
# Of the texts of a column: with more of them from the template it is several things.
LABELS_SHARE = 0.1
MOST_NODES = 80
MOST_FLOWING_NODES = 1000  # those of a long article
NEAR_TAGS = 4
_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class ColumnValues:
    """One candidate over the sample: what it holds there, whatever stands around it."""

    candidate: Candidate
    sample: Sample

    @cached_property
    def values(self) -> list[list[str]]:
        """The column's text nodes on every page that has it; lone punctuation is left out."""
        found: list[list[str]] = []
        for page, extent in enumerate(self.candidate.extents):
            most = MOST_FLOWING_NODES if self.candidate.flowing else MOST_NODES
            if extent is None or extent.last - extent.first > most:
                found.append([])
                continue
            texts = self.sample.texts[page]
            if self.candidate.flowing:
                nodes = self.sample.flowing[page].texts_of(extent)
                found.append([text for text in nodes if _WORD.search(text)])
            elif texts.extents[extent.first] is extent:
                wordy = texts.wordy[extent.first]
                found.append([texts.folded[extent.first]] if wordy else [])
            else:
                nodes = node_texts(texts, extent)
                found.append([text for text in nodes if _WORD.search(text)])
        return found

    @cached_property
    def coverage(self) -> float:
        """Share of the pages with a value."""
        return sum(map(bool, self.values)) / max(1, self.sample.size)

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return len({tuple(value) for value in self.values if value})

    @cached_property
    def node_counts(self) -> list[int]:
        return [len(value) for value in self.values if value]

    @cached_property
    def single(self) -> bool:
        """Whether a value is one text node on every page."""
        return max(self.node_counts, default=0) <= 1

    @cached_property
    def cut(self) -> bool:
        """Whether values are parts of text nodes."""
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None:
                texts = self.sample.texts[page]
                if (
                    extent.start > texts.starts[extent.first]
                    or extent.end < texts.ends[extent.last - 1]
                ):
                    return True
        return False

    @cached_property
    def commonest_share(self) -> float:
        """Share of the pages with a value that have the commonest one."""
        counts = Counter(tuple(value) for value in self.values if value)
        return counts.most_common(1)[0][1] / counts.total() if counts else 1.0

    @cached_property
    def homogeneous(self) -> bool:
        """Whether the text nodes of a value are alike: a list of genres, not the lines of an address."""
        if self.candidate.flowing and self.is_text:
            texts = [text for value in self.values for text in value]
            return sum(map(self.sample.recurs, texts)) <= LABELS_SHARE * len(texts)
        by_place: list[list[str]] = [[], [], []]
        for value in self.values:
            for place, text in zip(by_place, value, strict=False):
                place.append(text)
        first, second = by_place[0], by_place[1]
        if len(second) < 2:
            return True
        if self._in_different_elements:
            return False
        if self.sample.alone and self._in_like_elements:
            return True
        # A number in one sentence and none in the next says nothing.
        shapes = [Counter(map(shape, place)).most_common(1)[0][0] for place in by_place if place]
        if len(set(shapes)) > 1 and not self.is_text:
            return False
        shared = set(first) & set(second)
        few = len(set(first)) <= len(first) / 2 and len(set(second)) <= len(second) / 2
        return bool(shared) or not few

    @cached_property
    def _in_different_elements(self) -> bool:
        """Whether the first and the second text node of a value stand in elements of different kinds."""
        kinds: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for page in self.candidate.pages:
            extent = self.candidate.extents[page]
            if extent is not None and extent.last - extent.first > 1:
                for place, seen in enumerate(kinds):
                    tags = enclosing(self.sample.texts[page], extent.first + place, most=1)
                    if tags:
                        seen[f"{tags[0].name} {tags[0].get('class')}"] += 1
        first, second = kinds
        apart = sum(count for kind, count in first.items() if not second[kind])
        return bool(second) and apart > APART_SHARE * first.total()

    @property
    def _in_like_elements(self) -> bool:
        """Whether each text node of the first page is an entry of a list, or in an element of one class.

        Of a single page there are no other values to compare with.
        """
        extent = self.candidate.extents[0]
        if extent is None or extent.last - extent.first > MOST_NODES:
            return False
        kinds = set()
        for node in range(extent.first, extent.last):
            tags = enclosing(self.sample.texts[0], node, NEAR_TAGS)
            if not tags or not (tags[0].get("class") or any(tag.name == "li" for tag in tags)):
                return False
            kinds.add((tags[0].name, tags[0].get("class")))
        return len(kinds) == 1

    @cached_property
    def is_prose(self) -> bool:
        """Whether values are sentences rather than names and numbers."""
        return is_prose([text for value in self.values for text in value])

    @cached_property
    def is_text(self) -> bool:
        """Whether most of what it holds are sentences; headings and short lines may stand among them."""
        return mostly_sentences([text for value in self.values for text in value])

    @cached_property
    def template_share(self) -> float:
        """How much of what the column holds is on most pages."""
        return self._share(self.sample.template_nodes)

    @cached_property
    def shifting(self) -> bool:
        """Whether its values are texts of the template, another one from page to page: labels of other fields.

        An entry of the menu may well be a value too; then it is on the page a second time.
        """
        if self.template_share <= 0.5:
            return False
        labels = sum(
            self.sample.is_template[page][extent.first]
            and self.sample.texts[page].folded.count(self.sample.texts[page].folded[extent.first])
            == 1
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )
        return labels / len(self.candidate.pages) > max(0.5, self.commonest_share + 0.2)

    @cached_property
    def outside_share(self) -> float:
        """How much of what the column holds is not about what the page is about."""
        return self._share(self.sample.outside_nodes)

    def _share(self, count: Callable[[int, int, int], int]) -> float:
        held = counted = 0
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None:
                held += extent.last - extent.first
                counted += count(page, extent.first, extent.last)
        return counted / held if held else 1.0


def shape(text: str) -> str:
    """What kind of text it is, roughly.

    >>> shape("(406) 756-3822"), shape("777 Grandview Drive"), shape("www.fvcc.edu"), shape("Drama")
    ('number', 'numbered', 'address', 'words')
    """
    if len(text) > 80:
        return "words"
    if "@" in text or "://" in text or text.startswith("www."):
        return "address"
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    if digits > letters:
        return "number"
    return "numbered" if digits else "words"
