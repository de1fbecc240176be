"""A page cut at every ``<``: the cheapest way to know its tags, their places and how they pair.

Extraction must keep up with C parsers, so nothing is done per character in Python: ``str.split`` cuts the page into
*pieces*, a tag and the text behind it, and one dictionary says which tag a piece begins with; pages of one template
repeat theirs. What cannot be told from a piece alone (scripts, ``<`` inside of quotes or comments) is put together again
with the tokenizer's expression, so that an outline always has the very tags of :func:`~.tokenizer.split_markup`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from operator import add

from .memo import Repeats
from .tokenizer import (
    LONGEST_REMEMBERED,
    MARKUP,
    PLAIN_PIECE,
    RAW_TEXT_PIECE,
    SKIPPED,
    UNFINISHED,
    Tag,
    end_of_tag,
    pair_tags,
    parse_tag,
)

# Pieces with much text behind their tag are of one page; each wrapper remembers the others on its own.
LONGEST_PIECE = 160
MOST_PIECES = 1 << 10
_UNCLEAR = Tag(SKIPPED, "unclear")


class PieceTags(Repeats[str, Tag]):
    """The tag that a piece begins with, or ``_UNCLEAR``."""

    def __init__(self) -> None:
        super().__init__(MOST_PIECES)
        self._heads: Repeats[str, Tag] = Repeats(MOST_PIECES)

    def tag(self, source: str) -> Tag:
        """A piece of markup as what to remember of it."""
        return parse_tag(source)

    def mark(self, tag: Tag, text: str) -> Tag:
        """What to remember of a tag with this text behind it; here that is the tag."""
        return tag

    def __missing__(self, piece: str) -> Tag:
        tag = self._older.get(piece)
        if tag is None:
            head, end, text = piece.partition(">")
            tag = (self._heads.get(head) or self._heads.recall(head)) if end else None
            if tag is None:
                return self._first(piece, head, text)
            if text and tag is not _UNCLEAR:
                tag = self.mark(tag, text)
        if len(piece) <= LONGEST_PIECE:
            self.keep(piece, tag)
        return tag

    def _first(self, piece: str, head: str, text: str) -> Tag:
        """The tag of a piece whose head is new; most such heads never come again, so the piece waits for the second."""
        if len(head) < len(piece) and _is_plain(head):
            tag = self.tag(f"<{head}>")
            if tag.kind != SKIPPED:
                if len(head) <= LONGEST_REMEMBERED:
                    self._heads.keep(head, tag)
                return self.mark(tag, text) if text else tag
        found = PLAIN_PIECE.match(piece)
        if found is None:
            tag = _UNCLEAR
            if len(head) <= LONGEST_REMEMBERED and RAW_TEXT_PIECE.match(f"{head}>"):
                # Whatever text follows, this is how a piece with this head begins.
                self._heads.keep(head, tag)
        else:
            tag = self.mark(self.tag("<" + found[0]), piece[found.end() :])
        if len(piece) <= LONGEST_PIECE:
            self.keep(piece, tag)
        return tag


def _is_plain(head: str) -> bool:
    """Whether the first ``>`` behind a head ends its tag, if it is one: no quote is open."""
    quotes = head.count('"')
    return not quotes & 1 and "'" not in head and not (quotes and head.startswith("/"))


_TAGS = PieceTags()


@dataclass(frozen=True)
class Outline:
    """The tags of a page and where they start; ``starts`` has the length of the page as its last entry."""

    html: str
    tags: list[Tag]
    starts: list[int]

    @cached_property
    def partners(self) -> list[int]:
        """For each tag the index of its end or start tag, or -1."""
        return pair_tags(self.tags)

    def text_start(self, index: int) -> int:
        """Where the text behind a tag begins; it ends where the next tag starts."""
        return self.starts[index] + len(self.tags[index].source)

    def parts(self) -> list[str]:
        """The source as alternating text (even places) and markup (odd places)."""
        html, starts = self.html, self.starts
        sources = [tag.source for tag in self.tags]
        parts = [""] * (2 * len(sources) + 1)
        parts[0] = html[: starts[0]]
        parts[1::2] = sources
        behind = map(add, starts, map(len, sources))
        parts[2::2] = [html[low:high] for low, high in zip(behind, starts[1:], strict=True)]
        return parts


def outline(html: str, known: PieceTags = _TAGS) -> Outline:
    """Cut a page. Linear time on any input."""
    pieces = html.split("<")
    lead = len(pieces.pop(0))
    tags = list(map(known.__getitem__, pieces))
    # Every piece has lost its "<".
    lengths = map(add, map(len, pieces), repeat(1))
    starts = list(accumulate(lengths, initial=lead))
    if _UNCLEAR in tags:
        tags, starts = _cleared(html, pieces, tags, starts, known)
    return Outline(html, tags, starts)


def _cleared(
    html: str, pieces: list[str], tags: list[Tag], starts: list[int], known: PieceTags
) -> tuple[list[Tag], list[int]]:
    """The same with what is unclear put together."""
    kept_tags: list[Tag] = []
    kept_starts: list[int] = []
    done = 0
    mending = True
    while True:
        try:
            at = tags.index(_UNCLEAR, done)
        except ValueError:
            return kept_tags + tags[done:], kept_starts + starts[done:]
        kept_tags += tags[done:at]
        kept_starts += starts[done:at]
        start = starts[at]
        end = _end_of_script(pieces, starts, at)
        unfinished = None
        if end is None:
            markup = MARKUP.match(html, start)
            end = markup.end() if markup else None
        if end is None and mending:
            unfinished = UNFINISHED.match(html, start)
            end = end_of_tag(html, unfinished.end()) if unfinished else None
        if end is not None:
            done = bisect_left(starts, end, at + 1)
            tag, text = known.tag(html[start:end]), html[end : starts[done]]
            kept_tags.append(known.mark(tag, text) if text else tag)
            kept_starts.append(start)
            continue
        # A tag that never ends; so do those inside of it, and looking again would take quadratic time.
        mending = mending and unfinished is None
        # No markup: a sign in the text behind the tag before it.
        done = at + 1
        if kept_tags:
            tag = known.tag(kept_tags[-1].source)
            text = html[kept_starts[-1] + len(tag.source) : starts[done]]
            kept_tags[-1] = known.mark(tag, text) if text else tag


def _end_of_script(pieces: list[str], starts: list[int], at: int) -> int | None:
    """Where a script or style ends that begins with a piece, if nothing is odd about it."""
    name = pieces[at][:6].lower()
    name = name if name == "script" else name[:5]
    if name not in ("script", "style") or not RAW_TEXT_PIECE.match(pieces[at]):
        return None
    wanted = "/" + name
    for number in range(at + 1, len(pieces)):
        piece = pieces[number]
        if piece[: len(wanted)].lower() == wanted:
            end = piece.find(">")
            return starts[number] + end + 2 if end >= 0 else None
    return None
