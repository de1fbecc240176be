"""What a landmark wrapper reads: fields, lists of records, and regions of labelled facts, each as plain data.

Each knows how it is found in a page that was read with the tree, and how it is written to the wrapper's file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..fields.values.clean import NOTHING, Cleaning
from ..names import slug
from ..records.wrapper import RecordsWrapper
from ..texts import Extent, Texts, node_texts
from ..wrapper import Extraction, Place, Wrapper, family_class
from .candidates import Locator, locate
from .flow import flowing_values
from .labelled import is_label_of, value_after
from .parts import AttributeAt, Part
from .read import ROOT, Nonterminal, Reading
from .saved import LocatorReader, locator_data, text_of

if TYPE_CHECKING:
    from ..page import Page

MOST_FACT_TEXTS = 400
_WORD = re.compile(r"\w")

Value = tuple[str, int, int]  # what it says, and its place in the source


@dataclass(frozen=True, slots=True)
class Field:
    """A named field: ways to find it, tried in order, whether it has several values, how to clean them.

    Its value may be a ``part`` of the text that is found, or instead of text an attribute. ``certainty`` says how
    sure it is that this is the field, where only its name was given; examples leave no doubt. ``type`` is what the
    pages' own data for machines takes its values for: ``number``, ``date`` or ``text``, or nothing. If it is
    ``flowing``, its value are all of the sentences in which that what is found stands.
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

    def read(
        self, page: Page, reading: Reading, texts_in: Callable[[tuple[int, int]], Texts]
    ) -> list[Value] | None:
        """Its values on a page; None where no way leads to its place."""
        if self.attributes:
            hits = (at.read(page, reading) for at in self.attributes)
            found = next((hit for hit in hits if hit is not None), None)
            values = [] if found is None else [found]
        else:
            place = locate(texts_in, reading, self.locators)
            if place is None:
                return None
            values = flowing_values(*place) if self.flowing else _values(*place)
        return values if self.part is None else _cut(values, self.part, page.html)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "many": self.many,
            "at": [locator_data(at) for at in self.locators],
            **({"clean": self.cleaning.to_dict()} if self.cleaning else {}),
            **({"part": list(self.part)} if self.part else {}),
            **({"in": [at.to_data() for at in self.attributes]} if self.attributes else {}),
            **({"sure": self.certainty} if self.certainty < 1 else {}),
            **({"type": self.type} if self.type else {}),
            **({"flowing": True} if self.flowing else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], read: LocatorReader) -> Field:
        return cls(
            text_of(data, "name"),
            read.several(data["at"]) if data["at"] or not data.get("in") else (),
            bool(data.get("many")),
            Cleaning.from_dict(data.get("clean", {})),
            Part.from_data(data.get("part")),
            tuple(read.attribute(at) for at in data.get("in", ())),
            float(data.get("sure", 1.0)),
            str(data.get("type", "")),
            bool(data.get("flowing")),
        )


@dataclass(frozen=True, slots=True)
class NestedList:
    """A field that is a list of records, read by a wrapper of its own in a region of the page.

    ``before`` is the number of other fields that stand before it on the page. If it is ``plain``, its records are one
    text each, and the field is a list of texts.
    """

    name: str
    wrapper: Wrapper
    nonterminal: Nonterminal = ROOT
    before: int = 1 << 30
    cleanings: tuple[tuple[str, Cleaning], ...] = ()
    plain: bool = False

    def values(self, page: Page, reading: Reading) -> tuple[list[Any], list[Place]]:
        """What the field holds on a page: its records or texts, and the places of their values."""
        found = self.read(page, reading)
        if not self.plain:
            places = [
                replace(
                    at,
                    record=0,
                    field=f"{self.name}.{at.field}",
                    within=(at.record, *at.within),
                )
                for at in found.places
            ]
            return found.records, places
        texts = [value for one in found.records for value in one.values()]
        return texts, [replace(at, record=0, field=self.name, within=()) for at in found.places]

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
        if self.plain:
            data["plain"] = True
        return {**data, "wrapper": self.wrapper.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], read: LocatorReader) -> NestedList:
        return cls(
            text_of(data, "name"),
            family_class(text_of(data, "family")).from_dict(data["wrapper"]),
            read.one([*data["at"], 0]).nonterminal if "at" in data else ROOT,
            int(data.get("before", 1 << 30)),
            tuple((str(n), Cleaning.from_dict(c)) for n, c in data.get("clean", {}).items()),
            bool(data.get("plain")),
        )


@dataclass(frozen=True, slots=True)
class Facts:
    """A region of labelled facts: labels that the sample did not show become fields too.

    With ``names``, by label, only these labels do.
    """

    nonterminal: Nonterminal
    element: str
    known: tuple[str, ...]
    names: tuple[tuple[str, str], ...] = ()

    def read(self, texts: Texts, region: tuple[int, int]) -> Iterator[tuple[str, list[Value]]]:
        """Fields for labels that stand among the known ones and were not in the sample."""
        names = dict(self.names)
        for label, values in self.labelled(texts, region):
            name = names.get(label) if names else slug(label)
            if name:
                yield name, values

    def without(self, names: Collection[str]) -> Facts | None:
        """The same without some of the fields it names; None where no other is left."""
        if not self.names:
            return self
        left = tuple((label, name) for label, name in self.names if name not in names)
        return replace(self, names=left) if left else None

    def labelled(self, texts: Texts, region: tuple[int, int]) -> Iterator[tuple[str, list[Value]]]:
        """The labels that stand among the known ones, with their values."""
        first, last = texts.between(*region)
        for node in range(first, min(last, first + MOST_FACT_TEXTS)):
            label = texts.folded[node]
            if label in self.known or not is_label_of(texts, node, self.element):
                continue
            place = value_after(texts, node, last)
            if place is not None:
                start, end = texts.starts[place[0]], texts.ends[place[1] - 1]
                values = _values(texts, Extent(*place, start, end))
                if values:
                    yield label, values

    def to_dict(self) -> dict[str, Any]:
        named = {"names": dict(self.names)} if self.names else {}
        return {
            "at": list(self.nonterminal),
            "element": self.element,
            "known": list(self.known),
            **named,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], read: LocatorReader) -> Facts:
        return cls(
            read.one([*data["at"], 0]).nonterminal,
            text_of(data, "element"),
            tuple(map(str, data["known"])),
            tuple((str(label), str(name)) for label, name in data.get("names", {}).items()),
        )


def joined(values: list[Value]) -> str:
    """Values as one text."""
    return " ".join(text for text, _, _ in values)


def _is_head(record: Mapping[str, Any]) -> bool:
    """Whether a record is a row of heads: its values are the names of its fields."""
    same = sum(isinstance(value, str) and slug(value) == name for name, value in record.items())
    return 2 * same > len(record)


def _values(texts: Texts, extent: Extent) -> list[Value]:
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


def _cut(values: list[Value], part: Part, html: str) -> list[Value]:
    """The part of a value, with its place where the source spells it as it reads."""
    text = part.cut(joined(values)) if values else None
    if text is None:
        return []
    start, end = values[0][1], values[-1][2]
    place = html.find(text, start, end)
    return [(text, place, place + len(text)) if place >= 0 else (text, start, end)]
