"""The event loop, whichever it is: asyncio (with or without a reactor) or another Twisted reactor."""

from __future__ import annotations

import asyncio
import gc
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any

LAG_INTERVAL = 0.25
PAGES_BETWEEN_COLLECTIONS = 250


class Clock:
    """Calls into the running event loop. Make one inside it."""

    def __init__(self) -> None:
        self.from_thread: Callable[..., Any]
        self.later: Callable[..., Any]
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            from twisted.internet import reactor

            self.from_thread = reactor.callFromThread
            self.later = reactor.callLater
        else:
            self.from_thread = loop.call_soon_threadsafe
            self.later = loop.call_later


class Turns:
    """Gives each turn of the event loop to one page.

    Pages come in many at a time. Worked on one after the other in the same turn, they hold up together whatever else is due, and
    the site waits for its next request. Loops other than asyncio's are left alone.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def mine(self) -> None:
        """Come back in a turn that no other page has."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        turn = loop.create_future()
        self._waiting.append(turn)
        if len(self._waiting) == 1:
            loop.call_soon(self._give, loop)
        await turn

    def _give(self, loop: asyncio.AbstractEventLoop) -> None:
        turn = self._waiting.popleft()
        if not turn.done():
            turn.set_result(None)
        if self._waiting:
            loop.call_soon(self._give, loop)


class LoopLag:
    """How late the event loop is: the longest and the mean delay of a call that is due, in seconds."""

    def __init__(self, clock: Clock) -> None:
        self.longest = self.total = 0.0
        self.count = 0
        self._clock = clock
        self._pending: Any = None

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    def start(self) -> None:
        self._due = monotonic() + LAG_INTERVAL
        self._pending = self._clock.later(LAG_INTERVAL, self._measure)

    def stop(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None

    def _measure(self) -> None:
        late = max(0.0, monotonic() - self._due)
        self.longest = max(self.longest, late)
        self.total += late
        self.count += 1
        self.start()


class Settled:
    """Garbage collections that are short, and regular.

    What is there when a crawl begins, and the wrappers that it learns, stay until its end: the collector is told to leave them
    alone. Looking through all modules, as it otherwise does every few hundred pages, holds up the loop for about a tenth
    of a second. What is left is quickly looked through, and often enough: parsed pages are few objects, and much memory.
    """

    def __init__(self) -> None:
        self._pages = 0
        self._later: Callable[..., Any]
        # Wrappers of earlier crawls make their readers with their first pages.
        self._has_grown = True
        gc.collect()

    def begin(self, clock: Clock) -> None:
        self._later = clock.later
        gc.freeze()

    def wrapper_came(self) -> None:
        self._has_grown = True

    def page_read(self) -> None:
        self._pages += 1
        if self._pages % PAGES_BETWEEN_COLLECTIONS == 0:
            # Not in the turn that the page has.
            self._later(0, self._collect)

    def _collect(self) -> None:
        gc.collect()
        if self._has_grown:
            self._has_grown = False
            gc.freeze()

    def end(self) -> None:
        self._has_grown = False
        gc.unfreeze()
