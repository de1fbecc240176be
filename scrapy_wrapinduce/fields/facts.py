"""Tables of facts: where some labels are known, others of the same kind can be read too.

A sample of a shop's pages may hold no book, and so no ISBN. Where at least three fields of an item stand in
one region behind labels that are marked alike (head cells, terms of a definition list), every other label
marked so in that region is a field as well, on whatever page it turns up.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ..landmark.field import Facts
from .columns import Column
from .elements import LABEL_TAGS, enclosing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..landmark.read import Nonterminal

LEAST_LABELS = 3


def find_facts(columns: Sequence[Column]) -> tuple[Facts, ...]:
    """The regions of labelled facts among the fields of an item."""
    known: dict[tuple[Nonterminal, str], list[str]] = defaultdict(list)
    for column in columns:
        element = _label_element(column)
        for at in column.candidate.locators:
            if element and at.label:
                known[at.nonterminal, element].append(at.label)
    groups = sorted(known.items(), key=lambda item: -len(item[1]))
    found: list[Facts] = []
    covered: set[str] = set()
    for (nonterminal, element), labels in groups:
        if len(labels) >= LEAST_LABELS and not covered & set(labels):
            covered |= set(labels)
            found.append(Facts(nonterminal, element, tuple(labels)))
    return tuple(found)


def _label_element(column: Column) -> str:
    for page, extent in enumerate(column.candidate.extents):
        if extent is not None and extent.first:
            tags = enclosing(column.sample.texts[page], extent.first - 1, most=1)
            return tags[0].name if tags and tags[0].name in LABEL_TAGS else ""
    return ""
