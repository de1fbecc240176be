"""The wrapper of the landmark family: a tree, and fields that say which of its regions are wanted."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import InvalidWrapper
from ..fields.clean import NOTHING, Cleaning
from ..names import slug
from ..records.wrapper import RecordsWrapper
from ..wrapper import Extraction, Failure, Place, Wrapper, family_class
from .candidates import Extent, Locator, RegionTexts, Texts, locate, node_texts
from .flow import flowing_values
from .labelled import is_label_of, value_after
from .parts import AttributeAt, Part
from .read import ROOT, Nonterminal, Reader, Reading
from .saved import (
    LocatorReader,
    list_of,
    locator_data,
    node_data,
    read_attributes,
    read_node,
    text_of,
)
from .tree import LEAF, Tree

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..page import Page
    from .learn import LearnReport

MOST_FIELDS = 40
MOST_FACT_TEXTS = 400
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Field:
    """A named field: ways to find it, tried in order, whether it has several values, how to clean them.

    Its value may be a ``part`` of the text that is found, or instead of text an attribute. ``certainty`` says how
    sure it is that this is the field, where only its name was given; examples leave no doubt. ``type`` is what the
    pages' own data for machines takes its values for: ``number``, ``date`` or ``text``, or nothing. If it is
    ``flowing``, all of the sentences are its value in which that what is found stands.
    """

    name: str
    locators: tuple[Locator, ...]
    many: bool = False
    cleaning: Cleaning = NOTHING
    part: Part | None = None
    attributes: tuple[AttributeAt, ...] = ()
    certainty: float = 1.0
    type: str = ""
    flowing: bool = False

    @property
    def nonterminals(self) -> list[Nonterminal]:
        """The regions in which it is looked for."""
        texts = [at.nonterminal for at in self.locators]
        return texts + [at.nonterminal for at in self.attributes]


@dataclass(frozen=True, slots=True)
class NestedList:
    """A field that is a list of records, read by a wrapper of its own in a region of the page.

    ``before`` is the number of other fields that stand before it on the page.
    """

    name: str
    wrapper: Wrapper
    nonterminal: Nonterminal = ROOT
    before: int = 1 << 30
    cleanings: tuple[tuple[str, Cleaning], ...] = ()

    def read(self, page: Page, reading: Reading) -> Extraction:
        if self.nonterminal == ROOT or not isinstance(self.wrapper, RecordsWrapper):
            return self.wrapper.extract(page)
        region = reading.regions.get(self.nonterminal)
        if region is None:
            return Extraction()
        found = self.wrapper.extract_in(page, *region)
        if any(map(_is_head, found.records)):
            kept = [n for n, record in enumerate(found.records) if not _is_head(record)]
            number = {old: new for new, old in enumerate(kept)}
            found.places = [
                replace(at, record=number[at.record]) for at in found.places if at.record in number
            ]
            found.records = [found.records[n] for n in kept]
        return found

    def clean(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record of the list without what stands in its values' texts beside the values."""
        cleaned = self.wrapper.clean(record)
        for name, cleaning in self.cleanings:
            if name in cleaned:
                cleaned[name] = cleaning.apply(cleaned[name])
        return {name: value for name, value in cleaned.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"name": self.name, "family": self.wrapper.family}
        if self.nonterminal != ROOT:
            data |= {"at": list(self.nonterminal), "before": self.before}
        if self.cleanings:
            data["clean"] = {name: cleaning.to_dict() for name, cleaning in self.cleanings}
        return {**data, "wrapper": self.wrapper.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], read: LocatorReader) -> NestedList:
        return cls(
            text_of(data, "name"),
            family_class(text_of(data, "family")).from_dict(data["wrapper"]),
            read.one([*data["at"], 0]).nonterminal if "at" in data else ROOT,
            int(data.get("before", 1 << 30)),
            tuple((str(n), Cleaning.from_dict(c)) for n, c in data.get("clean", {}).items()),
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """A region of labelled facts: labels that the sample did not show become fields too."""

    nonterminal: Nonterminal
    element: str
    known: tuple[str, ...]


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
        return tuple(names)

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
        return replace(self, named=named, lists=lists)

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
            if item.attributes:
                values = _attribute_values(item, page, reading)
            else:
                found = locate(texts_in, reading, item.locators)
                if found is None:
                    result.failures.append(self._failure(item, reading))
                    continue
                values = flowing_values(*found) if item.flowing else _values(*found)
            if item.part is not None:
                values = _cut(values, item.part, page.html)
            if not values:
                continue
            record[item.name] = [text for text, _, _ in values] if item.many else _joined(values)
            result.places += [Place(0, item.name, *value) for value in values]
        for facts in self.facts:
            region = reading.regions.get(facts.nonterminal)
            if region is not None:
                self._read_facts(facts, texts_in(region), region, record, result)
        for nested in self.lists:
            inside = nested.read(page, reading)
            if inside.records:
                record[nested.name] = inside.records
                result.places += [
                    replace(
                        at,
                        record=0,
                        field=f"{nested.name}.{at.field}",
                        within=(at.record, *at.within),
                    )
                    for at in inside.places
                ]
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
            if isinstance(records := cleaned.get(item.name), list):
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

    def _read_facts(
        self,
        facts: Facts,
        texts: Texts,
        region: tuple[int, int],
        record: dict[str, Any],
        result: Extraction,
    ) -> None:
        """Fields for labels that stand among the known ones and were not in the sample."""
        first, last = texts.between(*region)
        for node in range(first, min(last, first + MOST_FACT_TEXTS)):
            label = texts.folded[node]
            if label in facts.known or not is_label_of(texts, node, facts.element):
                continue
            name = slug(label)
            place = value_after(texts, node, last)
            if not name or name in record or place is None or len(record) >= MOST_FIELDS:
                continue
            start, end = texts.starts[place[0]], texts.ends[place[1] - 1]
            values = _values(texts, Extent(*place, start, end))
            if values:
                record[name] = _joined(values)
                result.places += [Place(0, name, *value) for value in values]

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
        return Failure(item.name, "no text at its place")

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
            "fields": [
                {
                    "name": item.name,
                    "many": item.many,
                    "at": [locator_data(at) for at in item.locators],
                    **({"clean": item.cleaning.to_dict()} if item.cleaning else {}),
                    **({"part": list(item.part)} if item.part else {}),
                    **({"in": [at.to_data() for at in item.attributes]} if item.attributes else {}),
                    **({"sure": item.certainty} if item.certainty < 1 else {}),
                    **({"type": item.type} if item.type else {}),
                    **({"flowing": True} if item.flowing else {}),
                }
                for item in self.named
            ],
            "facts": [
                {"at": list(item.nonterminal), "element": item.element, "known": list(item.known)}
                for item in self.facts
            ],
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
        named = tuple(
            Field(
                text_of(item, "name"),
                read.several(item["at"]) if item["at"] or not item.get("in") else (),
                bool(item.get("many")),
                Cleaning.from_dict(item.get("clean", {})),
                Part.from_data(item.get("part")),
                tuple(read.attribute(at) for at in item.get("in", ())),
                float(item.get("sure", 1.0)),
                str(item.get("type", "")),
                bool(item.get("flowing")),
            )
            for item in list_of(data, "fields")
        )
        offered = tuple(read.several(item) for item in list_of(data, "candidates"))
        facts = tuple(
            Facts(
                read.one([*item["at"], 0]).nonterminal,
                text_of(item, "element"),
                tuple(map(str, item["known"])),
            )
            for item in data.get("facts", ())
        )
        lists = tuple(NestedList.from_dict(item, read) for item in data.get("lists", ()))
        return cls(Tree(nodes), named, offered, facts, lists, read_attributes(data))


def _is_head(record: Mapping[str, Any]) -> bool:
    """Whether a record is a row of heads: its values are the names of its fields."""
    same = sum(isinstance(value, str) and slug(value) == name for name, value in record.items())
    return 2 * same > len(record)


def _values(texts: Texts, extent: Extent) -> list[tuple[str, int, int]]:
    """The text nodes of an extent that say something, with their places."""
    html = texts.page.html
    found = []
    for index in range(extent.first, extent.last):
        start = max(texts.starts[index], extent.start)
        end = min(texts.ends[index], extent.end)
        text = " ".join(node_texts(texts, Extent(index, index + 1, start, end)))
        if _WORD.search(text):
            source = html[start:end]
            start += len(source) - len(source.lstrip())
            end -= len(source) - len(source.rstrip())
            found.append((text, start, end))
    return found


def _attribute_values(item: Field, page: Page, reading: Reading) -> list[tuple[str, int, int]]:
    for at in item.attributes:
        found = at.read(page, reading)
        if found is not None:
            return [found]
    return []


def _cut(values: list[tuple[str, int, int]], part: Part, html: str) -> list[tuple[str, int, int]]:
    """The part of a value, with its place where the source spells it as it reads."""
    text = part.cut(_joined(values)) if values else None
    if text is None:
        return []
    start, end = values[0][1], values[-1][2]
    place = html.find(text, start, end)
    return [(text, place, place + len(text)) if place >= 0 else (text, start, end)]


def _joined(values: list[tuple[str, int, int]]) -> str:
    return " ".join(text for text, _, _ in values)


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n    ")
