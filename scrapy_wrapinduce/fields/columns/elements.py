"""Where a text node stands in the markup: the tags before it, and the element that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...tokenizer import CLOSE, OPEN

if TYPE_CHECKING:
    from ...texts import Extent, Texts
    from ...tokenizer import Tag

LABEL_TAGS = frozenset(("th", "dt", "label"))
LIST_TAGS = frozenset(("ul", "ol", "dl", "table", "nav", "form", "header"))


def holder(texts: Texts, extent: Extent) -> Tag | None:
    """The innermost element that holds all text nodes of an extent and no others."""
    page = texts.page
    behind = texts.starts[extent.last] if extent.last < len(texts.starts) else len(page.html)
    index = texts.parts[extent.first] - 1
    while index > 0:
        tag = page.tags[index >> 1]
        if tag.kind == OPEN:
            partner = page.partners[index >> 1]
            if partner >= 0:
                close = page.part_offsets[2 * partner + 1]
                if close > behind:
                    return None
                if close >= extent.end:
                    return tag
        if page.parts[index - 1].strip():
            return None
        index -= 2
    return None


def enclosing(texts: Texts, node: int, most: int = 2) -> tuple[Tag, ...]:
    """The start tags directly before a text node, innermost first."""
    page = texts.page
    found: list[Tag] = []
    index = texts.parts[node] - 1
    while index > 0 and len(found) < most:
        tag = page.tags[index >> 1]
        if tag.kind != OPEN:
            break
        found.append(tag)
        if page.parts[index - 1].strip():
            break
        index -= 2
    return tuple(found)


def leaves_a_list(texts: Texts, before: int, node: int) -> bool:
    """Whether a list, a table or a menu ends between two text nodes that began before the first."""
    page = texts.page
    for index in range(texts.parts[before] >> 1, texts.parts[node] >> 1):
        tag = page.tags[index]
        if tag.kind == CLOSE and tag.name in LIST_TAGS:
            partner = page.partners[index]
            if 0 <= partner < texts.parts[before] >> 1:
                return True
    return False
