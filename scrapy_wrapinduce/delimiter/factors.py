"""Strings that several stretches of text have in common, grouped by where they first occur.

Head, open, close and tail delimiters may be any common substring (Kushmerick 2000, Figures 6, 8, 10): quadratically many. But only the place of
their first occurrence in each stretch matters. Growing a string from a fixed start moves these places forward, and between two moves all
strings behave alike: a few groups for each start, found by jumping from one move to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .gaps import MAX_LENGTH, match_length
from .robust import cut_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SHORT = 400


class Stretch(NamedTuple):
    """Characters ``start`` up to ``end`` of a page."""

    html: str
    start: int
    end: int


class Factor(NamedTuple):
    """A group of strings with the same first occurrences: prefixes of ``longest`` with at least ``least`` characters."""

    longest: str
    least: int
    places: tuple[int, ...]

    @property
    def best(self) -> str:
        """The one that makes the best delimiter."""
        return cut_prefix(self.longest, self.least)


def factors_at(reference: Stretch, start: int, stretches: Sequence[Stretch]) -> Iterator[Factor]:
    """The groups of the strings that begin at ``start`` of the reference and occur in all stretches."""
    html, end = reference.html, reference.end
    length = 1
    while start + length <= end and length <= MAX_LENGTH:
        text = html[start : start + length]
        places = []
        for stretch in stretches:
            at = stretch.html.find(text, stretch.start, stretch.end)
            if at < 0:
                return
            places.append(at)
        widest = html[start : min(end, start + MAX_LENGTH)]
        for at, stretch in zip(places, stretches, strict=True):
            if not stretch.html.startswith(widest, at, stretch.end):
                agree = match_length(widest, 0, len(widest), stretch.html, at, stretch.end)
                widest = widest[:agree]
        yield Factor(widest, length, tuple(places))
        length = len(widest) + 1


def effort(stretches: Iterable[Stretch]) -> int:
    """What it costs to look for a string in all stretches; a short one costs four."""
    return sum(4 + (stretch.end - stretch.start) // _SHORT for stretch in stretches)


def aligned_starts(stretch: Stretch, *, backwards: bool) -> Iterator[int]:
    """All places of a stretch, those of tags first, then of other words, then the rest; from its end when ``backwards``."""
    html, start, end = stretch
    at = html.rfind("<", start, end) if backwards else html.find("<", start, end)
    while at >= 0:
        yield at
        at = html.rfind("<", start, at) if backwards else html.find("<", at + 1, end)
    for wanted in (True, False):
        for at in range(end - 1, start - 1, -1) if backwards else range(start, end):
            if html[at] != "<" and _begins_word(html, at) is wanted:
                yield at


def _begins_word(html: str, at: int) -> bool:
    return at > 0 and (html[at - 1] == ">" or html[at].isalnum() != html[at - 1].isalnum())


def common_factors(
    stretches: Sequence[Stretch], reference: Stretch, *, backwards: bool
) -> Iterator[Factor]:
    """All groups of strings that occur in every stretch, likely delimiters first. The reference is one of the stretches."""
    number = stretches.index(reference)
    for start in aligned_starts(reference, backwards=backwards):
        for factor in factors_at(reference, start, stretches):
            # A string that occurs earlier in the reference belongs to the groups of that start.
            if factor.places[number] == start:
                yield factor
