"""The shared frontier: scrapy-redis' queue and duplicate filter, each step of which survives a killed worker.

scrapy-redis notes a request as seen before it is queued, and forgets it when a worker takes it: a worker
killed in between loses it. Here both are single steps in Redis, and a taken request is held until
all its effects are safe.
"""

from __future__ import annotations

import logging
import uuid
from collections import deque
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import BaseScheduler

from ...stores.redis import CannotShare
from ..waiting.replay import CHILD, OPENED, PARKED, ROW
from .cluster import SharedInduction

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)


def import_queues() -> Any:
    try:
        return import_module("scrapy_redis.queue")
    except ImportError as error:
        raise CannotShare(
            "a crawl on many machines needs scrapy-redis: pip install 'scrapy-wrapinduce[redis]'"
        ) from error


class SharedScheduler(BaseScheduler):
    """Used in place of scrapy-redis' own when ``WRAPINDUCE_REDIS_URL`` is set."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        # Replays, and requests that cannot be written down, stay with this worker.
        self.in_memory: deque[Request] = deque()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        induction = self.crawler.get_extension(SharedInduction)
        assert induction is not None
        self.induction = induction
        self.store, self.outbox = induction.store, induction.outbox
        self.queue: Any = import_queues().PriorityQueue(self.store.redis, spider, self.store.queue)

    def has_pending_requests(self) -> bool:
        return bool(self.in_memory or self.outbox or self._queued())

    def __len__(self) -> int:
        return len(self.in_memory) + self._queued()

    def _queued(self) -> int:
        if self.outbox:
            return 0
        try:
            return len(self.queue)
        except self.outbox.errors as error:
            logger.error("Redis does not say how many requests wait: %s", error)
            return 0

    def enqueue_request(self, request: Request) -> bool:
        unit = request.meta.pop(OPENED, None)
        is_queued = self._enqueue(request)
        if unit is not None:
            self.induction.units.item_finished(unit)
        return is_queued

    def _enqueue(self, request: Request) -> bool:
        if PARKED in request.meta:
            self.in_memory.append(request)
            return True
        request.meta.pop(CHILD, None)
        row = request.meta.pop(ROW, None)
        try:
            data = self.queue._encode_request(request)
        except (ValueError, TypeError, AttributeError):
            self.in_memory.append(request)
            return True
        fingerprint, priority = self._fingerprint(request), -request.priority
        answer = self.outbox.send(lambda: self.store.add(fingerprint, priority, data))
        # While Redis is away, nobody knows.
        is_new = answer is None or bool(answer)
        if row is not None:
            # Retried or redirected: it goes on under the entry that was just made.
            self.outbox.send(lambda: self.store.let_go(row))
        stats: Any = self.crawler.stats
        stats.inc_value("scheduler/enqueued/redis" if is_new else "dupefilter/filtered")
        return is_new

    def _fingerprint(self, request: Request) -> str:
        assert self.crawler.request_fingerprinter is not None
        if request.dont_filter:
            return ""
        return self.crawler.request_fingerprinter.fingerprint(request).hex()

    def next_request(self) -> Request | None:
        if self.in_memory:
            return self.in_memory.popleft()
        if self.outbox:
            return None
        try:
            # Asked again under the same name, it gives what it may have given before.
            row = self.induction.next_row
            data = self.store.take(row)
        except self.outbox.errors as error:
            logger.error("Redis gives no request (%s); it is asked again", error)
            return None
        self.induction.next_row = uuid.uuid4().hex
        if data is None:
            return None
        request = self._restored(row, data)
        if request is not None:
            request.meta[ROW] = row
        return request

    def _restored(self, row: str, data: bytes) -> Request | None:
        try:
            request: Request = self.queue._decode_request(data)
        except Exception as error:  # noqa: BLE001
            # A worker with another version of the spider may have queued it.
            stats: Any = self.crawler.stats
            stats.inc_value("wrapinduce/requests/not_restored")
            logger.error("A request of the queue cannot be made and is left out: %s: %s",
                         type(error).__name__, error)  # fmt: skip
            self.outbox.send(lambda: self.store.finish(f"r:{row}"))
            return None
        return request
