"""Know when a page has had all its effects: its callback is through, and its items have gone all their way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy import Request

from ..induction import PartOfInduction
from ..waiting.replay import CHILD, OPENED, PARKED, ROW

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response


class TrackingMiddleware(PartOfInduction):
    """Spider middleware next to the engine: sees what really comes out of a page."""

    def process_spider_output(
        self, response: Response, result: Iterable[Any], spider: Spider | None = None
    ) -> Iterable[Any]:
        unit = self.induction.units.of(response)
        return result if unit is None else self._followed(response, result, unit)

    def _followed(self, response: Response, result: Iterable[Any], unit: str) -> Iterator[Any]:
        try:
            for place, output in enumerate(result):
                self._note(output, unit, place)
                yield output
        finally:
            self.induction.units.callback_ended(unit)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        unit = self.induction.units.of(response)
        place = 0
        try:
            async for output in result:
                if unit is not None:
                    self._note(output, unit, place)
                    place += 1
                yield output
        finally:
            if unit is not None:
                self.induction.units.callback_ended(unit)

    def _note(self, output: Any, unit: str, place: int) -> None:
        if not isinstance(output, Request):
            self.induction.units.item_begun(unit)
            return
        # Callbacks like to pass their meta on: these two are not theirs to pass.
        output.meta.pop(ROW, None)
        output.meta.pop(PARKED, None)
        if self.induction.queues_safely:
            # Scrapy takes some outputs ahead of those that it has queued: the page is not done before they are.
            self.induction.units.item_begun(unit)
            output.meta[OPENED] = unit
        if output.dont_filter:
            output.meta[CHILD] = f"{unit}/{place}"

    def process_spider_exception(
        self, response: Response, exception: Exception, spider: Spider | None = None
    ) -> None:
        unit = self.induction.units.of(response)
        if unit is not None:
            self.induction.units.callback_ended(unit)


class FailureMiddleware(PartOfInduction):
    """Downloader middleware next to the engine: what fails here has failed for good."""

    def process_exception(
        self, request: Request, exception: Exception, spider: Spider | None = None
    ) -> None:
        row = request.meta.get(ROW)
        if row is not None:
            self.induction.units.callback_ended(str(row))
