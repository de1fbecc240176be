"""What can go wrong with a query, as one line that says what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import takewhile

from ..errors import WrapinduceError

_SHOWN = 3
_LIKELY = 0.6


class QueryError(WrapinduceError):
    """A query cannot be answered."""


class UnknownPath(QueryError):
    """A query names a section that the source does not have; the message suggests the nearest names."""


class SourceUnavailable(QueryError):
    """None of the pages that a query needs could be had."""


def nearest(path: str, known: Iterable[str]) -> list[str]:
    """The known paths that a misspelt one may have meant: by their last names, and by what is above.

    >>> nearest("geography.aria.total", ["Geography.Area.total", "Economy.Debt_external"])
    ['Geography.Area.total']
    >>> nearest("debt", ["Geography.Area", "Economy.Debt_external"])
    ['Economy.Debt_external']
    """
    scores = {name: _likeness(path.lower(), name.lower()) for name in known}
    likely = [name for name, score in scores.items() if score >= _LIKELY]
    return sorted(likely, key=lambda name: -scores[name])[:_SHOWN]


def _likeness(path: str, known: str) -> float:
    above, _, last = path.rpartition(".")
    known_above, _, known_last = known.rpartition(".")
    common = takewhile(lambda pair: pair[0] == pair[1], zip(last, known_last, strict=False))
    begun = sum(1 for _ in common) / max(1, len(last))
    by_name = max(_ratio(last, known_last), 0.9 * begun, 0.95 * (last in known_last))
    return 0.6 * by_name + 0.4 * (
        _ratio(above, known_above) if above else 0.5 + 0.5 * (not known_above)
    )


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def unknown_path(path: str, source: str, known: Iterable[str]) -> UnknownPath:
    """The error for a path that a source does not have."""
    suggestions = nearest(path, known)
    hint = f"; did you mean {', '.join(suggestions)}?" if suggestions else ""
    return UnknownPath(f"{source} has no {path}{hint}")
