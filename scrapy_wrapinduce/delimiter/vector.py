"""A delimiter wrapper as the paper defines it: a vector of strings, and the layout of what it
reads.

Kushmerick (2000), sections 3 and 4: each class is a vector of delimiters with an exec procedure
that says how a page is scanned with them (:mod:`.execute`). The layout says which attribute is
which field of which record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# The structural delimiters of each class beside the left and right ones.
CLASSES: dict[str, str] = {
    "lr": "",
    "hlrt": "ht",
    "oclr": "oc",
    "hoclrt": "hoct",
    "nlr": "",
    "nhlrt": "ht",
}
TABULAR = ("lr", "hlrt", "oclr", "hoclrt")
NESTED = ("nlr", "nhlrt")
# The name of attributes that are read to get past them, and dropped (:mod:`.skipped`).
SKIPPED = ""


@dataclass(frozen=True)
class Vector:
    """The delimiters of a wrapper. ``None`` stands for one its class does not have; as tail, also
    for the page's end."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    head: str | None = None
    tail: str | None = None
    open: str | None = None
    close: str | None = None

    def named(self) -> Iterator[tuple[str, str]]:
        """The delimiters with the names the paper gives them: h, t, o, c, l1, r1, l2, …"""
        for name, text in zip("htoc", (self.head, self.tail, self.open, self.close), strict=True):
            if text is not None:
                yield name, text
        for number, (left, right) in enumerate(zip(self.left, self.right, strict=True), 1):
            yield f"l{number}", left
            yield f"r{number}", right


class Event(NamedTuple):
    """One value on a page: the number of its attribute, counted from 0, and its span."""

    attribute: int
    start: int
    end: int


class Level(NamedTuple):
    """The fields of one kind of record; ``name`` is the field of the outer record that holds such
    records."""

    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """The kinds of records, outermost first: each holds a list of the next. ``multiple`` are the
    attributes with several values."""

    levels: tuple[Level, ...]
    multiple: frozenset[int] = frozenset()

    @property
    def paths(self) -> tuple[str, ...]:
        """The name of each attribute, nested ones with the lists they are in:
        ``addresses.phones.phone``."""
        names: list[str] = []
        prefix = ""
        for level in self.levels:
            prefix += f"{level.name}." if level.name else ""
            names += [prefix + field for field in level.fields]
        return tuple(names)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The level and the number of the field in it, of each attribute."""
        return tuple(
            (depth, number)
            for depth, level in enumerate(self.levels)
            for number in range(len(level.fields))
        )
