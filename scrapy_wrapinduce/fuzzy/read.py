"""Reading a page by a mask: the chain of values that loses least.

Problem: scanning for one separator after the other, as the paper does, goes astray at the first damaged one.
Idea: candidates gain what their error leaves of the threshold; a chain of them pays for orders not seen in
learning, for record borders crossed inside a record or missing between two, and for each record begun. Dynamic
programming finds the best chain; fields may come in any order, be absent or repeated. A candidate looks back
at a bounded number of others, so the time is linear.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ..page import Region
from .candidates import (
    Candidate,
    Divisions,
    find_candidates,
    find_divisions,
    find_zone,
    known_shapes,
)
from .mask import BEGIN, END, Mask
from .tokens import TokenizedPage, tokenize

_UNSEEN_ORDER = 0.12
_SELDOM_REPEATED = 0.2
_BACK_AGAIN = 0.25
_BORDER_MISSING = 0.4
_BORDER_CROSSED = 0.7
_WIDE_GAP = 0.15
_LOOK_BACK = 48
_AROUND = 2000  # characters, in which the tokens that a detector looks at always are


@dataclass(frozen=True, slots=True)
class _Step:
    """The best chain that ends with a candidate."""

    candidate: Candidate
    score: float
    previous: _Step | None
    begins_record: bool
    record_first: int
    fields: int


@dataclass(frozen=True)
class Sighting:
    """All that a mask sees on a page, before it is decided what is read."""

    tokens: TokenizedPage
    candidates: Sequence[Candidate]
    divisions: Divisions


def look(mask: Mask, region: Region) -> Sighting:
    """The candidates and divisions of a region, judged with what stands around it."""
    page = region.page
    around = max(0, region.start - _AROUND), min(len(page.html), region.end + _AROUND)
    tokens = tokenize(page, *around)
    shapes = known_shapes(mask, tokens)
    begin, end = find_zone(mask, shapes)
    begin = max(begin, bisect_left(tokens.starts, region.start))
    end = max(begin, min(end, bisect_right(tokens.ends, region.end)))
    candidates = find_candidates(mask, tokens, shapes, begin, end)
    return Sighting(tokens, candidates, find_divisions(mask, shapes, begin, end))


def decide(mask: Mask, sighting: Sighting) -> list[list[Candidate]]:
    """The records, each the candidates that make it, in page order."""
    possible = [each for each in sighting.candidates if each.error <= mask.thresholds.value]
    return best_chain(mask, possible, sighting.divisions)


def best_chain(
    mask: Mask, candidates: Sequence[Candidate], divisions: Divisions
) -> list[list[Candidate]]:
    """The records along the chain that gains most."""
    costs = _OrderCosts(mask)
    pending: list[tuple[int, int, _Step]] = []
    finished: list[_Step] = []
    best: _Step | None = None
    best_closed = 0.0
    for number, candidate in enumerate(candidates):
        while pending and pending[0][0] < candidate.first:
            step = heapq.heappop(pending)[2]
            finished.append(step)
            closed = step.score - costs.between(step.candidate.field, None)
            if closed > best_closed:
                best, best_closed = step, closed
        step = _best_step(mask, costs, divisions, candidate, finished, best)
        heapq.heappush(pending, (candidate.last, number, step))
    for _, _, step in pending:
        closed = step.score - costs.between(step.candidate.field, None)
        if closed > best_closed:
            best, best_closed = step, closed
    return _records(best)


def _records(last: _Step | None) -> list[list[Candidate]]:
    records: list[list[Candidate]] = []
    current: list[Candidate] = []
    while last is not None:
        current.append(last.candidate)
        if last.begins_record:
            records.append(current[::-1])
            current = []
        last = last.previous
    return records[::-1]


class _OrderCosts:
    """What it costs that one field follows another, by how usual that was in the learned records."""

    def __init__(self, mask: Mask) -> None:
        self._names = [field.name for field in mask.fields]
        self._order = mask.order
        self._known: dict[tuple[int | None, int | None], float] = {}
        self.repeats = [self._repeat(name, mask.thresholds.repeat) for name in self._names]

    def _repeat(self, name: str, unseen: float) -> float:
        """What a field's second value costs: what was seen now and then is no licence to repeat it everywhere."""
        row = self._order.get(name, {})
        if not row.get(name):
            return unseen
        return _SELDOM_REPEATED * (1.0 - sqrt(row[name] / sum(row.values())))

    def between(self, before: int | None, after: int | None) -> float:
        """``None`` stands for the record's begin before, and for its end after."""
        key = (before, after)
        if key not in self._known:
            row = self._order.get(BEGIN if before is None else self._names[before], {})
            usual = max(row.values(), default=0)
            seen = row.get(END if after is None else self._names[after], 0)
            # An order seen now and then is far more to be expected than one never seen.
            truth = sqrt(seen / usual) if usual else 0.0
            self._known[key] = _UNSEEN_ORDER * (1.0 - truth)
        return self._known[key]


def _best_step(
    mask: Mask,
    costs: _OrderCosts,
    divisions: Divisions,
    candidate: Candidate,
    finished: Sequence[_Step],
    best_so_far: _Step | None,
) -> _Step:
    gain = mask.thresholds.value - candidate.error
    opening = gain - costs.between(None, candidate.field) - mask.thresholds.record
    bit = 1 << candidate.field
    alone = opening - _BORDER_MISSING * (1.0 - divisions.between(-1, candidate.first))
    best = _Step(candidate, alone, None, True, candidate.first, bit)
    reach = 2 * mask.longest_record + 16
    earlier = list(finished[-_LOOK_BACK:])
    if best_so_far is not None:
        earlier.append(best_so_far)
    for step in reversed(earlier):
        before = step.candidate
        border = divisions.between(before.last, candidate.first)
        apart = (
            step.score
            + opening
            - costs.between(before.field, None)
            - _BORDER_MISSING * (1.0 - border)
        )
        if apart > best.score:
            best = _Step(candidate, apart, step, True, candidate.first, bit)
        if candidate.last - step.record_first > reach:
            continue
        together = (
            step.score
            + gain
            - costs.between(before.field, candidate.field)
            - _BORDER_CROSSED * border
        )
        if step.fields & bit:
            together -= costs.repeats[candidate.field]
            if before.field != candidate.field:
                together -= _BACK_AGAIN
        if candidate.first - before.last > 2 * mask.widest_gap + 8:
            together -= _WIDE_GAP
        if together > best.score:
            best = _Step(candidate, together, step, False, step.record_first, step.fields | bit)
    return best
