"""Examples to be learned from: what was said before, and otherwise what the wrapper reads so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from .moment import Moment
from .records import Examples, Record, for_records, records_of


class Lesson:
    """The examples of a moment, to be changed by a correction; the moment itself stays as it is."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self.examples: Examples = deepcopy(moment.examples)

    def begin(self, page: int, corrected: set[str]) -> None:
        """Make a page an example; the fields it does not have are shown on others, as they are read so far."""
        is_first = not self.examples
        self.example(page)
        if not is_first:
            return
        for name in self._moment.fields():
            if name not in corrected:
                self._show(name, hidden=corrected)

    def for_all(self, change: Callable[[Record], Record]) -> None:
        """Change the records of all examples; without any, the pages that show all fields become some."""
        if not self.examples:
            for name in self._moment.fields():
                self._show(name)
        for_records(self.examples, change)

    def record(self, page: int, at: int) -> Record:
        """The record of a page to correct: of several, the one that the place belongs to."""
        example = self.example(page)
        if isinstance(example, dict):
            return example
        starts: dict[int, int] = {}
        for place in self._moment.extractions[page].places:
            starts[place.record] = min(place.start, starts.get(place.record, place.start))
        before = [record for record, start in starts.items() if start <= at]
        number = max(before, key=lambda record: starts[record], default=0)
        found: Record = example[min(number, len(example) - 1)]
        return found

    def example(self, page: int) -> Any:
        """The example of a page; without one, what the wrapper reads there becomes it."""
        name = self._moment.pages[page].name
        if name not in self.examples:
            read = self._moment.extractions
            records = deepcopy(read[page].records) if read else []
            self.examples[name] = records if len(records) > 1 else (records or [{}])[0]
        return self.examples[name]

    def _show(self, name: str, hidden: Iterable[str] = ()) -> None:
        """Have an example with a field: the page with most fields that has it."""
        if any(name in record for one in self.examples.values() for record in records_of(one)):
            return
        having = [
            (sum(map(len, extraction.records)), -number)
            for number, extraction in enumerate(self._moment.extractions)
            if any(name in record for record in extraction.records)
        ]
        if having:
            for record in records_of(self.example(-max(having)[1])):
                for corrected in hidden:
                    record.pop(corrected, None)
