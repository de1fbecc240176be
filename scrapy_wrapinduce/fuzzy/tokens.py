"""A page as the tokens of the fuzzy paper: tags, words, numbers and punctuation, each with its class.

Problem: separators must be recognised although no two records spell their surroundings the same way.
Idea: every token has a class (paper, section 4) and, beside it, closer and closer spellings of itself; a
detector compares tokens by the closest spelling it has learned. White space is no token: how far apart
the lines of the source stand says nothing about records.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from ..tokenizer import CLOSE, INLINE

if TYPE_CHECKING:
    from ..page import Page
    from ..tokenizer import Node, Tag

C1ALPH, CALPH, NUM, ALPH, PUNC, ANY = "C1Alph", "CAlph", "Num", "0Alph", "Punc", "Any"
CONTROL, CONTROL_END, LIST, LIST_END = "Spc", "/Spc", "Lst", "/Lst"
HTML, HTML_END, EDGE = "Html", "/Html", "Edge"
# In the order of the paper's Table 1, and the edge of the page that the paper does not name.
TOKEN_CLASSES = (
    C1ALPH,
    CALPH,
    NUM,
    ALPH,
    PUNC,
    CONTROL_END,
    CONTROL,
    LIST_END,
    LIST,
    HTML_END,
    HTML,
    ANY,
    EDGE,
)

_TEXT_CLASSES = frozenset((C1ALPH, CALPH, NUM, ALPH, PUNC, ANY))
_CONTROL_ELEMENTS = frozenset(("br", "p", "hr", "pre", "wbr", "nobr", "center"))
_LIST_ELEMENTS = frozenset(
    "ul ol li dl dt dd menu dir table thead tbody tfoot tr td th caption option".split()
)
INLINE_ELEMENTS = INLINE | {"br"}
# The attributes by which templates tell their elements apart; other values are data more often than not.
_TELLING = ("class", "itemprop", "property", "rel", "role", "name", "type", "data-hook")
_TEXT_TOKEN = re.compile(r"&#?\w{1,31};|[^\W\d_]+|\d+|[^\w\s]|_")
_NESTED_AROUND = 6
_DIGITS = re.compile(r"\d+")
_BLANK_ENTITIES = frozenset(("&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "&#xA0", "&ensp;", "&emsp;"))

# What a match is worth: of the spelling, of the telling attributes alone, of the bare name, of the class.
EXACT, TELLING, NAME, CLASS = 1.0, 0.85, 0.65, 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """All that detectors see of a token: its class, and its spellings with what a match of each is worth."""

    token_class: str
    spellings: tuple[tuple[str, float], ...]
    is_tag: bool
    is_inline: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedPage:
    """The tokens of a page as parallel tuples, and where each stands among the page's nodes."""

    page: Page
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    shapes: tuple[Shape, ...]
    nodes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.starts)

    def node(self, token: int) -> Node:
        return self.page.nodes[self.nodes[token]]

    def fills_element(self, first: int, last: int) -> bool:
        """Whether tokens ``first`` through ``last`` hold all the text of some element."""
        opened = set()
        for token in range(first - 1, max(-1, first - 1 - _NESTED_AROUND), -1):
            if not self.shapes[token].is_tag:
                break
            opened.add(self.nodes[token])
        for token in range(last + 1, min(len(self), last + 1 + _NESTED_AROUND)):
            if not self.shapes[token].is_tag:
                break
            if self.node(token).partner in opened:
                return True
        return False


EDGE_SHAPE = Shape(EDGE, ((EDGE, EXACT),), is_tag=True)


def text_class(text: str) -> str:
    """The class of a piece of text.

    >>> [text_class(text) for text in ("FSM", "Professor", "and", "123", ",", "&amp;")]
    ['CAlph', 'C1Alph', '0Alph', 'Num', 'Punc', 'Any']
    """
    if text.isdecimal():
        return NUM
    if text.isalpha():
        if text[0].islower():
            return ALPH
        if len(text) > 1 and text.isupper():
            return CALPH
        return C1ALPH if text[0].isupper() else ANY
    return PUNC if len(text) == 1 else ANY


def tag_class(name: str, *, closing: bool) -> str:
    """The class of a tag.

    >>> tag_class("i", closing=False), tag_class("br", closing=False), tag_class("li", closing=True)
    ('Html', 'Spc', '/Lst')
    """
    if name in _CONTROL_ELEMENTS:
        return CONTROL_END if closing else CONTROL
    if name in _LIST_ELEMENTS:
        return LIST_END if closing else LIST
    return HTML_END if closing else HTML


@lru_cache(maxsize=1 << 15)
def text_shape(text: str) -> Shape:
    token_class = text_class(text)
    return Shape(token_class, ((text, EXACT), (token_class, CLASS)), is_tag=False)


@lru_cache(maxsize=len(TOKEN_CLASSES))
def class_shape(token_class: str) -> Shape:
    """A token of which no more than the class is known."""
    return Shape(token_class, ((token_class, CLASS),), is_tag=token_class not in _TEXT_CLASSES)


@lru_cache(maxsize=1 << 14)
def tag_shape(tag: Tag, opened_by: Tag | None = None) -> Shape:
    """The shape of a tag; an end tag is told apart by the attributes of the start tag it closes."""
    closing = tag.kind == CLOSE
    bar = "</" if closing else "<"
    described = opened_by if closing else tag
    telling = "" if described is None else _telling(described)
    token_class = tag_class(tag.name, closing=closing)
    spellings = [(f"{bar}{tag.name}{telling}>", EXACT)]
    identity = None if described is None else described.get("id")
    if identity:
        spellings.append((f"{bar}{tag.name}#{_DIGITS.sub('0', identity)[:60]}>", EXACT))
    if telling:
        spellings.append((f"{bar}*{telling}>", TELLING))
    spellings += [(f"{bar}{tag.name}", NAME), (token_class, CLASS)]
    return Shape(token_class, tuple(spellings), is_tag=True, is_inline=tag.name in INLINE_ELEMENTS)


def _telling(tag: Tag) -> str:
    values = ((name, tag.get(name)) for name in _TELLING)
    return "".join(f" {name}={_DIGITS.sub('0', value)[:60]}" for name, value in values if value)


def tokenize(page: Page, start: int = 0, end: int | None = None) -> TokenizedPage:
    """The tokens of a page, or of the part of it from ``start`` up to ``end``."""
    stop = len(page.html) if end is None else end
    starts: list[int] = []
    ends: list[int] = []
    shapes: list[Shape] = []
    places: list[int] = []
    nodes = page.nodes
    first = bisect_left(nodes, start, key=attrgetter("start"))
    for index in range(first, len(nodes)):
        node = nodes[index]
        if node.end > stop:
            break
        if node.tag is not None:
            partner = nodes[node.partner].tag if node.partner >= 0 else None
            starts.append(node.start)
            ends.append(node.end)
            shapes.append(tag_shape(node.tag, partner if node.tag.kind == CLOSE else None))
            places.append(index)
            continue
        for found in _TEXT_TOKEN.finditer(page.html, node.start, node.end):
            if found[0] in _BLANK_ENTITIES:
                continue
            starts.append(found.start())
            ends.append(found.end())
            shapes.append(text_shape(found[0]))
            places.append(index)
    return TokenizedPage(page, tuple(starts), tuple(ends), tuple(shapes), tuple(places))
