"""Repair: carry a wrapper over to changed pages (Meng, Hu, Li 2003, section 3).

Four steps: the features kept while the wrapper was healthy, item recovery on the new pages, semantic blocks, and
re-induction from these. The new wrapper must read the pages it was made for as the old one read its own, field
by field, before it takes the old one's place; else :class:`CannotRepair` says what is not sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import CannotInduce, CannotRepair
from ..labels import LabelledPage, Record, Span
from ..page import Page
from ..records.tree import tree_of
from .features import profile
from .health import kept_health, read, sum_up
from .likeness import likeness
from .recover import recover
from .verify import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..wrapper import Wrapper
    from .blocks import Block
    from .health import Health, Reading
    from .recover import Recovery

_SURE = 0.3
_ALWAYS = 0.9
_RECOVERIES_TRIED = 3


@dataclass(frozen=True)
class Repair:
    """A repaired wrapper and how sure each of its fields is, from 0 to 1."""

    wrapper: Wrapper
    confidence: dict[str, float]


def repair(wrapper: Wrapper, changed: Page | Iterable[Page]) -> Repair:
    """A wrapper of the same fields for the changed pages."""
    pages = [changed] if isinstance(changed, Page) else list(changed)
    if not pages:
        raise CannotRepair("there are no pages to repair the wrapper from")
    health = kept_health(wrapper)
    readings = [read(wrapper, page) for page in pages]
    if judge(health, readings).ok:
        return Repair(wrapper, {name: 1.0 for name in health.fields})
    if not health.fields:
        raise CannotRepair("the wrapper read nothing while it was healthy: learn it again")
    failed = None
    for attempt in _attempts(pages, health):
        try:
            return _accepted(_induced(attempt), pages, health)
        except (CannotInduce, CannotRepair) as error:
            failed = failed or error
    if failed is None:
        raise CannotRepair(f"{_where(pages)}: nothing on the page looks like the fields' values")
    raise CannotRepair(str(failed)) from failed


def _attempts(pages: Sequence[Page], health: Health) -> list[list[LabelledPage]]:
    """The likeliest labels of the changed pages, best first."""
    recoveries = [recover(tree_of(page), health) for page in pages]
    attempts = []
    for rank in range(_RECOVERIES_TRIED):
        labelled = [
            LabelledPage(page, records)
            for page, found in zip(pages, recoveries, strict=True)
            if rank < len(found) and (records := _records(found[rank], health))
        ]
        if labelled:
            attempts.append(labelled)
    return attempts


def _records(recovery: Recovery, health: Health) -> tuple[Record, ...]:
    needed = {name for name, field in health.fields.items() if field.share >= _ALWAYS}
    needed &= set(recovery.columns)
    full = [block for block in recovery.records if needed <= set(block)]
    return tuple(_record(block, health) for block in full)


def _record(block: Block, health: Health) -> Record:
    values: dict[str, Span | tuple[Span, ...]] = {}
    for name in health.fields:
        found = block.get(name)
        if found:
            spans = tuple(candidate.span for candidate in found)
            values[name] = spans if health.fields[name].many else spans[0]
    return Record(values)


def _induced(labelled: Sequence[LabelledPage]) -> Wrapper:
    from .. import delimiter, records

    try:
        return records.learn(labelled)
    except CannotInduce:
        return delimiter.choose(labelled)


def _accepted(wrapper: Wrapper, pages: Sequence[Page], health: Health) -> Repair:
    """The new wrapper with its own health, where it reads the pages as the old one read its own."""
    readings = [read(wrapper, page) for page in pages]
    confidence = {name: _confidence(name, health, readings) for name in health.fields}
    for name, sure in confidence.items():
        if sure < _SURE and health.fields[name].share >= 0.5:
            raise CannotRepair(
                f"{_where(pages)}: no values on the page are sure to be those of field {name!r} "
                f"(confidence {sure:.2f}); give an example"
            )
    return Repair(wrapper.with_health(sum_up(readings).to_dict()), confidence)


def _confidence(name: str, health: Health, readings: Sequence[Reading]) -> float:
    seen = [s for reading in readings for s in reading.sightings.get(name, ())]
    if not seen:
        return 0.0
    return round(min(1.0, likeness(health.fields[name].profile, profile(seen))), 4)


def _where(pages: Sequence[Page]) -> str:
    return next((page.url for page in pages if page.url), None) or "the page"
