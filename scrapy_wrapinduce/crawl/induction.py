"""The crawl's middle: reads pages whose wrapper is known, parks the others, learns, and replays.

No response ever waits in memory for a wrapper: a page without one is written to disk and its callback
returns; when the wrapper is there, the page comes back through the engine as a new request.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import CloseSpider, DontCloseSpider, NotConfigured
from scrapy.http import TextResponse

from ..page import Page
from ..signatures import shape_of, site_of
from ..wrapper import FAMILIES, family_class
from .clock import Clock, LoopLag, Settled
from .config import Config
from .figures.monitoring import verdict
from .figures.stats import Stats
from .figures.summary import table
from .job.safekeeping import Safekeeping
from .job.units import REPLAY, Units
from .learning.messages import LARGE, Learned
from .learning.rounds import Learning
from .reading.at_hand import Sites
from .reading.drift import Drift
from .reading.library import Library
from .reading.reader import Reader, unreadable
from .reading.site import Active, Site
from .waiting.parking import Parking
from .waiting.replay import PARKED
from .wishes import take_wishes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from ..stores.stored import StoredWrapper
    from .reading.resting import Kept
    from .reading.shelf import Held

logger = logging.getLogger(__name__)

# A page that its group's wrapper did not read waits again; after so many times, for itself.
RETURNS = 2


class Induction:
    """Extension that holds the state of learning; spiders reach it through ``InducedMixin``."""

    parking: Parking
    learning: Learning

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("WRAPINDUCE_ENABLED"):
            raise NotConfigured
        assert crawler.spider is not None
        self.crawler = crawler
        self.spider: Any = crawler.spider
        self.config = Config.from_settings(crawler.settings, crawler.spider.name)
        self.config.make_folders()
        take_wishes(self.spider, crawler.settings, self.config.folder)
        self.stats = Stats(crawler)
        self.library = Library(self.config)
        self.sites = Sites(self.config.sample_pages, self.fetch, self.held, self._rests)
        self.reader = Reader(self.spider, self.config, self.stats, self.send, Drift(self))
        self.units = Units(self._unit_done)
        self.large = LARGE
        self.closing = ""  # why no more pages are fetched, once that is so
        self.safe = Safekeeping(self.config, self.stats, self.stop, self._committed)
        # With a journal, a page may be learned from once all that its visit led to is written down.
        self._arriving: dict[str, tuple[str, str]] = {}
        self._prepare()

    def _prepare(self) -> None:
        """What takes its time is done before the spider opens: a signal that arrives meanwhile is lost on Scrapy."""
        for family in FAMILIES:
            # Imported now, and not in the middle of the crawl when the first wrapper comes in.
            family_class(family)
        for stored in self.library.wrappers():
            self._reuse(stored)
        self.memory = Settled()

    def _reuse(self, stored: StoredWrapper) -> None:
        site = self.site(stored.site)
        if stored.address is not None:
            site.add_later(stored)
        elif (active := self.library.opened(stored)) is not None:
            site.add(active)
        else:
            return
        self.stats.count("wrappers/reused")

    @property
    def queues_safely(self) -> bool:
        """Whether a page is done only once all requests that it led to are queued."""
        return self.safe.journal is not None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        induction = cls(crawler)
        connect = crawler.signals.connect
        connect(induction.open, signals.spider_opened)
        connect(induction.idle, signals.spider_idle)
        connect(induction.close, signals.spider_closed)
        connect(induction.close_files, signals.engine_stopped)
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            connect(induction.item_finished, signal)
        return induction

    def open(self, spider: Spider) -> None:
        clock = Clock()
        self.parking = self._open_parking()
        self.learning = Learning(self, clock)
        self.lag = LoopLag(clock)
        logger.info(
            "Wrappers are learned from samples of %d pages and kept in %s; %d are there from earlier crawls",
            self.config.sample_pages, self.library.store.folder, self.stats.get("wrappers/reused"),
        )  # fmt: skip
        if self.parking.is_busy:
            logger.info("%d pages were parked by an earlier run and are taken up",
                        len(self.parking.ready))  # fmt: skip
            clock.later(0, self.parking.replay)
        self.learning.start_progress()
        self.memory.begin(clock)
        self.lag.start()
        self.safe.begin(clock)

    def _open_parking(self) -> Parking:
        return Parking(self.crawler, self.library.open(), self.stats, self.safe.journal)

    def site(self, name: str) -> Site:
        return self.sites.at_hand(name)

    def fetch(self, site: str, name: str) -> Active | None:
        """A wrapper that is in the store and not at hand."""
        return self.library.fetch(site, name)

    def held(self, kept: Kept) -> Held:
        """A wrapper of a site that rested."""
        return self.library.held(kept)

    def _rests(self, active: Active) -> None:
        self.reader.drift.rests(active)

    # Reading

    def read(self, response: Response) -> Iterable[Any]:
        """The items of a page, or none when it has to wait for its wrapper."""
        key: str | None = response.meta.get(PARKED) if response.request else None
        reason = unreadable(response, self.config.max_page_size)
        if reason:
            self.stats.count(f"pages/skipped/{reason.replace(' ', '_')}")
            logger.info("No items from %s: the response is %s", response, reason)
            return ()
        assert isinstance(response, TextResponse)
        self.stats.count("pages/replayed" if key else "pages/seen")
        self.memory.page_read()
        page = Page(response.text, response.url)
        site, shape = self.site(site_of(response.url)), shape_of(response.url)
        site.seen += key is None
        is_left_to_learner = len(response.body) > self.large and key not in self.parking.readings
        if self.config.at_once:
            reading = self.reader.read_at_once(site, page, shape)
        elif is_left_to_learner:
            reading = None
        else:
            choice = self.parking.choice(key)
            reading = self.reader.read(site, page, shape, choice)
        if reading is not None:
            if key is None:
                reading.active.last_read = site.seen
            return self.reader.items(response, reading)
        if not self.config.at_once:
            self._wait(site, shape, key, response)
        return ()

    # Waiting

    def _wait(self, site: Site, shape: str, key: str | None, response: TextResponse) -> None:
        if key is not None:
            self.parking.put_back(key)
            self.learning.clock.later(0, self.parking.replay)
        else:
            unit = self.units.of(response)
            try:
                key = self.parking.park(response)
            except OSError as error:
                self._cannot_wait(site, response, error)
                return
            if self.safe.journal is not None and unit is not None:
                self._arriving[unit] = (site.name, shape)
                return
        self._waits(site, shape, key)

    def _cannot_wait(self, site: Site, response: TextResponse, error: OSError) -> None:
        if self.safe.journal is not None:
            self.safe.give_up(error)
            return
        self.stats.count("pages/lost/disk")
        logger.error("%s cannot be kept for learning and is lost: %s", response, error)
        # What is learned now makes room.
        self.learning.consider(site)

    def _waits(self, site: Site, shape: str, key: str) -> None:
        is_stubborn = self.parking.returned.get(key, 0) >= RETURNS
        site.wait(key, shape, stubborn=is_stubborn)
        if not is_stubborn:
            self.learning.consider(site)

    def keep(self, site: Site, learned: Learned) -> Active:
        """Save a new wrapper, and put it into use."""
        active = self.library.keep(site, learned)
        site.add(active)
        for other in site.surplus():
            self.put_away(other)
        return active

    def put_away(self, active: Active) -> None:
        """The wrapper of a page alone has most likely done its work."""
        self.library.remember(active)
        self.stats.template(active)

    def discard(self, site: Site, keys: Iterable[str], reason: str) -> None:
        """Pages that end without an item: counted here, the reason logged by the caller."""
        for key in keys:
            if site.resolve(key):
                self.stats.count(f"pages/{reason}")
                self.parking.forget(key)

    def miss(self, site: Site, keys: Iterable[str]) -> None:
        """Pages that were to be learned from, and are not there."""
        for key in keys:
            if site.resolve(key):
                self.parking.lose(key, "it is not where it was put")

    def assign(self, site: Site, keys: Iterable[str], template: str, how: str) -> None:
        """Pages that wait have their wrapper."""
        mine = [key for key in keys if key in site.waiting]
        active = site.active.get(template) or site.retired.get(template)
        if active is not None:
            active.last_read = max([active.last_read, *(site.waiting[key].since for key in mine)])
        for key in mine:
            site.resolve(key)
        self.parking.assign(mine, template, how)

    # What becomes of pages

    def item_finished(self, response: Any, item: Any = None, signal: Any = None) -> None:
        """An item has gone all its way: written, or dropped by a pipeline."""
        unit = self.units.of(response)
        if unit is not None and self.safe.journal is not None:
            # After the feed exporter, which listens to the same signal, has had it.
            self.learning.clock.later(0, self.units.item_finished, unit)
        elif unit is not None:
            self.units.item_finished(unit)

    def _unit_done(self, unit: str) -> None:
        if unit.startswith(REPLAY):
            key = unit.removeprefix(REPLAY)
            if key in self.parking.replays:
                self.parking.forget(key)
                self.learning.clock.later(0, self.parking.replay)
        elif self.safe.journal is not None:
            arriving = self._arriving.pop(unit, None)
            self.safe.finish(int(unit), unit, parked=arriving is not None)
            if arriving is not None:
                name, shape = arriving
                self._waits(self.site(name), shape, unit)
        self.safe.commit_if_due()

    def _committed(self) -> None:
        self.parking.committed()

    # The crawl's end

    def idle(self) -> None:
        """No requests are left: learn from what there is, then let the spider close."""
        self.units.end_all()
        for key in self.parking.stuck():
            self.stats.count("pages/lost/callback")
            logger.error("The parked page %s is given up: its callback failed", key)
            self.parking.forget(key)
        if self.safe.journal is not None:
            for row in sorted(self.safe.journal.taken):
                self.safe.finish(row)
        self.parking.replay()
        busy = self.parking.is_busy
        for site in self.sites.awake:
            if site.waiting and not site.learning and not busy:
                self.learning.begin(site, final=True)
        if busy or any(site.learning for site in self.sites.awake):
            raise DontCloseSpider
        if self.closing:
            raise CloseSpider(self.closing)

    def close(self, reason: str) -> None:
        self.lag.stop()
        self.learning.close()
        self.memory.end()
        waiting = self.parking.waiting
        if waiting and self.config.job_folder:
            logger.info("%d pages stay parked in %s until the crawl goes on",
                        waiting, self.parking.pages.folder)  # fmt: skip
        elif waiting and reason == "closespider_itemcount":
            # With theirs, there would be more items than were asked for.
            self.stats.count("pages/skipped/enough_items", waiting)
            logger.info(
                "There are as many items as were asked for, and %d pages are left unread", waiting
            )
        elif waiting:
            self.stats.count("pages/lost/stopped", waiting)
            logger.warning("The crawl was stopped (%s) and %d pages have no items: "
                           "set JOBDIR to be able to go on", reason, waiting)  # fmt: skip
        self._conclude()

    def _conclude(self) -> None:
        """What this run was like: said in the log, put among the stats, kept with the wrappers."""
        self._sum_up()
        reasons = verdict(self.sites, self.config)
        for said in reasons:
            logger.warning("This run is not as good as it has to be: %s", said)
        self.stats.publish(self.sites, self.lag, reasons)
        self.library.close(self.sites)

    def _sum_up(self) -> None:
        found = table(self.sites)
        if found:
            logger.info("%d pages were read into %d items:\n%s", self.stats.get("pages/read"),
                        self.stats.get("items"), found)  # fmt: skip

    def close_files(self) -> None:
        if self.safe.journal is not None:
            self.units.end_all()
        self.safe.close()
        self.sites.close()

    def stop(self, reason: str) -> None:
        """End the crawl as soon as the pages under way are through."""
        engine = self.crawler.engine
        assert engine is not None
        self.learning.clock.later(0, engine.close_spider, self.spider, reason)

    def send(self, signal: object, **values: Any) -> None:
        self.crawler.signals.send_catch_log(signal=signal, spider=self.spider, **values)


class PartOfInduction:
    """A middleware that works for the crawl's :class:`Induction`."""

    def __init__(self, induction: Induction) -> None:
        self.induction = induction

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        induction = crawler.get_extension(Induction)
        if induction is None:
            raise NotConfigured("scrapy-wrapinduce is not enabled: set WRAPINDUCE_ENABLED")
        return cls(induction)
