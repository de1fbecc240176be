"""Pages that wait for their wrapper, and their way back through the engine."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

# At run time too: scrapy-poet asks callbacks what they want, and cannot where a name is missing.
from scrapy.http import Response

from ...stores.pages import BrokenPage, ParkedPage, address, pack, unpack
from ..reading.reader import Choice
from .replay import ROW, to_parked, to_request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import TextResponse

    from ...stores.files import ParkedPages
    from ...wrapper import Extraction
    from ..figures.stats import Stats
    from ..job.journal import Journal

logger = logging.getLogger(__name__)

# Replays that are on their way through the engine at one time.
REPLAYS = 32

Part = TypeVar("Part")


class Parking:
    """Every page in here is on disk; memory holds its key."""

    def __init__(
        self, crawler: Crawler, pages: ParkedPages, stats: Stats, journal: Journal | None
    ) -> None:
        self.crawler = crawler
        self.pages = pages
        self.stats = stats
        self.journal = journal
        self.ready: deque[str] = deque()
        # Pages whose wrapper is there, with its name and how it came to be chosen.
        self.assigned: dict[str, tuple[str, str]] = {}
        # Replays under way, and whether the page was handed out.
        self.replays: dict[str, bool] = {}
        self.returned: dict[str, int] = {}
        self.readings: dict[str, Extraction] = {}
        self._removable: list[str] = []
        if journal is not None:
            self._agree_with(journal)
        self.ready.extend(pages)

    def _agree_with(self, journal: Journal) -> None:
        """After a crash a page may be here that is to be asked for again, and the reverse."""
        rows = journal.parked()
        for key in self.pages:
            if not (key.isdigit() and int(key) in rows):
                self.pages.remove(key)
        for row in rows:
            if str(row) not in self.pages:
                journal.ask_again(row)

    @property
    def is_busy(self) -> bool:
        return bool(self.ready or self.replays)

    @property
    def waiting(self) -> int:
        """Pages whose items are not safe yet."""
        return len(self.pages) - len(self._removable)

    def park(self, response: TextResponse) -> str:
        """Keep a page; raises :class:`OSError` when the disk does not take it."""
        key = self._key(response)
        self.pages.put(key, pack(to_parked(key, response)))
        self.stats.count("pages/parked")
        return key

    def _key(self, response: TextResponse) -> str:
        assert response.request is not None
        if self.journal is not None and ROW in response.request.meta:
            return str(response.request.meta[ROW])
        assert self.crawler.request_fingerprinter is not None
        key = self.crawler.request_fingerprinter.fingerprint(response.request).hex()
        number = 1
        # The same page, asked for twice on purpose, is two pages.
        while (again := key if number == 1 else f"{key}-{number}") in self.pages:
            number += 1
        return again

    def choice(self, key: str | None) -> Choice | None:
        """What the learner has chosen for a page that comes back."""
        if key is None or key not in self.assigned:
            return None
        return Choice(*self.assigned[key], self.readings.get(key))

    def assign(self, keys: Iterable[str], template: str, how: str) -> None:
        """The wrapper of these pages is there."""
        for key in keys:
            self.assigned[key] = (template, how)
            self.ready.append(key)
        self.replay()

    def replay(self) -> None:
        """Send pages whose wrapper is there through the engine, a few at a time."""
        engine: Any = self.crawler.engine
        if engine is None or not engine.running or engine.spider is None:
            return
        while self.ready and len(self.replays) < REPLAYS:
            key = self.ready.popleft()
            request = None if key in self.replays else self._request(key)
            if request is not None:
                self.replays[key] = False
                engine.crawl(request)

    def _request(self, key: str) -> Request | None:
        """A request that stands for a parked page; None when there is no such page any more."""
        url = self._read(key, address)
        try:
            return None if url is None else to_request(key, url, self._read_again)
        except ValueError as error:
            self.lose(key, error)
            return None

    def nudge(self) -> None:
        """Have the engine look anew whether the spider is idle, rather than at its next heartbeat."""
        engine: Any = self.crawler.engine
        if engine is not None and engine.running and engine.spider is not None and not self.replays:
            engine.crawl(to_request("", "http://wrapinduce.invalid/", self._read_again))

    def _read_again(self, response: Response, **kwargs: Any) -> Any:
        # Not a method of the spider, and so never written to the disk queue of JOBDIR: replays are
        # made anew from the parked pages at every start.
        spider: Any = self.crawler.spider
        return spider.parse_induced(response, **kwargs)

    def take(self, key: str) -> ParkedPage | None:
        """The page of a replay; None when it was handed out already."""
        if key not in self.pages or self.replays.get(key):
            return None
        self.replays[key] = True
        return self._read(key, unpack)

    def _read(self, key: str, part: Callable[[bytes], Part]) -> Part | None:
        """What ``part`` finds in a parked page; None when it is no longer there, or broken."""
        try:
            blob = self.pages.get(key)
            if blob is not None:
                return part(blob)
        except (OSError, BrokenPage) as error:
            self.lose(key, error)
        else:
            if key in self.pages:
                self.lose(key, "it is not where it was put")
        return None

    def lose(self, key: str, why: object) -> None:
        """A page cannot be had from its store any more; what a journal knows is asked for again."""
        if self.journal is None:
            self.stats.count("pages/lost/broken")
            logger.error("The parked page %s is lost: %s", key, why)
            self.forget(key)
            return
        logger.error("The parked page %s is asked for again: %s", key, why)
        for known in (self.replays, self.assigned, self.returned, self.readings):
            known.pop(key, None)
        self.pages.remove(key)
        self.journal.ask_again(int(key))

    def put_back(self, key: str) -> None:
        """A page that its wrapper did not read waits again."""
        self.assigned.pop(key, None)
        self.replays.pop(key, None)
        self.returned[key] = self.returned.get(key, 0) + 1

    def forget(self, key: str) -> None:
        """A page's items are safe, or it was given up."""
        self.replays.pop(key, None)
        self.assigned.pop(key, None)
        self.returned.pop(key, None)
        self.readings.pop(key, None)
        if self.journal is None:
            self.pages.remove(key)
        else:
            self.journal.finish(int(key), f"replay {key}")
            self._removable.append(key)

    def stuck(self) -> list[str]:
        """Replays that were handed out and ended in no way that is known; others are sent again.

        To be asked only when nothing is under way any more.
        """
        stuck = [key for key, was_served in self.replays.items() if was_served]
        self.ready.extend(key for key, was_served in self.replays.items() if not was_served)
        self.replays.clear()
        return stuck

    def committed(self) -> None:
        """The journal has it that these pages are done."""
        for key in self._removable:
            self.pages.remove(key)
        self._removable.clear()
