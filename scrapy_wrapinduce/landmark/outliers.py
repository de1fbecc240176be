"""Pages of a sample that do not belong: error pages, other templates, pages cut short.

A template shows in the landmarks that most pages share. A page that has far fewer of them than
the pages usually have was made by something else, and would only take landmarks away from the others.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from .regions import support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .regions import Region

FEWEST_PAGES = 4  # with fewer one cannot tell who is the stranger
ENOUGH = 0.6  # of the landmarks that a page of the sample usually has
MOST_LEFT_OUT = 1 / 3


def find_outliers(pages: Sequence[Region]) -> dict[int, str]:
    """Pages to leave out, by their place in the sample, and why."""
    if len(pages) < FEWEST_PAGES:
        return {}
    usual = {number for number, count in support(pages).items() if 2 * count >= len(pages)}
    if not usual:
        return {}
    shares = [len(usual.intersection(page.numbers)) / len(usual) for page in pages]
    typical = median(shares)
    strange = [index for index, share in enumerate(shares) if share < ENOUGH * typical]
    if len(strange) > MOST_LEFT_OUT * len(pages):
        return {}
    return {
        index: f"has {shares[index]:.0%} of the landmarks that most pages share,"
        f" where {typical:.0%} is usual"
        for index in strange
    }
