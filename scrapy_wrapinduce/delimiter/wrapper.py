"""The delimiter wrappers: a vector of strings and a layout, as data, and how they read a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import InvalidWrapper
from ..tokenizer import fold, split_markup, trimmed
from ..wrapper import Extraction, Failure, Place, Wrapper
from .execute import quote, run_nested, run_tabular
from .vector import CLASSES, NESTED, SKIPPED, Layout, Level, Vector

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from ..page import Page
    from .execute import Run

_STRUCTURE = {"h": "head", "t": "tail", "o": "open", "c": "close"}


class DelimiterWrapper(Wrapper):
    """A wrapper of one of Kushmerick's six classes; learn one with
    :func:`scrapy_wrapinduce.delimiter.learn`.

    ``notes`` says what the learner wants its user to know: why simpler classes were not taken, and how many
    more labelled pages would make it trustworthy on any site.
    """

    family: ClassVar[str]

    def __init__(self, vector: Vector, layout: Layout, notes: tuple[str, ...] = ()) -> None:
        self.vector = vector
        self.layout = layout
        self.notes = notes

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, DelimiterWrapper)
            and (self.vector, self.layout) == (other.vector, other.layout)
        )

    def __hash__(self) -> int:
        return hash((self.family, self.vector, self.layout))

    def __repr__(self) -> str:
        return f"<{self.family} wrapper of {', '.join(self.fields)}>"

    @property
    def fields(self) -> tuple[str, ...]:
        names = zip(self.layout.paths, self.layout.places, strict=True)
        levels = self.layout.levels
        return tuple(path for path, (level, n) in names if levels[level].fields[n] != SKIPPED)

    def run(self, html: str) -> Run:
        """The paper's exec procedure: the values in page order, by attribute."""
        return (run_nested if self.family in NESTED else run_tabular)(self.vector, html)

    def extract(self, page: Page) -> Extraction:
        return self._rescued(page, self._read(page))

    def _read(self, page: Page) -> Extraction:
        html = page.html
        run = self.run(html)
        extraction = Extraction(failures=run.failures)
        places, paths, levels = self.layout.places, self.layout.paths, self.layout.levels
        # The record of each level that is being read.
        current: list[dict[str, Any]] = []
        for event in run.events:
            depth, number = places[event.attribute]
            field = levels[depth].fields[number]
            value = text_of(html[event.start : event.end])
            if number == 0:
                record: dict[str, Any] = {}
                del current[depth:]
                siblings = (
                    current[-1].setdefault(levels[depth].name, []) if depth else extraction.records
                )
                siblings.append(record)
                current.append(record)
            record = current[depth]
            del current[depth + 1 :]
            if field == SKIPPED:
                continue
            if event.attribute in self.layout.multiple:
                record.setdefault(field, []).append(value)
            elif field in record:
                extraction.failures.append(
                    Failure(paths[event.attribute], "a second value in one record", *event[1:])
                )
            else:
                record[field] = value
            place = (len(extraction.records) - 1, paths[event.attribute], value)
            first, last = trimmed(html[event.start : event.end])
            within = tuple(
                len(current[above][levels[above + 1].name]) - 1 for above in range(depth)
            )
            extraction.places.append(Place(*place, event.start + first, event.start + last, within))
        names = [name for name, _ in self.vector.named()]
        lost = {failure.what for failure in run.failures}
        extraction.coverage = sum(n in run.found and n not in lost for n in names) / len(names)
        return extraction

    def describe(self) -> str:
        vector = self.vector
        lines = [f"{self.family}: values between delimiters"]
        if vector.head is not None:
            lines.append(f"  start at    {quote(vector.head)}")
        if "t" in CLASSES[self.family]:
            shown = "the end of the page" if vector.tail is None else quote(vector.tail)
            lines.append(f"  stop at     {shown}")
        if vector.open is not None:
            lines.append(f"  record from {quote(vector.open)}")
        if vector.close is not None:
            lines.append(
                f"  record to   {quote(vector.close) if vector.close else 'its last value'}"
            )
        paths = [path if path in self.fields else "(skipped)" for path in self.layout.paths]
        width = max(map(len, paths))
        for path, left, right in zip(paths, vector.left, vector.right, strict=True):
            lines.append(f"  {path:<{width}}  {quote(left)} … {quote(right)}")
        if self.last_resort is not None:
            lines.append(f"  {self.last_resort}")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            _STRUCTURE[name]: getattr(self.vector, _STRUCTURE[name])
            for name in CLASSES[self.family]
        }
        delimiters = zip(self.vector.left, self.vector.right, strict=True)
        levels = []
        for level in self.layout.levels:
            fields = [
                {"name": name, "left": left, "right": right}
                for name, (left, right) in zip(level.fields, delimiters, strict=False)
            ]
            levels.append({"name": level.name, "fields": fields})
        data["levels"] = levels
        if self.layout.multiple:
            data["multiple"] = sorted(self.layout.multiple)
        if self.notes:
            data["notes"] = list(self.notes)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        structure = {}
        for name in CLASSES[cls.family]:
            key = _STRUCTURE[name]
            text = data.get(key)
            if text is None and key in ("head", "tail"):
                continue
            # An empty head, open or close delimiter is found at once; an empty tail would end every page.
            if not isinstance(text, str) or (key in ("open", "tail") and not text):
                raise InvalidWrapper(f"{cls.family} wrapper: {key!r} is not a delimiter: {text!r}")
            structure[key] = text
        levels, left, right = [], [], []
        for number, level in enumerate(_list(data, "levels")):
            fields = _list(level, "fields")
            name = _text(level, "name", empty=number == 0)
            for item in fields:
                left.append(_text(item, "left"))
                right.append(_text(item, "right"))
            levels.append(Level(name, tuple(_text(item, "name", empty=True) for item in fields)))
        if not any(name for level in levels for name in level.fields):
            raise InvalidWrapper(f"{cls.family} wrapper: no field has a name")
        if len(levels) > 1 and cls.family not in NESTED:
            raise InvalidWrapper(f"{cls.family} wrapper: only nlr and nhlrt have nested levels")
        multiple = data.get("multiple", [])
        if not isinstance(multiple, list) or not all(
            isinstance(number, int) and 0 <= number < len(left) for number in multiple
        ):
            raise InvalidWrapper(f"{cls.family} wrapper: 'multiple' does not number attributes")
        notes = data.get("notes", [])
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise InvalidWrapper(f"{cls.family} wrapper: 'notes' is not a list of sentences")
        vector = Vector(tuple(left), tuple(right), **structure)
        return cls(vector, Layout(tuple(levels), frozenset(multiple)), tuple(notes))


def text_of(source: str) -> str:
    """A piece of source as a person reads it, tags left out."""
    return fold("".join(split_markup(source)[::2])) if "<" in source else fold(source)


def _list(data: Any, key: str) -> list[Any]:
    found = data.get(key) if hasattr(data, "get") else None
    if not isinstance(found, list) or not found:
        raise InvalidWrapper(f"delimiter wrapper: {key!r} is not a list with something in it")
    return found


def _text(data: Any, key: str, *, empty: bool = False) -> str:
    found = data.get(key) if hasattr(data, "get") else None
    if not isinstance(found, str) or not (found or empty):
        raise InvalidWrapper(f"delimiter wrapper: {key!r} is not a text: {found!r}")
    return found


class LR(DelimiterWrapper):
    """Left and right delimiters of each field (section 3)."""

    family = "lr"


class HLRT(DelimiterWrapper):
    """LR between a head and a tail delimiter (section 4.1)."""

    family = "hlrt"


class OCLR(DelimiterWrapper):
    """LR in records that are opened and closed (section 4.2)."""

    family = "oclr"


class HOCLRT(DelimiterWrapper):
    """OCLR between a head and a tail delimiter (section 4.3)."""

    family = "hoclrt"


class NLR(DelimiterWrapper):
    """LR for records in records (section 4.5)."""

    family = "nlr"


class NHLRT(DelimiterWrapper):
    """N-LR between a head and a tail delimiter (section 4.6)."""

    family = "nhlrt"


WRAPPERS: dict[str, type[DelimiterWrapper]] = {
    wrapper.family: wrapper for wrapper in (LR, HLRT, OCLR, HOCLRT, NLR, NHLRT)
}
