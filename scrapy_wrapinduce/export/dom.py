"""From places in a page's source to nodes of the document that selectors see.

lxml forgets where an element stood. So every start tag is given a number as an attribute before the page is
parsed: an element then knows its tag, and the text that follows the tag in the source is found among the
texts that follow the element in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lxml import etree
from parsel import Selector

from ..tokenizer import EMPTY, OPEN, fold

if TYPE_CHECKING:
    from ..page import Page

Element = Any  # lxml's stubs and lxml itself do not agree on what an element is

MARK = "data-wrapinduce-tag"
HIDDEN = frozenset(("script", "style"))
_WORD = re.compile(r"\w")
_TAG_NAME = re.compile(r"<[a-zA-Z][^\s/>]*")


@dataclass(frozen=True, slots=True)
class Text:
    """A text node: the text of an element, or what follows it."""

    element: Element
    is_tail: bool

    @property
    def parent(self) -> Element:
        return self.element.getparent() if self.is_tail else self.element

    @property
    def content(self) -> str:
        return (self.element.tail if self.is_tail else self.element.text) or ""


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute of an element."""

    element: Element
    name: str


@dataclass
class Document:
    """A page as selectors see it, with the way from its source."""

    page: Page
    root: Element = field(init=False)

    def __post_init__(self) -> None:
        parts = list(self.page.parts)
        for index, tag in enumerate(self.page.tags):
            name = _TAG_NAME.match(tag.source) if tag.kind in (OPEN, EMPTY) else None
            if name is not None:
                cut = name.end()
                parts[2 * index + 1] = f'{tag.source[:cut]} {MARK}="{index}"{tag.source[cut:]}'
        self.root = Selector(text="".join(parts)).root

    @cached_property
    def elements(self) -> dict[int, Element]:
        """Elements by the number of their start tag."""
        return {int(element.get(MARK)): element for element in self.root.iter() if _marked(element)}

    @cached_property
    def _texts_after_tags(self) -> list[tuple[int, Text]]:
        """All text nodes that show something, each with the start tag before it, in document order."""
        found: list[tuple[int, Text]] = []
        last = -1
        for event, element in etree.iterwalk(self.root, events=("start", "end", "comment", "pi")):
            text: Text | None = None
            if event == "start":
                last = int(element.get(MARK)) if _marked(element) else last
                if element.text and element.tag not in HIDDEN:
                    text = Text(element, False)
            elif element.tail and element is not self.root:
                text = Text(element, True)
            if text is not None and fold_text(text.content):
                found.append((last, text))
        return found

    @cached_property
    def texts(self) -> list[Text]:
        """All text nodes that show something, in document order."""
        return [text for _, text in self._texts_after_tags]

    @cached_property
    def number_of(self) -> dict[tuple[Element, bool], int]:
        """The place of a text node among :attr:`texts`."""
        return {(text.element, text.is_tail): number for number, text in enumerate(self.texts)}

    @cached_property
    def worded(self) -> list[Text]:
        """The text nodes with a word in them, in document order."""
        return [text for text in self.texts if _WORD.search(text.content)]

    def word_number(self, text: Text) -> int | None:
        """The place of a text node among :attr:`worded`."""
        return self._word_numbers.get((text.element, text.is_tail))

    @cached_property
    def _word_numbers(self) -> dict[tuple[Element, bool], int]:
        return {(text.element, text.is_tail): number for number, text in enumerate(self.worded)}

    def word_range(self, element: Element) -> tuple[int, int]:
        """Which of the texts :attr:`worded` an element holds: from the first up to, but not with, the second."""
        return self._word_ranges.get(element, (0, 0))

    @cached_property
    def _word_ranges(self) -> dict[Element, tuple[int, int]]:
        found: dict[Element, tuple[int, int]] = {}
        for number, text in enumerate(self.worded):
            for element in (text.parent, *text.parent.iterancestors()):
                first, _ = found.get(element, (number, 0))
                found[element] = (first, number + 1)
        return found

    @cached_property
    def _texts_by_tag(self) -> dict[int, list[Text]]:
        found: dict[int, list[Text]] = defaultdict(list)
        for last, text in self._texts_after_tags:
            found[last].append(text)
        return found

    def at(self, start: int, end: int) -> list[Text | Value]:
        """The nodes that a place of the source touches; none where the parser saw the page otherwise."""
        offsets = self.page.part_offsets
        first = min(max(bisect_right(offsets, start) - 1, 0), len(self.page.parts) - 1)
        if first % 2:
            return self._attribute(first // 2, start - offsets[first])
        found: list[Text | Value] = []
        for part in range(first, len(self.page.parts), 2):
            if offsets[part] >= end and part > first:
                break
            wanted = fold(self.page.parts[part])
            if wanted and (node := self._text(part, wanted)) is not None:
                found.append(node)
        return found

    def _attribute(self, tag: int, at: int) -> list[Text | Value]:
        element = self.elements.get(tag)
        for attribute in self.page.tags[tag].attributes:
            if element is not None and attribute.start <= at <= attribute.end:
                return [Value(element, attribute.name)]
        return []

    def _text(self, part: int, wanted: str) -> Text | None:
        tags = self.page.tags
        last = part // 2 - 1
        while last >= 0 and tags[last].kind not in (OPEN, EMPTY):
            last -= 1
        parts = self.page.parts
        before = sum(fold(parts[index]) == wanted for index in range(2 * last + 2, part, 2))
        same = [
            text for text in self._texts_by_tag.get(last, ()) if fold_text(text.content) == wanted
        ]
        return same[min(before, len(same) - 1)] if same else None


def fold_text(text: str) -> str:
    """What :func:`fold` does, for text whose entities are decoded already."""
    return " ".join(text.replace("\u200b", "").split())


def _marked(element: Element) -> bool:
    return isinstance(element.tag, str) and (element.get(MARK) or "").isdigit()


def common_ancestor(elements: Sequence[Element]) -> Element:
    """The innermost element that holds all of these (or is one of them)."""
    first, *others = elements
    shared = [first, *first.iterancestors()]
    for other in others:
        around = {other, *other.iterancestors()}
        shared = [element for element in shared if element in around]
    return shared[0]
