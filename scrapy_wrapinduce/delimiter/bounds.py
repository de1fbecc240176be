"""Search for head and tail delimiters together with the left ones (Kushmerick 2000, Figures 6 and
13).

The paper tries all combinations of three or more candidates. Here a head is a group of strings with
the same places in all pages, a tail is the longest string from its start; given both, the left
delimiters follow (:mod:`.lengths`). Heads and tails that fail alone are dropped before pairs are
tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING

from .factors import Budget, Factor, Stretch, common_factors
from .lengths import Conflict, greatest_lengths
from .robust import prefix_cost

if TYPE_CHECKING:
    from .gaps import Gap, Parts

_FIRST_LOOK = 12


@dataclass(frozen=True)
class Bounds:
    """A head and a tail, and the lengths of left delimiters that go with them."""

    head: Factor | None
    tail: Factor | None
    lengths: tuple[int, ...]


def search_bounds(
    parts: Parts, endings: Sequence[str], budget: Budget, *, end_of_page: bool
) -> Bounds | Conflict:
    """The best of the heads and tails near the records, else any that work."""
    inside = greatest_lengths(parts.between, (), endings)
    if isinstance(inside, Conflict):
        return inside
    heads = _heads(parts, endings, budget)
    tails = _tails(parts, endings, budget, end_of_page=end_of_page)
    known_heads = list(islice(heads, _FIRST_LOOK))
    known_tails = list(islice(tails, _FIRST_LOOK))
    known_heads.sort(key=_cost)
    known_tails.sort(key=_cost)
    for extend in (False, True):
        if extend:
            known_heads += heads
            known_tails += tails
        if not known_heads:
            return Conflict(
                0, f"no h after which {endings[0][-40:]!r} first occurs before a record"
            )
        if not known_tails:
            return Conflict(
                0, f"no t before which {endings[0][-40:]!r} does not occur in the tails"
            )
        for head, tail in product(known_heads, known_tails):
            if not budget.spend(_cost_of(parts)):
                return Conflict(0, f"none of {budget.tried} combinations of h and t fits")
            gaps = [*started(parts.heads, head), *parts.between]
            lengths = greatest_lengths(gaps, parts.tails, endings, tail and tail.longest)
            if not isinstance(lengths, Conflict):
                return Bounds(head, tail, tuple(lengths))
    return Conflict(0, "no h and t fit together")


def started(heads: Sequence[Gap], head: Factor | None) -> list[Gap]:
    """The heads from their head delimiter on."""
    if head is None:
        return list(heads)
    return [gap._replace(start=at) for gap, at in zip(heads, head.places, strict=True)]


def _cost_of(parts: Parts) -> int:
    return 4 * sum(gap.reach for gap in parts.between) + len(parts.heads)


def _cost(factor: Factor | None) -> int:
    # The start or end of the page fits every page, but keeps nothing out.
    return 100 if factor is None else prefix_cost(factor.best, len(factor.best))


def _heads(parts: Parts, endings: Sequence[str], budget: Budget) -> Iterator[Factor | None]:
    """The heads with which the records can be read, whatever the tail."""
    if _begins_right(parts.heads, endings[0]) and _fits(parts, None, endings):
        yield None
    # Behind the head, what looks like the first left delimiter must be the one of the first record.
    stretches = [
        Stretch.of(gap.html, 0, gap.end, gap.html.rfind(endings[0], 0, gap.end - 1) + 1)
        for gap in parts.heads
    ]
    for factor in common_factors(stretches, budget, backwards=True):
        gaps = started(parts.heads, factor)
        if not _begins_right(gaps, endings[0]):
            continue
        if not budget.spend(_cost_of(parts)):
            return
        if _fits(parts, factor, endings):
            yield factor


def _begins_right(heads: Sequence[Gap], ending: str) -> bool:
    length = min([len(ending), *(gap.end - gap.start for gap in heads)])
    return length > 0 and all(
        gap.html.find(ending[-length:], gap.start, gap.end) == gap.end - length for gap in heads
    )


def _fits(parts: Parts, head: Factor | None, endings: Sequence[str]) -> bool:
    gaps = [*started(parts.heads, head), *parts.between]
    return not isinstance(greatest_lengths(gaps, (), endings), Conflict)


def _tails(
    parts: Parts, endings: Sequence[str], budget: Budget, *, end_of_page: bool
) -> Iterator[Factor | None]:
    """The tails with which the records can be read, whatever the head."""
    if end_of_page and not isinstance(
        greatest_lengths(parts.between, parts.tails, endings), Conflict
    ):
        yield None
    stretches = [
        Stretch.of(gap.html, gap.start, gap.end, last=_latest(gap, endings)) for gap in parts.tails
    ]
    for factor in common_factors(stretches, budget, backwards=False):
        tail = factor.longest
        if any(
            gap.html.find(tail, gap.start, gap.end - len(endings[gap.attribute]) + len(tail)) >= 0
            for gap in parts.between
        ):
            continue
        if not budget.spend(_cost_of(parts)):
            return
        found = greatest_lengths(parts.between, parts.tails, endings, tail)
        if not isinstance(found, Conflict):
            yield factor


def _latest(gap: Gap, endings: Sequence[str]) -> int:
    """Where a tail delimiter must have begun, so that no left delimiter is read before it."""
    latest = gap.end
    for ending in endings[: gap.reach]:
        at = gap.html.find(ending, gap.start)
        if at >= 0:
            latest = min(latest, at + len(ending) - 1)
    return latest
