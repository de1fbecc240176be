"""What the studio works on: pages, what was said about them so far, and the wrapper learned from that.

A correction is an example. The first one on a page makes the page's record, as the wrapper reads it now, an
example with the correction applied; then the wrapper is learned anew. So the file of examples says all there is to
say, and ``wrapinduce learn --examples`` gives the same wrapper. Every change can be undone, up to a bound.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import CannotInduce
from ..fields.plain import TYPES, merged_into
from ..fields.saved import InvalidExamples, Saved, read_saved
from ..files import write_atomically
from ..page import Page
from ..report.figures import texts_of
from ..stores.sample import pack_sample, sample_path, save_sample
from ..tokenizer import fold
from ..wrapper import Extraction, Wrapper
from .lesson import Lesson
from .lists import list_around
from .moment import Moment, StudioPage
from .records import Examples, Refused, for_records, is_in, renamed, without

MOST_UNDONE = 200
LEAST_ITEMS = 2


class Project:
    """Pages of one template, and what is known about them."""

    def __init__(
        self,
        pages: Iterable[StudioPage],
        examples_path: Path,
        wrapper_path: Path,
        given: Saved | None = None,
        on_save: Callable[[Moment], None] | None = None,
    ) -> None:
        self.examples_path = examples_path
        self.wrapper_path = wrapper_path
        self._on_save = on_save
        shown = tuple(pages)
        names = {named.name for named in shown}
        saved = given if given is not None else Saved()
        examples = saved.examples if isinstance(saved.examples, dict) else {}
        own = {name: one for name, one in examples.items() if name in names}
        self.now = Moment(shown, own, saved.types)
        self._own_pages: set[str] = names
        # Fields of one name have one type in all templates: the file has it, and who changes it writes it.
        self._own_types: set[str] = set()
        self.is_saved = False  # whether the files say what there is now
        self._before: list[Moment] = []
        self._kept: Sequence[
            StudioPage
        ] = ()  # the pages that are in the archive beside the wrapper

    @property
    def pages(self) -> Sequence[StudioPage]:
        return self.now.pages

    @property
    def examples(self) -> Examples:
        return self.now.examples

    @property
    def wrapper(self) -> Wrapper | None:
        return self.now.wrapper

    @property
    def extractions(self) -> Sequence[Extraction]:
        return self.now.extractions

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    def learn(self) -> None:
        """Learn from all pages and the examples; raises CannotInduce and leaves everything as it was."""
        learned = self.now.learned()
        assert learned.wrapper is not None
        self.now = replace(learned, types=self._with_types_of(learned.wrapper))

    def use(self, wrapper: Wrapper) -> None:
        """Begin with a wrapper that was learned before."""
        types = self._with_types_of(wrapper)
        self.now = replace(self.now.read_by(wrapper.with_types(types)), types=types)
        self.is_saved = True

    def _with_types_of(self, wrapper: Wrapper) -> dict[str, str]:
        """The types said so far, and those that the wrapper came with; from now on these are said too."""
        self._own_types |= wrapper.types.keys() - self.now.types.keys()
        return {**wrapper.types, **self.now.types}

    def fields(self) -> list[str]:
        """The fields there are, in order."""
        return self.now.fields()

    # Corrections

    def set_value(self, page: int, name: str, value: str, at: int, add: bool = False) -> None:
        """Say that ``value``, in the text that begins at ``at`` in a page's source, is what a field is.

        What was another field so far goes by the new name; ``add`` keeps the field's other values.
        """
        name, value = name.strip(), value.strip()
        if not name or not value:
            raise Refused("a field needs a name, and a value")
        former = self._field_at(page, value, at)

        def correct(lesson: Lesson) -> None:
            lesson.begin(page, {name, former or name})
            if former is not None and former != name and name not in self.fields():
                for_records(lesson.examples, lambda r: renamed(r, former, name))
            record = lesson.record(page, at)
            if former is not None and former != name:
                record.pop(former, None)
            old = record.get(name)
            if add and old is not None:
                record[name] = [*(old if isinstance(old, list) else [old]), value]
            else:
                record[name] = value

        self._correct(correct, check=lambda now: self._check(now, page, name, value))

    def set_list(self, page: int, name: str, first: int, second: int) -> None:
        """Say that a field is the list in which the texts at two places stand."""
        name = name.strip()
        if not name:
            raise Refused("a field needs a name")
        values = list_around(self.pages[page].page, first, second)

        if len(values) < LEAST_ITEMS:
            raise Refused("a list has at least two items")

        def correct(items: list[Any]) -> Callable[[Lesson], None]:
            def teach(lesson: Lesson) -> None:
                lesson.begin(page, {name})
                record = lesson.record(page, first)
                held = [key for key in record if key != name and is_in(record[key], values)]
                for_records(lesson.examples, lambda r: without(r, *held), keep=True)
                lesson.record(page, first)[name] = items

            return teach

        types = {**self._types_without(name), name: "list"}
        records = [{"item": value} for value in values]
        check = partial(self._check, page=page, name=name, value=values[-1])
        try:
            self._correct(correct(values), types, check)
        except (Refused, CannotInduce):
            # Where other things stand between its items, the list is one of records with a single value.
            self._correct(correct(records), types, check)

    def rename(self, old: str, new: str) -> None:
        """Call a field something else, on all pages."""
        new = new.strip()
        if not new:
            raise Refused("a field needs a name")
        if new in self.fields():
            raise Refused(f"there is a field {new!r} already: merge the two instead")
        types = {new if name == old else name: kind for name, kind in self.now.types.items()}
        self._correct(lambda lesson: lesson.for_all(lambda r: renamed(r, old, new)), types)

    def drop(self, name: str) -> None:
        """Leave a field out, on all pages."""
        types = self._types_without(name)
        self._correct(lambda lesson: lesson.for_all(lambda r: without(r, name)), types)

    def merge(self, kept: str, other: str) -> None:
        """Make two fields one: where a record has both values, they are several values of it."""
        if kept == other or not {kept, other} <= set(self.fields()):
            raise Refused("choose two fields to merge")
        if merged_into(self.now.types.get(kept, "")):
            raise Refused(f"{kept!r} is merged into another field itself")
        self._set_types({**self._types_without(other), other: f"as {kept}"})

    def set_type(self, name: str, kind: str) -> None:
        """Say what the values of a field are; "text" leaves them as they stand on the page."""
        if kind not in TYPES:
            raise Refused(f"unknown type {kind!r}; there are: {', '.join(TYPES)}")
        if name not in self.fields() or self.wrapper is None:
            raise Refused(f"there is no field {name!r}")
        typed = {} if kind == "text" else {name: kind}
        self._set_types({**self._types_without(name), **typed})

    def accept(self, wrapper: Wrapper, pages: Sequence[StudioPage]) -> None:
        """Take a repaired wrapper and the pages of the new design; examples of old pages are examples no more."""
        moment = replace(self.now, pages=tuple(pages), examples={})
        self._become(moment.read_by(wrapper.with_types(self.now.types)))

    def _types_without(self, name: str) -> dict[str, str]:
        return {other: kind for other, kind in self.now.types.items() if other != name}

    def _set_types(self, types: Mapping[str, str]) -> None:
        assert self.wrapper is not None
        self._become(replace(self.now, types=types, wrapper=self.wrapper.with_types(types)))

    def undo(self) -> None:
        """Go back to what was before the last correction."""
        if not self._before:
            raise Refused("there is nothing to undo")
        self._change(self._before[-1])
        self._before.pop()

    def save(self) -> None:
        """Write the examples and the wrapper, each completely or not at all."""
        self._own_pages |= {named.name for named in self.pages}
        others = self._of_others()
        examples = others.examples if isinstance(others.examples, dict) else {}
        own = {name: kind for name, kind in self.now.types.items() if name in self._own_types}
        saved = Saved({**examples, **self.examples}, {**others.types, **own})
        write_atomically(self.examples_path, saved.text())
        if self._on_save is not None:
            self._on_save(self.now)
        elif self.wrapper is not None:
            self.wrapper.save(self.wrapper_path)
            self._keep_pages()
        self.is_saved = True

    def _keep_pages(self) -> None:
        """Have the pages beside the wrapper, as "learn" has: it can be looked at and exported by itself then."""
        if self._kept is not self.pages:
            kept = (Page(named.page.html, named.name) for named in self.pages)
            save_sample(sample_path(self.wrapper_path), pack_sample(kept))
            self._kept = self.pages

    def _of_others(self) -> Saved:
        """What the file says about the pages of other templates, which stays as it is."""
        try:
            saved = read_saved(json.loads(self.examples_path.read_bytes()))
        except (OSError, ValueError, InvalidExamples):
            return Saved()
        examples = saved.examples if isinstance(saved.examples, dict) else {}
        return Saved(
            {name: one for name, one in examples.items() if name not in self._own_pages},
            {name: kind for name, kind in saved.types.items() if name not in self._own_types},
        )

    def _become(self, moment: Moment) -> None:
        was = self.now
        self._change(moment)
        self._before = [*self._before, was][-MOST_UNDONE:]

    def _change(self, moment: Moment) -> None:
        self._own_types |= {name for name, _ in moment.types.items() ^ self.now.types.items()}
        was, self.now = self.now, moment
        try:
            self.save()
        except OSError:
            self.now = was
            raise

    def _correct(
        self,
        correct: Callable[[Lesson], None],
        types: Mapping[str, str] | None = None,
        check: Callable[[Moment], None] = lambda _: None,
    ) -> None:
        lesson = Lesson(self.now)
        correct(lesson)
        known = self.now.types if types is None else types
        learned = replace(self.now, examples=lesson.examples, types=known).learned()
        check(learned)
        self._become(learned)

    def _check(self, now: Moment, page: int, name: str, value: str) -> None:
        """Nobody is told that a correction is learned when it is not."""
        texts = [
            text for record in now.extractions[page].records for text in texts_of(record.get(name))
        ]
        if not any(fold(value) in fold(text) for text in texts):
            read = f"it would read {texts[0][:60]!r}" if texts else "it would read nothing there"
            raise Refused(f"the wrapper cannot be taught that {name} is {value[:60]!r}: {read}")

    def _field_at(self, page: int, value: str, at: int) -> str | None:
        """The field that a value of the text at a place is so far."""
        offsets = self.pages[page].page.part_offsets
        end = offsets[min(bisect_right(offsets, at), len(offsets) - 1)]
        for place in self.extractions[page].places:
            if at <= place.start < end and place.value == value:
                return place.field
        return None
