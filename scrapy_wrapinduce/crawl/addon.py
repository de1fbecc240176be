"""The one place that registers everything; what ``ADDONS`` and ``WRAPINDUCE_ENABLED`` lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .config import Config

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

ADDON = "scrapy_wrapinduce.Addon"
EXTENSION = "scrapy_wrapinduce.crawl.induction.Induction"
REPORT = "scrapy_wrapinduce.crawl.figures.account.Account"
SHARED = "scrapy_wrapinduce.crawl.machines.cluster.SharedInduction"
SHARED_SCHEDULER = "scrapy_wrapinduce.crawl.machines.frontier.SharedScheduler"
MIDDLEWARE = "scrapy_wrapinduce.crawl.waiting.middleware.ReplayMiddleware"
TRACKING = "scrapy_wrapinduce.crawl.job.tracking.TrackingMiddleware"
FAILURES = "scrapy_wrapinduce.crawl.job.tracking.FailureMiddleware"
SCHEDULER = "scrapy_wrapinduce.crawl.job.scheduler.JournalScheduler"
CLOSE_SPIDER = "scrapy.extensions.closespider.CloseSpider"
CLOSING_WITH_ITEMS = "scrapy_wrapinduce.crawl.limits.ClosingWithItems"
FEED_EXPORTER = "scrapy.extensions.feedexport.FeedExporter"
SAFE_FEED_EXPORTER = "scrapy_wrapinduce.crawl.job.feeds.SafeFeedExporter"
SAFE_STORAGE = "scrapy_wrapinduce.crawl.job.feeds.SafeFileStorage"
SAFE_CSV = "scrapy_wrapinduce.crawl.job.feeds.SafeCsvExporter"
COMPLETE_CSV = "scrapy_wrapinduce.crawl.columns.CompleteCsvExporter"
# Below HttpCompressionMiddleware (590): responses are decompressed HtmlResponses there.
MIDDLEWARE_ORDER = 543


class Addon:
    """Learn wrappers during the crawl: ``ADDONS = {"scrapy_wrapinduce.Addon": 500}``.

    Spiders that subclass :class:`InducedSpider` need only ``WRAPINDUCE_ENABLED = True``. An explicit
    ``WRAPINDUCE_ENABLED = False`` turns the add-on off.
    """

    def __init__(self, is_shell: bool = False) -> None:
        self.is_shell = is_shell

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        # The shell makes its spider later than all others do, when it needs one: nothing is learned there.
        return cls(is_shell=crawler.spider is None)

    def update_settings(self, settings: BaseSettings) -> None:
        if self.is_shell:
            return
        if settings.get("WRAPINDUCE_ENABLED") is None:
            settings.set("WRAPINDUCE_ENABLED", True, "addon")
        config = Config.from_settings(settings)
        if not config.enabled:
            return
        _register(settings, "EXTENSIONS", {SHARED if config.redis_url else EXTENSION: 100})
        if config.report is not None and not config.at_once:
            _register(settings, "EXTENSIONS", {REPORT: 90})
        _register(settings, "DOWNLOADER_MIDDLEWARES", {MIDDLEWARE: MIDDLEWARE_ORDER})
        _register(settings, "SPIDER_MIDDLEWARES", {TRACKING: 1})
        if config.job_folder is None and not config.redis_url:
            _register(settings, "EXTENSIONS", {CLOSE_SPIDER: None, CLOSING_WITH_ITEMS: 0})
        if not config.crash_safe:
            _register(settings, "FEED_EXPORTERS", {"csv": COMPLETE_CSV})
        if config.redis_url:
            settings.set("SCHEDULER", SHARED_SCHEDULER, "addon")
            _register(settings, "DOWNLOADER_MIDDLEWARES", {FAILURES: 1})
        elif config.crash_safe:
            _make_crash_safe(settings)


def _make_crash_safe(settings: BaseSettings) -> None:
    settings.set("SCHEDULER", SCHEDULER, "addon")
    _register(settings, "DOWNLOADER_MIDDLEWARES", {FAILURES: 1})
    _register(settings, "EXTENSIONS", {FEED_EXPORTER: None, SAFE_FEED_EXPORTER: 0})
    for scheme in ("", "file"):
        _register(settings, "FEED_STORAGES", {scheme: SAFE_STORAGE})
    _register(settings, "FEED_EXPORTERS", {"csv": SAFE_CSV})


def _register(settings: BaseSettings, name: str, components: dict[str, Any]) -> None:
    """Add components without taking the place of what the user has set."""
    merged = {**components, **settings.getdict(name)}
    settings.set(name, merged, max(settings.getpriority(name) or 0, 15))
