"""Split HTML into tags and text, as found in the wild, in one linear pass.

A page is cut by a single regular expression into alternating text and markup, so that most of the work
happens in C. Every alternative of the expression stops at the next ``<`` or always succeeds, which bounds
the time on hostile input. Tags are parsed on demand and remembered: pages of one template repeat theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import accumulate

OPEN, CLOSE, EMPTY, SKIPPED = "open", "close", "empty", "skipped"

VOID_ELEMENTS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# An end tag inside a table cell never closes what was opened outside of the cell's table.
_BARRIERS = frozenset(("table", "td", "th", "caption"))
_TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"))

_RAW_TEXT = "".join(
    rf"|{name}(?=[\s/>])[^>]*>[^<]*(?:<(?!/{name})[^<]*)*(?:</{name}[^>]*>?|\Z)"
    for name in ("script", "style")
)
_MARKUP = re.compile(
    r"(<(?:"
    r"!--(?:-?>|[^-]*(?:-(?!->|-!>)[^-]*)*(?:--!?>|\Z))"
    rf"{_RAW_TEXT}"
    r"|[!?][^>]*(?:>|\Z)"
    r"|/?[a-z](?:"
    r"""[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>"""
    r"|[^<>]*(?:>|\Z))"
    r"))",
    re.IGNORECASE,
)
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=][^\s<>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?"""
)
_SPACE = re.compile(r"(?:\s|&nbsp;|&#160;|&#x[aA]0;)+")
_WORD = re.compile(r"(?:(?!&nbsp;|&#160;|&#x[aA]0;)\S)+")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a tag. ``start`` and ``end`` locate the value inside the tag's source."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tag:
    """A start, end or empty tag, or markup that carries no data (comment, script, style, doctype)."""

    kind: str
    name: str
    attributes: tuple[Attribute, ...] = ()

    def get(self, name: str) -> str | None:
        """The value of an attribute, entities decoded; ``None`` without one."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute.value
        return None


@dataclass(frozen=True, slots=True)
class Node:
    """One tag or one stretch of text, with its place in the source.

    ``partner`` is the index of the matching end or start tag among the page's nodes, or -1;
    ``depth`` is the number of open elements around the node.
    """

    start: int
    end: int
    tag: Tag | None
    partner: int = -1
    depth: int = 0


def split_markup(html: str) -> list[str]:
    """The source as alternating text (even places) and markup (odd places)."""
    return _MARKUP.split(html)


def offsets(parts: list[str]) -> list[int]:
    """Where each part starts in the source, and the source's length as the last entry."""
    return [0, *accumulate(map(len, parts))]


@lru_cache(maxsize=1 << 16)
def parse_tag(source: str) -> Tag:
    """A piece of markup as a :class:`Tag`."""
    match = _NAME.match(source)
    if match is None:
        return Tag(SKIPPED, "")
    name = match[1].lower()
    if source[1] == "/":
        return Tag(CLOSE, name)
    if name in ("script", "style") or not source.endswith(">"):
        return Tag(SKIPPED, name)
    body_end = len(source) - (2 if source.endswith("/>") else 1)
    seen: set[str] = set()
    attributes = []
    for found in _ATTRIBUTE.finditer(source, match.end(), body_end):
        key = found[1].lower()
        if key in seen:
            continue
        seen.add(key)
        group = found.lastindex or 1
        if group == 1:
            attributes.append(Attribute(key, "", found.end(), found.end()))
        else:
            start, end = found.span(group)
            attributes.append(Attribute(key, unescape(found[group]), start, end))
    kind = EMPTY if name in VOID_ELEMENTS or source.endswith("/>") else OPEN
    return Tag(kind, name, tuple(attributes))


def fold(source: str) -> str:
    """Source text as a person reads it: entities decoded, white space folded."""
    if "&" in source:
        source = unescape(source)
    return " ".join(source.replace("\u200b", "").split())


def words(source: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The spans of the words in a stretch of text; a no-break space separates words too."""
    stop = len(source) if end is None else end
    return [found.span() for found in _WORD.finditer(source, start, stop)]


def is_blank(source: str) -> bool:
    """Whether a stretch of text shows nothing."""
    return not source or source.isspace() or _SPACE.fullmatch(source) is not None


def pair_tags(tags: list[Tag]) -> tuple[list[int], list[int]]:
    """Match start tags with their end tags; returns ``(partner, depth)`` for every tag.

    Unclosed start tags and stray end tags have partner -1. Misnesting is settled as browsers do in
    spirit: an end tag closes the innermost open element of its name, and what was opened since stays
    unclosed. Amortised constant time per tag, whatever the depth.
    """
    partner = [-1] * len(tags)
    depth = [0] * len(tags)
    open_tags: list[int] = []
    open_by_name: dict[str, list[int]] = {}
    barriers: list[int] = []
    for index, tag in enumerate(tags):
        depth[index] = len(open_tags)
        if tag.kind == OPEN:
            open_tags.append(index)
            open_by_name.setdefault(tag.name, []).append(index)
            if tag.name in _BARRIERS:
                barriers.append(index)
        elif tag.kind == CLOSE:
            same_name = open_by_name.get(tag.name)
            if not same_name:
                continue
            start = same_name[-1]
            if barriers and barriers[-1] > start and tag.name not in _TABLE_PARTS:
                continue
            while open_tags:
                closed = open_tags.pop()
                open_by_name[tags[closed].name].pop()
                if barriers and barriers[-1] == closed:
                    barriers.pop()
                if closed == start:
                    break
            partner[start], partner[index] = index, start
            depth[index] = len(open_tags)
    return partner, depth


def build_nodes(html: str) -> tuple[Node, ...]:
    """All tags and all text that shows something, in source order; skipped markup leaves no node."""
    parts = split_markup(html)
    places = offsets(parts)
    spans: list[tuple[int, int]] = []
    tags: list[Tag | None] = []
    for index, part in enumerate(parts):
        if index % 2:
            parsed = parse_tag(part)
            if parsed.kind == SKIPPED:
                continue
            tags.append(parsed)
        elif is_blank(part):
            continue
        else:
            tags.append(None)
        spans.append((places[index], places[index + 1]))
    only_tags = [tag for tag in tags if tag is not None]
    tag_nodes = [index for index, tag in enumerate(tags) if tag is not None]
    partner, depth = pair_tags(only_tags)
    nodes: list[Node] = []
    at = 0
    for (start, end), tag in zip(spans, tags, strict=True):
        if tag is None:
            inside = len(only_tags) > at
            # Text is as deep as what follows it: an end tag's depth is that of its element.
            level = depth[at] + (only_tags[at].kind == CLOSE and partner[at] >= 0) if inside else 0
            nodes.append(Node(start, end, None, -1, level))
        else:
            other = tag_nodes[partner[at]] if partner[at] >= 0 else -1
            nodes.append(Node(start, end, tag, other, depth[at]))
            at += 1
    return tuple(nodes)
