"""The record of a crash-safe job: opened by who asks first, written in time, given up when the disk does not take it.

A crawl that is not crash-safe has none, and then there is nothing to be done here.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .journal import COMMIT_SECONDS, COMMIT_UNITS, JOURNAL, Journal, is_broken

if TYPE_CHECKING:
    from ..clock import Clock
    from ..config import Config
    from ..figures.stats import Stats

logger = logging.getLogger(__name__)

_FULL = "%s cannot be written and the crawl stops: %s. Make room, then start it again: it goes on where it was"
_BROKEN = (
    "The record of the job in %s is broken and the crawl stops: %s. Begin anew with another JOBDIR"
)
STOPPED = "wrapinduce_cannot_write"


class Safekeeping:
    """``stop`` ends the crawl; ``committed`` is called when what the journal has is safe."""

    def __init__(
        self,
        config: Config,
        stats: Stats,
        stop: Callable[[str], None],
        committed: Callable[[], None],
    ) -> None:
        self.config = config
        self.stats = stats
        self.journal: Journal | None = None
        self._stop = stop
        self._committed = committed
        self._timer: Any = None

    def open(self) -> Journal:
        """The journal; the scheduler is the first to ask for it."""
        if self.journal is None:
            assert self.config.job_folder is not None
            self.journal = Journal(self.config.job_folder / JOURNAL)
        return self.journal

    def begin(self, clock: Clock) -> None:
        """Write regularly from now on."""
        if self.journal is not None:
            self._timer = clock.later(COMMIT_SECONDS, self._write_regularly, clock)

    def _write_regularly(self, clock: Clock) -> None:
        assert self.journal is not None
        self.commit()
        if not self.journal.is_abandoned:
            self._timer = clock.later(COMMIT_SECONDS, self._write_regularly, clock)

    def finish(self, row: int, unit: str | None = None, *, parked: bool = False) -> None:
        """A request has had all its effects, but for what its parked page has yet to become."""
        assert self.journal is not None
        try:
            self.journal.finish(row, unit, parked=parked)
        except sqlite3.Error as error:
            self.give_up(error)

    def commit_if_due(self) -> None:
        if self.journal is not None and self.journal.units >= COMMIT_UNITS:
            self.commit()

    def commit(self) -> None:
        """Make what the journal has so far safe."""
        if self.journal is None or self.journal.is_abandoned:
            return
        try:
            self.journal.commit()
        except (sqlite3.Error, OSError) as error:
            self.give_up(error)
        else:
            self._committed()

    def give_up(self, error: Exception) -> None:
        """The disk does not take what has to be safe: stop, with nothing lost.

        What is not written down is done again when the job goes on.
        """
        assert self.journal is not None
        if not self.journal.is_abandoned:
            logger.critical(_BROKEN if is_broken(error) else _FULL, self.config.job_folder, error)
            self.stats.count("journal/failed")
            self.journal.abandon()
            self._stop(STOPPED)

    def close(self) -> None:
        if self.journal is not None:
            if self._timer is not None:
                self._timer.cancel()
            self.commit()
            self.journal.close()
