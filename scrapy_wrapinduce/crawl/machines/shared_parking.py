"""The parked pages of many machines, as one worker sees them: any of them may replay any page."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...stores.pages import unpack
from ..waiting.parking import REPLAYS, Parking

if TYPE_CHECKING:
    from ...stores.pages import ParkedPage
    from ...stores.redis import SharedStore
    from .cluster import SharedInduction

logger = logging.getLogger(__name__)


class SharedPages:
    """The shared pages, as the learner and the parking lot see them."""

    folder = "Redis"
    full = False

    def __init__(self, store: SharedStore) -> None:
        self.store = store

    def get(self, key: str) -> bytes | None:
        return self.store.get(key)

    def __len__(self) -> int:
        return self.store.pages()

    def __iter__(self) -> Iterator[str]:
        # None is this worker's own: it asks for the next when it has time.
        return iter(())


class SharedParking(Parking):
    """Pages come from the shared store; this worker holds those that it replays."""

    def __init__(self, induction: SharedInduction) -> None:
        pages: Any = SharedPages(induction.store)
        super().__init__(induction.crawler, pages, induction.stats, None)
        self.induction = induction
        self.store = induction.store
        self._waiting = 0

    @property
    def is_busy(self) -> bool:
        return bool(self.replays)

    @property
    def waiting(self) -> int:
        try:
            self._waiting = self.store.pages()
        except self.induction.redis_error as error:
            logger.error("Redis does not say how many pages wait: %s", error)
        return self._waiting

    def replay(self) -> None:
        engine: Any = self.crawler.engine
        if engine is None or not engine.running or engine.spider is None or self.induction.outbox:
            return
        try:
            self._replay(engine)
        except self.induction.redis_error as error:
            # What was taken is held, and given back when this worker has nothing else to do.
            logger.error(
                "Redis does not give the pages that have their wrapper (%s); it is asked again",
                error,
            )

    def _replay(self, engine: Any) -> None:
        while len(self.replays) < REPLAYS:
            taken = self.store.take_ready()
            if taken is None:
                return
            key, template, how = taken
            self.induction.refresh()
            self.assigned[key] = (template, how)
            request = self._request(key)
            if request is not None:
                self.replays[key] = False
                engine.crawl(request)
            else:
                self.store.finish(f"p:{key}")

    def take(self, key: str) -> ParkedPage | None:
        if self.replays.get(key) is not False:
            return None
        try:
            page = self._read(key, unpack)
        except self.induction.redis_error as error:
            logger.error("Redis does not give a parked page (%s); it is asked for again", error)
            self.forget(key)
            return None
        if page is None:
            # Another worker, to which it was given meanwhile, has finished it.
            self.forget(key)
            self.induction.outbox.send(partial(self.store.finish, f"p:{key}"))
        else:
            self.replays[key] = True
        return page

    def stuck(self) -> list[str]:
        stuck = super().stuck()
        self.ready.clear()
        return stuck

    def forget(self, key: str) -> None:
        for known in (self.replays, self.assigned, self.readings):
            known.pop(key, None)
