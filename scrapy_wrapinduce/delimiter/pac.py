"""How many labelled pages make a wrapper probably approximately correct (Kushmerick 2000, section
6.1.2, Theorem 2).

The more wrappers a class has that could fit one page, the more pages it takes until those that are
wrong more often than ``error`` are ruled out with probability ``1 - doubt``. The bounds hold for
any site and are therefore very loose: in practice two or three pages do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, inf, log, log1p
from typing import TYPE_CHECKING

from .vector import CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..labels import LabelledPage
    from .wrapper import DelimiterWrapper


@dataclass(frozen=True)
class Advice:
    """What the bound says about a wrapper: pages it was learned from, and how many more would make
    it trustworthy."""

    pages: int
    needed: int
    error: float
    doubt: float

    @property
    def more(self) -> int:
        return max(0, self.needed - self.pages)

    def __str__(self) -> str:
        promise = f"read at least {1 - self.error:.0%} of the site's pages right"
        if not self.more:
            return f"{self.pages} labelled pages are enough to {promise}, with {1 - self.doubt:.0%} certainty"
        return (
            f"{self.more} more labelled pages would guarantee to {promise}, with {1 - self.doubt:.0%} certainty,"
            " whatever the site; most sites need two or three in all"
        )


def log_wrappers(family: str, fields: int, shortest: int) -> float:
    """The logarithm of the number of wrappers of a class that one page of ``shortest`` characters
    leaves possible."""
    length = max(2, shortest)
    substrings = log(length) + log(length - 1) - log(2)
    return 2 * fields * log(length) + len(CLASSES[family]) * substrings


def pages_needed(
    family: str,
    fields: int,
    shortest: int,
    *,
    error: float = 0.05,
    doubt: float = 0.05,
    records_per_page: float | None = None,
) -> int:
    """Theorem 2: pages after which a consistent wrapper has an error below ``error``, with
    probability ``1 - doubt``.

    With the number of records on a page known, the tighter bound that the paper gives for HLRT,
    OCLR and N-HLRT is used where it applies; the paper's own example for it, 898 pages, does not
    follow from the formula it prints.

    >>> [pages_needed(family, 4, 10_000) for family in ("lr", "hlrt", "hoclrt")]
    [1534, 2243, 2952]
    >>> pages_needed("hlrt", 4, 10_000, records_per_page=5)
    1883
    """
    if not (0 < error < 1 and 0 < doubt < 1):
        raise ValueError("error and doubt are probabilities between 0 and 1")
    needed = ceil((log_wrappers(family, fields, shortest) - log(doubt)) / error)
    if records_per_page and family in ("hlrt", "oclr", "nhlrt"):
        needed = min(needed, _tight(fields, shortest, error, doubt, records_per_page, needed))
    return needed


def _tight(
    fields: int, shortest: int, error: float, doubt: float, records: float, most: int
) -> int:
    """The least number of pages that satisfies the paper's tightened bound, up to ``most``."""
    sides = 4 * fields - 2
    length = max(2, shortest)
    structures = 3 * log(length) + 2 * log(length - 1) - log(4)

    def risk(pages: int) -> float:
        misread = sides * exp(records * pages * log1p(-error / sides))
        exponent = structures + pages * log1p(-error / 2)
        return misread + exp(exponent) if exponent < 1 else inf

    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        if risk(middle) < doubt:
            high = middle
        else:
            low = middle + 1
    return low


def advise(
    wrapper: DelimiterWrapper,
    pages: Sequence[LabelledPage],
    *,
    error: float = 0.05,
    doubt: float = 0.05,
) -> Advice:
    """What Theorem 2 says about a wrapper and the pages that it was learned from."""
    shortest = min((len(page.page.html) for page in pages), default=2)
    records = sum(len(page.records) for page in pages) / max(1, len(pages))
    needed = pages_needed(
        wrapper.family,
        len(wrapper.vector.left),
        shortest,
        error=error,
        doubt=doubt,
        records_per_page=records,
    )
    return Advice(len(pages), needed, error, doubt)
