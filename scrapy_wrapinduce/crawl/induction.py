"""The crawl's middle: reads pages whose wrapper is known, parks the others, learns, and replays.

No response ever waits in memory for a wrapper: a page without one is written to disk and its callback
returns; when the wrapper is there, the page comes back through the engine as a new request.
"""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import TextResponse

from ..errors import WrapinduceError
from ..page import Page
from ..stores.pages import BrokenPage, ParkedPage, pack, unpack
from ..templates import shape_of, site_of
from . import signals as own_signals
from .clock import Clock, LoopLag
from .config import Config
from .items import make_item
from .judge import fits, fits_partly
from .learning import Learning
from .library import Library
from .replay import PARKED, to_parked, to_request
from .rounds import LARGE
from .sites import Active, Site
from .stats import Stats

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from ..stores.files import ParkedPages
    from ..wrapper import Extraction

logger = logging.getLogger(__name__)

# Replays that are on their way through the engine at one time.
REPLAYS = 32
# A page that its group's wrapper did not read waits again; after so many times, for the last round.
RETURNS = 2


@dataclass
class Replay:
    """A parked page on its way to becoming items."""

    served: bool = False
    expected: int | None = None
    finished: int = 0


class Induction:
    """Extension that holds the state of learning; spiders reach it through ``InducedMixin``."""

    parked: ParkedPages

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("WRAPINDUCE_ENABLED"):
            raise NotConfigured
        assert crawler.spider is not None
        self.crawler = crawler
        self.spider: Any = crawler.spider
        self.config = Config.from_settings(crawler.settings, crawler.spider.name)
        self.stats = Stats(crawler)
        self.sites: dict[str, Site] = {}
        self.library = Library(self.config)
        # Pages whose wrapper is there, with its name and how it came to be chosen.
        self.ready: deque[str] = deque()
        self.assigned: dict[str, tuple[str, str]] = {}
        self.replays: dict[str, Replay] = {}
        self.returned: dict[str, int] = {}
        self.readings: dict[str, Extraction] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        induction = cls(crawler)
        connect = crawler.signals.connect
        connect(induction.open, signals.spider_opened)
        connect(induction.idle, signals.spider_idle)
        connect(induction.close, signals.spider_closed)
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            connect(induction.item_finished, signal)
        return induction

    def open(self, spider: Spider) -> None:
        self.parked = self.library.open()
        self.learning = Learning(self, Clock())
        self.lag = LoopLag(self.learning.clock)
        self.lag.start()
        for active in self.library.wrappers():
            self.site(active.stored.site).add(active)
            self.stats.count("wrappers/reused")
        self.ready.extend(self.parked)
        if self.ready:
            logger.info("%d pages were parked by an earlier run and are taken up", len(self.ready))
            self.learning.clock.later(0, self.replay)
        self.learning.start_progress()

    def site(self, name: str) -> Site:
        if name not in self.sites:
            self.sites[name] = Site(name, self.config.sample_pages)
        return self.sites[name]

    # Reading

    def read(self, response: Response) -> Iterable[Any]:
        """The items of a page, or none when it has to wait for its wrapper."""
        key: str | None = response.meta.get(PARKED) if response.request else None
        reason = self._unreadable(response)
        if reason:
            self.stats.count(f"pages/skipped/{reason.replace(' ', '_')}")
            logger.info("No items from %s: the response is %s", response, reason)
            return [] if key is None else self._replayed(key, [])
        assert isinstance(response, TextResponse)
        self.stats.count("pages/replayed" if key else "pages/seen")
        page = Page(response.text, response.url)
        site, shape = self.site(site_of(response.url)), shape_of(response.url)
        is_left_to_learner = len(response.body) > LARGE and key not in self.readings
        found = None if is_left_to_learner else self._extract(site, page, shape, key)
        if found is None:
            self._wait(site, shape, key, response)
            return []
        active, how, extraction = found
        items = list(self._items(response, active, how, extraction))
        return items if key is None else self._replayed(key, items)

    def _unreadable(self, response: Response) -> str:
        if not isinstance(response, TextResponse):
            return "not text"
        if not response.body.strip():
            return "empty"
        if len(response.body) > self.config.max_page_size:
            return "too large"
        if b"\0" in response.body[:1024] and not response.encoding.startswith("utf-16"):
            return "binary"
        return "" if b"<" in response.body else "not html"

    def _extract(
        self, site: Site, page: Page, shape: str, key: str | None
    ) -> tuple[Active, str, Extraction] | None:
        name, how = self.assigned.get(key, ("", "")) if key else ("", "")
        chosen = site.named(name) if name else None
        if chosen is not None:
            extraction = self.readings.get(key or "") or chosen.wrapper.extract(page)
            # A page alone is its own measure: there is nothing else to read it with.
            if how == "alone" or fits_partly(extraction, chosen.stored.coverage):
                site.routed(shape, chosen)
                return chosen, how, extraction
        for active, looks_alike in site.candidates(page, shape):
            extraction = active.wrapper.extract(page)
            if fits(extraction, active.stored.coverage):
                site.routed(shape, active)
                return active, "wrapper", extraction
            if looks_alike and fits_partly(extraction, active.stored.coverage):
                return active, "partial", extraction
            if looks_alike:
                active.misread += 1
                if active.is_distrusted:
                    self._retire(site, active)
        return None

    def _retire(self, site: Site, active: Active) -> None:
        site.drop(active)
        self.stats.count("wrappers/retired")
        reason = f"it read none of the first {active.misread} pages of this crawl"
        logger.warning("The stored wrapper %s is set aside: %s", active.stored.id, reason)
        self.send(own_signals.wrapper_failed, site=site.name, template=active.name,
                  reason=reason, pages=active.misread)  # fmt: skip

    def _items(
        self, response: TextResponse, active: Active, how: str, extraction: Extraction
    ) -> Iterator[Any]:
        active.count(extraction)
        self.stats.page_read(active, how, extraction)
        self.send(own_signals.page_read, response=response, template=active.name, how=how,
                  extraction=extraction)  # fmt: skip
        item_class = getattr(self.spider, "item_class", None)
        for record in extraction.records:
            provenance = self._provenance(active, how, extraction)
            try:
                item = make_item(record, response.url, item_class, provenance)
            except Exception as error:  # noqa: BLE001
                # The class is the user's: it may refuse a value in any way it likes.
                self.stats.count("items/refused")
                logger.error("%s refuses a record of %s: %s", item_class, response.url, error)
                continue
            self.stats.count("items")
            yield item
        if not extraction.records:
            self.stats.count("pages/without_records")
            logger.info("No items from %s: its wrapper %s found no record", response, active.name)

    def _provenance(self, active: Active, how: str, extraction: Extraction) -> dict[str, Any]:
        if not self.config.provenance:
            return {}
        about = {
            "template": active.stored.id,
            "how": how,
            "coverage": round(extraction.coverage, 3),
        }
        return {self.config.provenance: about}

    # Parking and replaying

    def _wait(self, site: Site, shape: str, key: str | None, response: TextResponse) -> None:
        if key is None:
            key = self._key(response)
            try:
                self.parked.put(key, pack(to_parked(key, response)))
            except OSError as error:
                self.stats.count("pages/lost/disk")
                logger.error("%s cannot be kept for learning and is lost: %s", response, error)
                return
            self.stats.count("pages/parked")
        else:
            self.assigned.pop(key, None)
            self.replays.pop(key, None)
            self.returned[key] = self.returned.get(key, 0) + 1
            self.learning.clock.later(0, self.replay)
        site.waiting[key] = shape
        if self.returned.get(key, 0) <= RETURNS:
            self.learning.consider(site)

    def _key(self, response: Response) -> str:
        assert response.request is not None
        assert self.crawler.request_fingerprinter is not None
        key = self.crawler.request_fingerprinter.fingerprint(response.request).hex()
        number = 1
        # The same page, asked for twice on purpose, is two pages.
        while (again := key if number == 1 else f"{key}-{number}") in self.parked:
            number += 1
        return again

    def replay(self) -> None:
        """Send pages whose wrapper is there through the engine, a few at a time."""
        engine = self.crawler.engine
        if engine is None or not engine.running:
            return
        while self.ready and len(self.replays) < REPLAYS:
            key = self.ready.popleft()
            page = self._parked(key)
            if page is None:
                continue
            self.replays[key] = Replay()
            engine.crawl(to_request(key, page.url, self.spider.parse_induced))

    def nudge(self) -> None:
        """Have the engine look anew whether the spider is idle, rather than at its next heartbeat."""
        engine = self.crawler.engine
        if engine is not None and engine.running and not self.replays:
            engine.crawl(to_request("", "http://wrapinduce.invalid/", self.spider.parse_induced))

    def take(self, key: str) -> ParkedPage | None:
        """The page of a replay; None when its items are out already."""
        if key not in self.parked:
            return None
        replay = self.replays.setdefault(key, Replay())
        if replay.served:
            # One that a stopped crawl had queued, and one of this crawl: the first counts.
            return None
        replay.served = True
        return self._parked(key)

    def _parked(self, key: str) -> ParkedPage | None:
        blob = self.parked.get(key)
        if blob is None:
            return None
        try:
            return unpack(blob)
        except BrokenPage as error:
            self.stats.count("pages/lost/broken")
            logger.error("The parked page %s is lost: %s", key, error)
            self.parked.remove(key)
            return None

    def _replayed(self, key: str, items: list[Any]) -> list[Any]:
        replay = self.replays.setdefault(key, Replay())
        replay.expected = len(items)
        if not items:
            self._safe(key)
        return items

    def item_finished(self, response: Any) -> None:
        """An item has gone all its way: written, or dropped by a pipeline."""
        request = getattr(response, "request", None)
        key: str = request.meta.get(PARKED, "") if request is not None else ""
        replay = self.replays.get(key)
        if replay is not None:
            replay.finished += 1
            if replay.finished == replay.expected:
                self._safe(key)

    def _safe(self, key: str) -> None:
        self.replays.pop(key, None)
        self.assigned.pop(key, None)
        self.returned.pop(key, None)
        self.readings.pop(key, None)
        self.parked.remove(key)
        self.learning.clock.later(0, self.replay)

    def discard(self, site: Site, keys: Iterable[str], reason: str) -> None:
        """Pages that end without an item: counted, the reason logged by the caller."""
        for key in keys:
            if site.waiting.pop(key, None) is not None:
                self.stats.count(f"pages/{reason}")
                self._safe(key)

    def assign(self, site: Site, keys: Iterable[str], template: str, how: str) -> None:
        """Pages that wait have their wrapper."""
        for key in keys:
            if site.waiting.pop(key, None) is not None:
                self.assigned[key] = (template, how)
                self.ready.append(key)
        self.replay()

    # The crawl's end

    def idle(self) -> None:
        """No requests are left: learn from what there is, then let the spider close."""
        for key, replay in list(self.replays.items()):
            # Items that a spider middleware took away never finish; nothing is under way any more.
            if replay.expected is None and not replay.served:
                self.replays.pop(key)
                self.ready.append(key)
                continue
            if replay.expected is None:
                self.stats.count("pages/lost/callback")
                logger.error("The parked page %s is given up: its callback failed", key)
            self._safe(key)
        self.replay()
        busy = bool(self.replays or self.ready)
        for site in self.sites.values():
            if site.waiting and not site.learning and not busy:
                self.learning.begin(site, final=True)
            busy = busy or site.learning
        if busy:
            raise DontCloseSpider

    def close(self, reason: str) -> None:
        self.lag.stop()
        self.learning.close()
        waiting = len(self.parked)
        if waiting and self.config.job_folder:
            logger.info("%d pages stay parked in %s until the crawl goes on",
                        waiting, self.parked.folder)  # fmt: skip
        elif waiting:
            self.stats.count("pages/lost/stopped", waiting)
            logger.warning("The crawl was stopped (%s) and %d pages have no items: "
                           "set JOBDIR to be able to go on", reason, waiting)  # fmt: skip
        self.stats.publish(self.sites.values(), self.lag)
        self.library.close(self.sites.values())

    def send(self, signal: object, **values: Any) -> None:
        self.crawler.signals.send_catch_log(signal=signal, spider=self.spider, **values)

    def fail(self, site: Site, error: WrapinduceError, pages: int) -> None:
        """Tell that learning failed."""
        self.stats.count("learn/failed")
        self.send(own_signals.wrapper_failed, site=site.name, template=None, reason=str(error),
                  pages=pages)  # fmt: skip
