"""Many machines: every worker reads and parks, one learns, all use what it has learned.

The worker in office groups and learns from the pages that all have parked; the wrappers it publishes are
picked up by everyone, and parked pages are replayed by whoever has time. When a worker dies, what
it held goes back after a while, and another takes over the office.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.serialize import ScrapyJSONEncoder

from ...errors import InvalidWrapper
from ...stores.pages import pack
from ...stores.redis import SharedStore, client, import_redis
from ..induction import RETURNS, Induction
from ..job.units import REPLAY
from ..reading.site import Active, Site, Waiting
from ..waiting.replay import to_parked
from .outbox import Outbox
from .published import Published
from .shared_parking import SharedParking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import TextResponse

    from ..learning.messages import Learned
    from ..reading.resting import Kept
    from ..reading.shelf import Held

logger = logging.getLogger(__name__)

# Seconds between two looks at what the others have done.
TICK = 1.0
# So many looks in a row without an answer, each of which waits for about a minute, and a worker stops.
MOST_FAILURES = 10


class SharedInduction(Induction):
    """The extension of a worker; used when ``WRAPINDUCE_REDIS_URL`` is set."""

    parking: SharedParking

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        worker = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        name = self.spider.name
        self.store = SharedStore(
            client(self.config.redis_url),
            name,
            worker,
            f"{name}:requests",
            f"{name}:dupefilter",
            self.config.redis_heartbeat,
        )
        # Large pages too are read where they are replayed: that need not be where they were learned.
        self.large = self.config.max_page_size
        self.is_leader = False
        self._staged: dict[str, list[bytes]] = {}
        self._parked: dict[str, tuple[str, bytes, str]] = {}
        self._is_idle = False
        self._encoder = ScrapyJSONEncoder()
        self.redis_error: type[Exception] = import_redis().exceptions.RedisError
        self.outbox = Outbox(self.redis_error)
        self.published = Published(self)
        # The name under which the next request will be held, or is already when only the answer was lost.
        self.next_row = uuid.uuid4().hex
        self._failures = 0

    @property
    def queues_safely(self) -> bool:
        return True

    def _open_parking(self) -> SharedParking:
        self._tick_timer: Any = None
        return SharedParking(self)

    def open(self, spider: Any) -> None:
        super().open(spider)
        logger.info("This is worker %s", self.store.worker)
        self._tick()

    # Wrappers

    def refresh(self) -> None:
        """Pick up the wrappers that the worker in office has published."""
        self.published.refresh()

    def fetch(self, site: str, name: str) -> Active | None:
        try:
            found = self.published.fetch(site, name)
        except (self.redis_error, InvalidWrapper) as error:
            logger.error("A shared wrapper cannot be used: %s", error)
            return None
        return found or super().fetch(site, name)

    def held(self, kept: Kept) -> Held:
        if not kept.is_shared:
            return super().held(kept)
        return self.library.held(kept, self.published.reader(kept.stored))

    def keep(self, site: Site, learned: Learned) -> Active:
        active = super().keep(site, learned)
        self.outbox.send(partial(self.store.wrappers.save, active.to_store()))
        return active

    # Pages

    def _wait(self, site: Site, shape: str, key: str | None, response: TextResponse) -> None:
        unit = self.units.of(response)
        if key is not None:
            self.parking.forget(key)
            self.outbox.send(partial(self.store.put_back, key, site.name, shape))
            return
        assert response.request is not None
        assert self.crawler.request_fingerprinter is not None
        key = self.crawler.request_fingerprinter.fingerprint(response.request).hex()
        about = json.dumps([site.name, shape, 0])
        blob = pack(to_parked(key, response))
        self.stats.count("pages/parked")
        if unit is None:
            self.outbox.send(partial(self.store.park, key, blob, about))
        else:
            self._parked[unit] = (key, blob, about)

    def assign(self, site: Site, keys: Iterable[str], template: str, how: str) -> None:
        if self.is_leader:
            resolved = [key for key in keys if site.resolve(key)]
            self.outbox.send(partial(self.store.assign, resolved, template, how))
            self.parking.replay()

    def discard(self, site: Site, keys: Iterable[str], reason: str) -> None:
        if self.is_leader:
            for key in keys:
                if site.resolve(key):
                    self.stats.count(f"pages/{reason}")
                    self.outbox.send(partial(self.store.discard, key))

    def miss(self, site: Site, keys: Iterable[str]) -> None:
        # Another worker was in office meanwhile, and has had them read.
        for key in keys:
            site.resolve(key)

    # Units of work

    def item_finished(self, response: Any, item: Any = None, signal: Any = None) -> None:
        unit = self.units.of(response)
        if unit is not None and signal is signals.item_scraped:
            self._staged.setdefault(unit, []).append(self._encoder.encode(item).encode())
        super().item_finished(response)

    def _unit_done(self, unit: str) -> None:
        items = self._staged.pop(unit, [])
        parked = self._parked.pop(unit, None)
        if unit.startswith(REPLAY):
            key = unit.removeprefix(REPLAY)
            if key not in self.parking.replays:
                return
            hold = f"p:{key}"
            self.parking.forget(key)
            self.learning.clock.later(0, self.parking.replay)
        else:
            hold = f"r:{unit}"
        self.outbox.send(partial(self._finish, hold, items, parked))

    def _finish(self, hold: str, items: list[bytes], parked: tuple[str, bytes, str] | None) -> None:
        if not self.store.finish(hold, items, parked):
            self.stats.count("cluster/taken_over")
            logger.warning(
                "%d items are left out: another worker has taken their page over", len(items)
            )

    # The others

    def _tick(self) -> None:
        try:
            self.outbox.flush()
            self._look_around()
            self._failures = 0
        except self.redis_error as error:
            self._no_answer(error)
        self._tick_timer = self.learning.clock.later(TICK, self._tick)

    def _no_answer(self, error: Exception) -> None:
        """Redis was away for as long as a call waits: try again, a bounded number of times."""
        self.stats.count("cluster/redis_errors")
        self._failures += 1
        if self._failures < MOST_FAILURES:
            logger.error("Redis at %s does not answer (%s); what is parked there is kept, "
                         "and it is tried again", self.config.redis_url, error)  # fmt: skip
        elif self._failures == MOST_FAILURES:
            logger.critical("Redis at %s does not answer any more (%s), and this worker stops. What it held is done by others, "
                            "or when the crawl is started again", self.config.redis_url, error)  # fmt: skip
            self.stop("wrapinduce_redis_is_gone")

    def _look_around(self) -> None:
        taken_back = self.store.beat()
        if taken_back:
            self.stats.count("cluster/taken_back", taken_back)
            logger.warning(
                "A worker is gone: %d requests and pages it held are given to others", taken_back
            )
        was_leader, self.is_leader = self.is_leader, self.store.lead()
        if self.is_leader and not was_leader:
            logger.info("Worker %s is in office: it learns for all", self.store.worker)
        self.refresh()
        self.parking.replay()
        if self.is_leader:
            self._lead()
        else:
            self._leave_to_others()
        if self._is_idle:
            self._is_idle = False
            self.parking.nudge()

    def _lead(self) -> None:
        by_site: dict[str, dict[str, tuple[str, bool]]] = {}
        for key, about in self.store.waiting().items():
            name, shape, returns = json.loads(about)
            by_site.setdefault(name, {})[key] = (shape, returns >= RETURNS)
        under_way, _ = self.store.work_left()
        for name, pages in by_site.items():
            site = self.site(name)
            if site.learning:
                continue
            site.waiting = {key: Waiting(shape) for key, (shape, _) in pages.items()}
            site.stubborn = {key for key, (_, is_stubborn) in pages.items() if is_stubborn}
            if under_way:
                self.learning.consider(site)
            else:
                self.learning.begin(site, final=True)

    def _leave_to_others(self) -> None:
        """What waited when this worker was in office, another learns from now."""
        for site in self.sites.awake:
            if site.waiting and not site.learning:
                site.waiting, site.stubborn = {}, set()

    # The end

    def idle(self) -> None:
        """The spider closes when the whole cluster has nothing left to do."""
        self.units.end_all()
        if self.outbox:
            raise DontCloseSpider
        try:
            self._idle()
        except self.redis_error as error:
            self._no_answer(error)
            raise DontCloseSpider from error

    def _idle(self) -> None:
        for key in self.parking.stuck():
            self.stats.count("pages/lost/callback")
            logger.error("The parked page %s is given up: its callback failed", key)
            self.parking.forget(key)
            self.store.finish(f"p:{key}")
        for hold in self.store.held():
            # Nothing is under way here any more: these ended in a way that nobody was told of.
            if hold == f"r:{self.next_row}":
                continue
            if hold.startswith("r:"):
                self.store.finish(hold)
            else:
                self.store.release(hold[2:])
        self._is_idle = True
        if any(self.store.work_left()) or any(site.learning for site in self.sites.awake):
            raise DontCloseSpider

    def close(self, reason: str) -> None:
        self.lag.stop()
        if self._tick_timer is not None:
            self._tick_timer.cancel()
        self.learning.close()
        self.memory.end()
        self.units.end_all()
        try:
            self.outbox.flush()
            self.store.resign()
        except self.redis_error as error:
            logger.error("Redis does not answer at the end (%s): %d messages to it are left out, and others do "
                         "their pages again", error, len(self.outbox))  # fmt: skip
        self._conclude()
