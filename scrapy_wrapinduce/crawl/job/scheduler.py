"""A scheduler whose queue and duplicate filter are the journal: they survive ``kill -9``."""

from __future__ import annotations

import logging
import pickle
import sqlite3
from collections import deque
from typing import TYPE_CHECKING

from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.request import request_from_dict

from ..induction import Induction
from ..waiting.replay import CHILD, OPENED, PARKED, ROW
from .journal import Journal

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)


class JournalScheduler(BaseScheduler):
    """Used in place of Scrapy's when ``WRAPINDUCE_CRASH_SAFE`` is set."""

    induction: Induction
    journal: Journal
    spider: Spider

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        # Replays are made from the parked pages at every start; they need not be kept.
        self.in_memory: deque[Request] = deque()
        self._has_warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        induction = self.crawler.get_extension(Induction)
        assert induction is not None
        self.induction = induction
        self.spider, self.journal = spider, induction.safe.open()
        if self.journal.pending:
            logger.info("Resuming a crawl: %d requests are pending", self.journal.pending)

    def has_pending_requests(self) -> bool:
        return bool(self.in_memory or self.journal.pending)

    def __len__(self) -> int:
        return len(self.in_memory) + self.journal.pending

    def enqueue_request(self, request: Request) -> bool:
        unit = request.meta.pop(OPENED, None)
        is_queued = self._enqueue_safely(request)
        if unit is not None:
            self.induction.units.item_finished(unit)
        return is_queued

    def _enqueue_safely(self, request: Request) -> bool:
        if PARKED in request.meta:
            self.in_memory.append(request)
            return True
        try:
            return self._enqueue(request)
        except sqlite3.Error as error:
            self.induction.safe.give_up(error)
            return False

    def _enqueue(self, request: Request) -> bool:
        row: int = request.meta.get(ROW, 0)
        is_again = row in self.journal.taken
        if not self._is_new(request, is_again):
            self.crawler.stats.inc_value("dupefilter/filtered")
            if is_again:
                self.journal.finish(row)
            return False
        try:
            data = pickle.dumps(request.to_dict(spider=self.spider))
        except (ValueError, TypeError, AttributeError, pickle.PicklingError) as error:
            self._warn(request, error)
            self.in_memory.append(request)
            return True
        if is_again:
            self.journal.put_back(row, request.priority, data)
        else:
            self.journal.add(request.priority, data)
        self.crawler.stats.inc_value("scheduler/enqueued")
        return True

    def _is_new(self, request: Request, is_again: bool) -> bool:
        assert self.crawler.request_fingerprinter is not None
        child = request.meta.pop(CHILD, None)
        fingerprint = self.crawler.request_fingerprinter.fingerprint(request).hex()
        if not request.dont_filter:
            return self.journal.see(fingerprint)
        if is_again:
            return True
        # Not to be filtered, but the same request of the same page, which a crash made run twice, is.
        if request.meta.get("is_start_request"):
            return self.journal.see(f"start {fingerprint}")
        return child is None or self.journal.see(f"{child} {fingerprint}")

    def _warn(self, request: Request, error: Exception) -> None:
        if not self._has_warned:
            self._has_warned = True
            logger.warning("%s cannot be written down and would be lost in a crash, as may others: %s",
                           request, error)  # fmt: skip

    def next_request(self) -> Request | None:
        if self.in_memory:
            return self.in_memory.popleft()
        while (taken := self._take()) is not None:
            row, data = taken
            request = self._restored(row, data)
            if request is not None:
                request.meta[ROW] = row
                self.crawler.stats.inc_value("scheduler/dequeued")
                return request
        return None

    def _take(self) -> tuple[int, bytes] | None:
        try:
            return self.journal.take()
        except sqlite3.Error as error:
            self.induction.safe.give_up(error)
            return None

    def _restored(self, row: int, data: bytes) -> Request | None:
        try:
            return request_from_dict(pickle.loads(data), spider=self.spider)
        except Exception as error:  # noqa: BLE001
            # The spider may have lost the callback, or a module the class of something in meta.
            self.crawler.stats.inc_value("wrapinduce/requests/not_restored")
            logger.error("Request %d of the job cannot be made, and is kept for when the spider has what "
                         "it needs: %s: %s", row, type(error).__name__, error)  # fmt: skip
            self.journal.leave(row)
            return None
