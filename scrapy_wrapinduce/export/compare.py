"""How much of what a wrapper reads its selectors read too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parsel import Selector

from ..page import Page
from ..wrapper import Wrapper
from .rules import Plan


@dataclass(frozen=True, slots=True)
class Share:
    """How many values are equal, of those that the wrapper or the selectors found."""

    equal: int
    total: int

    @property
    def share(self) -> float:
        return self.equal / self.total if self.total else 1.0

    def __str__(self) -> str:
        return f"{self.equal} of {self.total} values equal ({100 * self.share:.1f}%)"


def compare(wrapper: Wrapper, plan: Plan, pages: Iterable[Page]) -> dict[str, Share]:
    """Make items of pages both ways; for every field, how many values are equal.

    A list of records is one value: equal where all of its records are.
    """
    equal: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    for page in pages:
        by_wrapper = wrapper.items(page)
        read = plan.read(Selector(text=page.html).root)
        by_selectors = [wrapper.item(record, page.url) for record in read]
        for one, other in _aligned(by_wrapper, by_selectors):
            for name in {*one, *other}:
                total[name] += 1
                equal[name] += one.get(name) == other.get(name)
    return {name: Share(equal[name], total[name]) for name in total}


def overall(shares: Mapping[str, Share]) -> Share:
    """The shares of all fields as one."""
    return Share(
        sum(item.equal for item in shares.values()), sum(item.total for item in shares.values())
    )


Record = Mapping[str, Any]


def _aligned(ours: Sequence[Record], theirs: Sequence[Record]) -> list[tuple[Record, Record]]:
    """Records side by side; where one is missing on a side, the others still meet their like."""
    pairs: list[tuple[Record, Record]] = []
    at = 0
    for record in ours:
        like = range(at, min(len(theirs), at + 1 + abs(len(ours) - len(theirs))))
        best = max(like, key=lambda index: _likeness(record, theirs[index]), default=None)
        if best is None or not _likeness(record, theirs[best]):
            pairs.append((record, {}))
            continue
        pairs += [({}, theirs[index]) for index in range(at, best)]
        pairs.append((record, theirs[best]))
        at = best + 1
    return pairs + [({}, record) for record in theirs[at:]]


def _likeness(one: Record, other: Record) -> int:
    return sum(other.get(name) == value for name, value in one.items())
