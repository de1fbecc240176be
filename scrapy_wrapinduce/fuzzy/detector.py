"""Detectors: how truly the tokens on one side of a place look like those seen beside learned places.

Problem: recognise a place by its neighbours although tokens are missing, added, mistyped or moved.
Idea (paper, section 4): a frequency matrix F(distance, token) of what was seen; a token is the more true,
the nearer it stands to a distance where it was seen and the more often it was seen there; what is not true
is cost. Better than the paper: distances that do not tell a separator from other places weigh nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

from .tokens import Shape

Window = tuple[Shape, ...]
_K = TypeVar("_K")
_V = TypeVar("_V")
_MANY = 8
_MOST_REMEMBERED = 1 << 14


class CostRange(NamedTuple):
    """Least and greatest cost among the learned examples (Cmin and Cmax of the paper)."""

    least: float
    greatest: float

    @property
    def mean(self) -> float:
        """Cmoy: formula 5 of the paper, half way between least and greatest."""
        return (self.least + self.greatest) / 2


@dataclass(frozen=True)
class FrequencyMatrix:
    """How often each spelling was seen at each distance, counted from 0 for the nearest token."""

    counts: Mapping[str, tuple[int, ...]]
    examples: int

    @classmethod
    def of(
        cls, windows: Sequence[Window], reach: int, *, keep_all: bool = False
    ) -> FrequencyMatrix:
        counts: dict[str, list[int]] = {}
        for window in windows:
            for distance, shape in enumerate(window[:reach]):
                for spelling, _ in shape.spellings:
                    counts.setdefault(spelling, [0] * reach)[distance] += 1
        # Of many examples, what stands there once is data; a matrix of it would only be long.
        least = 2 if len(windows) >= _MANY and not keep_all else 1
        kept = {key: tuple(row) for key, row in counts.items() if sum(row) >= least}
        return cls(kept, len(windows))

    def nearest(self, spelling: str, distance: int) -> int | None:
        """i': the distance nearest to ``distance`` where the spelling was seen, the likelier of two."""
        row = self.counts.get(spelling)
        if row is None:
            return None
        seen = [place for place, count in enumerate(row) if count]
        return min(seen, key=lambda place: (abs(place - distance), -row[place]), default=None)

    def occurrence_truth(self, spelling: str, distance: int) -> float:
        """f_O: in what part of the examples the spelling stood at the distance nearest to this one."""
        place = self.nearest(spelling, distance)
        return 0.0 if place is None else self.counts[spelling][place] / max(1, self.examples)

    def position_truth(self, spelling: str, distance: int) -> float:
        """f_P: 1 where the spelling was seen, and the less the farther from there."""
        place = self.nearest(spelling, distance)
        return 0.0 if place is None else 1.0 / (1 + abs(place - distance))


def _remember(memory: dict[_K, _V], key: _K, value: _V) -> None:
    if len(memory) >= _MOST_REMEMBERED:
        memory.clear()
    memory[key] = value


@dataclass(frozen=True)
class Detector:
    """The tokens of one side of a separator, nearest first.

    ``weights`` say how well each distance tells the separator from other places. ``costs`` are those of
    the learned examples.
    """

    matrix: FrequencyMatrix
    weights: tuple[float, ...]
    slack: float
    costs: CostRange = field(default_factory=lambda: CostRange(0.0, 0.0))
    # Pages repeat their tokens and what surrounds them: what was worked out once is remembered.
    _rows: dict[tuple[str, float], tuple[float, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _truths: dict[Shape, tuple[float, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _costs: dict[Window, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def power(self) -> float:
        """How well the whole detector tells its separator from other places."""
        return sum(self.weights)

    def truths(self, shape: Shape) -> tuple[float, ...]:
        """How true the token is at each distance, by the spelling of it that is worth most there."""
        known = self._truths.get(shape)
        if known is None:
            counts = self.matrix.counts
            rows = [self._row(*each) for each in shape.spellings if each[0] in counts]
            known = tuple(map(max, *rows)) if len(rows) > 1 else rows[0] if rows else self._nothing
            _remember(self._truths, shape, known)
        return known

    @cached_property
    def _nothing(self) -> tuple[float, ...]:
        return (0.0,) * len(self.weights)

    def _row(self, spelling: str, worth: float) -> tuple[float, ...]:
        """How true a spelling of the matrix is at each distance."""
        row = self._rows.get((spelling, worth))
        if row is None:
            part = worth / max(1, self.matrix.examples)
            seen = [
                (at, part * count) for at, count in enumerate(self.matrix.counts[spelling]) if count
            ]
            row = self._rows[spelling, worth] = tuple(
                max(0.0, *((1.0 - abs(at - distance) / self.slack) * true for at, true in seen))
                for distance in range(len(self.weights))
            )
        return row

    @cached_property
    def reach(self) -> int:
        """How far it looks: behind this distance nothing weighs anything."""
        return max((at + 1 for at, weight in enumerate(self.weights) if weight), default=0)

    def cost(self, window: Window) -> float:
        """0 when every token that matters is wholly true, 1 when none is."""
        seen = window[: self.reach]
        known = self._costs.get(seen)
        if known is None:
            true = 0.0
            for distance, shape in enumerate(seen):
                true += self.weights[distance] * self.truths(shape)[distance]
            known = max(0.0, 1.0 - true / self.power) if self.power else 0.0
            _remember(self._costs, seen, known)
        return known

    def error(self, window: Window) -> float:
        """Formula 6: the cost beyond the mean of the learned ones; negative is better than usual."""
        return self.cost(window) - self.costs.mean
