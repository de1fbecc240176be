"""What a records wrapper is made of: patterns, units, locators. Plain data, JSON and back.

A *unit* says where records are: elements of a pattern, or runs of siblings that start at a marker. A *locator*
says where a field is inside one record. Both are lists of alternatives, the most robust first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Pattern:
    """An element by its name, the classes it must carry and the attributes it must have."""

    name: str
    classes: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        classes = "".join(f".{name}" for name in self.classes)
        attributes = "".join(f'[{name}="{value}"]' for name, value in self.attributes)
        return f"{self.name}{classes}{attributes}"

    def to_list(self) -> list[Any]:
        return [self.name, list(self.classes), [list(pair) for pair in self.attributes]]

    @classmethod
    def from_list(cls, data: Any) -> Pattern:
        name, classes, attributes = data
        return cls(
            str(name),
            tuple(map(str, classes)),
            tuple((str(a), str(v)) for a, v in attributes),
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """The part of a text that is the value.

    ``between``: after the string ``left`` up to ``right`` (empty: from the start, to the end);
    ``words``: the words ``first`` up to ``last``; ``number``: the ``first``-th number.
    """

    kind: str
    left: str = ""
    right: str = ""
    first: int = 0
    last: int | None = None

    def __str__(self) -> str:
        if self.kind == "between":
            return f"between {self.left!r} and {self.right!r}"
        return f"{self.kind} {self.first}" + (f" to {self.last}" if self.kind == "words" else "")

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"kind": self.kind}
        if self.kind == "between":
            return {**data, "left": self.left, "right": self.right}
        return {**data, "first": self.first, "last": self.last}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cut:
        last = data.get("last")
        return cls(
            str(data["kind"]),
            str(data.get("left", "")),
            str(data.get("right", "")),
            int(data.get("first", 0)),
            None if last is None else int(last),
        )


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a value is inside a record.

    ``by`` names the way: ``element`` (the ``nth`` element that matches ``steps``, outermost first; all of them
    where ``nth`` is None), ``path`` (child by child, as name and rank; the rank None at the end: all), ``label`` (the text after the text
    ``label``), ``text`` (the ``nth`` text) or ``source`` (the source between two strings).
    ``take`` is what of an element is read: its ``text``, its ``own`` text number ``index``, or an attribute
    (``@href``). ``cut`` is applied last.
    """

    by: str
    steps: tuple[Pattern, ...] = ()
    nth: int | None = 0
    take: str = "text"
    index: int = 0
    path: tuple[tuple[str, int | None], ...] = ()
    label: str = ""
    cut: Cut | None = None

    def __str__(self) -> str:
        which = "every" if self.nth is None else f"#{self.nth}"
        where = {
            "element": f"{which} {' '.join(map(str, self.steps))}",
            "path": "/".join(f"{name}[{rank}]" for name, rank in self.path),
            "label": f"after {self.label!r}",
            "text": f"text {which}",
            "source": "in the source",
        }[self.by]
        take = (
            f" text {self.index}"
            if self.take == "own"
            else f" {self.take}"
            if self.take[0] == "@"
            else ""
        )
        return where + take + (f", {self.cut}" if self.cut else "")

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"by": self.by, "nth": self.nth, "take": self.take}
        if self.steps:
            data["steps"] = [step.to_list() for step in self.steps]
        if self.take == "own":
            data["index"] = self.index
        if self.path:
            data["path"] = [list(step) for step in self.path]
        if self.label:
            data["label"] = self.label
        if self.cut:
            data["cut"] = self.cut.to_dict()
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Locator:
        nth = data["nth"]
        if data["by"] not in ("element", "path", "label", "text", "source"):
            raise ValueError(f"unknown kind of locator {data['by']!r}")
        if data["by"] == "element" and not data.get("steps"):
            raise ValueError("a locator by elements names none")
        if not data["take"]:
            raise ValueError("a locator does not say what it takes")
        return cls(
            str(data["by"]),
            tuple(Pattern.from_list(step) for step in data.get("steps", ())),
            None if nth is None else int(nth),
            str(data["take"]),
            int(data.get("index", 0)),
            tuple((str(n), None if r is None else int(r)) for n, r in data.get("path", ())),
            str(data.get("label", "")),
            Cut.from_dict(data["cut"]) if data.get("cut") else None,
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """What a record must contain (``has``), or must not, to be one."""

    pattern: Pattern
    has: bool = True

    def __str__(self) -> str:
        return f"{'with' if self.has else 'without'} {self.pattern}"

    def to_dict(self) -> dict[str, Any]:
        return {"pattern": self.pattern.to_list(), "has": self.has}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Condition:
        return cls(Pattern.from_list(data["pattern"]), bool(data["has"]))


@dataclass(frozen=True, slots=True)
class Unit:
    """Where records are.

    ``parents`` are the elements right around, innermost first. Of ``kind`` ``element`` each element that
    matches is a record; of ``run`` a record goes from one that matches to the next, inside the parent;
    of ``between`` it is what stands between two that match; of ``period`` it is ``size`` children of the
    parent, from the first that matches on. ``columns`` are records whose values interleave: the fields are
    read from the whole page, and the first values of all fields are the first record.
    """

    kind: str
    pattern: Pattern
    parents: tuple[Pattern, ...] = ()
    conditions: tuple[Condition, ...] = ()
    size: int = 0

    def __str__(self) -> str:
        path = " > ".join(str(p) for p in (*reversed(self.parents), self.pattern))
        conditions = "".join(f", {c}" for c in self.conditions)
        how = {
            "element": "each",
            "run": "from each",
            "between": "between each",
            "period": f"{self.size} siblings from",
            "columns": "the first, second, … value of every field in",
        }[self.kind]
        return f"{how} {path}{conditions}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "pattern": self.pattern.to_list(),
            "parents": [parent.to_list() for parent in self.parents],
            "conditions": [condition.to_dict() for condition in self.conditions],
            "size": self.size,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Unit:
        if data["kind"] not in ("element", "run", "between", "period", "columns"):
            raise ValueError(f"unknown kind of unit {data['kind']!r}")
        return cls(
            str(data["kind"]),
            Pattern.from_list(data["pattern"]),
            tuple(Pattern.from_list(parent) for parent in data["parents"]),
            tuple(Condition.from_dict(condition) for condition in data["conditions"]),
            int(data["size"]),
        )


@dataclass(frozen=True, slots=True)
class Field:
    """A field and its ways to be found.

    In a record the first locator of a group that finds something is used; a later group only on pages where
    the groups before it find nothing in any record.
    """

    name: str
    groups: tuple[tuple[Locator, ...], ...]
    many: bool = False

    def to_dict(self) -> dict[str, Any]:
        groups = [[locator.to_dict() for locator in group] for group in self.groups]
        return {"name": self.name, "many": self.many, "groups": groups}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Field:
        groups = tuple(tuple(Locator.from_dict(one) for one in group) for group in data["groups"])
        return cls(str(data["name"]), groups, bool(data["many"]))


@dataclass(frozen=True, slots=True)
class ListModel:
    """A list of records: levels of units (a later level only where the ones before find nothing), fields,
    and the lists inside each record.

    A place is a record when it shows all ``required`` fields and at least ``least`` fields in all.
    """

    levels: tuple[tuple[Unit, ...], ...]
    fields: tuple[Field, ...]
    children: tuple[tuple[str, ListModel], ...] = ()
    required: tuple[str, ...] = ()
    least: int = 1

    def to_dict(self) -> dict[str, Any]:
        return {
            "levels": [[unit.to_dict() for unit in level] for level in self.levels],
            "fields": [field.to_dict() for field in self.fields],
            "children": [[name, child.to_dict()] for name, child in self.children],
            "required": list(self.required),
            "least": self.least,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ListModel:
        return cls(
            tuple(tuple(Unit.from_dict(unit) for unit in level) for level in data["levels"]),
            tuple(Field.from_dict(field) for field in data["fields"]),
            tuple((str(name), cls.from_dict(child)) for name, child in data["children"]),
            tuple(map(str, data["required"])),
            int(data["least"]),
        )
