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
from itertools import islice, product
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


@dataclass(frozen=True)
class _Hypothesis:
    score: float
    anchor: str
    labels: tuple[LabelledPage, ...]


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
        for hypothesis in _hypotheses(anchor, anchors, pages, cells, found)
    ]
    reason = "no recognizer's instances can be anchors: the others are not found at fixed places around them"
    for hypothesis in nlargest(_ATTEMPTS, hypotheses, key=lambda item: item.score):
        try:
            wrapper = learner(hypothesis.labels)
        except CannotInduce as error:
            reason = str(error)
        else:
            return Corroborated(wrapper, hypothesis.labels, hypothesis.anchor)
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
    pages: Sequence[Page],
    cells: Sequence[Cells],
    found: Mapping[str, Sequence[Sequence[Span]]],
) -> Iterator[_Hypothesis]:
    """Labels under the assumption that one recognizer is right."""
    if not any(anchors):
        return
    others = [field for field in found if field != anchor]
    # With many fields only their likeliest places are combined, so that the combinations stay few.
    most = int(_COMBINED ** (1 / max(1, len(others))))
    ranked = [_vote(anchors, cells, found[field])[: max(2, most)] for field in others]
    if not all(ranked):
        return
    combinations = sorted(product(*ranked), key=lambda slots: -sum(votes for votes, _ in slots))
    for combination in islice(combinations, _COMBINATIONS):
        slots = {field: slot for field, (_, slot) in zip(others, combination, strict=True)}
        labels = tuple(
            LabelledPage(page, _records(anchor, spans, slots, page_cells))
            for page, spans, page_cells in zip(pages, anchors, cells, strict=True)
            if spans
        )
        yield _Hypothesis(_agreement(labels, found, pages), anchor, labels)


def _apart(spans: Sequence[Span]) -> list[Span]:
    """Spans without those that overlap an earlier one."""
    result: list[Span] = []
    for span in spans:
        if not result or span.start >= result[-1].end:
            result.append(span)
    return result


def _vote(
    anchors: Sequence[Sequence[Span]], cells: Sequence[Cells], instances: Sequence[Sequence[Span]]
) -> list[tuple[float, Slot]]:
    """The slots in which most records have an instance, with their share of the votes."""
    votes: Counter[Slot] = Counter()
    records = sum(map(len, anchors))
    for page_anchors, page_cells, page_instances in zip(anchors, cells, instances, strict=True):
        for behind in (True, False):
            for zone in zones(page_anchors, len(page_cells.html), behind=behind):
                votes.update(slots_of(page_cells, zone, page_instances, behind=behind))
    best = votes.most_common(2 * _SLOTS_PER_FIELD)
    return [(count / records, slot) for slot, count in best if count >= _LEAST_VOTES * records]


def _records(
    anchor: str, anchors: Sequence[Span], slots: Mapping[str, Slot], cells: Cells
) -> tuple[Record, ...]:
    """The records around the anchors, all slots filled."""
    length = len(cells.html)
    sides = {behind: zones(anchors, length, behind=behind) for behind in (True, False)}
    records = []
    for number, span in enumerate(anchors):
        values: dict[str, Span | tuple[Span, ...]] = {anchor: span}
        for field, slot in slots.items():
            value = fill(cells, sides[slot.behind][number], slot)
            if value is not None:
                values[field] = value
        records.append(Record(values))
    return tuple(records)


def _agreement(
    labels: Sequence[LabelledPage],
    found: Mapping[str, Sequence[Sequence[Span]]],
    pages: Sequence[Page],
) -> float:
    """How well labels and recognizers agree; a recognizer that both misses and invents counts less
    (section 7)."""
    records = [record for page in labels for record in page.records]
    incomplete = sum(len(record.values) < len(found) for record in records)
    # A cut between records that leaves the first or last one incomplete is most likely the wrong cut.
    total = -2.0 * incomplete / len(records)
    for field, by_page in found.items():
        both = missed = invented = 0
        labelled = {id(page.page): page for page in labels}
        for page, spans in zip(pages, by_page, strict=True):
            known = labelled.get(id(page))
            values = {record.values.get(field) for record in known.records} if known else set()
            values.discard(None)
            seen = set(spans)
            both += len(values & seen)
            missed += len(values - seen)
            invented += len(seen - values)
        everything = both + missed + invented
        total += (both - min(missed, invented)) / everything if everything else 0
    return total
