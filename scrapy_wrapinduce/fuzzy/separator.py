"""Separators: places between two tokens, known by a left and a right detector, in several alternatives.

Problem: one pair of detectors averages over places that look alike in two or three different ways.
Idea: the learned places are grouped by how they look, and each group has its own pair; a place is judged
by the alternative that fits it best, rarer alternatives being trusted a little less. (The paper has one pair
per separator, section 4.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .detector import CostRange, Detector, FrequencyMatrix, Window
from .rules import total_error
from .tokens import EDGE_SHAPE, Shape

REACH = 6
SLACK = 3.0
_MAX_ALTERNATIVES = 5
_SAME_LOOK = 0.2
_BOTH_WORDS = 0.9
_RARITY = 0.06
_FREAK = 0.02
_ADDED_TAG = 0.08
_FARTHER = 0.45
_HARDLY_ANYTHING = 0.03


class Place(NamedTuple):
    """What stands to the left and to the right of a place, nearest first."""

    left: tuple[Shape, ...]
    right: tuple[Shape, ...]


class Judgement(NamedTuple):
    """How far a place is from a learned separator: 0 or less is as learned, 1 is nothing like it."""

    error: float
    left: float
    right: float

    @property
    def confidence(self) -> float:
        """By the paper's rules, under which the worse side counts most."""
        return 1.0 - max(0.0, min(1.0, total_error(self.left, self.right)))


@dataclass(frozen=True)
class Alternative:
    """One way a separator looks, and its part of the learned places."""

    left: Detector
    right: Detector
    share: float

    @cached_property
    def power(self) -> float:
        return self.left.power + self.right.power

    def judge(self, place: Place) -> Judgement:
        left, right = _error(self.left, place.left), _error(self.right, place.right)
        power = self.power
        if not power:
            return Judgement(0.0, left, right)
        error = (left * self.left.power + right * self.right.power) / power
        return Judgement(error + _RARITY * (1.0 - self.share), left, right)


def _error(detector: Detector, window: Window) -> float:
    """The detector's error, or that without the nearest tag where it may be mere emphasis."""
    error = detector.error(window)
    if error > _ADDED_TAG and window[0].is_inline:
        return min(error, detector.error(window[1:]) + _ADDED_TAG)
    return error


@dataclass(frozen=True)
class Separator:
    """The alternatives by which one boundary of a zone is known."""

    alternatives: tuple[Alternative, ...]

    @cached_property
    def power(self) -> float:
        return max((each.power for each in self.alternatives), default=0.0)

    def judge(self, place: Place) -> Judgement:
        return min((each.judge(place) for each in self.alternatives), key=lambda found: found.error)

    def spellings(self) -> set[str]:
        return {
            spelling
            for each in self.alternatives
            for detector in (each.left, each.right)
            for spelling in detector.matrix.counts
        }


def place_at(shapes: Sequence[Shape], gap: int, reach: int = REACH) -> Place:
    """The place before token ``gap``."""
    left = tuple(shapes[max(0, gap - reach) : gap])[::-1]
    right = tuple(shapes[gap : gap + reach])
    return Place(_padded(left, reach), _padded(right, reach))


def _padded(window: tuple[Shape, ...], reach: int) -> tuple[Shape, ...]:
    return window + (EDGE_SHAPE,) * (reach - len(window))


def learn_separator(
    places: Sequence[Place],
    others: Sequence[Place],
    *,
    trust_left: float = 1.0,
    trust_right: float = 1.0,
) -> Separator:
    """The separator of the learned places, told from ``others``, places of the same pages.

    A side that is data and not template deserves less trust: the next page's data will differ.
    """
    left_others = Background.of([each.left for each in others])
    right_others = Background.of([each.right for each in others])
    learned = [
        Alternative(
            learn_detector([place.left for place in group], left_others, trust_left),
            learn_detector([place.right for place in group], right_others, trust_right),
            len(group) / len(places),
        )
        for group in _without_freaks(_grouped(places, trust_left, trust_right))
    ]
    return Separator(tuple(learned))


@dataclass(frozen=True)
class Background:
    """How often each token stands at each distance from many places: each is judged once, not each time."""

    counts: tuple[Counter[Shape], ...]
    places: int

    @classmethod
    def of(cls, windows: Sequence[Window], reach: int = REACH) -> Background:
        counts = tuple(Counter(window[at] for window in windows) for at in range(reach))
        return cls(counts, len(windows))

    def mean_truths(self, detector: Detector) -> list[float]:
        return [
            sum(count * detector.truths(shape)[at] for shape, count in shapes.items())
            / max(1, self.places)
            for at, shapes in enumerate(self.counts)
        ]


def learn_detector(windows: Sequence[Window], others: Background, trust: float = 1.0) -> Detector:
    """A detector with the weights and costs that the examples teach."""
    matrix = FrequencyMatrix.of(windows, REACH)
    plain = Detector(matrix, (1.0,) * REACH, SLACK)
    here = Background.of(windows).mean_truths(plain)
    elsewhere = others.mean_truths(plain)
    strengths = [
        # What stands far off belongs to the neighbours, which may be others in the next record.
        round(trust * _FARTHER**distance * max(0.0, near - far), 3)
        for distance, (near, far) in enumerate(zip(here, elsewhere, strict=True))
    ]
    least = _HARDLY_ANYTHING * sum(strengths)
    weights = tuple(strength if strength >= least else 0.0 for strength in strengths)
    weighed = Detector(matrix, weights, SLACK)
    costs = [round(weighed.cost(window), 4) for window in windows]
    return Detector(matrix, weights, SLACK, CostRange(min(costs), max(costs)))


def _grouped(places: Sequence[Place], *trusts: float) -> list[list[Place]]:
    """Places that look alike, the largest group first; every place is in one group."""
    groups: list[list[Place]] = []
    for place, count in _most_usual_first(places):
        unlike = [_unlikeness(group[0], place, trusts) for group in groups]
        nearest = min(range(len(groups)), key=unlike.__getitem__, default=None)
        if nearest is None or (unlike[nearest] > _SAME_LOOK and len(groups) < _MAX_ALTERNATIVES):
            groups.append([place] * count)
        else:
            groups[nearest].extend([place] * count)
    return sorted(groups, key=len, reverse=True)


def _without_freaks(groups: list[list[Place]]) -> list[list[Place]]:
    """The groups without those that a single damaged record makes among many sound ones."""
    enough = sum(map(len, groups)) * _FREAK
    return [group for group in groups if len(group) > enough] or groups


def _most_usual_first(places: Sequence[Place]) -> list[tuple[Place, int]]:
    """The places, words made equal, so that the usual looks found the groups."""
    looks = Counter(_look(place) for place in places)
    counts = Counter(places)
    return sorted(counts.items(), key=lambda entry: -looks[_look(entry[0])])


def _look(place: Place) -> tuple[object, ...]:
    return tuple(shape if shape.is_tag else None for side in place for shape in side[: REACH // 2])


def _unlikeness(one: Place, other: Place, trusts: Sequence[float]) -> float:
    """How much of the nearer tags and words of two places differ; the nearest count most."""
    lost = total = 0.0
    for side, other_side, trust in zip(one, other, trusts, strict=True):
        for distance, (shape, other_shape) in enumerate(zip(side, other_side, strict=True)):
            weight = trust / (1 + distance)
            total += weight
            lost += weight * (1.0 - _likeness(shape, other_shape))
    return lost / total


def _likeness(one: Shape, other: Shape) -> float:
    if one is other:
        return 1.0
    if not one.is_tag and not other.is_tag:
        return _BOTH_WORDS
    spellings = dict(one.spellings)
    return max((worth for spelling, worth in other.spellings if spelling in spellings), default=0.0)
