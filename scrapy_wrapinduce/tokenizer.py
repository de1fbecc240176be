"""Split HTML into tags and text, as found in the wild, in one linear pass.

A page is cut by a single regular expression into alternating text and markup, so that most of the work
happens in C. Every alternative of the expression stops at the next ``<`` or always succeeds, which bounds
the time on hostile input. A page with ``<`` inside a quoted attribute is cut again, tag by tag. Tags are
parsed on demand and remembered: pages of one template repeat theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from html.entities import html5
from itertools import accumulate
from sys import intern
from typing import TYPE_CHECKING

from .memo import Memo

if TYPE_CHECKING:
    from collections.abc import Sequence

# Elements that belong to running text; a line break ends a line of it.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s samp small span"
    " strike strong sub sup time tt u var wbr".split()
)
OPEN, CLOSE, EMPTY, SKIPPED = "open", "close", "empty", "skipped"

VOID_ELEMENTS = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# An end tag inside a table cell never closes what was opened outside of the cell's table.
_BARRIERS = frozenset(("table", "td", "th", "caption"))
_REACH = 256  # open elements that an end tag looks through for its start tag
_TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"))

_RAW_TEXT = "".join(
    rf"|(?i:{name})(?=[\s/>])[^<>]*>[^<]*(?:<(?!/(?i:{name}))[^<]*)*(?:</(?i:{name})[^>]*>?|\Z)"
    for name in ("script", "style")
)
_NOT_RAW = r"(?!(?:[sS](?:[cC][rR][iI][pP][tT]|[tT][yY][lL][eE]))[\s/>])"
# The commonest kinds come first, and only names are matched without regard to case: both save time.
# Those of the first part never hold a "<": they end before the next one or not at all.
_PLAIN_PATTERN = (
    r"""/[a-zA-Z][^<>"']*>"""
    rf"|{_NOT_RAW}"
    r"""[a-zA-Z][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>"""
)
_MARKUP_PATTERN = (
    rf"(<(?:{_PLAIN_PATTERN}"
    r"|!--(?:-?>|[^-]*(?:-(?!->|-!>)[^-]*)*(?:--!?>|\Z))"
    rf"{_RAW_TEXT}"
    r"|[!?][^>]*(?:>|\Z)"
    # With "<" inside of quotes; the bound keeps a quote that never ends from costing the rest of the page.
    rf"|{_NOT_RAW}"
    r"""[a-zA-Z][^<>"']*(?:(?:"[^"]{0,4000}"|'[^']{0,4000}')(?=[\s/>])[^<>"']*)*>"""
    r"|/?[a-zA-Z][^<>]*(?:>|\Z)"
    r"))"
)
MARKUP = re.compile(_MARKUP_PATTERN)
# The same without its "<", where what it is does not depend on what comes behind the next "<".
PLAIN_PIECE = re.compile(
    rf"{_PLAIN_PATTERN}|!--(?:-?>|[^-<]*(?:-(?!->|-!>)[^-<]*)*--!?>)|[!?](?!--)[^<>]*>"
)
RAW_TEXT_PIECE = re.compile(r"(script|style)(?=[\s/>])[^<>]*>", re.IGNORECASE)
UNFINISHED = re.compile(r"</?[a-zA-Z]")
_MARKUP_OR_UNFINISHED = re.compile(f"{_MARKUP_PATTERN}|{UNFINISHED.pattern}")
_UP_TO_VALUE_OR_END = re.compile(r"[^>=]*(?:>|=\s*)")
_RAW_TEXT_TAG = re.compile(r"<(script|style)(?=[\s/>])", re.IGNORECASE)
LONGEST_REMEMBERED = 400
MOST_REMEMBERED = 1 << 12
LONGEST_BEGINNING = 24
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=][^\s<>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?"""
)
_ZERO_WIDTH = "\u200b"
_NOT_SPACE = re.compile(r"\S+")


def _space_pattern() -> str:
    """White space, and every way to write it as an entity."""
    spaces = filter(str.isspace, map(chr, range(0x3001)))
    codes = [ord(char) for char in spaces if unescape(f"&#{ord(char)};").isspace()]
    names = [name for name, text in html5.items() if text.isspace()]
    decimal = "|".join(map(str, codes))
    hexadecimal = "|".join(f"{code:x}" for code in codes)
    named = "|".join(sorted(names, key=len, reverse=True))
    return rf"(?:\s|&(?:#0*(?:{decimal})(?![0-9]);?|#[xX]0*(?i:{hexadecimal})(?![0-9a-fA-F]);?|{named}))+"


_SPACE = re.compile(_space_pattern())


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a tag. ``start`` and ``end`` locate the value inside the tag's source."""

    name: str
    value: str
    start: int
    end: int


# Not frozen, though nobody changes one: a cold page makes thousands, each in twice the time if it were.
@dataclass(slots=True, eq=False)
class Tag:
    """A start, end or empty tag, or markup that carries no data (comment, script, style, doctype).

    Compared by identity: tags are looked up in dictionaries all the time, and :func:`parse_tag` remembers them.
    """

    kind: str
    name: str
    source: str = ""
    _parsed: tuple[Attribute, ...] | None = field(default=None, init=False, repr=False)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """What a start or empty tag says besides its name; parsed when asked for the first time."""
        found = self._parsed
        if found is None:
            bare = len(self.source) <= len(self.name) + 2 or self.kind not in (OPEN, EMPTY)
            found = self._parsed = () if bare else parse_attributes(self.source)
        return found

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
    parts = MARKUP.split(html)
    if UNFINISHED.search("\0".join(parts[::2])):
        return _split_tag_by_tag(html)
    return parts


def _split_tag_by_tag(html: str) -> list[str]:
    """The same where ``<`` stands inside tags: what looks like a tag reaches as far as browsers read it."""
    parts: list[str] = []
    begin = place = 0
    while found := _MARKUP_OR_UNFINISHED.search(html, place):
        start, place = found.span()
        if found[1] is None:
            end = end_of_tag(html, place)
            if end is None:
                # A tag that never ends; so do those inside of it, and looking again would take quadratic time.
                return parts + MARKUP.split(html[begin:])
            place = end
        parts += [html[begin:start], html[start:place]]
        begin = place
    return [*parts, html[begin:]]


def end_of_tag(html: str, place: int) -> int | None:
    """Where the tag ends whose name is at ``place``; for scripts and styles, where their element ends."""
    begin = html.rindex("<", 0, place)
    while found := _UP_TO_VALUE_OR_END.match(html, place):
        place = found.end()
        if html[place - 1] == ">":
            raw = _RAW_TEXT_TAG.match(html, begin)
            return _end_of_raw_text(html, place, raw[1]) if raw else place
        if html[place : place + 1] in ('"', "'"):
            place = html.find(html[place], place + 1) + 1
            if not place:
                return None
    return None


def _end_of_raw_text(html: str, place: int, name: str) -> int:
    found = re.compile(rf"</{name}[^>]*>?", re.IGNORECASE).search(html, place)
    return found.end() if found else len(html)


def offsets(parts: list[str]) -> list[int]:
    """Where each part starts in the source, and the source's length as the last entry."""
    return [0, *accumulate(map(len, parts))]


class _Tags(Memo[str, Tag]):
    """Tags by their source: pages of one template repeat theirs, and looking up is cheaper than parsing."""

    def __missing__(self, source: str) -> Tag:
        tag = self.recall(source)
        if tag is None:
            tag = new_tag(source)
            # What is long (scripts, comments, embedded data) seldom comes again and would fill the memory.
            if len(source) <= LONGEST_REMEMBERED:
                self.keep(source, tag)
        return tag


_TAGS = _Tags(MOST_REMEMBERED)
parse_tag = _TAGS.__getitem__
"""A piece of markup as a :class:`Tag`."""


class _Beginnings(Memo[str, tuple[str, str]]):
    """Kind and name of a tag by its source up to the first space; a tag that ends in ``/>`` or not at all is another."""

    def __missing__(self, beginning: str) -> tuple[str, str]:
        found = self.recall(beginning)
        if found is None:
            found = _kind_and_name(beginning)
            self.keep(beginning, found)
        return found


def _kind_and_name(beginning: str) -> tuple[str, str]:
    match = _NAME.match(beginning)
    if match is None:
        return SKIPPED, ""
    name = intern(match[1].lower())
    if beginning[1] == "/":
        return CLOSE, name
    if name in ("script", "style"):
        return SKIPPED, name
    return EMPTY if name in VOID_ELEMENTS else OPEN, name


_BEGINNINGS = _Beginnings(MOST_REMEMBERED)


def new_tag(source: str) -> Tag:
    """The same as :func:`parse_tag`, for those who remember on their own."""
    beginning = source.partition(" ")[0]
    if len(beginning) <= LONGEST_BEGINNING:
        kind, name = _BEGINNINGS[beginning]
    else:
        kind, name = _kind_and_name(beginning)
    if kind in (OPEN, EMPTY):
        if source[-1] != ">":
            kind = SKIPPED
        elif source[-2] == "/":
            kind = EMPTY
    return Tag(kind, name, source)


@lru_cache(maxsize=1 << 12)
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
    return " ".join(shown_words(source))


def shown_words(source: str) -> list[str]:
    """The words of :func:`fold`."""
    if "&" in source:
        source = decoded(source)
    if _ZERO_WIDTH in source:
        source = source.replace(_ZERO_WIDTH, "")
    return source.split()


def decoded(source: str) -> str:
    """The same as ``unescape``, without a call per entity for those that most pages are full of."""
    source = source.replace("&nbsp;", "\xa0")
    entities = source.count("&")
    if not entities:
        return source
    if entities == source.count("&amp;"):
        return source.replace("&amp;", "&")
    return unescape(source)


def says_the_same(source: str) -> bool:
    """Whether a text has nothing in it but white space that a person would read differently."""
    return "&" not in source and _ZERO_WIDTH not in source


def encoded_words(source: str) -> list[str]:
    """What stands between the white space of a text and is written otherwise than a person reads it."""
    return [word for word in source.split() if "&" in word or _ZERO_WIDTH in word]


def words(source: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The spans of the words in a stretch of text: the same words that :func:`fold` leaves.

    >>> words("Salt&nbsp;&amp; Pepper")
    [(0, 4), (10, 15), (16, 22)]
    """
    stop = len(source) if end is None else end
    if source.find("&", start, stop) < 0 and source.find(_ZERO_WIDTH, start, stop) < 0:
        return [found.span() for found in _NOT_SPACE.finditer(source, start, stop)]
    spans = []
    for found in _NOT_SPACE.finditer(source, start, stop):
        start, end = found.span()
        if source.find("&", start, end) < 0 and source.find(_ZERO_WIDTH, start, end) < 0:
            spans.append((start, end))
        else:
            spans += _words_beside_entities(source, start, end)
    return spans


def _words_beside_entities(source: str, start: int, end: int) -> list[tuple[int, int]]:
    """The words in a stretch without white space, which an entity may stand for."""
    spans = []
    for space in _SPACE.finditer(source, start, end):
        spans.append((start, space.start()))
        start = space.end()
    spans.append((start, end))
    return [span for span in spans if fold(source[slice(*span)])]


def trimmed(source: str) -> tuple[int, int]:
    """The span of a stretch of text without what shows nothing at its edges.

    >>> trimmed(" a b &nbsp;")
    (1, 4)
    """
    found = words(source)
    return (found[0][0], found[-1][1]) if found else (0, 0)


def is_blank(source: str) -> bool:
    """Whether a stretch of text shows nothing."""
    if not source or source.isspace():
        return True
    if source.lstrip()[0] not in ("&", _ZERO_WIDTH):
        return False
    space = _SPACE.match(source)
    first = space.end() if space else 0
    if first == len(source):
        return True
    return source[first] in ("&", _ZERO_WIDTH) and not fold(source)


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
            partner[start] = index
            partner[index] = start
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
