"""The crawl's numbers under ``wrapinduce/``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ...wrapper import Extraction
    from ..clock import LoopLag
    from ..reading.site import Active, Site

# Templates whose own numbers are among the stats.
MOST_TEMPLATES = 1000


class Stats:
    """Counts into the crawler's stats collector."""

    def __init__(self, crawler: Crawler) -> None:
        assert crawler.stats is not None
        self._stats = crawler.stats
        self._templates = 0

    def count(self, name: str, number: int = 1) -> None:
        self._stats.inc_value(f"wrapinduce/{name}", number)

    def get(self, name: str) -> int:
        return int(self._stats.get_value(f"wrapinduce/{name}", 0))

    def page_read(self, active: Active, how: str, extraction: Extraction) -> None:
        self.count("pages/read")
        if how != "wrapper":
            self.count(f"fallback/{how}")
        if extraction.failures:
            self.count("pages/with_failures")

    def template(self, active: Active) -> None:
        """How a wrapper did; of the first thousand, as stats are kept in memory to the end."""
        if not active.read or self._templates >= MOST_TEMPLATES:
            return
        self._templates += 1
        put = self._stats.set_value
        stem = f"wrapinduce/{active.stored.id}"
        put(f"{stem}/pages", active.read)
        put(f"{stem}/records", active.records)
        put(f"{stem}/coverage", round(active.coverage / active.read, 4))
        for name, share in active.field_coverage().items():
            put(f"{stem}/fields/{name}", share)
        for what, number in active.failures.most_common(50):
            put(f"{stem}/failures/{what}", number)

    def publish(self, sites: Iterable[Site], lag: LoopLag, reasons: list[str]) -> None:
        """What is known only at the end: coverage and failures by template and field, loop lag."""
        put = self._stats.set_value
        for site in sites:
            for active in site.every():
                self.template(active)
        put("wrapinduce/verdict/ok", not reasons)
        put("wrapinduce/verdict/reasons", reasons)
        put("wrapinduce/loop_lag/longest_ms", round(lag.longest * 1000, 1))
        put("wrapinduce/loop_lag/mean_ms", round(lag.mean * 1000, 2))
