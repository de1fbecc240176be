"""The wrapper of the landmark family: a tree, and fields that say which of its regions are wanted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import InvalidWrapper
from ..fields.values.clean import Cleaning
from ..texts import RegionTexts, Texts, node_texts
from ..wrapper import Extraction, Failure, Place, Wrapper
from .candidates import Locator, locate
from .field import Facts, Field, NestedList, joined
from .read import Reader, Reading
from .saved import LocatorReader, list_of, locator_data, node_data, read_attributes, read_node
from .tree import LEAF, Tree

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..page import Page
    from .learn import LearnReport

MOST_FIELDS = 40


@dataclass(slots=True)
class LandmarkExtraction(Extraction):
    """What was read, with every nonterminal still at hand."""

    page: Page | None = None
    wrapper: LandmarkWrapper | None = None

    def candidates(self) -> dict[str, list[str]]:
        if self.page is None or self.wrapper is None:
            return {}
        return self.wrapper.read_candidates(self.page)


@dataclass(frozen=True)
class LandmarkWrapper(Wrapper):
    """Reads the pages of one template with a landmark tree."""

    family = "landmark"

    tree: Tree
    named: tuple[Field, ...] = ()
    offered: tuple[tuple[Locator, ...], ...] = field(default=(), repr=False)
    facts: tuple[Facts, ...] = ()
    lists: tuple[NestedList, ...] = ()
    attributes: tuple[str, ...] = ()  # rules of which attributes count, beside the usual ones
    report: LearnReport | None = field(default=None, repr=False, compare=False)  # not in the file

    @property
    def fields(self) -> tuple[str, ...]:
        names = [item.name for item in self.named]
        for item in self.lists[::-1]:
            names.insert(item.before, item.name)
        return (*names, *(name for facts in self.facts for _, name in facts.names))

    @property
    def certainties(self) -> dict[str, float]:
        """How sure it is, from 0 to 1, that each field is what its name asks for."""
        return {item.name: item.certainty for item in self.named}

    @property
    def suggested_types(self) -> dict[str, str]:
        """The types that the pages' data for machines gives to fields: ``number``, ``date`` or ``text``.

        ``wrapper.with_types(wrapper.suggested_types)`` gives items with such values.
        """
        return {item.name: item.type for item in self.named if item.type}

    def without_fields(self, names: Collection[str]) -> LandmarkWrapper:
        named = tuple(item for item in self.named if item.name not in names)
        lists = tuple(item for item in self.lists if item.name not in names)
        kept = (one.without(names) for one in self.facts)
        return replace(self, named=named, lists=lists, facts=tuple(one for one in kept if one))

    @cached_property
    def _reader(self) -> Reader:
        wanted = {nonterminal for item in self.named for nonterminal in item.nonterminals}
        wanted |= {item.nonterminal for item in self.facts}
        return Reader(self.tree, wanted | {item.nonterminal for item in self.lists})

    @cached_property
    def _full_reader(self) -> Reader:
        return Reader(self.tree)

    def extract(self, page: Page) -> Extraction:
        reading = self._reader.read(page)
        texts_in = RegionTexts(page, reading.outline)
        result = LandmarkExtraction(page=page, wrapper=self)
        record: dict[str, Any] = {}
        for item in self.named:
            values = item.read(page, reading, texts_in)
            if values is None:
                result.failures.append(self._failure(item, reading))
            elif values:
                texts = [text for text, _, _ in values]
                record[item.name] = texts if item.many else " ".join(texts)
                result.places += [Place(0, item.name, *value) for value in values]
        for facts in self.facts:
            region = reading.regions.get(facts.nonterminal)
            for name, values in facts.read(texts_in(region), region) if region else ():
                if name not in record and len(record) < MOST_FIELDS:
                    record[name] = joined(values)
                    result.places += [Place(0, name, *value) for value in values]
        for nested in self.lists:
            inside, places = nested.values(page, reading)
            if inside:
                record[nested.name] = inside
                result.places += places
        if record:
            result.records.append(self._ordered(record) if self.lists else record)
        sought = reading.found + len(reading.failed)
        result.coverage = reading.found / sought if sought else float(bool(record))
        return result

    def _ordered(self, record: dict[str, Any]) -> dict[str, Any]:
        """A record with its lists at their places among the fields."""
        names = [name for name in self.fields if name in record]
        return {name: record[name] for name in dict.fromkeys((*names, *record))}

    def clean(self, record: Mapping[str, Any]) -> dict[str, Any]:
        cleaned = {
            name: self._cleanings[name].apply(value) if name in self._cleanings else value
            for name, value in record.items()
        }
        for item in self.lists:
            if not item.plain and isinstance(records := cleaned.get(item.name), list):
                inside = [item.clean(one) for one in records if isinstance(one, Mapping)]
                cleaned[item.name] = [one for one in inside if one] or None
        return {name: value for name, value in cleaned.items() if value is not None}

    @cached_property
    def cleanings(self) -> dict[str, Cleaning]:
        lists = {f"{one.name}.{name}": how for one in self.lists for name, how in one.cleanings}
        return {**self._cleanings, **lists}

    @cached_property
    def _cleanings(self) -> dict[str, Cleaning]:
        return {item.name: item.cleaning for item in self.named if item.cleaning}

    def read_candidates(self, page: Page) -> dict[str, list[str]]:
        """Every candidate field of the grammar: its path and its text nodes."""
        reading = self._full_reader.read(page)
        texts = Texts(page, outline=reading.outline)
        found: dict[str, list[str]] = {}
        for locators in self.offered:
            place = locate(lambda _: texts, reading, locators)
            if place is not None:
                found[self.path(locators[0])] = node_texts(*place)
        return found

    def path(self, locator: Locator) -> str:
        """A locator as a person reads it."""
        (number, slot), take, label = locator
        where = "S" if number == LEAF else self.tree.nodes[number].paths[slot]
        which = f"→{label}" if label else f"#{take}" if take else ""
        return f"{number}.{slot}{where}{which}"

    def _failure(self, item: Field, reading: Reading) -> Failure:
        """Where the first landmark on the way to a field was not found."""
        failed = {number: (start, end, count) for number, start, end, count in reading.failed}
        number = item.nonterminals[0][0]
        while number != LEAF:
            if number in failed:
                start, end, count = failed[number]
                reason = "is there more than once" if count else "is missing"
                marks = ", ".join(map(str, self.tree.nodes[number].landmarks))
                return Failure(item.name, f"{marks} {reason}", start, end)
            number = self._parents[number]
        places = (reading.regions.get(nonterminal) for nonterminal in item.nonterminals)
        known = next((place for place in places if place is not None), None)
        return Failure(item.name, "no text at its place", *(known or (None, None)))

    @cached_property
    def _parents(self) -> list[int]:
        parents = [LEAF] * len(self.tree.nodes)
        for number, node in enumerate(self.tree.nodes):
            for child in node.children:
                if child != LEAF:
                    parents[child] = number
        return parents

    def describe(self) -> str:
        lines = [f"landmark wrapper: {len(self.named)} fields, {len(self.tree.nodes)} landmarks"]
        for item in self.named:
            several = " (several values)" if item.many else ""
            if item.certainty < 1:
                several += f" ({item.certainty:.0%} sure)"
            if item.attributes:
                at = item.attributes[0]
                lines.append(f"  {item.name}: the {at.attribute} of <{at.tag}>, number {at.take}")
                continue
            lines.append(f"  {item.name}{several}: {self.path(item.locators[0])}")
        lines += [
            f"  {item.name}: a list, by {_indented(item.wrapper.describe())}" for item in self.lists
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "fields": [item.to_dict() for item in self.named],
            "facts": [item.to_dict() for item in self.facts],
            "lists": [item.to_dict() for item in self.lists],
            **({"attributes": list(self.attributes)} if self.attributes else {}),
            "tree": [node_data(node) for node in self.tree.nodes],
            "candidates": [[locator_data(at) for at in locators] for locators in self.offered],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        nodes = tuple(read_node(item, number) for number, item in enumerate(list_of(data, "tree")))
        for number, node in enumerate(nodes):
            for child in node.children:
                # Children come after their parents: a tree without loops needs no further check.
                if child != LEAF and not number < child < len(nodes):
                    raise InvalidWrapper(f"node {number} of the tree names a child {child}")
        read = LocatorReader(nodes)
        named = tuple(Field.from_dict(item, read) for item in list_of(data, "fields"))
        offered = tuple(read.several(item) for item in list_of(data, "candidates"))
        facts = tuple(Facts.from_dict(item, read) for item in data.get("facts", ()))
        lists = tuple(NestedList.from_dict(item, read) for item in data.get("lists", ()))
        return cls(Tree(nodes), named, offered, facts, lists, read_attributes(data))


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n    ")
