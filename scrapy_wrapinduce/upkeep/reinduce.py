"""Re-induction: teach a new wrapper with the recovered items (Meng, Hu, Li 2003, section 3.4).

On list pages the likeliest recoveries of all pages are labels for the learners of records, on other pages examples for the learner of
templates. How faithfully a wrapper reads the recovered values back says which one to take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import CannotInduce, CannotRepair
from ..fields.examples.spelling import plain
from ..labels import LabelledPage, Record, Span
from ..records.tree import tree_of
from .blocks import configure
from .candidates import Candidate
from .recover import recover
from .single import recover_single

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..page import Page
    from ..records.tree import Tree
    from ..wrapper import Wrapper
    from .blocks import Block
    from .health import Health
    from .recover import Recovery

FAITHFUL = 0.95
_LEAST_FAITHFUL = 0.5
_ALWAYS = 0.9
_USUAL = 0.5
_RECOVERIES_TRIED = 3

_READ_BACK = 0.5

Settled = dict[str, list[list[Candidate]]]
Example = dict[str, Any]


class Taught(NamedTuple):
    """A wrapper, how faithfully it reads what it was taught, the fields that it does not read back, and those
    for which no other place was likely."""

    wrapper: Wrapper
    faith: float
    misread: frozenset[str] = frozenset()
    clear: frozenset[str] = frozenset()


def attempts(pages: Sequence[Page], health: Health) -> list[list[LabelledPage]]:
    """The likeliest labels of the changed pages, best first."""
    recoveries = [recover(tree_of(page), health) for page in pages]
    found_labels = []
    for rank in range(_RECOVERIES_TRIED):
        labelled = [
            LabelledPage(page, records)
            for page, found in zip(pages, recoveries, strict=True)
            if rank < len(found) and (records := _records(found[rank], health))
        ]
        if labelled:
            found_labels.append(labelled)
    return found_labels


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


def induced(labelled: Sequence[LabelledPage]) -> Taught:
    """The wrapper that reads the recovered records best, and how well it does."""
    from .. import delimiter, fuzzy, records

    best: Taught | None = None
    failed: CannotInduce | None = None
    for learn in (records.learn, delimiter.choose, fuzzy.learn):
        try:
            wrapper = learn(labelled)
        except CannotInduce as error:
            failed = failed or error
            continue
        faith = _faith(wrapper, labelled)
        if best is None or faith > best.faith:
            best = Taught(wrapper, faith)
        if faith >= (FAITHFUL if learn is records.learn else _LEAST_FAITHFUL):
            break
    if best is None:
        raise CannotRepair(f"the recovered records teach no wrapper: {failed}") from failed
    if best.faith < _LEAST_FAITHFUL:
        raise CannotRepair(
            f"{where([one.page for one in labelled])}: of the records recovered from the page no wrapper "
            f"reads more than {best.faith:.0%}; give examples"
        )
    return best


def induced_single(
    pages: Sequence[Page],
    health: Health,
    settled: Settled,
    every_field: bool,
    attributes: Sequence[str] = (),
) -> Taught:
    """A wrapper for pages that are about one thing each, from the values recovered on them.

    ``attributes`` are the rules of the old wrapper of which attributes count.
    """
    trees = [tree_of(page) for page in pages]
    found, clear = recover_single(trees, health, settled)
    for name, field in health.fields.items() if every_field else ():
        if field.pages >= _USUAL and not any(name in row for row in found):
            raise CannotRepair(
                f"{where(pages)}: no place on the pages looks like field {name!r}; give an example"
            )
    taught = [name for name in health.fields if any(name in row for row in found)]
    examples = [_example(tree, row, taught, health) for tree, row in zip(trees, found, strict=True)]
    if not any(examples):
        raise CannotRepair(f"{where(pages)}: nothing on the pages looks like the fields' values")
    try:
        wrapper: Wrapper = _learned_item(pages, examples, every_field, attributes)
    except CannotInduce:
        # A template cannot be told from one page; where its values stand can.
        return induced(
            [
                LabelledPage(page, (_record(row, health),))
                for page, row in zip(pages, found, strict=True)
                if row
            ]
        )
    return _read_back(wrapper, pages, examples)._replace(clear=clear)


def _read_back(
    wrapper: Wrapper, pages: Sequence[Page], examples: Sequence[Example | None]
) -> Taught:
    """How a wrapper reads the pages that it was taught with."""
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    total = hits = 0
    for page, example in zip(pages, examples, strict=True):
        record = (wrapper.extract(page).records or [{}])[0]
        for name, value in (example or {}).items():
            found, wanted = _spelled(record.get(name)), _spelled(value)
            total += 1
            hits += found == wanted
            asked[name] += bool(found or wanted)
            right[name] += found == wanted != ""
    misread = frozenset(name for name in asked if right[name] < _READ_BACK * asked[name])
    return Taught(wrapper, hits / total, misread)


def _spelled(value: Any) -> str:
    """A value as one text, be it a list of one or of many, or of records."""
    if isinstance(value, Mapping):
        value = list(value.values())
    parts = map(_spelled, value) if isinstance(value, list) else [str(value or "")]
    return plain(" ".join(parts))


def _learned_item(
    pages: Sequence[Page],
    examples: Sequence[Example | None],
    every_field: bool,
    attributes: Sequence[str],
) -> Wrapper:
    """A wrapper from examples; where it need not have every field, without lists whose records teach nothing."""
    from ..fields.item import learn_item

    try:
        return learn_item(pages, examples=examples, every_field=every_field, attributes=attributes)
    except CannotInduce:
        if every_field:
            raise
        flat = [_without_lists(example) for example in examples]
        if flat == examples or not any(flat):
            raise
        return learn_item(pages, examples=flat, every_field=every_field, attributes=attributes)


def _without_lists(example: Example | None) -> Example | None:
    kept = {
        name: value
        for name, value in (example or {}).items()
        if not (isinstance(value, list) and value and isinstance(value[0], dict))
    }
    return kept or None


def _example(
    tree: Tree, found: Mapping[str, list[Candidate]], taught: Sequence[str], health: Health
) -> Example | None:
    """What was found on a page as an example; the values of a list inside the record as its records.

    A field without a value is None, so that no place is taken for its own that has something else there.
    """
    if not found:
        return None
    lists: dict[str, dict[str, list[Candidate]]] = {}
    example: Example = {name: None for name in taught if name not in found and "." not in name}
    for name, values in found.items():
        owner, dot, inner = name.partition(".")
        if dot:
            lists.setdefault(owner, {})[inner] = values
        elif health.fields[name].many:
            example[name] = [c.value for c in values]
        else:
            example[name] = values[0].value
    for owner, columns in lists.items():
        optional = [n for n in columns if health.fields[f"{owner}.{n}"].share < _ALWAYS]
        blocks = configure(tree, columns, optional=optional)
        example[owner] = [
            {n: row[n][0].value for n in columns if n in row} for row in blocks.records
        ]
    return example


def _faith(wrapper: Wrapper, labelled: Sequence[LabelledPage]) -> float:
    """The share of the recovered values that a wrapper reads at their places, less records that lack what all have."""
    always = set.intersection(*(set(r.values) for one in labelled for r in one.records))
    right = total = whole = read = 0
    for one in labelled:
        extraction = wrapper.extract(one.page)
        found = {(place.field, place.start) for place in extraction.places}
        for record in one.records:
            for name, spans in record.values.items():
                first = spans if isinstance(spans, Span) else spans[0]
                total += 1
                right += (name, first.start) in found
        read += len(extraction.records)
        whole += sum(always <= record.keys() for record in extraction.records)
    return right / max(1, total) * whole / max(1, read)


def where(pages: Sequence[Page]) -> str:
    return next((page.url for page in pages if page.url), None) or "the page"
