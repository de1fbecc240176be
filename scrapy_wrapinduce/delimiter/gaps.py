"""The parts of the example pages that delimiters must get right: what stands before, between and
behind the values.

The paper's heads, seps and tails (Figure 4). A gap is one search for the next value: from where
scanning stands up to where the value begins. Its candidates are the common endings of an
attribute's gaps, its right delimiters the common beginnings of what follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .examples import Example

# What is longer is no delimiter: it would hold text of single pages.
MAX_LENGTH = 1000


class Gap(NamedTuple):
    """Characters ``start`` to ``end`` of a page. Scanning at ``start`` looks for the left
    delimiters of attributes below ``reach``; that of ``attribute`` has to be found first, and to
    end at ``end``. Behind the last value, ``attribute`` is -1."""

    html: str
    start: int
    end: int
    attribute: int
    reach: int
    where: str


@dataclass(frozen=True)
class Parts:
    """The gaps of all pages: ``heads`` before the first value, ``between`` later values, ``tails``
    after the last one."""

    heads: tuple[Gap, ...]
    between: tuple[Gap, ...]
    tails: tuple[Gap, ...]

    def of(self, attribute: int) -> list[Gap]:
        return [gap for gap in (*self.heads, *self.between) if gap.attribute == attribute]


def nested_parts(examples: Sequence[Example], attributes: int) -> Parts:
    """All gaps of the pages; each looks for as many attributes as the nested classes do there."""
    heads: list[Gap] = []
    between: list[Gap] = []
    tails: list[Gap] = []
    for example in examples:
        page = f"page {example.number}"
        at, reach, target = 0, 1, heads
        for number, event in enumerate(example.events):
            where = (
                f"the head of {page}"
                if not number
                else f"the text before value {number + 1} of {page}"
            )
            target.append(Gap(example.html, at, event.start, event.attribute, reach, where))
            at, reach, target = event.end, min(event.attribute + 2, attributes), between
        tails.append(Gap(example.html, at, len(example.html), -1, reach, f"the tail of {page}"))
    return Parts(tuple(heads), tuple(between), tuple(tails))


def tabular_parts(examples: Sequence[Example], attributes: int) -> Parts:
    """All gaps of the pages; each looks for the next attribute alone, after the last one for the
    first."""
    parts = nested_parts(examples, attributes)
    between = []
    for gap in parts.between:
        where = "between two records of " if gap.attribute == 0 else "in a record of "
        page = gap.where.rpartition(" of ")[2]
        between.append(gap._replace(where=where + page, reach=1))
    return Parts(parts.heads, tuple(between), tuple(gap._replace(reach=1) for gap in parts.tails))


def common_prefix(texts: Iterable[tuple[str, int, int]]) -> str:
    """The longest string that begins every stretch ``(html, start, end)``."""
    common: str | None = None
    for html, start, end in texts:
        if common is None:
            common = html[start : min(end, start + MAX_LENGTH)]
        else:
            common = common[: match_length(common, 0, len(common), html, start, end)]
        if not common:
            break
    return common or ""


def common_suffix(texts: Iterable[tuple[str, int, int]]) -> str:
    """The longest string that ends every stretch ``(html, start, end)``."""
    return common_prefix(
        (piece := html[max(start, end - MAX_LENGTH) : end][::-1], 0, len(piece))
        for html, start, end in texts
    )[::-1]


def match_length(one: str, start: int, end: int, other: str, at: int, stop: int) -> int:
    """How many characters agree from ``one[start]`` and ``other[at]`` on."""
    longest = max(0, min(end - start, stop - at, MAX_LENGTH))
    first = least(longest, lambda n: one[start : start + n] != other[at : at + n])
    return longest if first is None else first - 1


def least(longest: int, holds: Callable[[int], bool]) -> int | None:
    """The smallest length from 1 to ``longest`` for which a condition holds that then holds for all
    longer ones."""
    if longest < 1 or not holds(longest):
        return None
    low, high = 1, longest
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
