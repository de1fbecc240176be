"""The pages that are being worked on, each until its callback is through and its items are safe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..waiting.replay import PARKED, ROW

# A page that was parked is worked on twice: when it arrives, and under this name when it comes back.
REPLAY = "replay "


@dataclass
class Unit:
    """One page at work."""

    items: int = 0
    finished: int = 0
    has_ended: bool = False


class Units:
    """Calls ``done`` with a page's name when nothing more is to come from it.

    Only pages that can be named are followed: parked ones and, with a journal, all others.
    """

    def __init__(self, done: Callable[[str], None]) -> None:
        self._done = done
        self._units: dict[str, Unit] = {}

    @staticmethod
    def of(response: Any) -> str | None:
        """The name of the page that a response, or its item, belongs to."""
        request = getattr(response, "request", None)
        if request is None:
            return None
        parked = request.meta.get(PARKED)
        if parked is not None:
            return f"{REPLAY}{parked}" if parked else None
        row = request.meta.get(ROW)
        return None if row is None else str(row)

    def item_begun(self, name: str) -> None:
        self._units.setdefault(name, Unit()).items += 1

    def item_finished(self, name: str) -> None:
        unit = self._units.get(name)
        if unit is not None:
            unit.finished += 1
            self._check(name, unit)

    def callback_ended(self, name: str) -> None:
        unit = self._units.setdefault(name, Unit())
        unit.has_ended = True
        self._check(name, unit)

    def _check(self, name: str, unit: Unit) -> None:
        if unit.has_ended and unit.finished >= unit.items:
            del self._units[name]
            self._done(name)

    def end_all(self) -> None:
        """Nothing is under way any more: what has not ended by itself never will."""
        for name in list(self._units):
            del self._units[name]
            self._done(name)
