"""Search for open and close delimiters, with or without head and tail (Kushmerick 2000, Figures 8
and 10).

Once head and close delimiters are fixed it is known where scanning stands before each record; an
open delimiter then fixes how long the first left delimiter can be, and where the tail has to be.
Candidates are groups of strings with the same places, the likely ones first, in widening rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from .factors import Budget, Factor, Stretch, common_factors

if TYPE_CHECKING:
    from .gaps import Gap, Parts

_ROUNDS = (6, 40, None)


@dataclass(frozen=True)
class Opening:
    """Structural delimiters and the length of the first left delimiter that goes with them."""

    head: Factor | None
    tail: Factor | None
    open: Factor
    close: Factor | None
    length: int


@dataclass(frozen=True)
class _Search:
    parts: Parts
    ending: str
    budget: Budget
    bounded: bool
    end_of_page: bool

    def run(self) -> Opening | None:
        for width in _ROUNDS:
            for head in islice(self._heads(), width):
                for close in islice(self._closes(), width):
                    for opening in islice(self._openings(head, close, width), 1):
                        return opening
                    if self.budget.left <= 0:
                        return None
        return None

    def _heads(self) -> Iterator[Factor | None]:
        yield None
        if self.bounded:
            heads = [Stretch.of(gap.html, 0, gap.end) for gap in self.parts.heads]
            yield from common_factors(heads, self.budget, backwards=True)

    def _closes(self) -> Iterator[Factor | None]:
        yield None
        between = [_stretch(gap) for gap in self.parts.between]
        tails = [_stretch(gap) for gap in self.parts.tails]
        yield from common_factors(
            [*between, *tails], self.budget, backwards=False, among=len(between) or None
        )

    def _openings(
        self, head: Factor | None, close: Factor | None, width: int | None
    ) -> Iterator[Opening]:
        parts = self.parts
        starts = [gap.start for gap in parts.between] if close is None else list(close.places)
        count = len(parts.between)
        starts_in_heads = head.places if head else [0] * len(parts.heads)
        between = list(map(self._opened, parts.between, starts))
        heads = list(map(self._opened, parts.heads, starts_in_heads))
        behind = [gap.start for gap in parts.tails] if close is None else starts[count:]
        tails = [
            Stretch.of(gap.html, at, gap.end) for gap, at in zip(parts.tails, behind, strict=True)
        ]
        before = [*between, *heads]
        openers = common_factors(before, self.budget, backwards=True, among=len(between) or None)
        for factor in islice(openers, width):
            length = self._length(before, factor.places)
            if not length:
                continue
            for tail in islice(self._closing(before, tails, factor, width), 1):
                yield Opening(head, tail, factor, close, length)

    def _opened(self, gap: Gap, at: int) -> Stretch:
        """The part in which a record is opened: behind all that looks like its first left delimiter
        and is not."""
        misleading = gap.html.rfind(self.ending, at, gap.end - 1)
        return Stretch.of(gap.html, at, gap.end, max(at, misleading + 1))

    def _length(self, before: Sequence[Stretch], places: Sequence[int]) -> int:
        """The greatest length of the first left delimiter, 0 when none is read right."""
        ending = self.ending
        length = min(len(ending), *(part.end - at for part, at in zip(before, places, strict=True)))
        right = length > 0 and all(
            part.html.find(ending[-length:], at, part.end) == part.end - length
            for part, at in zip(before, places, strict=True)
        )
        return length if right else 0

    def _closing(
        self, before: Sequence[Stretch], tails: Sequence[Stretch], opener: Factor, width: int | None
    ) -> Iterator[Factor | None]:
        """The tails with which no record is opened behind the last one."""
        stops = [tail.html.find(opener.longest, tail.start) for tail in tails]
        if all(stop < 0 for stop in stops) and (self.end_of_page or not self.bounded):
            yield None
        if not self.bounded:
            return
        tails = [
            tail._replace(last=tail.end if stop < 0 else stop)
            for tail, stop in zip(tails, stops, strict=True)
        ]
        for factor in islice(common_factors(tails, self.budget, backwards=False), width):
            text = factor.longest
            if all(
                part.html.find(text, part.start, at + len(text)) < 0
                for part, at in zip(before, opener.places, strict=True)
            ):
                yield factor


def _stretch(gap: Gap) -> Stretch:
    return Stretch.of(gap.html, gap.start, gap.end)


def search_opening(
    parts: Parts, ending: str, budget: Budget, *, bounded: bool, end_of_page: bool
) -> Opening | None:
    """Open and close delimiters, and head and tail when ``bounded``, with which all records are
    read."""
    return _Search(parts, ending, budget, bounded, end_of_page).run()
