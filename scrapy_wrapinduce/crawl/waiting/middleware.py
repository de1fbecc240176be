"""Serve pages that waited for their wrapper, as if they had just been downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import IgnoreRequest

from ..clock import Turns
from ..induction import Induction, PartOfInduction
from .replay import PARKED, to_response

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response


class AlreadyRead(IgnoreRequest):
    """A parked page was asked for again after its items were safe."""


class BeyondLimit(IgnoreRequest):
    """A page was asked for after the crawl had all the pages that it may have."""


class ReplayMiddleware(PartOfInduction):
    """Answers requests for parked pages from the store; all others pass, as long as pages are fetched."""

    def __init__(self, induction: Induction) -> None:
        super().__init__(induction)
        self._turns = Turns()

    def process_request(self, request: Request, spider: Spider | None = None) -> Response | None:
        key: Any = request.meta.get(PARKED)
        if key is None:
            if self.induction.closing:
                raise BeyondLimit(f"{request.url} is not fetched: {self.induction.closing}")
            return None
        page = self.induction.parking.take(key)
        if page is None:
            raise AlreadyRead(f"the parked page {request.url} has been read already")
        return to_response(page, request)

    async def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Response:
        # Here, where a page that waits still counts as one of CONCURRENT_REQUESTS: no more are fetched than are worked on.
        await self._turns.mine()
        return response
