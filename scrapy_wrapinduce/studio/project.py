"""What the studio works on: pages, the examples given so far, and the wrapper learned from them.

A correction is an example. The first one on a page makes the page's record, as the wrapper reads it now, an
example with the correction applied; then the wrapper is learned anew. So the file of examples says all there is to
say, ``wrapinduce learn --examples`` gives the same wrapper, and undoing is going back to the examples before.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import CannotInduce, WrapinduceError
from ..files import write_atomically
from ..induce import induce
from ..page import Page
from ..wrapper import Extraction, Wrapper

Record = dict[str, Any]
Examples = dict[str, Any]  # page name to a record, or to the list of its records
MOST_UNDONE = 200


class Refused(WrapinduceError):
    """A correction makes no sense; the message says why."""


@dataclass(frozen=True)
class StudioPage:
    """A page and the name it goes by."""

    name: str
    page: Page


@dataclass
class Project:
    """Pages of one template, and what is known about them."""

    pages: Sequence[StudioPage]
    examples_path: Path
    wrapper_path: Path
    examples: Examples = field(default_factory=dict)
    wrapper: Wrapper | None = None
    extractions: list[Extraction] = field(default_factory=list)
    _before: list[Examples] = field(default_factory=list)

    def learn(self) -> None:
        """Learn from all pages and the examples; raises CannotInduce and leaves everything as it was."""
        shown = [self.examples.get(named.name) for named in self.pages]
        sample = [named.page for named in self.pages]
        wrapper = induce(sample, examples=shown if any(shown) else None)
        self.wrapper = wrapper
        self.extractions = [wrapper.extract(page) for page in sample]

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    def set_value(self, page: int, name: str, value: str, at: int, add: bool = False) -> None:
        """Say that ``value``, in the text that begins at ``at`` in a page's source, is what a field is.

        What was another field so far goes by the new name; ``add`` keeps the field's other values.
        """
        name, value = name.strip(), value.strip()
        if not name or not value:
            raise Refused("a field needs a name, and a value")

        def correct(examples: Examples) -> None:
            self._example(examples, page)
            former = self._field_at(page, value, at)
            if former is not None and former != name and name not in self.fields():
                self._for_records(examples, lambda r: _renamed(r, former, name))
            record = self._record(examples, page, at)
            if former is not None and former != name:
                record.pop(former, None)
            old = record.get(name)
            if add and old is not None:
                record[name] = [*(old if isinstance(old, list) else [old]), value]
            else:
                record[name] = value

        self._change(correct)

    def rename(self, old: str, new: str) -> None:
        """Call a field something else, on all pages."""
        new = new.strip()
        if not new:
            raise Refused("a field needs a name")
        if new in self.fields():
            raise Refused(f"there is a field {new!r} already")
        self._change(lambda examples: self._for_records(examples, lambda r: _renamed(r, old, new)))

    def drop(self, name: str) -> None:
        """Leave a field out, on all pages."""
        self._change(
            lambda examples: self._for_records(
                examples, lambda r: {key: value for key, value in r.items() if key != name}
            )
        )

    def undo(self) -> None:
        """Go back to the examples before the last correction."""
        if not self._before:
            raise Refused("there is nothing to undo")
        examples = self._before.pop()
        kept, self.examples = self.examples, examples
        try:
            self.learn()
        except CannotInduce:
            self.examples = kept
            raise
        self.save()

    def fields(self) -> list[str]:
        """The fields there are, in order."""
        names = self.wrapper.fields if self.wrapper else ()
        seen = (name for extraction in self.extractions for r in extraction.records for name in r)
        return list(dict.fromkeys([*names, *seen]))

    def save(self) -> None:
        """Write the examples and the wrapper, each completely or not at all."""
        text = json.dumps(self.examples, ensure_ascii=False, indent=2) + "\n"
        write_atomically(self.examples_path, text)
        if self.wrapper is not None:
            self.wrapper.save(self.wrapper_path)

    def _change(self, correct: Callable[[Examples], None]) -> None:
        before = self.examples
        self.examples = deepcopy(before)
        try:
            correct(self.examples)
            self.learn()
        except WrapinduceError:
            self.examples = before
            raise
        self._before = [*self._before, before][-MOST_UNDONE:]
        self.save()

    def _record(self, examples: Examples, page: int, at: int) -> Record:
        """The record of a page to correct: of several, the one that the place belongs to."""
        example = self._example(examples, page)
        if isinstance(example, dict):
            return example
        starts: dict[int, int] = {}
        for place in self.extractions[page].places:
            starts[place.record] = min(place.start, starts.get(place.record, place.start))
        before = [record for record, start in starts.items() if start <= at]
        number = max(before, key=lambda record: starts[record], default=0)
        found: Record = example[min(number, len(example) - 1)]
        return found

    def _example(self, examples: Examples, page: int) -> Any:
        """The example of a page; without one, what the wrapper reads there becomes it."""
        name = self.pages[page].name
        if name not in examples:
            records = deepcopy(self.extractions[page].records) if self.extractions else []
            examples[name] = records if len(records) > 1 else (records or [{}])[0]
        return examples[name]

    def _field_at(self, page: int, value: str, at: int) -> str | None:
        """The field that a value of the text at a place is so far."""
        offsets = self.pages[page].page.part_offsets
        end = offsets[min(bisect_right(offsets, at), len(offsets) - 1)]
        for place in self.extractions[page].places:
            if at <= place.start < end and place.value == value:
                return place.field
        return None

    def _for_records(self, examples: Examples, change: Callable[[Record], Record]) -> None:
        if not examples:
            best = max(
                range(len(self.pages)),
                key=lambda number: sum(map(len, self.extractions[number].records)),
            )
            self._example(examples, best)
        for name, example in examples.items():
            changed = (
                [change(record) for record in example]
                if isinstance(example, list)
                else change(example)
            )
            if not any(changed if isinstance(changed, list) else [changed]):
                raise Refused("that would leave no field at all")
            examples[name] = changed


def _renamed(record: Mapping[str, Any], old: str, new: str) -> Record:
    return {new if key == old else key: value for key, value in record.items()}
