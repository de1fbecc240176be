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
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

OPEN, CLOSE, EMPTY, SKIPPED = "open", "close", "empty", "skipped"

VOID_ELEMENTS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# An end tag inside a table cell never closes what was opened outside of the cell's table.
_BARRIERS = frozenset(("table", "td", "th", "caption"))
_REACH = 256  # open elements that an end tag looks through for its start tag
_TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"))

_RAW_TEXT = "".join(
    rf"|(?i:{name})(?=[\s/>])[^>]*>[^<]*(?:<(?!/(?i:{name}))[^<]*)*(?:</(?i:{name})[^>]*>?|\Z)"
    for name in ("script", "style")
)
# The commonest kinds come first, and only names are matched without regard to case: both save time.
_MARKUP = re.compile(
    r"(<(?:"
    r"""/[a-zA-Z][^<>"']*>"""
    r"|(?!(?:[sS](?:[cC][rR][iI][pP][tT]|[tT][yY][lL][eE]))[\s/>])"
    r"""[a-zA-Z][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>"""
    r"|!--(?:-?>|[^-]*(?:-(?!->|-!>)[^-]*)*(?:--!?>|\Z))"
    rf"{_RAW_TEXT}"
    r"|[!?][^>]*(?:>|\Z)"
    r"|/?[a-zA-Z][^<>]*(?:>|\Z)"
    r"))"
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


class Tag(NamedTuple):
    """A start, end or empty tag, or markup that carries no data (comment, script, style, doctype)."""

    kind: str
    name: str
    source: str = ""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """What a start or empty tag says besides its name; parsed when asked for."""
        return parse_attributes(self.source) if self.kind in (OPEN, EMPTY) else ()

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
        return Tag(SKIPPED, "", source)
    name = match[1].lower()
    if source[1] == "/":
        return Tag(CLOSE, name, source)
    if name in ("script", "style") or source[-1] != ">":
        return Tag(SKIPPED, name, source)
    return Tag(EMPTY if name in VOID_ELEMENTS or source[-2] == "/" else OPEN, name, source)


@lru_cache(maxsize=1 << 15)
def parse_attributes(source: str) -> tuple[Attribute, ...]:
    """The attributes of a start or empty tag; of several with one name the first counts."""
    match = _NAME.match(source)
    if match is None:
        return ()
    body_end = len(source) - (2 if source.endswith("/>") else 1)
    attributes: dict[str, Attribute] = {}
    for found in _ATTRIBUTE.finditer(source, match.end(), body_end):
        key = found[1].lower()
        if key in attributes:
            continue
        group = found.lastindex or 1
        if group == 1:
            attributes[key] = Attribute(key, "", found.end(), found.end())
        else:
            start, end = found.span(group)
            attributes[key] = Attribute(key, unescape(found[group]), start, end)
    return tuple(attributes.values())


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


def pair_tags(tags: Sequence[Tag]) -> list[int]:
    """For every tag the place of its end or start tag, or -1.

    Misnesting is settled as browsers do in spirit: an end tag closes the innermost open element of its
    name, and what was opened since stays unclosed. Bounded time per tag, whatever the depth.
    """
    partner = [-1] * len(tags)
    open_tags: list[int] = []
    open_names: list[str] = []
    for index, tag in enumerate(tags):
        kind = tag.kind
        if kind == OPEN:
            open_tags.append(index)
            open_names.append(tag.name)
        elif kind == CLOSE and open_names:
            if open_names[-1] != tag.name:
                level = _level_to_close(open_names, tag.name)
                if level < 0:
                    continue
                del open_tags[level + 1 :], open_names[level + 1 :]
            open_names.pop()
            start = open_tags.pop()
            partner[start], partner[index] = index, start
    return partner


def _level_to_close(open_names: list[str], name: str) -> int:
    """Which of the open elements an end tag closes, or -1."""
    least = max(0, len(open_names) - _REACH)
    beyond_cells = name in _TABLE_PARTS
    for level in range(len(open_names) - 1, least - 1, -1):
        if open_names[level] == name:
            return level
        if not beyond_cells and open_names[level] in _BARRIERS:
            return -1
    return -1


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
    partner = pair_tags(only_tags)
    nodes: list[Node] = []
    at = depth = 0
    for (start, end), tag in zip(spans, tags, strict=True):
        if tag is None:
            nodes.append(Node(start, end, None, -1, depth))
            continue
        other = tag_nodes[partner[at]] if partner[at] >= 0 else -1
        if tag.kind == CLOSE and other >= 0:
            # What was opened since and never closed ends here too.
            depth = nodes[other].depth
        nodes.append(Node(start, end, tag, other, depth))
        if tag.kind == OPEN and other >= 0:
            depth += 1
        at += 1
    return tuple(nodes)
