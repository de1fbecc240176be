"""Order heading styles by importance and nest a page's headings.

The paper nests by font size and indentation: a heading is the child of the nearest earlier one that is larger and
less indented (Figure 2). Pages that set sizes in a style sheet show neither, so the order of two styles is weighed
from all they do: sizes and indentation where given, which directly follows the other, which one's names repeat
under the other's, which is rarer. Nesting is then Figure 2 with ranks, where a section also ends with its element.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from .extents import extents
from .headings import HEADING_TAG, emphasis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .document import Document
    from .extents import Found
    from .headings import Evidence

_TAG_SIZES = {"h1": 32.0, "h2": 24.0, "h3": 18.7, "h4": 16.0, "h5": 13.3, "h6": 10.7}
_FONT_SIZES = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)
_UNITS = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16}
_SIZE = re.compile(r"\[([+-]?[\d.]+)\s*(px|pt|em|rem|%)?\]")
_INDENT = re.compile(r"@(\d+)")
_ABOVE = 0.75


def size(style: str) -> float | None:
    """The font size a style states, in pixels; ``None`` if it states none."""
    if found := _SIZE.search(style):
        try:
            value = float(found[1])
        except ValueError:
            return None
        if found[2]:
            return value * _UNITS[found[2]]
        steps = int(value) + 2 if found[1][0] in "+-" else int(value) - 1
        return _FONT_SIZES[max(0, min(len(_FONT_SIZES) - 1, steps))]
    return _TAG_SIZES.get(style[:2]) if emphasis(style) == HEADING_TAG else None


def indent(style: str) -> int | None:
    """The indentation of a style of preformatted text."""
    found = _INDENT.search(style)
    return int(found[1]) if found else None


def rank_styles(
    evidence: Mapping[str, Evidence],
    documents: Sequence[Document],
    headings: Sequence[Sequence[Found]],
    ignored: frozenset[str],
) -> dict[str, int]:
    """A rank for each heading style, 0 for the most important; styles nothing tells apart share one."""
    styles = list(evidence)
    follows = _directly_follows(documents, headings, ignored)
    contains = _contains(documents, headings)
    weight = {
        (one, other): _weight(evidence[one], evidence[other], follows, contains)
        for one in styles
        for other in styles
        if one != other
    }
    return _layers(styles, weight)


def _layers(styles: list[str], weight: Mapping[tuple[str, str], float]) -> dict[str, int]:
    """Ranks such that what is clearly above another style comes before it; cycles are cut at their weakest."""
    ranks: dict[str, int] = {}
    left = list(styles)
    rank = 0
    while left:
        pressed = {
            style: max((weight[above, style] for above in left if above != style), default=0.0)
            for style in left
        }
        least = max(_ABOVE, min(pressed.values()))
        layer = [style for style in left if pressed[style] <= least]
        if rank or len(layer) == len(left):
            chosen = layer
        else:
            # At the top, a style that nothing is below has not shown to be a top.
            chosen = [
                one
                for one in layer
                if any(weight[one, other] >= _ABOVE for other in left if other != one)
            ]
            chosen = chosen or layer
        for style in chosen:
            ranks[style] = rank
        left = [style for style in left if style not in ranks]
        rank += 1
    return ranks


def _contains(
    documents: Sequence[Document], headings: Sequence[Sequence[Found]]
) -> dict[tuple[str, str], float]:
    """The share of a style's headings that stand in the section of some heading of another style."""
    inside: Counter[tuple[str, str]] = Counter()
    total: Counter[str] = Counter()
    for document, here in zip(documents, headings, strict=True):
        total.update(heading.style for heading in here)
        by_style: dict[str, list[Found]] = {}
        for heading in here:
            by_style.setdefault(heading.style, []).append(heading)
        for style, own in by_style.items():
            covered = [False] * (len(document.runs) + 1)
            for heading, (_, around, limit) in zip(own, extents(document, own), strict=True):
                for run in range(heading.run + 1, min(around, limit)):
                    covered[run] = True
            inside.update((style, heading.style) for heading in here if covered[heading.run])
    return {pair: count / total[pair[1]] for pair, count in inside.items()}


def _directly_follows(
    documents: Sequence[Document], headings: Sequence[Sequence[Found]], ignored: frozenset[str]
) -> dict[tuple[str, str], int]:
    """How often a heading of one style comes right after one of another, no text between."""
    counts: dict[tuple[str, str], int] = {}
    for document, here in zip(documents, headings, strict=True):
        for first, second in pairwise(here):
            between = document.runs[first.run + 1 : second.run]
            if not first.label and all(run.style in ignored for run in between):
                pair = first.style, second.style
                counts[pair] = counts.get(pair, 0) + 1
    return counts


def _weight(
    one: Evidence,
    other: Evidence,
    follows: Mapping[tuple[str, str], int],
    contains: Mapping[tuple[str, str], float],
) -> float:
    """How much speaks for ``one`` being above ``other``; negative if it is rather below."""
    weight = 0.0
    sizes = size(one.style), size(other.style)
    if sizes[0] is not None and sizes[1] is not None and sizes[0] != sizes[1]:
        return 3.0 if sizes[0] > sizes[1] else -3.0
    indents = indent(one.style), indent(other.style)
    if indents[0] is not None and indents[1] is not None and indents[0] != indents[1]:
        return 3.0 if indents[0] < indents[1] else -3.0
    down, up = follows.get((one.style, other.style), 0), follows.get((other.style, one.style), 0)
    weight += 2.0 * (down - up) / max(4, min(one.count, other.count))
    weight += 3.0 * (
        contains.get((one.style, other.style), 0) - contains.get((other.style, one.style), 0)
    )
    if abs(one.distinct - other.distinct) > 0.3:
        weight += 1.0 if one.distinct > other.distinct else -1.0
    loudness = emphasis(one.style) - emphasis(other.style)
    if max(emphasis(one.style), emphasis(other.style)) == HEADING_TAG:
        weight += 0.5 * max(-2, min(2, loudness))
    elif loudness:
        weight += 0.25 if loudness > 0 else -0.25
    frequency = (one.count / one.pages) / (other.count / other.pages)
    if frequency < 0.5 or frequency > 2:
        weight += 0.5 if frequency < 1 else -0.5
    return weight
