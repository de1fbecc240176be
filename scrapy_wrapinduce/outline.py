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
from itertools import accumulate, compress, count, repeat
from operator import add, is_not

from .memo import Memo
from .tokenizer import (
    CLOSE,
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
MOST_PIECES = 1 << 11


class _Unclear(Tag):
    """Stands for a tag that cannot be told from its piece; its name is that of the script or style it begins."""

    __slots__ = ()


_UNCLEAR = _Unclear(SKIPPED, "")
_RAW_TEXT = {name: _Unclear(SKIPPED, name) for name in ("script", "style")}


class PieceTags(Memo[str, Tag]):
    """The tag that a piece begins with, or one that says that this is unclear."""

    def __init__(self) -> None:
        super().__init__(MOST_PIECES)
        self._heads: Memo[str, Tag] = Memo(MOST_PIECES)

    def tag(self, source: str) -> Tag:
        """A piece of markup as what to remember of it."""
        return parse_tag(source)

    def mark(self, tag: Tag, text: str) -> Tag:
        """What to remember of a tag with this text, which is not empty, behind it; here that is the tag."""
        return tag

    def __missing__(self, piece: str) -> Tag:
        tag = self._older.get(piece)
        if tag is None:
            head, end, text = piece.partition(">")
            tag = (self._heads.get(head) or self._heads.recall(head)) if end else None
            if tag is None:
                return self._first(piece, head, text)
            if text and type(tag) is not _Unclear:
                tag = self.mark(tag, text)
        if len(piece) <= LONGEST_PIECE:
            self.keep(piece, tag)
        return tag

    def _first(self, piece: str, head: str, text: str) -> Tag:
        """The tag of a piece whose head is new; most such heads never come again, so the piece waits for the second."""
        # Where no quote is open the first ">" ends the tag, if it is one.
        plain = "'" not in head and not head.count('"') & 1 and len(head) < len(piece)
        tag = self.tag(f"<{head}>") if plain else _UNCLEAR
        if tag.kind == SKIPPED or (tag.kind == CLOSE and '"' in head):
            found = PLAIN_PIECE.match(piece)
            if found is None:
                return self._unclear(piece, head)
            tag, text = self.tag("<" + found[0]), piece[found.end() :]
            if len(found[0]) > len(head) + 1:  # with a quoted ">" in it
                tag = self.mark(tag, text) if text else tag
                if len(piece) <= LONGEST_PIECE:
                    self.keep(piece, tag)
                return tag
        # Whatever text follows, this is how a piece with this head begins.
        if len(head) <= LONGEST_REMEMBERED:
            self._heads.keep(head, tag)
        return self.mark(tag, text) if text else tag

    def _unclear(self, piece: str, head: str) -> Tag:
        """What stands for the tag of a piece that does not tell where it ends."""
        raw = RAW_TEXT_PIECE.match(piece)
        if raw is not None and len(head) <= LONGEST_REMEMBERED:
            self._heads.keep(head, _RAW_TEXT[raw[1].lower()])
        elif len(piece) <= LONGEST_PIECE:
            self.keep(piece, _UNCLEAR)
        return _RAW_TEXT[raw[1].lower()] if raw else _UNCLEAR


_TAGS = PieceTags()


@dataclass(frozen=True)
class Outline:
    """The tags of a page and where they start; ``starts`` has the length of the page as its last entry.

    ``marked`` are the places of those tags that whoever asked for the outline has made something else of.
    """

    html: str
    tags: list[Tag]
    starts: list[int]
    marked: list[int]

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
    # Comparing classes is done in C: almost all tags are not looked at here.
    odd = list(compress(count(), map(is_not, map(type, tags), repeat(Tag))))
    return _cleared(html, pieces, tags, starts, odd, known)


def _cleared(
    html: str,
    pieces: list[str],
    tags: list[Tag],
    starts: list[int],
    odd: list[int],
    known: PieceTags,
) -> Outline:
    """The outline, with what is unclear put together."""
    kept_tags: list[Tag] = []
    kept_starts: list[int] = []
    marked: list[int] = []
    done = 0
    mending = True
    for at in odd:
        if at < done:
            continue
        if type(tags[at]) is not _Unclear:
            marked.append(len(kept_tags) + at - done)
            continue
        kept_tags += tags[done:at]
        kept_starts += starts[done:at]
        start, raw = starts[at], tags[at].name
        end = _end_of_raw_text(pieces, starts, at, raw) if raw else None
        unfinished = None
        if end is None:
            markup = MARKUP.match(html, start)
            end = markup.end() if markup else None
        if end is None and mending:
            unfinished = UNFINISHED.match(html, start)
            end = end_of_tag(html, unfinished.end()) if unfinished else None
        if end is not None:
            done = bisect_left(starts, end, at + 1)
            tag = known.tag(html[start:end])
            kept_starts.append(start)
        else:
            # A tag that never ends; so do those inside of it, and looking again would take quadratic time.
            mending = mending and unfinished is None
            # No markup: a sign in the text behind the tag before it.
            done = at + 1
            if not kept_tags:
                continue
            tag = known.tag(kept_tags.pop().source)
            if marked and marked[-1] == len(kept_tags):
                marked.pop()
            end = kept_starts[-1] + len(tag.source)
        if text := html[end : starts[done]]:
            tag = known.mark(tag, text)
        if type(tag) is not Tag:
            marked.append(len(kept_tags))
        kept_tags.append(tag)
    return Outline(html, kept_tags + tags[done:], kept_starts + starts[done:], marked)


def _end_of_raw_text(pieces: list[str], starts: list[int], at: int, name: str) -> int | None:
    """Where a script or style ends that begins with a piece, if nothing is odd about its end tag."""
    wanted = "/" + name
    if at + 1 < len(pieces) and pieces[at + 1].startswith(f"{wanted}>"):
        return starts[at + 1] + len(wanted) + 2
    for number in range(at + 1, len(pieces)):
        piece = pieces[number]
        if piece[: len(wanted)].lower() == wanted:
            end = piece.find(">")
            return starts[number] + end + 2 if end >= 0 else None
    return None
