"""The state of a project at one moment: plain data, so that going back is keeping the one before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..induce import induce
from ..page import Page
from ..wrapper import Extraction, Place, Wrapper
from .records import Examples, Record


@dataclass(frozen=True)
class StudioPage:
    """A page and the name it goes by."""

    name: str
    page: Page


@dataclass(frozen=True)
class Moment:
    """Everything that a correction can change."""

    pages: tuple[StudioPage, ...]
    examples: Examples = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    wrapper: Wrapper | None = None
    extractions: tuple[Extraction, ...] = ()

    def fields(self) -> list[str]:
        """The fields there are, in order."""
        names = self.wrapper.fields if self.wrapper else ()
        seen = (name for extraction in self.extractions for r in extraction.records for name in r)
        return list(dict.fromkeys([*names, *seen]))

    @property
    def is_document(self) -> bool:
        """Whether the pages are read by their headings, which no example can show."""
        return self.wrapper is not None and self.wrapper.family == "sections"

    def items(self, page: int) -> list[Record]:
        """The clean records of a page, as they stand in items before types."""
        if self.wrapper is None:
            return []
        return [self.wrapper.clean(record) for record in self.extractions[page].records]

    def cleaned(self, place: Place) -> str:
        """The value at a place as it is in items."""
        cleanings = self.wrapper.cleanings if self.wrapper else {}
        cleaning = cleanings.get(place.field)
        clean = cleaning.apply(place.value) if cleaning else place.value
        return clean if isinstance(clean, str) else place.value

    def learned(self) -> Moment:
        """With a wrapper from all pages and the examples; raises CannotInduce."""
        shown = [self.examples.get(named.name) for named in self.pages]
        sample = [named.page for named in self.pages]
        wrapper = induce(sample, examples=shown if any(shown) else None, types=self.types)
        return self.read_by(wrapper)

    def read_by(self, wrapper: Wrapper) -> Moment:
        """With another wrapper, and what it reads."""
        extractions = tuple(wrapper.extract(named.page) for named in self.pages)
        return replace(self, wrapper=wrapper, extractions=extractions)
