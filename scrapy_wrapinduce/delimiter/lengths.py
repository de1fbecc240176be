"""How long the left delimiters can be, given the structural ones: the search for all of them at
once.

Left delimiters are endings of what stands before their values, so only lengths are sought. A longer
one occurs at fewer places, but begins earlier where it does occur; that is the only way in which
one can stand in another's way (Kushmerick 2000, section 4.5: all delimiters of the nested classes
interact). So start from the longest, shorten where one would be read in place of another even at
full length, and repeat: each step is forced, hence the result is the longest of all solutions, and
when it is none, there is none. The paper tries all combinations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .execute import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .gaps import Gap


class Conflict(NamedTuple):
    """Why no lengths exist: the attribute whose left delimiter stands in the way, and the reason."""

    attribute: int
    reason: str


def greatest_lengths(
    gaps: Sequence[Gap], tails: Sequence[Gap], endings: Sequence[str], tail: str | None = None
) -> list[int] | Conflict:
    """The greatest length of each attribute's left delimiter with which every gap is read right, or
    the conflict.

    Without ``tail`` no left delimiter that is looked for may occur in the tails.
    """
    lengths = [len(ending) for ending in endings]
    for gap in gaps:
        lengths[gap.attribute] = min(lengths[gap.attribute], gap.end - gap.start)
        if not lengths[gap.attribute]:
            return Conflict(
                gap.attribute, f"nothing is common to what stands before, in {gap.where}"
            )
    stops = [-1 if tail is None else gap.html.find(tail, gap.start) for gap in tails]
    for gap, stop in zip(tails, stops, strict=True):
        if tail is not None and stop < 0:
            return Conflict(0, f"the tail {quote(tail)} does not occur in {gap.where}")
    shortened = True
    while shortened:
        shortened = False
        for gap in gaps:
            for other in range(gap.reach):
                bound = _bound_in_gap(gap, other, endings, lengths)
                if bound is None:
                    continue
                if bound < 1:
                    return _also(other, endings, lengths, gap)
                lengths[other], shortened = bound, True
        for gap, stop in zip(tails, stops, strict=True):
            for other in range(gap.reach):
                length = lengths[other]
                at = gap.html.find(endings[other][-length:], gap.start)
                if at < 0 or at >= stop >= 0:
                    continue
                bound = min(length - 1, at + length - stop)
                if stop < 0 or bound < 1:
                    return _also(other, endings, lengths, gap)
                lengths[other], shortened = bound, True
    return _first_misread(gaps, endings, lengths, tail) or lengths


def _bound_in_gap(
    gap: Gap, other: int, endings: Sequence[str], lengths: Sequence[int]
) -> int | None:
    """What another delimiter must be shortened to, so as not to be read in place of the gap's own."""
    if other == gap.attribute:
        return None
    own, length = lengths[gap.attribute], lengths[other]
    begin = gap.end - own
    at = gap.html.find(endings[other][-length:], gap.start, begin + length)
    if at < 0 or (at == begin and length < own):
        return None
    end = at + length
    bound = own - (gap.end - end) if end < gap.end else own + (end - gap.end) - 1
    return min(length - 1, bound)


def _first_misread(
    gaps: Sequence[Gap], endings: Sequence[str], lengths: Sequence[int], tail: str | None
) -> Conflict | None:
    for gap in gaps:
        length = lengths[gap.attribute]
        begin = gap.end - length
        if gap.html.find(endings[gap.attribute][-length:], gap.start, gap.end) != begin:
            return _also(gap.attribute, endings, lengths, gap)
        if tail is not None and gap.html.find(tail, gap.start, begin + len(tail)) >= 0:
            return Conflict(gap.attribute, f"the tail {quote(tail)} also occurs in {gap.where}")
    return None


def _also(attribute: int, endings: Sequence[str], lengths: Sequence[int], gap: Gap) -> Conflict:
    text = endings[attribute][-lengths[attribute] :]
    return Conflict(attribute, f"{quote(text)} also occurs in {gap.where}")
