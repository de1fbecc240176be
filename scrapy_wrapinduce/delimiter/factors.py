"""Strings that several stretches of text have in common, grouped by where they first occur.

Head, open, close and tail delimiters may be any common substring (Kushmerick 2000, Figures 6, 8,
10): quadratically many. But only the place of their first occurrence in each stretch matters.
Growing a string from a fixed start moves these places forward, and between two moves all strings
behave alike: a few groups for each start, found by jumping from one move to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .gaps import MAX_LENGTH, match_length
from .robust import cut_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Characters that are looked through in a quarter of the time that it takes to look at all.
_CHEAP = 400


class Budget:
    """How much text may still be looked at: bounds the time on pages where nothing fits."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.tried = 0

    def spend(self, cost: int) -> bool:
        """Pay for trying one candidate; false when there is nothing left."""
        self.left -= cost
        self.tried += 1
        return self.left >= 0


class Stretch(NamedTuple):
    """Characters ``start`` up to ``end`` of a page; what first occurs before ``first`` or after
    ``last`` is not wanted."""

    html: str
    start: int
    end: int
    first: int
    last: int

    @classmethod
    def of(
        cls, html: str, start: int, end: int, first: int | None = None, last: int | None = None
    ) -> Stretch:
        return cls(
            html, start, end, start if first is None else first, end if last is None else last
        )


class Factor(NamedTuple):
    """A group of strings with the same first occurrences: prefixes of ``longest`` with at least
    ``least`` characters."""

    longest: str
    least: int
    places: tuple[int, ...]

    @property
    def best(self) -> str:
        """The one that makes the best delimiter."""
        return cut_prefix(self.longest, self.least)


def factors_at(
    reference: Stretch, start: int, stretches: Sequence[Stretch], budget: Budget
) -> Iterator[Factor]:
    """The groups of the strings that begin at ``start`` of the reference and occur in all
    stretches."""
    html, end = reference.html, reference.end
    length = 1
    while start + length <= end and length <= MAX_LENGTH:
        text = html[start : start + length]
        places = []
        effort = 0
        for stretch in stretches:
            limit = min(stretch.end, stretch.last + length)
            at = stretch.html.find(text, stretch.start, limit)
            effort += 4 + ((limit if at < 0 else at) - stretch.start) // _CHEAP
            if at < 0:
                break
            places.append(at)
        if not budget.spend(effort) or len(places) < len(stretches):
            return
        widest = html[start : min(end, start + MAX_LENGTH)]
        for at, stretch in zip(places, stretches, strict=True):
            if not stretch.html.startswith(widest, at, stretch.end):
                agree = match_length(widest, 0, len(widest), stretch.html, at, stretch.end)
                widest = widest[:agree]
        if all(at >= stretch.first for at, stretch in zip(places, stretches, strict=True)):
            yield Factor(widest, length, tuple(places))
        length = len(widest) + 1


def aligned_starts(stretch: Stretch, *, backwards: bool) -> Iterator[int]:
    """All wanted places of a stretch, those of tags first, then of other words, then the rest; from
    its end when ``backwards``."""
    html, start, end = stretch.html, stretch.first, min(stretch.end, stretch.last + 1)
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
    stretches: Sequence[Stretch], budget: Budget, *, backwards: bool, among: int | None = None
) -> Iterator[Factor]:
    """All groups of strings that occur in every stretch where wanted, likely delimiters first;
    ``among`` limits which ones are taken apart."""
    number = min(
        range(len(stretches))[:among], key=lambda n: stretches[n].last - stretches[n].first
    )
    reference = stretches[number]
    for start in aligned_starts(reference, backwards=backwards):
        if budget.left <= 0:
            return
        for factor in factors_at(reference, start, stretches, budget):
            # A string that occurs earlier in the reference belongs to the groups of that start.
            if factor.places[number] == start:
                yield factor
