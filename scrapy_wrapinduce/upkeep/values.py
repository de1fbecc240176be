"""Syntactic features of a value: what kind of string it is, whatever it says (Meng, Hu, Li 2003, section 3.1).

A value is cut into tokens, and each token stands for its class: ``S-16-190`` has the shape ``A-9-9`` and the
exact shape ``A-99-999``. Shapes are compared as strings and by their pairs of tokens, never by a regular
expression made from a page. Long values are looked at up to a bound.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from sys import intern
from typing import NamedTuple

TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_")
_HOST = re.compile(r"https?://[^/?#\s]*")
_LONGEST = 400
_CODE = re.compile(r"[^\W_]+")
_SHORTEST_MARK = 3
_MOST_TOKENS = 16
_LONGEST_NUMBER = 6


class Syntax(NamedTuple):
    """The syntactic features of one value."""

    shape: str
    exact: str
    first: str
    last: str
    first_word: str
    last_word: str
    pairs: tuple[str, ...]
    words: tuple[str, ...]
    length: int
    digits: float
    capitals: float
    letters: float
    signs: float


@lru_cache(maxsize=1 << 12)
def syntax(value: str) -> Syntax:
    """The syntactic features of a value.

    >>> s = syntax("2026 NYSlipOp 01590")
    >>> s.shape, s.exact, s.words
    ('9 aA 9', '9999 aA 99999', ('nyslipop',))
    """
    # The same address may be written with its host or without.
    host = _HOST.match(value)
    text = (value[host.end() :] or "/")[:_LONGEST] if host else value[:_LONGEST]
    tokens = list(TOKEN.finditer(text))
    classes, exact = [], []
    end = 0
    for token in tokens:
        if token.start() > end:
            classes.append(" ")
            exact.append(" ")
        end = token.end()
        word = token[0]
        classes.append(token_class(word))
        exact.append("9" * min(len(word), _LONGEST_NUMBER) if word.isdecimal() else classes[-1])
    words = tuple(t[0].lower() for t in tokens if t[0].isalpha())
    size = max(1, len(text))
    letters = sum(map(str.isalpha, text))
    digits = sum(map(str.isdecimal, text))
    spaces = sum(map(str.isspace, text))
    return Syntax(
        shape="".join(classes[:_MOST_TOKENS]),
        exact="".join(exact[:_MOST_TOKENS]),
        first=classes[0] if classes else "",
        last=classes[-1] if classes else "",
        first_word=_literal(tokens[0][0]) if tokens else "",
        last_word=_literal(tokens[-1][0]) if tokens else "",
        pairs=tuple(intern(a + b) for a, b in zip(["^", *classes], [*classes, "$"], strict=True)),
        words=words,
        length=len(text) if host else len(value),
        digits=digits / size,
        capitals=sum(map(str.isupper, text)) / size,
        letters=letters / size,
        signs=(size - letters - digits - spaces) / size,
    )


def token_class(token: str) -> str:
    """The class of a token: a number, a word by its capitals, or the sign itself."""
    if token.isdecimal():
        return "9"
    if not token.isalpha():
        return token
    if token.isupper():
        return "A"
    if token.islower():
        return "a"
    return "Aa" if token.istitle() else "aA"


def _literal(token: str) -> str:
    return "9" * min(len(token), _LONGEST_NUMBER) if token.isdecimal() else token.lower()


def marks(value: str) -> frozenset[str]:
    """The tokens of a value that could be a number or code of its record: those with digits.

    >>> sorted(marks("/ops/sp-7024.pdf?case=S16685"))
    ['7024', 's16685']
    """
    return frozenset(
        token
        for token in map(str.lower, _CODE.findall(value[:_LONGEST]))
        if len(token) >= _SHORTEST_MARK and not token.isalpha()
    )


def is_rigid(shapes: Counter[str] | dict[str, float]) -> bool:
    """Whether values follow so few shapes, with numbers in them, that a stray value stands out."""
    total = sum(shapes.values())
    top = sorted(shapes.items(), key=lambda pair: -pair[1])[:3]
    numeric = sum(share for shape, share in top if "9" in shape)
    return total > 0 and numeric >= 0.9 * total
