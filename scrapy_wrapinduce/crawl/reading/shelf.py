"""The wrappers that are in memory: those used lately.

A wrapper of an ordinary site takes a few megabytes, and a crawl may learn any number of them. All are in a store; what was not
used for the longest time is left there once the others fill the memory that wrappers may have, and is read back when
a page asks for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import InvalidWrapper, WrapinduceError
from ...upkeep.health import kept_health
from ...wrapper import dump, parse

if TYPE_CHECKING:
    from ...upkeep.health import Health
    from ...wrapper import Wrapper

# What a wrapper takes in memory, at work, for each letter of its text.
BYTES_PER_LETTER = 4


class WrapperIsGone(WrapinduceError):
    """A wrapper was to be read back from its store, and is not there any more or cannot be read."""

    def __init__(self, held: Held, reason: object) -> None:
        super().__init__(f"it cannot be read back: {reason}")
        self.held = held


class Held:
    """A wrapper, in memory or not. One that no store has stays in memory."""

    def __init__(self, wrapper: Wrapper | None) -> None:
        self._wrapper = wrapper
        self._health: Health | None = None
        self._shelf: Shelf | None = None
        self._read: Callable[[], str] | None = None
        self.size = 0
        # Tells one text from another.
        self.mark = 0

    def shelve(self, shelf: Shelf, text: str, read: Callable[[], str]) -> None:
        """Let go of the wrapper when it is not used; ``read`` gives its text from the store."""
        self._is_in_store(shelf, len(text) * BYTES_PER_LETTER, hash(text), read)
        shelf.used(self)

    def _is_in_store(self, shelf: Shelf, size: int, mark: int, read: Callable[[], str]) -> None:
        self._shelf, self._read = shelf, read
        self.size, self.mark = size, mark

    @classmethod
    def not_loaded(cls, shelf: Shelf, size: int, mark: int, read: Callable[[], str]) -> Held:
        """A wrapper that was shelved before, and is in its store alone until it is used."""
        held = cls(None)
        held._is_in_store(shelf, size, mark, read)
        return held

    def text(self) -> str:
        """The text of the wrapper, from the store; raises :class:`WrapperIsGone`."""
        if self._read is None:
            return dump(self.wrapper)
        try:
            return self._read()
        except (OSError, ValueError) as error:
            raise WrapperIsGone(self, error) from error

    @property
    def is_stored(self) -> bool:
        return self._read is not None

    @property
    def is_loaded(self) -> bool:
        return self._wrapper is not None

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper; raises :class:`WrapperIsGone`."""
        if self._wrapper is None:
            try:
                self._wrapper = parse(self.text())
            except InvalidWrapper as error:
                raise WrapperIsGone(self, error) from error
        if self._shelf is not None:
            self._shelf.used(self)
        return self._wrapper

    @property
    def health(self) -> Health | None:
        """What the wrapper reads while it is right; None where it does not know."""
        wrapper = self.wrapper
        if self._health is None and wrapper.health is not None:
            try:
                self._health = kept_health(wrapper)
            except InvalidWrapper:
                return None
        return self._health

    def let_go(self) -> None:
        self._wrapper = self._health = None


class Shelf:
    """Lets go of the wrappers that were used the longest time ago."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._loaded: OrderedDict[Held, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._loaded)

    def used(self, held: Held) -> None:
        if held in self._loaded:
            self._loaded.move_to_end(held)
            return
        self._loaded[held] = None
        self.size += held.size
        while self.size > self.limit and len(self._loaded) > 1:
            oldest, _ = self._loaded.popitem(last=False)
            self.size -= oldest.size
            oldest.let_go()

    def forget(self, held: Held) -> None:
        """A wrapper that is of no more use."""
        if held in self._loaded:
            del self._loaded[held]
            self.size -= held.size
