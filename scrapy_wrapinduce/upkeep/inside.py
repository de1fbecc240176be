"""Values inside a text: where elements are gone in a new design, they run into their labels and neighbours.

Three things tell where a part of a text begins and ends: signs and lines that people separate values with, labels that the page was known to have,
and the patterns of the values themselves, where these are so regular that a match is no chance.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..tokenizer import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# No semicolon: in source text it also ends an entity.
_SEPARATOR = re.compile(r"\s+[–—|•·:/-]+\s+|:\s+|\s*[|•·]\s*|\s*\n\s*")
_AFTER_LABEL = re.compile(r"\s*[:=–—-]?\s*")
_SHORTEST_LABEL = 2
_MOST_PARTS = 8
_MOST_MATCHES = 3
_LONGEST_SEARCHED = 400
FOUND = 100  # ranks of parts that were found by their pattern begin here


class Part(NamedTuple):
    """A stretch of a text: its rank among the parts of its kind, and the label before it, where that told it."""

    start: int
    end: int
    rank: int
    label: str = ""


def parts(source: str, labels: Collection[str], patterns: Collection[str]) -> Iterator[Part]:
    """The parts of a text that may be values of their own."""
    yield from _between_signs(source)
    if labels:
        yield from _behind_labels(source, _any_of(frozenset(labels)))
    if patterns and len(source) <= _LONGEST_SEARCHED:
        yield from _like_values(source, _any_like(frozenset(patterns)))


def _between_signs(source: str) -> Iterator[Part]:
    cuts = [match.span() for match in _SEPARATOR.finditer(source)][: _MOST_PARTS - 1]
    edges = [(0, 0), *cuts, (len(source), len(source))]
    for rank in range(len(edges) - 1 if cuts else 0):
        yield Part(edges[rank][1], edges[rank + 1][0], rank)


def _behind_labels(source: str, labels: re.Pattern[str] | None) -> Iterator[Part]:
    """What stands behind a known label, up to the next one."""
    found = list(labels.finditer(source))[:_MOST_PARTS] if labels is not None else []
    for number, match in enumerate(found, 1):
        end = found[number].start() if number < len(found) else len(source)
        sign = _AFTER_LABEL.match(source, match.end(), end)
        yield Part(sign.end() if sign else match.end(), end, -1, fold(match[0]))


def _like_values(source: str, values: re.Pattern[str]) -> Iterator[Part]:
    for rank, match in enumerate(values.finditer(source)):
        if rank == _MOST_MATCHES:
            break
        if match.end() - match.start() < len(source):
            yield Part(match.start(), match.end(), FOUND + rank)


@lru_cache(maxsize=256)
def _any_of(labels: frozenset[str]) -> re.Pattern[str] | None:
    """Finds known labels, the longest first; whatever spaces the page has between their words."""
    known = sorted(
        (text for text in labels if sum(map(str.isalpha, text)) >= _SHORTEST_LABEL),
        key=lambda text: (-len(text), text),
    )
    if not known:
        return None
    said = "|".join(r"\s+".join(map(re.escape, text.split())) for text in known)
    return re.compile(rf"(?<!\w)(?:{said})(?:(?<!\w)|(?!\w))")


@lru_cache(maxsize=256)
def _any_like(patterns: frozenset[str]) -> re.Pattern[str]:
    said = "|".join(sorted(patterns, key=lambda text: (-len(text), text)))
    return re.compile(rf"(?<![\w.,])(?:{said})(?!\w)")
