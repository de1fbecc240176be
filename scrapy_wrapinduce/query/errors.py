"""What can go wrong with a query, as one line that says what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ..errors import WrapinduceError

_SHOWN = 3


class QueryError(WrapinduceError):
    """A query cannot be answered."""


class UnknownPath(QueryError):
    """A query names a section that the source does not have; the message suggests the nearest names."""


class SourceUnavailable(QueryError):
    """None of the pages that a query needs could be had."""


def nearest(path: str, known: Iterable[str]) -> list[str]:
    """The known paths that a misspelt one may have meant: by their whole, then by their last name.

    >>> nearest("geography.aria.total", ["Geography.Area.total", "Economy.Debt_external"])
    ['Geography.Area.total']
    >>> nearest("debt", ["Geography.Area", "Economy.Debt_external"])
    ['Economy.Debt_external']
    """
    by_lower = {name.lower(): name for name in known}
    wanted = path.lower()
    last = wanted.rpartition(".")[2]
    names = list(by_lower)
    found = get_close_matches(wanted, names, _SHOWN, 0.7)
    found += [name for name in names if last in name.rpartition(".")[2]]
    lasts = {name.rpartition(".")[2]: name for name in reversed(names)}
    found += [lasts[name] for name in get_close_matches(last, list(lasts), _SHOWN, 0.6)]
    return [by_lower[name] for name in list(dict.fromkeys(found))[:_SHOWN]]


def unknown_path(path: str, source: str, known: Iterable[str]) -> UnknownPath:
    """The error for a path that a source does not have."""
    suggestions = nearest(path, known)
    hint = f"; did you mean {', '.join(suggestions)}?" if suggestions else ""
    return UnknownPath(f"{source} has no {path}{hint}")
