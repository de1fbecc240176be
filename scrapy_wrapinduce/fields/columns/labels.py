"""The text in front of a place on a page, and whether it is the label of what stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..sample.texts import LABEL_LENGTH
from .elements import LABEL_TAGS, enclosing, leaves_a_list

if TYPE_CHECKING:
    from ..sample.texts import Sample

CONTROL_TAGS = frozenset(("button", "option", "select", "textarea", "summary"))
TRAIL_SIGNS = frozenset("›»>→/|•·")  # what stands in front of these is a step of a trail, no label
_WORD = re.compile(r"\w")


def follows_marked_label(sample: Sample, page: int, first: int) -> bool:
    """Whether what stands right before a text node is marked as a label: by its element, a colon or a table's head."""
    if not first:
        return False
    head = sample.heads[page].get(first)
    if head is not None:
        return bool(head)
    texts = sample.texts[page]
    tags = enclosing(texts, first - 1, most=1)
    return texts.folded[first - 1].endswith(":") or (bool(tags) and tags[0].name in LABEL_TAGS)


def follows_template_text(sample: Sample, page: int, first: int) -> bool:
    """Whether the text node right before another one is the template's."""
    return bool(first) and sample.is_template[page][first - 1]


def text_before(sample: Sample, page: int, first: int, start: int) -> str:
    """What may be the label of a value that begins in text node ``first``, at ``start`` in the source; or nothing."""
    texts = sample.texts[page]
    if start > texts.starts[first]:
        inside = " ".join(texts.page.html[texts.starts[first] : start].split())
        return inside if len(inside) <= LABEL_LENGTH and "<" not in inside else ""
    head = sample.heads[page].get(first)
    if head is not None:
        return head if sample.may_be_label(head) else ""
    for index in range(first - 1, max(-1, first - 4), -1):
        text = texts.folded[index]
        if not _WORD.search(text):
            if not TRAIL_SIGNS.isdisjoint(text):
                return ""
            continue
        return text if _may_be_label(sample, page, index, first) else ""
    return ""


def _may_be_label(sample: Sample, page: int, index: int, first: int) -> bool:
    """Whether a text node may be the label of another behind it."""
    texts = sample.texts[page]
    text = texts.folded[index]
    if not sample.may_be_label(text) or sample.flowing[page].holds(index):
        return False
    around = enclosing(texts, index, most=1)
    name = around[0].name if around else ""
    if text.endswith(":") or name in LABEL_TAGS:
        return True
    if name in CONTROL_TAGS or sample.size == 1 or text in sample.alternatives:
        return False
    if leaves_a_list(texts, index, first):
        return False
    # Of two links in a row the first is no label, but a step of a trail or an entry of a menu.
    behind = enclosing(texts, first, most=1)
    return not (name == "a" and behind and behind[0].name == "a")
