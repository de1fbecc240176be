"""Candidates as columns: what stands around the values of each on the sample pages, and what it could be called.

A column's *label* is the template text in front of its values, its *role* what the tag around them says.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile
from typing import TYPE_CHECKING

from ...tokenizer import INLINE
from ..sample.embedded import LONGEST, comparable, type_of
from ..sample.surroundings import is_home
from .elements import enclosing, holder
from .labels import follows_marked_label, follows_template_text, text_before
from .values import NEAR_TAGS, ColumnValues

if TYPE_CHECKING:
    from ...tokenizer import Tag

LABEL_SHARE = 0.6  # of a column's pages: how many must show the same label
STEADY_SHARE = 0.9  # of a column's pages: with fewer the label is not its label but a neighbour's
HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "legend", "caption"))
ELEMENT_PAGES = 5
ELEMENT_SHARE = 0.8
_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Column(ColumnValues):
    """One candidate over the sample: its values, and what the pages say about them."""

    @property
    def by_label(self) -> bool:
        """Whether it is found by the text in front of it."""
        return any(at.label for at in self.candidate.locators)

    @cached_property
    def partial(self) -> bool:
        """Whether it is one of a number of text nodes that differs from page to page."""
        return all(at.take for at in self.candidate.locators) and self.candidate.ragged

    @cached_property
    def _labels(self) -> Counter[str]:
        """The label-like texts in front of the values, with the number of pages; "" where there is none."""
        return Counter(
            text_before(self.sample, page, extent.first, extent.start)
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )

    @cached_property
    def label(self) -> str:
        """The template text in front of the values, or nothing."""
        if not self._labels:
            return ""
        text, count = self._labels.most_common(1)[0]
        return text if count >= LABEL_SHARE * self._labels.total() else ""

    @cached_property
    def named(self) -> bool:
        """Whether the page itself says what it is: by a label marked as one, or by markup."""
        if any(tag.get("itemprop") or tag.get("property") for tag in self.tags):
            return True
        return self.surely_labelled

    @cached_property
    def _label_is_marked(self) -> bool:
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None and extent.first:
                return follows_marked_label(self.sample, page, extent.first)
        return False

    @cached_property
    def label_is_near(self) -> bool:
        """Whether few tags stand between the label and the value, as in one row."""
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None and extent.first and self.label:
                texts = self.sample.texts[page]
                if extent.start > texts.starts[extent.first]:
                    return True
                return texts.parts[extent.first] - texts.parts[extent.first - 1] <= 2 * NEAR_TAGS
        return False

    @cached_property
    def heads_a_text(self) -> bool:
        """Whether the label may be that of a longer text: a heading, or marked as a label."""
        if self.surely_labelled:
            return True
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None and extent.first:
                tags = enclosing(self.sample.texts[page], extent.first - 1, most=1)
                return bool(tags) and tags[0].name in HEADING_TAGS
        return False

    @cached_property
    def surely_labelled(self) -> bool:
        """Whether what stands in front can be nothing but a label."""
        return bool(self.label) and self._label_is_marked

    @cached_property
    def drifting(self) -> bool:
        """Whether it is different things on different pages: what is in front of it says so."""
        if self.by_label or not self._labels or (self.tags and self.tags[0].name == "h1"):
            return False
        if not self.single and self.is_prose and self.homogeneous:
            # The paragraphs of a text are one thing, with or without a picture above them.
            return False
        text, count = self._labels.most_common(1)[0]
        if all(at.take for at in self.candidate.locators) and text:
            return count < STEADY_SHARE * self._labels.total()
        other = sum(
            text_before(self.sample, page, extent.first, extent.start) != text
            and (
                follows_marked_label(self.sample, page, extent.first)
                or follows_template_text(self.sample, page, extent.first)
            )
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )
        return other > (1 - STEADY_SHARE) * self._labels.total()

    @cached_property
    def heading(self) -> str:
        """The heading that most values stand under, or nothing."""
        seen = Counter(
            self.sample.headings[page][extent.first]
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        )
        text, count = seen.most_common(1)[0] if seen else ("", 0)
        return text if count >= LABEL_SHARE * seen.total() else ""

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """The start tags right before the values, innermost first, as most pages have them."""
        seen: Counter[tuple[Tag, ...]] = Counter()
        for page, extent in enumerate(self.candidate.extents):
            if extent is not None:
                seen[self._tags_before(page, extent.first)] += 1
        return seen.most_common(1)[0][0] if seen else ()

    def _tags_before(self, page: int, node: int) -> tuple[Tag, ...]:
        around = enclosing(self.sample.texts[page], node, most=2 * NEAR_TAGS)
        if self.candidate.flowing:
            # Emphasis at the beginning of a sentence says nothing about the text.
            around = tuple(dropwhile(lambda tag: tag.name in INLINE, around)) or around
        return around[:2]

    @cached_property
    def _property(self) -> tuple[str, str]:
        """What the pages' schema.org or OpenGraph data calls these values and takes them for."""
        seen: Counter[tuple[str, str]] = Counter()
        for value, known in zip(self.values, self.sample.embedded, strict=False):
            if value and known:
                compared = comparable(" ".join(value)[:LONGEST])
                name = known.get(compared, "")
                seen[name, type_of(name, compared)] += 1
        names = Counter(name for name, _ in seen.elements())
        name, count = names.most_common(1)[0] if names else ("", 0)
        varied = self.distinct > 1 or self.sample.size == 1
        if not name or not varied or count < LABEL_SHARE * names.total():
            return "", ""
        return max((one for one in seen if one[0] == name), key=seen.__getitem__)

    @property
    def embedded(self) -> str:
        """The name in the pages' data for machines, on most pages that have such data; or nothing."""
        return self._property[0]

    @property
    def embedded_type(self) -> str:
        """The type in the pages' data for machines: ``number``, ``date`` or ``text``; nothing if they say none."""
        return self._property[1]

    @cached_property
    def element(self) -> Tag | None:
        """The element that holds just this column, on most of the first pages, if there is one."""
        seen: Counter[Tag | None] = Counter()
        # Where there is one value, the smallest element around it is that of the value, not of the list.
        telling = [
            page for page in self.candidate.pages if self.single or len(self.values[page]) > 1
        ]
        for page in telling[:ELEMENT_PAGES]:
            extent = self.candidate.extents[page]
            if extent is not None:
                seen[holder(self.sample.texts[page], extent)] += 1
        names = Counter(tag.name for tag in seen.elements() if tag is not None)
        if not names or names.most_common(1)[0][1] < ELEMENT_SHARE * seen.total():
            return None
        name = names.most_common(1)[0][0]
        return next(tag for tag, _ in seen.most_common() if tag is not None and tag.name == name)

    @cached_property
    def in_title(self) -> float:
        """Share of the pages whose title repeats the value: that is what the page is about."""
        if not self.single or any(tag.name == "title" for tag in self.tags):
            return 0.0
        hits = 0
        for value, title in zip(self.values, self.sample.titles, strict=True):
            if value and len(value[0]) > 2:
                text = value[0].casefold()
                hits += text in title or (len(title) > 2 and title in text)
        return hits / len(self.node_counts) if self.node_counts else 0.0

    @cached_property
    def in_trail(self) -> bool:
        """Whether it follows a link to the site's front page: a step on the way to the page."""
        if self.tags and self.tags[0].name == "h1":
            return False
        hits = 0
        for page in self.candidate.pages:
            extent = self.candidate.extents[page]
            texts = self.sample.texts[page]
            before = extent.first - 1 if extent is not None else -1
            while before > 0 and not _WORD.search(texts.folded[before]):
                before -= 1
            if before >= 0:
                tags = enclosing(texts, before)
                hits += any(is_home(tag.get("href")) for tag in tags if tag.name == "a")
        return 2 * hits > len(self.candidate.pages) and not self.is_prose

    @cached_property
    def position(self) -> float:
        """Where on the page it stands, from 0 to 1, as a mean."""
        places = [
            extent.first / max(1, len(self.sample.texts[page].starts))
            for page, extent in enumerate(self.candidate.extents)
            if extent is not None
        ]
        return sum(places) / len(places) if places else 1.0
