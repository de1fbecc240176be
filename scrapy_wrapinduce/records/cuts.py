"""Learn how to cut a value out of a longer text.

The strings around the values of all records give the longest common left and right delimiter, as for the LR
class (Kushmerick 2000, section 3); where there are none, words or numbers are counted.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..tokenizer import words
from .model import Cut
from .read import spans, trimmed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..labels import Span
    from .model import Locator
    from .tree import Tree

_LONGEST = 60


def learn_cuts(
    base: Locator, samples: Sequence[tuple[Tree, int, int, tuple[Span, ...]]]
) -> list[tuple[Cut, int]]:
    """Cuts that give the values out of what a locator finds, each with the number of records behind it."""
    pieces: list[tuple[str, int, int]] = []
    for tree, first, stop, values in samples:
        whole = spans(tree, base, first, stop)
        for value in values[:1]:
            value = trimmed(tree.html, value)
            for span in whole:
                if span.start <= value.start and value.end <= span.end:
                    piece = tree.html[span.start : span.end]
                    pieces.append((piece, value.start - span.start, value.end - span.start))
                    break
    if not pieces:
        return []
    found: Counter[Cut] = Counter()
    lefts = [piece[:start] for piece, start, _ in pieces]
    rights = [piece[end:] for piece, _, end in pieces]
    left, right = _common_end(lefts), _common_start(rights)
    between = Cut("between", left, right)
    if (left or not any(map(str.strip, lefts))) and (right or not any(map(str.strip, rights))):
        found[between] += len(pieces)
    elif base.by != "source":
        # A constant text may stand on one side in some records only.
        for some_left in {_common_end([one]) for one in lefts[:5]} | {left}:
            for some_right in {_common_start([one])[:1] for one in rights[:5]} | {right}:
                found[Cut("between", some_left, some_right)] += 1
    if base.by == "source":
        return list(found.items())
    for piece, start, end in pieces:
        places = words(piece)
        inside = [i for i, (a, b) in enumerate(places) if a >= start and b <= end]
        if inside and places[inside[0]][0] == start and places[inside[-1]][1] == end:
            first, last, count = inside[0], inside[-1] + 1, len(places)
            front: int | None = last if last < count else None
            found[Cut("words", first=first, last=front)] += 1
            found[Cut("words", first=first - count, last=front and last - count)] += 1
            found[Cut("words", first=first, last=front and last - count)] += 1
        for number in (0, 1, 2, -1):
            found[Cut("number", first=number)] += piece[start:end][:1].isdigit()
    return [(how, support) for how, support in found.most_common(12) if support]


def _common_end(texts: Sequence[str]) -> str:
    common = _common_prefix([text.rstrip()[::-1][:_LONGEST] for text in texts])[::-1]
    return common.lstrip()


def _common_start(texts: Sequence[str]) -> str:
    return _common_prefix([text.lstrip()[:_LONGEST] for text in texts]).rstrip()


def _common_prefix(texts: Sequence[str]) -> str:
    low, high = min(texts), max(texts)
    size = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    return low[:size]
