"""Cases: where a field's value stands in a document, and what the wrapper says it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..wrapper import Extraction, Place
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


@dataclass
class Located:
    """A record as the wrapper reads it: its values, their nodes, and the records of its lists."""

    values: Mapping[str, Any]
    nodes: dict[str, Nodes] = field(default_factory=lambda: defaultdict(list))
    lists: dict[str, list[Located]] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Located:
        lists = {name: list(map(cls.of, one)) for name, one in values.items() if is_list(one)}
        return cls(values, lists=lists)

    def add(self, place: Place, nodes: Nodes) -> None:
        """Put the nodes of a place where it belongs."""
        record, name = self, place.field
        for number in place.within:
            inside = next((one for one in record.lists if name.startswith(f"{one}.")), None)
            if inside is None or number >= len(record.lists[inside]):
                return
            record, name = record.lists[inside][number], name.removeprefix(f"{inside}.")
        record.nodes[name] += nodes

    def held(self) -> list[Element]:
        """The elements that hold its values, those of its lists too."""
        own = [holder(node) for nodes in self.nodes.values() for node in nodes]
        inside = (one for records in self.lists.values() for one in records)
        return own + [element for one in inside for element in one.held()]


def located(document: Document, extraction: Extraction) -> list[Located]:
    """The records of a page, with the nodes of their values."""
    found = list(map(Located.of, extraction.records))
    for place in extraction.places:
        if 0 <= place.record < len(found):
            found[place.record].add(place, document.at(place.start, place.end))
    return found


def is_plain(value: Any) -> bool:
    """Whether a value is text or a list of texts."""
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )


def is_list(value: Any) -> bool:
    """Whether a value is a list of records."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, Mapping) and one for one in value)
    )


@dataclass(frozen=True)
class Row:
    """One record, and the part of the document that is its own."""

    scope: Scope
    record: Located

    @property
    def values(self) -> Mapping[str, Any]:
        return self.record.values

    def case(self, name: str) -> Case:
        return Case(self.scope, self.values.get(name), self.record.nodes.get(name, []))


def page_rows(documents: Sequence[Document], extractions: Sequence[Extraction]) -> list[Row]:
    """Pages of one record each."""
    rows = []
    for document, extraction in zip(documents, extractions, strict=True):
        found = located(document, extraction)
        rows.append(Row(Scope(document, document.root), found[0] if found else Located({})))
    return rows
