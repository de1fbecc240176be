"""The pages that are learned from, as texts: which of them are template, and what stands over and around them.

A template text is one that most pages of the sample show; everything else is data.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING

from ...tokenizer import OPEN, fold
from .alternatives import alternatives
from .embedded import embedded_names
from .flowing import FlowingText, sentences, whole_headings
from .headings import headings_over
from .heads import table_heads
from .surroundings import frames, neighbour_links, sibling_links, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...landmark.read import Reading
    from ...page import Page
    from ...texts import Texts

TEMPLATE_SHARE = 0.8  # of the pages: a text on more of them belongs to the template
RECURRING_SHARE = 0.3  # of the pages: an optional part of the template is on that many
RECURRING_PHRASE_SHARE = 0.1  # the same for as many words as no two authors say in the same way
LONG_PHRASE = 4
LABEL_LENGTH = 50
HEAD_TAGS = 200  # a page's title stands among its first tags
_WORDS = re.compile(r"\w+(?:[.'’&/-]\w+)*")


class Sample:
    """The text nodes of the sample pages, with what is template among them, and the regions of the tree.

    ``alone``: all but the first of the pages are imagined.
    """

    def __init__(
        self, texts: Sequence[Texts], readings: Sequence[Reading], alone: bool = False
    ) -> None:
        self.alone = alone
        self.texts = texts
        self.readings = readings
        self.size = len(texts)
        seen: Counter[str] = Counter()
        for page in texts:
            seen.update(set(page.folded))
        self.pages_with = seen
        need = max(2, self.size * TEMPLATE_SHARE)
        self.template = frozenset(text for text, count in seen.items() if count >= need)
        # An entry of the menu is on every page; in the content of some pages it is a value all the same.
        steady = {text for text, count in self._in_content().items() if count >= need}
        self.is_template = [
            [
                text in self.template and (is_outside or text in steady)
                for text, is_outside in zip(page.folded, outside, strict=True)
            ]
            for page, outside in zip(texts, self._outside, strict=True)
        ]
        self._template_before = [[0, *accumulate(flags)] for flags in self.is_template]

    @cached_property
    def flowing(self) -> list[FlowingText]:
        """The sentences of each page that inline markup cuts into text nodes."""
        headings = whole_headings(self.texts)
        return [FlowingText(texts, self.recurs, headings) for texts in self.texts]

    def recurs(self, text: str) -> bool:
        """Whether a text with words in it is on so many pages that no author has put it there."""
        share = RECURRING_SHARE if text.count(" ") < LONG_PHRASE - 1 else RECURRING_PHRASE_SHARE
        least = max(2.0, share * self.size)
        return self.pages_with[text] >= least and _WORDS.search(text) is not None

    def is_usual(self, source: str) -> bool:
        """Whether a piece of source stands on half of the pages at least."""
        having = sum(source in texts.page.html for texts in self.texts)
        return 2 * having >= self.size

    @cached_property
    def titles(self) -> list[str]:
        """What each page's title element says, in small letters."""
        return [_title(texts.page) for texts in self.texts]

    @cached_property
    def title_words(self) -> list[list[str]]:
        """The words of each page's title that are not in most titles: what the page is about."""
        titles = [plain_words(title) for title in self.titles]
        seen = Counter(word for words in titles for word in set(words))
        usual = max(1.0, 0.5 * self.size)
        return [[word for word in words if seen[word] <= usual] for words in titles]

    @cached_property
    def heads(self) -> list[dict[int, str]]:
        """For each page the text nodes of tables with a row of heads, with the head above them."""
        return [table_heads(texts) for texts in self.texts]

    @cached_property
    def headings(self) -> list[list[str]]:
        """For each page the heading that each text node stands under, or nothing."""
        captions = frozenset(
            text
            for text, count in self.pages_with.items()
            if self.size > 1 and 5 * count > self.size and self.may_be_label(text)
        )
        return [headings_over(texts, captions) for texts in self.texts]

    @cached_property
    def labels_under(self) -> dict[str, set[str]]:
        """For each heading the texts below it that can be nothing but labels."""
        found: dict[str, set[str]] = defaultdict(set)
        for texts, headings in zip(self.texts, self.headings, strict=True):
            for text, heading in zip(texts.folded, headings, strict=True):
                if heading and text.endswith(":") and self.may_be_label(text):
                    found[heading].add(text)
        return found

    @cached_property
    def outside(self) -> list[list[tuple[int, int]]]:
        """The parts of each page that belong to the site's frame, or lead to pages like this one."""
        return [
            frames(texts.page)
            + neighbour_links(texts.page)
            + sibling_links(texts.page, partial(sentences, texts))
            for texts in self.texts
        ]

    @cached_property
    def _outside(self) -> list[list[bool]]:
        """For each page which text nodes stand outside of what the page is about."""
        return [
            within(spans, texts.starts)
            for spans, texts in zip(self.outside, self.texts, strict=True)
        ]

    def _in_content(self) -> Counter[str]:
        """The texts in the content of pages, with the number of pages that have them there."""
        seen: Counter[str] = Counter()
        for page, outside in zip(self.texts, self._outside, strict=True):
            pairs = zip(page.folded, outside, strict=True)
            seen.update({text for text, is_outside in pairs if not is_outside})
        return seen

    @cached_property
    def _outside_before(self) -> list[list[int]]:
        return [[0, *accumulate(flags)] for flags in self._outside]

    def outside_nodes(self, page: int, first: int, last: int) -> int:
        """How many text nodes belong to the site's frame, or lead to pages like this one."""
        before = self._outside_before[page]
        return before[last] - before[first]

    @cached_property
    def embedded(self) -> list[dict[str, str]]:
        """What each page's data for machines holds: value to name. Empty where no page has any."""
        found = [embedded_names(texts.page) for texts in self.texts]
        return found if any(found) else []

    def may_be_label(self, text: str) -> bool:
        return len(text) <= LABEL_LENGTH and (self.size == 1 or self.pages_with[text] > 1)

    @cached_property
    def alternatives(self) -> frozenset[str]:
        """Texts that recur and are no labels: in one place stands now this one, now that one, never both."""
        return alternatives(self.texts, self.pages_with)

    def template_nodes(self, page: int, first: int, last: int) -> int:
        before = self._template_before[page]
        return before[last] - before[first]


def plain_words(text: str) -> list[str]:
    """The words of a text, without regard to case and punctuation.

    >>> plain_words("'Sales Clerk' – Jermaine O'Neal")
    ['sales', 'clerk', 'jermaine', "o'neal"]
    """
    return _WORDS.findall(text.casefold())


def _title(page: Page) -> str:
    for index, tag in enumerate(page.tags[:HEAD_TAGS]):
        if tag.name == "title" and tag.kind == OPEN:
            return fold(page.parts[2 * index + 2]).casefold()
    return ""
