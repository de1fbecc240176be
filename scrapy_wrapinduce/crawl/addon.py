"""The one place that registers everything; what ``ADDONS`` and ``WRAPINDUCE_ENABLED`` lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .config import Config

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

ADDON = "scrapy_wrapinduce.Addon"
EXTENSION = "scrapy_wrapinduce.crawl.induction.Induction"
MIDDLEWARE = "scrapy_wrapinduce.crawl.middleware.ReplayMiddleware"
# Below HttpCompressionMiddleware (590): responses are decompressed HtmlResponses there.
MIDDLEWARE_ORDER = 543


class Addon:
    """Learn wrappers during the crawl: ``ADDONS = {"scrapy_wrapinduce.Addon": 500}``.

    Spiders that subclass :class:`InducedSpider` need only ``WRAPINDUCE_ENABLED = True``. An explicit
    ``WRAPINDUCE_ENABLED = False`` turns the add-on off.
    """

    def update_settings(self, settings: BaseSettings) -> None:
        if settings.get("WRAPINDUCE_ENABLED") is None:
            settings.set("WRAPINDUCE_ENABLED", True, "addon")
        config = Config.from_settings(settings)
        if not config.enabled:
            return
        _register(settings, "EXTENSIONS", {EXTENSION: 100})
        _register(settings, "DOWNLOADER_MIDDLEWARES", {MIDDLEWARE: MIDDLEWARE_ORDER})


def _register(settings: BaseSettings, name: str, components: dict[str, Any]) -> None:
    """Add components without taking the place of what the user has set."""
    merged = {**components, **settings.getdict(name)}
    settings.set(name, merged, max(settings.getpriority(name) or 0, 15))
