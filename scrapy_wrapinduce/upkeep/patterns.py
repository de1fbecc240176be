r"""Value patterns as regular expressions that are safe to run (Meng, Hu, Li 2003, section 3.1).

Values of one shape (see :mod:`.values`) become one expression: what they all say is literal, the rest is the class of the token and
how long it was. Quantifiers are bounded and never nested, and what stands beside a quantified class is never of the same class, so
that matching takes a time proportional to the value, whatever a page has put into the sample.

>>> learn_patterns(["S-16-190", "S-17-88", "S-9-1204"])
('S\\-\\d{1,2}\\-\\d{2,4}',)
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from .values import TOKEN, token_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_PATTERNS = 4
_MOST_TOKENS = 16
_LEAST_SHARE = 0.1
_TO_BE_LITERAL = 3
_LONGEST = 400
_LONGEST_TOKEN = _LONGEST
_REST = r"(?s:.*)"


def learn_patterns(values: Iterable[str]) -> tuple[str, ...]:
    """The expressions of the commonest shapes, commonest first; a shape that few values have gives none."""
    shapes: dict[tuple[str, ...], list[list[str]]] = {}
    total = 0
    for value in values:
        tokens = _tokens(value)
        shapes.setdefault(tuple(map(_kind, tokens[: _MOST_TOKENS + 1])), []).append(tokens)
        total += 1
    counts = Counter({shape: len(rows) for shape, rows in shapes.items() if shape})
    common = [s for s, n in counts.most_common(_MOST_PATTERNS) if n >= max(2, _LEAST_SHARE * total)]
    return tuple(_pattern(shapes[shape]) for shape in common)


def matches(patterns: Sequence[str], value: str) -> bool:
    """Whether a value follows one of the patterns from beginning to end."""
    return any(_compiled(pattern).fullmatch(value[:_LONGEST]) for pattern in patterns)


def _tokens(value: str) -> list[str]:
    found: list[str] = []
    end = 0
    for token in TOKEN.finditer(value[:_LONGEST]):
        if token.start() > end:
            found.append(" ")
        found.append(token[0])
        end = token.end()
    return found


def _kind(token: str) -> str:
    return " " if token == " " else token_class(token)


def _pattern(rows: Sequence[Sequence[str]]) -> str:
    parts = []
    for column in list(zip(*rows, strict=False))[:_MOST_TOKENS]:
        sizes = [min(len(token), _LONGEST_TOKEN) for token in column]
        if column[0] == " ":
            parts.append(r"\s{1,9}")
        elif len(set(column)) == 1 and (len(rows) >= _TO_BE_LITERAL or _is_sign(column[0])):
            parts.append(re.escape(column[0]))
        else:
            kind = r"\d" if column[0].isdecimal() else r"[^\W\d_]"
            parts.append(f"{kind}{{{min(sizes)},{max(sizes)}}}")
    more = len(rows[0]) > _MOST_TOKENS
    return "".join(parts) + (_REST if more else "")


def _is_sign(token: str) -> bool:
    return not token.isdecimal() and not token.isalpha()


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
