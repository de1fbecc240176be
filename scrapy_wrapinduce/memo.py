"""A bounded memory of what pages repeat.

Pages of one template repeat most of their source and never repeat the rest, so a memory of what was seen has to forget what is not
asked for again. There are two generations: when the younger is full it becomes the older, whose entries are forgotten
unless they are asked for before the next change.
"""

from __future__ import annotations

from array import array
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(dict[Key, Value]):
    """Holds at most twice ``most`` entries; no value is None.

    A subclass of ``dict``, so that looking up what is known costs no call of Python code; ``__missing__`` is for what is not.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._older: dict[Key, Value] = {}

    def recall(self, key: Key) -> Value | None:
        """What is known of a key that is not among the younger entries."""
        value = self._older.get(key)
        if value is not None:
            self._remember(key, value)
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Remember, and forget what was not asked for lately."""
        self._remember(key, value)

    def _remember(self, key: Key, value: Value) -> None:
        if len(self) >= self._most:
            self._older = dict(self)
            self.clear()
        self[key] = value


class Repeats(Memo[Key, Value]):
    """Keeps what it is given a second time.

    Most of what a page does not share with the others comes once and never again. Of that only a hash is noted, as long as no
    other takes its place: it neither fills the memory nor drives out what all pages have.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._noted = array("q", bytes(8 * most))

    def keep(self, key: Key, value: Value) -> None:
        """Remember what was noted before."""
        mark = hash(key)
        place = mark % self._most
        if self._noted[place] == mark:
            self._remember(key, value)
        else:
            self._noted[place] = mark
