"""Corroboration: labels from recognizers that miss instances and invent others (Kushmerick 2000,
section 7).

One recognizer, it is not known which, makes no mistakes: its instances are anchors, one in each
record. Where another field stands relative to the anchors is voted on by all records; every record
votes for all slots in which its recognizer saw something, so inventions lose and misses are filled.
Of the labels that result, those are taken that agree best with what was recognized and with which a
wrapper exists. The order of fields follows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from itertools import product
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from ..fields.recognizers import recognize, recognizer
from ..labels import LabelledPage, Record, Span
from .choice import choose
from .slots import Cells, Kind, Slot, fill, slots_of, zones

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..page import Page
    from ..wrapper import Wrapper

_SLOTS_PER_FIELD = 4
_COMBINED = 5000
_KINDS_PER_FIELD = 3
_COMBINATIONS = 60
_ATTEMPTS = 16
# A slot with fewer votes than this share of the records is not where a field stands.
_LEAST_VOTES = 0.2


@dataclass(frozen=True)
class Corroborated:
    """A wrapper, the labels it was learned from, and the field whose recognizer was taken to be
    right."""

    wrapper: Wrapper
    labels: tuple[LabelledPage, ...]
    anchor: str


Filled = list[list[Span | None]]


@dataclass(frozen=True)
class _Hypothesis:
    """The value of each field in each record of each page, and how well they agree with what was recognized."""

    score: float
    anchor: str
    values: Mapping[str, Filled]

    def labels(self, pages: Sequence[Page]) -> tuple[LabelledPage, ...]:
        labels = []
        for number, page in enumerate(pages):
            columns = {field: filled[number] for field, filled in self.values.items()}
            records = tuple(
                Record({name: span for name, span in zip(columns, row, strict=True) if span})
                for row in zip(*columns.values(), strict=True)
            )
            if records:
                labels.append(LabelledPage(page, records))
        return tuple(labels)


def corroborate(
    pages: Sequence[Page],
    recognizers: Mapping[str, Any],
    learner: Callable[[Sequence[LabelledPage]], Wrapper] = choose,
) -> Corroborated:
    """Label pages by recognizers of their fields and learn a wrapper from the labels.

    ``recognizers`` maps each field to what :func:`~scrapy_wrapinduce.fields.recognizers.recognizer`
    takes. Raises :class:`CannotInduce` when no labels agree with the recognizers and have a
    wrapper.
    """
    finders = {field: recognizer(hint) for field, hint in recognizers.items()}
    found = {
        field: [recognize(page, finder) for page in pages] for field, finder in finders.items()
    }
    for field, by_page in found.items():
        if not any(by_page):
            raise CannotInduce(f"the recognizer of field {field!r} finds nothing on any page")
    cells = [Cells(page) for page in pages]
    hypotheses = [
        hypothesis
        for anchor in found
        for anchors in _anchors(cells, found[anchor])
        for hypothesis in _hypotheses(anchor, anchors, cells, found)
    ]
    reason = "no recognizer's instances can be anchors: the others are not found at fixed places around them"
    for hypothesis in nlargest(_ATTEMPTS, hypotheses, key=lambda item: item.score):
        labels = hypothesis.labels(pages)
        try:
            wrapper = learner(labels)
        except CannotInduce as error:
            reason = str(error)
        else:
            return Corroborated(wrapper, labels, hypothesis.anchor)
    raise CannotInduce(f"the recognizers cannot be corroborated: {reason}")


def _anchors(
    cells: Sequence[Cells], instances: Sequence[Sequence[Span]]
) -> Iterator[list[list[Span]]]:
    """What a recognizer found; then, should none be right, all cells like most of what it found."""
    yield [_apart(spans) for spans in instances]
    kinds: Counter[Kind] = Counter()
    for page, spans in zip(cells, instances, strict=True):
        kinds.update(kind for span in spans if (kind := page.kind_of(span)) is not None)
    for kind, votes in kinds.most_common(_KINDS_PER_FIELD):
        alike = [page.of_kind(kind) for page in cells]
        if votes >= _LEAST_VOTES * sum(map(len, alike)):
            yield alike


def _hypotheses(
    anchor: str,
    anchors: Sequence[Sequence[Span]],
    cells: Sequence[Cells],
    found: Mapping[str, Sequence[Sequence[Span]]],
) -> Iterator[_Hypothesis]:
    """Labels under the assumption that one recognizer is right."""
    if not any(anchors):
        return
    others = [field for field in found if field != anchor]
    # With many fields only their likeliest places are combined, so that the combinations stay few.
    most = int(_COMBINED ** (1 / max(1, len(others))))
    options: list[list[tuple[float, Filled]]] = []
    for field in others:
        slots = _vote(anchors, cells, found[field])[: max(2, most)]
        columns = [_fill(anchors, cells, slot) for slot in slots]
        options.append([(_agreement(column, found[field]), column) for column in columns])
    if not all(options):
        return
    own: Filled = [list(spans) for spans in anchors]
    agreement = _agreement(own, found[anchor])
    combinations = product(*options)
    best = nlargest(_COMBINATIONS, combinations, key=lambda chosen: sum(item[0] for item in chosen))
    for combination in best:
        values = {anchor: own}
        values.update(zip(others, (column for _, column in combination), strict=True))
        score = (
            agreement + sum(part for part, _ in combination) - _incomplete(list(values.values()))
        )
        yield _Hypothesis(score, anchor, values)


def _apart(spans: Sequence[Span]) -> list[Span]:
    """Spans without those that overlap an earlier one."""
    result: list[Span] = []
    for span in spans:
        if not result or span.start >= result[-1].end:
            result.append(span)
    return result


def _vote(
    anchors: Sequence[Sequence[Span]], cells: Sequence[Cells], instances: Sequence[Sequence[Span]]
) -> list[Slot]:
    """The slots in which most records have an instance, most votes first."""
    votes: Counter[Slot] = Counter()
    records = sum(map(len, anchors))
    for page_anchors, page_cells, page_instances in zip(anchors, cells, instances, strict=True):
        for behind in (True, False):
            for zone in zones(page_anchors, len(page_cells.html), behind=behind):
                votes.update(slots_of(page_cells, zone, page_instances, behind=behind))
    best = votes.most_common(2 * _SLOTS_PER_FIELD)
    return [slot for slot, count in best if count >= _LEAST_VOTES * records]


def _fill(anchors: Sequence[Sequence[Span]], cells: Sequence[Cells], slot: Slot) -> Filled:
    """What stands in a slot of each record, whether or not it was recognized."""
    return [
        [fill(page, zone, slot) for zone in zones(spans, len(page.html), behind=slot.behind)]
        for spans, page in zip(anchors, cells, strict=True)
    ]


def _agreement(column: Filled, instances: Sequence[Sequence[Span]]) -> float:
    """How well a field's values and its recognizer agree; one that both misses and invents counts
    less (section 7)."""
    both = missed = invented = 0
    for spans, recognized in zip(column, instances, strict=True):
        values, seen = {span for span in spans if span}, set(recognized)
        both += len(values & seen)
        missed += len(values - seen)
        invented += len(seen - values)
    everything = both + missed + invented
    return (both - min(missed, invented)) / everything if everything else 0.0


def _incomplete(columns: Sequence[Filled]) -> float:
    """A cut between records that leaves the first or last incomplete is most likely a wrong cut."""
    rows = [row for page in zip(*columns, strict=True) for row in zip(*page, strict=True)]
    return 2.0 * sum(None in row for row in rows) / len(rows)
