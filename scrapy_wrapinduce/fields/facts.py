"""Tables of facts: where some labels are known, others of the same kind can be read too.

A sample of a shop's pages may hold no book, and so no ISBN. Where at least three fields of an item stand in
one region behind labels that are marked alike (head cells, terms of a definition list), every other label
marked so in that region is a field as well, on whatever page it turns up.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ..landmark.field import Facts, joined
from .columns.column import Column
from .columns.elements import LABEL_TAGS, enclosing
from .examples.spelling import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..landmark.read import Nonterminal
    from .sample.texts import Sample

LEAST_LABELS = 3


def find_facts(columns: Sequence[Column]) -> tuple[Facts, ...]:
    """The regions of labelled facts among the fields of an item."""
    known: dict[tuple[Nonterminal, str], dict[str, None]] = defaultdict(dict)
    for column in columns:
        element = _label_element(column)
        for at in column.candidate.locators:
            if element and at.label:
                known[at.nonterminal, element][at.label] = None
    groups = sorted(known.items(), key=lambda item: -len(item[1]))
    found: list[Facts] = []
    covered: set[str] = set()
    for (nonterminal, element), labels in groups:
        if len(labels) >= LEAST_LABELS and not covered & set(labels):
            covered |= set(labels)
            found.append(Facts(nonterminal, element, tuple(labels)))
    return tuple(found)


def facts_shown(
    columns: Sequence[Column], wanted: Mapping[str, Mapping[int, str]], shown: Sequence[int]
) -> tuple[Facts, ...]:
    """Those facts beside ``columns`` that are just what the examples of the pages ``shown`` want, by field and page."""
    found = []
    rest = dict(wanted)
    for facts in find_facts(columns):
        read = {page: _facts_of(facts, columns[0].sample, page) for page in shown}
        names = {}
        for name, values in rest.items():
            labels = {label for there in read.values() for label in there}
            fits = (
                label
                for label in sorted(labels)
                if all(read[page].get(label) == values.get(page) for page in shown)
            )
            label = next(fits, None)
            if label is not None and label not in names:
                names[label] = name
        if names:
            found.append(replace(facts, names=tuple(names.items())))
            rest = {name: values for name, values in rest.items() if name not in names.values()}
    return tuple(found)


def _facts_of(facts: Facts, sample: Sample, page: int) -> dict[str, str]:
    """The facts on a page by their labels, of which the first counts."""
    region = sample.readings[page].regions.get(facts.nonterminal)
    if region is None:
        return {}
    labelled = facts.labelled(sample.texts[page], region)
    return {label: plain(joined(values)) for label, values in reversed(list(labelled))}


def _label_element(column: Column) -> str:
    for page, extent in enumerate(column.candidate.extents):
        if extent is not None and extent.first:
            tags = enclosing(column.sample.texts[page], extent.first - 1, most=1)
            return tags[0].name if tags and tags[0].name in LABEL_TAGS else ""
    return ""
