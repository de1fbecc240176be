"""Cases: where a field's value stands in a document, and what the wrapper says it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..wrapper import Extraction
from .dom import Document, Element, Text, Value, common_ancestor
from .rules import Where, elements

Nodes = list[Text | Value]


@dataclass
class Scope:
    """The part of a document in which a record's fields are looked for."""

    document: Document
    element: Element
    is_page: bool = True
    _found: dict[Where, list[Element]] = field(default_factory=dict, repr=False)

    def find(self, where: Where) -> list[Element]:
        """The elements that a selector finds here."""
        found = self._found.get(where)
        if found is None:
            found = self._found[where] = elements(self.element, where)
        return found


@dataclass(frozen=True)
class Case:
    """One record's value of one field: None where it has none."""

    scope: Scope
    value: str | list[str] | None
    nodes: Nodes

    @property
    def base(self) -> Element:
        """The innermost element around the value."""
        return common_ancestor([holder(node) for node in self.nodes])

    @property
    def texts(self) -> list[Text]:
        return [node for node in self.nodes if isinstance(node, Text)]


def holder(node: Text | Value) -> Element:
    """The element that a node belongs to."""
    return node.parent if isinstance(node, Text) else node.element


def nodes_of(document: Document, extraction: Extraction) -> list[dict[str, Nodes]]:
    """For every record of a page the nodes of its fields."""
    found: list[dict[str, Nodes]] = [defaultdict(list) for _ in extraction.records]
    for place in extraction.places:
        if 0 <= place.record < len(found):
            found[place.record][place.field] += document.at(place.start, place.end)
    return found


def is_plain(value: Any) -> bool:
    """Whether a value is text or a list of texts, which selectors can read."""
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )


@dataclass(frozen=True)
class Row:
    """One record as the wrapper reads it, and where its values stand."""

    scope: Scope
    values: Mapping[str, Any]
    nodes: Mapping[str, Nodes]

    def case(self, name: str) -> Case:
        return Case(self.scope, self.values.get(name), self.nodes.get(name, []))


def page_rows(documents: Sequence[Document], extractions: Sequence[Extraction]) -> list[Row]:
    """Pages of one record each."""
    rows = []
    for document, extraction in zip(documents, extractions, strict=True):
        scope = Scope(document, document.root)
        if extraction.records:
            rows.append(Row(scope, extraction.records[0], nodes_of(document, extraction)[0]))
        else:
            rows.append(Row(scope, {}, {}))
    return rows
