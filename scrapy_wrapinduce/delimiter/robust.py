"""Which of several valid delimiters to take: whole tokens, without text that changes from page to
page.

The paper leaves the choice open (section 3.4, footnote 5). All candidates of one delimiter are
prefixes or suffixes of one string; a cut at the end of a tag survives changes of what follows it, a
cut inside a word does not, and digits come from data more often than from templates.
"""

from __future__ import annotations

import re

_VOLATILE = re.compile(r"(?<!<[hH])(?<!</[hH])\d")
_TELLING = re.compile(r"[<\"']|\w")
_MISALIGNED = 40
_TELLS_LITTLE = 30
_HOLDS_DIGITS = 60
_TRIED = 160


def prefix_cost(text: str, length: int) -> int:
    """How little one would like to take the first ``length`` characters as a delimiter."""
    last = text[length - 1]
    following = text[length : length + 1]
    if last == ">" or (length == 1 and last in "\"'"):
        rank = 0
    elif following == "<":
        rank = 1
    elif last.isalnum() != following.isalnum() or last.isspace():
        rank = 2
    else:
        rank = 3
    return rank * _MISALIGNED + length + _content_cost(text[:length])


def suffix_cost(text: str, length: int) -> int:
    """How little one would like to take the last ``length`` characters as a delimiter."""
    first = text[-length]
    before = text[-length - 1 : -length]
    if first == "<":
        rank = 0
    elif before == ">":
        rank = 1
    elif first.isalnum() != before.isalnum() or first.isspace():
        rank = 2
    else:
        rank = 3
    return rank * _MISALIGNED + length + _content_cost(text[-length:])


def _content_cost(text: str) -> int:
    if _VOLATILE.search(text):
        return _HOLDS_DIGITS
    return 0 if _TELLING.search(text) else _TELLS_LITTLE


def cut_prefix(text: str, least: int) -> str:
    """The best prefix that has at least so many characters."""
    return text[: prefix_lengths(text, least)[0]]


def prefix_lengths(text: str, least: int) -> list[int]:
    """The lengths of the prefixes, best first."""
    return sorted(_lengths(least, len(text)), key=lambda length: prefix_cost(text, length))


def suffix_lengths(text: str, least: int) -> list[int]:
    """The lengths of the suffixes, best first."""
    return sorted(_lengths(least, len(text)), key=lambda length: suffix_cost(text, length))


def _lengths(least: int, most: int) -> list[int]:
    """Of very many lengths only the shorter ones, and the longest."""
    lengths = [*range(least, min(most, least + _TRIED) + 1)]
    return lengths if lengths[-1] == most else [*lengths, most]
