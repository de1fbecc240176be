"""Limits that end a crawl with the items of all its pages: ``CLOSESPIDER_PAGECOUNT`` and ``CLOSESPIDER_TIMEOUT``.

Scrapy closes the spider where it stands. Pages that still wait for their wrapper would never become items, and
a first try with a limit of a hundred pages would show next to nothing. So here a limit ends the fetching: what is
there is learned from and read, and then the spider closes, for the reason that Scrapy gives. Jobs with a JOBDIR
go on with their parked pages another time, and are stopped as ever.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.extensions.closespider import CloseSpider

from .clock import Clock
from .induction import Induction
from .waiting.replay import PARKED

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)


class ClosingWithItems(CloseSpider):
    """Scrapy's extension, but for the two limits after which the pages that wait are still read."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._timer: Any = None
        crawler.signals.connect(self._stop_timer, signal=signals.spider_closed)

    def page_count(self, response: Response, request: Request, spider: Spider) -> None:
        induction = self.crawler.get_extension(Induction)
        if induction is None:
            super().page_count(response, request, spider)
        elif PARKED not in request.meta:  # Those were counted when they were fetched.
            if self.counter["pagecount"] + 1 == self.close_on["pagecount"]:
                self.counter["pagecount"] += 1
                _fetch_no_more(induction, "closespider_pagecount")
            else:
                super().page_count(response, request, spider)

    def spider_opened(self, spider: Spider) -> None:
        induction = self.crawler.get_extension(Induction)
        if induction is None:
            super().spider_opened(spider)
        else:
            seconds, reason = self.close_on["timeout"], "closespider_timeout"
            self._timer = Clock().later(seconds, _fetch_no_more, induction, reason)

    def _stop_timer(self) -> None:
        timer, self._timer = self._timer, None
        # Twisted does not like a call that was made to be cancelled.
        if timer is not None and getattr(timer, "active", lambda: True)():
            timer.cancel()


def _fetch_no_more(induction: Induction, reason: str) -> None:
    logger.info("No more pages are fetched (%s); those that are there are read", reason)
    induction.closing = reason
