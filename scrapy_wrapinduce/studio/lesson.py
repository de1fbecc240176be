"""Examples to be learned from: what was said before, and otherwise what items show so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from .moment import Moment
from .records import Examples, Record, Refused, records_of


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
        self.for_shown(change)
        if not any(record for one in self.examples.values() for record in records_of(one)):
            raise Refused("that would leave no field at all")

    def for_shown(self, change: Callable[[Record], Record]) -> None:
        """Change the records of all examples there are."""
        for name, example in self.examples.items():
            changed = [change(record) for record in records_of(example)]
            self.examples[name] = changed if isinstance(example, list) else changed[0]

    def remind(self, page: int, expected: Callable[[Record], Record]) -> None:
        """Have a page shown as it was read, so that what nobody spoke of stays as it is."""
        name = self._moment.pages[page].name
        if name not in self.examples:
            records = [expected(record) for record in deepcopy(self._moment.items(page))]
            self.examples[name] = _as_example(records)

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
        """The example of a page; without one, what items show of it becomes it."""
        name = self._moment.pages[page].name
        if name not in self.examples:
            self.examples[name] = _as_example(deepcopy(self._moment.items(page)))
        return self.examples[name]

    def _show(self, name: str, hidden: Iterable[str] = ()) -> None:
        """Have an example with a field: the page with most fields that has it."""
        if any(name in record for one in self.examples.values() for record in records_of(one)):
            return
        having = [
            (sum(map(len, items)), -number)
            for number, items in enumerate(map(self._moment.items, range(len(self._moment.pages))))
            if any(name in record for record in items)
        ]
        if having:
            for record in records_of(self.example(-max(having)[1])):
                for corrected in hidden:
                    record.pop(corrected, None)


def _as_example(records: list[Record]) -> Record | list[Record]:
    return records if len(records) > 1 else (records or [{}])[0]
