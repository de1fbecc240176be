"""Small plots, as SVG that stands in the text: no script draws them, and a sentence says what they show."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_LEAST = 3  # percent: a bar of nothing is still seen
_HALF = 0.5
MOST_BARS = 48


def strip(shares: Sequence[float], label: str, usual: float = 1.0) -> str:
    """One bar per share, from 0 to 1; those stand out that are less than half of the usual."""
    if not shares:
        return '<span class="none">–</span>'
    shown = _thinned(shares)
    # Two paths rather than an element for each bar: a report has thousands of bars.
    least = _HALF * usual
    good = "".join(_bar(at, share) for at, share in enumerate(shown) if share >= least)
    low = "".join(_bar(at, share) for at, share in enumerate(shown) if share < least)
    bars = f'<path d="{good}"/><path class="low" d="{low}"/>'
    said = f"{label}: {_sentence(shares)}"
    return (
        f'<svg class="strip" role="img" aria-label="{escape(said)}" viewBox="0 0 {max(len(shown), 12)} 100" '
        f'preserveAspectRatio="none"><title>{escape(said)}</title>{bars}</svg>'
    )


def line(shares: Sequence[float], label: str) -> str:
    """A line over runs, one dot per run."""
    said = f"{label}: {_sentence(shares)}"
    wide = max(len(shares) - 1, 1)
    points = [(100 * at / wide, 100 - 100 * share) for at, share in enumerate(shares)]
    path = " ".join(f"{x:.1f},{y:.0f}" for x, y in points)
    dots = "".join(f"M{x:.1f} {y:.0f}h0" for x, y in points)
    return (
        f'<svg class="line" role="img" aria-label="{escape(said)}" viewBox="0 0 100 100" '
        f'preserveAspectRatio="none"><title>{escape(said)}</title><path class="grid" d="M0 0H100M0 100H100"/>'
        f'<polyline points="{path}"/><path class="dots" d="{dots}"/></svg>'
    )


def _bar(at: int, share: float) -> str:
    """
    >>> _bar(3, 0.5)
    'M3 100v-50h1v50z'
    """
    height = max(round(100 * share), _LEAST)
    return f"M{at} 100v-{height}h1v{height}z"


def _thinned(shares: Sequence[float]) -> list[float]:
    """At most so many bars; each is the least of those it stands for, so that no gap is hidden."""
    step = -(-len(shares) // MOST_BARS)
    return [min(shares[at : at + step]) for at in range(0, len(shares), step)]


def _sentence(shares: Sequence[float]) -> str:
    """
    >>> _sentence([1.0, 0.5])
    '2 points, from 100% to 50%, lowest 50%'
    """
    if not shares:
        return "no points"
    return (
        f"{len(shares)} points, from {shares[0]:.0%} to {shares[-1]:.0%}, lowest {min(shares):.0%}"
    )
