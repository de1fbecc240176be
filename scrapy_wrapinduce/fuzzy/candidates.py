"""Candidates: the spans of a page that could be a value of a field, and the places where records may begin.

Problem: when either end of a value may be damaged, neither can be required.
Idea: a span is a candidate when one end looks as learned and the error of both together, weighed by how much
each end can tell, stays below the threshold. Every step looks at a bounded number of tokens, and places that
look alike are judged once, so the time is linear in the length of the page.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from .mask import FieldMask, Mask
from .separator import Judgement, Place, Separator, place_at
from .tokens import INLINE_ELEMENTS, PUNC, Shape, TokenizedPage, class_shape

_SURE = 0.2
_GOOD = 0.45
_POSSIBLE = 0.6
_NO_BORDER = 0.45
_BEGIN_ALONE = 0.15
_ENDS_PER_BEGIN = 3
_STRANGE_INLINE_TAG = 0.05
_TOO_LONG = 0.3
_INSIDE_TEXT = 0.1
_PART_OF_ELEMENT = 0.1


@dataclass(frozen=True, slots=True)
class Candidate:
    """Tokens ``first`` through ``last`` read as a value of field number ``field``."""

    field: int
    first: int
    last: int
    error: float
    confidence: float


@dataclass(frozen=True)
class Divisions:
    """Where a record may begin, and how truly: token indexes and truths, side by side."""

    gaps: Sequence[int]
    truths: Sequence[float]

    def between(self, last: int, first: int) -> float:
        """How truly a record begins after token ``last`` and not after token ``first``."""
        low, high = bisect_right(self.gaps, last), bisect_right(self.gaps, first)
        return max(self.truths[max(low, high - 64) : high], default=0.0)


def known_shapes(mask: Mask, tokens: TokenizedPage) -> list[Shape]:
    """The tokens as the mask sees them: of words it has not learned, no more than the class."""
    known = mask.spellings()
    return [
        shape if shape.is_tag or shape.spellings[0][0] in known else class_shape(shape.token_class)
        for shape in tokens.shapes
    ]


def find_zone(mask: Mask, shapes: Sequence[Shape]) -> tuple[int, int]:
    """The tokens among which the records are; all where the mask needs no zone or finds none."""
    begin, end = 0, len(shapes)
    if mask.zone_begin is not None:
        found = _best_gap(mask.zone_begin, shapes, 0)
        begin = begin if found is None else found
    if mask.zone_end is not None:
        found = _best_gap(mask.zone_end, shapes, begin + 1)
        end = end if found is None else found
    return begin, end


def _best_gap(separator: Separator, shapes: Sequence[Shape], start: int) -> int | None:
    judge = _Judge(separator)
    best, least = None, _SURE
    for gap in range(start, len(shapes) + 1):
        error = judge(place_at(shapes, gap)).error
        if error < least:
            best, least = gap, error
    return best


class _Judge:
    """Judges places by a separator and remembers: pages repeat theirs."""

    def __init__(self, separator: Separator) -> None:
        self._separator = separator
        self._known: dict[Place, Judgement] = {}

    def __call__(self, place: Place) -> Judgement:
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = self._separator.judge(place)
        return found


def find_divisions(mask: Mask, shapes: Sequence[Shape], begin: int, end: int) -> Divisions:
    """The places where a record may begin."""
    judge = _Judge(mask.record)
    gaps, truths = [], []
    for gap in range(begin, end):
        if shapes[gap].is_tag or gap == 0 or shapes[gap - 1].is_tag:
            judged = judge(place_at(shapes, gap))
            # What stands before a record is the end of another or something quite different, such as an
            # advertisement; its begin alone says nearly enough.
            error = min(judged.error, judged.right + _BEGIN_ALONE)
            truth = 1.0 - max(0.0, error) / _NO_BORDER
            if truth > 0.25:
                gaps.append(gap)
                truths.append(min(1.0, truth))
    return Divisions(gaps, truths)


def find_candidates(
    mask: Mask, tokens: TokenizedPage, shapes: Sequence[Shape], begin: int, end: int
) -> list[Candidate]:
    """All candidates of all fields, in page order."""
    places = [place_at(shapes, gap) for gap in range(begin, end + 1)]
    found: list[Candidate] = []
    words = [index for index in range(begin, end) if not shapes[index].is_tag]
    begins = [index for index in words if _may_bound(shapes, index - 1)]
    ends = [index for index in words if _may_bound(shapes, index + 1)]
    for number, field in enumerate(mask.fields):
        judge_begin, judge_end = _Judge(field.begin), _Judge(field.end)
        if field.attribute is not None:
            for index in range(begin, end):
                tag = tokens.node(index).tag
                if tag is not None and tag.get(field.attribute) is not None:
                    here = judge_begin(places[index - begin])
                    there = judge_end(places[index + 1 - begin])
                    error = _joint_error(field, here, there)
                    if error <= mask.thresholds.value:
                        found.append(_candidate(number, index, index, error, here, there))
            continue
        found += _text_candidates(
            mask,
            tokens,
            number,
            [(index, judge_begin(places[index - begin])) for index in begins],
            [(index, judge_end(places[index + 1 - begin])) for index in ends],
            *_strange_tags(field, tokens),
        )
    return sorted(found, key=lambda each: (each.first, each.last, each.error))


def _may_bound(shapes: Sequence[Shape], neighbour: int) -> bool:
    """Whether a value may end beside this token: no word of which only the class is known bounds one."""
    if not 0 <= neighbour < len(shapes):
        return True
    shape = shapes[neighbour]
    return shape.is_tag or len(shape.spellings) > 1 or shape.token_class == PUNC


def _strange_tags(field: FieldMask, tokens: TokenizedPage) -> tuple[list[int], list[int]]:
    """Running counts of block and of inline tags that learned values of the field never held."""
    block, inline = [0], [0]
    nodes = tokens.page.nodes
    for at in tokens.nodes:
        tag = nodes[at].tag
        strange = tag is not None and tag.name not in field.inner_tags
        is_inline = strange and tag is not None and tag.name in INLINE_ELEMENTS
        block.append(block[-1] + (strange and not is_inline))
        inline.append(inline[-1] + is_inline)
    return block, inline


def _text_candidates(
    mask: Mask,
    tokens: TokenizedPage,
    number: int,
    begins: Sequence[tuple[int, Judgement]],
    ends: Sequence[tuple[int, Judgement]],
    block: Sequence[int],
    inline: Sequence[int],
) -> list[Candidate]:
    field = mask.fields[number]
    # Behind a begin that looks wrong, only ends that look right are worth a look.
    good_ends = [(index, there) for index, there in ends if there.error <= _GOOD]
    of_good, of_bad = (ends, [at for at, _ in ends]), (good_ends, [at for at, _ in good_ends])
    limit = mask.thresholds.value
    usual_length = 2 * field.longest + 4
    longest = 2 * usual_length
    found = []
    for first, here in begins:
        if here.error > _POSSIBLE + _GOOD:
            continue
        of_begin = []
        possible, places = of_good if here.error <= _GOOD else of_bad
        for at in range(bisect_left(places, first), len(possible)):
            last, there = possible[at]
            if last - first >= longest or block[last + 1] > block[first]:
                break
            error = _joint_error(field, here, there)
            error += _STRANGE_INLINE_TAG * (inline[last + 1] - inline[first])
            if not field.begins_in_text and first and not tokens.shapes[first - 1].is_tag:
                error += _INSIDE_TEXT
            if (
                not field.ends_in_text
                and last + 1 < len(tokens)
                and not tokens.shapes[last + 1].is_tag
            ):
                error += _INSIDE_TEXT
            error += _TOO_LONG * max(0.0, (last - first + 1) / usual_length - 1.0)
            if field.fills_element and error <= limit and not tokens.fills_element(first, last):
                error += _PART_OF_ELEMENT
            if error <= limit:
                of_begin.append(_candidate(number, first, last, error, here, there))
        of_begin.sort(key=lambda each: each.error)
        found += of_begin[:_ENDS_PER_BEGIN]
    return found


def _joint_error(field: FieldMask, here: Judgement, there: Judgement) -> float:
    begin_power, end_power = field.begin.power, field.end.power
    power = begin_power + end_power
    if not power:
        return max(0.0, here.error + there.error) / 2
    return (max(0.0, here.error) * begin_power + max(0.0, there.error) * end_power) / power


def _candidate(
    number: int, first: int, last: int, error: float, here: Judgement, there: Judgement
) -> Candidate:
    confidence = (here.confidence + there.confidence) / 2
    return Candidate(number, first, last, error, confidence)
