"""Which reader a labelled list gets: the strictest that reads its own labels, and a mask behind it.

The records family comes first, because it bears missing and disjunctive attributes; then the delimiter classes, from the
simplest on; a fuzzy mask where none of them learns anything, or where it reads the labelled pages plainly better.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .. import delimiter, fuzzy
from ..errors import CannotInduce
from ..labels import Span
from .learn import learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..labels import LabelledPage, Record
    from ..wrapper import Wrapper

_FAITHFUL = 0.95
_PLAINLY_BETTER = 0.03
_RECORDS_LEARNED_FROM = (
    60  # a mask of more would take long to learn; so many show what there is to see
)
_MOST_READ_BACK = 400


def choose(labelled: Sequence[LabelledPage]) -> Wrapper:
    """A wrapper for labelled pages; raises :class:`CannotInduce` with the reason of the first reader."""
    strict: Wrapper
    reasons = []
    for learner in (learn, delimiter.choose):
        try:
            strict = learner(labelled)
        except CannotInduce as error:
            reasons.append(str(error))
        else:
            return _with_mask(strict, labelled)
    try:
        return fuzzy.learn(labelled)
    except CannotInduce:
        raise CannotInduce(reasons[0]) from None


def _with_mask(strict: Wrapper, labelled: Sequence[LabelledPage]) -> Wrapper:
    """The strict wrapper with its last resort; or a mask instead, where the labels themselves are irregular."""
    faith = faithfulness(strict, labelled)
    if faith < _FAITHFUL and sum(len(page.records) for page in labelled) <= _MOST_READ_BACK:
        try:
            mask = fuzzy.learn(labelled[:2], most=_RECORDS_LEARNED_FROM)
        except CannotInduce:
            return strict
        if faithfulness(mask, labelled) > faith + _PLAINLY_BETTER:
            return mask
    return strict.with_last_resort(fuzzy.learn_last_resort(strict, labelled))


def faithfulness(wrapper: Wrapper, labelled: Sequence[LabelledPage]) -> float:
    """F of whole records when a wrapper reads the pages that it was learned from."""
    right = read = true = 0
    for page in labelled:
        places: dict[int, set[tuple[str, int]]] = {}
        for place in wrapper.extract(page.page).places:
            places.setdefault(place.record, set()).add((place.field, place.start))
        found = Counter(map(frozenset, places.values()))
        wanted = Counter(_starts(record) for record in page.records)
        right += (found & wanted).total()
        read += found.total()
        true += wanted.total()
    return 2 * right / (read + true) if read + true else 0.0


def _starts(record: Record, prefix: str = "") -> frozenset[tuple[str, int]]:
    found = {
        (prefix + name, span.start)
        for name, spans in record.values.items()
        for span in ((spans,) if isinstance(spans, Span) else spans)
    }
    for name, children in record.children.items():
        for child in children:
            found |= _starts(child, f"{prefix}{name}.")
    return frozenset(found)
