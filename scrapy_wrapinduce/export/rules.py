"""Rules: selectors that read one field, and what they read.

A rule finds elements (``where``: CSS or XPath), takes strings from one of them (``what``: XPath
relative to the element), folds and joins them. A field has one rule or several, of which the first that
finds something counts. The code that is exported does exactly this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from cssselect import SelectorError
from lxml import etree
from parsel.csstranslator import css2xpath

from ..fields.values.clean import NOTHING, Cleaning
from .dom import Element, fold_text

Record = dict[str, Any]
NO_HEADS: Mapping[str, Sequence[str]] = MappingProxyType({})

ALL_TEXT = ".//text()"
SEEN_TEXT = ".//text()[not(parent::script or parent::style)]"
WHOLE_TEXT = "string()"
SPACED, GLUED, EVERY = "text", "glued", "texts"  # how the strings make a value
_WORD = re.compile(r"\w")
# As parsel's selectors know it.
_NAMESPACES = {"re": "http://exslt.org/regular-expressions"}


@dataclass(frozen=True, slots=True)
class Where:
    """Which elements: a CSS selector or an XPath expression."""

    css: str = ""
    xpath: str = ""

    def __str__(self) -> str:
        return self.css or self.xpath


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to read a field."""

    where: Where
    what: str = ALL_TEXT
    nth: int = 1  # of the elements found; -1 for the last, 0 for all of them
    how: str = SPACED
    pattern: str = ""
    until: str = ""  # XPath of what ends the strings; without it on the page there are none
    cost: int = field(default=0, compare=False)

    def read(self, scope: Element) -> str | list[str] | None:
        """The field's value below an element; None where there is none."""
        return self.value(self.strings(elements(scope, self.where)))

    def strings(self, found: Sequence[Element]) -> list[str]:
        """What the rule takes from the elements found."""
        chosen = found[self.nth - (self.nth > 0) :][:1] if self.nth else found
        if not self.until:
            taken = (_expression(self.what)(element) for element in chosen)
            return [
                text for one in taken for text in ([one] if isinstance(one, str) else map(str, one))
            ]
        both = _expression(f"{self.what} | {self.until}")
        nodes = [node for element in chosen for node in both(element)]
        end = next((n for n, node in enumerate(nodes) if not isinstance(node, str)), 0)
        return [str(text) for text in nodes[:end]]

    def value(self, found: Sequence[str]) -> str | list[str] | None:
        """The value that strings make."""
        if self.how == GLUED:
            text = fold_text("".join(found))
            pieces = [text] if text else []
        else:
            pieces = [piece for piece in map(fold_text, found) if _WORD.search(piece)]
        if not pieces:
            return None
        if self.how == EVERY:
            return pieces
        text = " ".join(pieces)
        if not self.pattern:
            return text
        match = re.search(self.pattern, text)
        return (match[1].strip() or None) if match else None


@dataclass(frozen=True, slots=True)
class FieldRules:
    """A field, the ways to read it, and how many of the wrapper's values they give."""

    name: str
    rules: tuple[Rule, ...]
    equal: int = 0
    total: int = 0
    cleaning: Cleaning = NOTHING

    @property
    def share(self) -> float:
        return self.equal / self.total if self.total else 0.0

    def read(self, scope: Element) -> str | list[str] | None:
        for rule in self.rules:
            value = rule.read(scope)
            if value is not None:
                return value
        return None


@dataclass(frozen=True, slots=True)
class ListRules:
    """A field that is a list of records: one for each element found, its fields read below the element.

    An element without the ``required`` values is no record, nor is one with a value that only heads have.
    """

    name: str
    container: Where
    fields: tuple[FieldRules | ListRules, ...]
    required: tuple[str, ...] = ()
    heads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    equal: int = 0
    total: int = 0

    def read(self, scope: Element) -> list[Record] | None:
        records = [read_record(row, self.fields) for row in elements(scope, self.container)]
        return [one for one in records if is_record(one, self.required, self.heads)] or None


Rules = FieldRules | ListRules


@dataclass(frozen=True, slots=True)
class Plan:
    """All rules of a wrapper; with ``container`` a page is a list of records, one per element found."""

    fields: tuple[Rules, ...]
    container: Where | None = None
    required: tuple[str, ...] = ()
    unexpressed: tuple[tuple[str, str], ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)

    def read(self, root: Element) -> list[Record]:
        """The records of a document."""
        scopes = [root] if self.container is None else elements(root, self.container)
        records = [read_record(scope, self.fields) for scope in scopes]
        return [record for record in records if is_record(record, self.required)]


def read_record(scope: Element, fields: Sequence[Rules]) -> Record:
    """The values that are found below an element."""
    values = ((item.name, item.read(scope)) for item in fields)
    return {name: value for name, value in values if value is not None}


def is_record(
    record: Record, required: Sequence[str], heads: Mapping[str, Sequence[str]] = NO_HEADS
) -> bool:
    """Whether an element holds a record at all."""
    if not record or not all(name in record for name in required):
        return False
    return not any(record.get(name) in values for name, values in heads.items())


def elements(scope: Element, where: Where) -> list[Element]:
    """The elements found, in document order."""
    found = _compiled(where)(scope)
    return [element for element in found if isinstance(element, etree._Element)]


def is_valid(where: Where) -> bool:
    """Whether a selector that was made from a page's own words can be used."""
    try:
        _compiled(where)
    except (etree.XPathError, SelectorError, ValueError):
        return False
    return True


@lru_cache(maxsize=1 << 14)
def _compiled(where: Where) -> Any:
    return _expression(css2xpath(where.css) if where.css else where.xpath)


@lru_cache(maxsize=1 << 14)
def _expression(xpath: str) -> Any:
    return etree.XPath(xpath, smart_strings=False, namespaces=_NAMESPACES)
