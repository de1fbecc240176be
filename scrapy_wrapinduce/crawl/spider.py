"""Spiders whose items come from learned wrappers."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from scrapy import Request

# At run time too: scrapy-poet asks callbacks what they want, and cannot where a name is missing.
from scrapy.http import Response
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiders import CrawlSpider, Rule, Spider
from scrapy.utils.misc import load_object

from .addon import ADDON
from .config import Config
from .induction import Induction
from .links import NewLinks
from .preflight import check

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

logger = logging.getLogger(__name__)

_OFF = "No items: scrapy-wrapinduce is off, set WRAPINDUCE_ENABLED = True"
_OFF_IN_SHELL = "No items: nothing is learned in the shell; scrapy parse shows the items of a page"
# They show one page, and put a start of their own in the place of the spider's.
COMMANDS = ("scrapy.commands.parse", "scrapy.commands.fetch")


class InducedMixin:
    """Gives any spider class :meth:`parse_induced`, a callback that turns pages into items.

    .. code-block:: python

        class Books(InducedMixin, CrawlSpider):
            rules = [Rule(LinkExtractor(allow="/book/"), callback="parse_induced")]
    """

    #: The class of the items: dataclass, attrs, pydantic or ``scrapy.Item``. None: dicts.
    item_class: ClassVar[type | None] = None
    #: The names of the fields wanted, where there is no item class. Empty: what the pages have.
    fields: ClassVar[Sequence[str]] = ()
    #: Address to ``{field: value}``: what is to be found on a page or a few; or the file that the studio saves it in.
    examples: ClassVar[dict[str, Any] | str | PathLike[str]] = {}

    crawler: Crawler
    _induction: Induction | None = None
    _has_warned = False

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)  # type: ignore[misc]
        if not Config.is_enabled(settings):
            return
        if settings.get("WRAPINDUCE_AT_ONCE") is None and (
            _shows_a_page(cls) or _is_shell(settings)
        ):
            settings.set("WRAPINDUCE_AT_ONCE", True, priority="spider")
        check(cls, settings)
        addons = settings.getdict("ADDONS")
        if not _has_addon(addons):
            settings.set("ADDONS", {**addons, ADDON: 500}, priority="spider")

    def parse_induced(self, response: Response, **kwargs: Any) -> Iterable[Any]:
        """The items of a page. A page whose wrapper is not learned yet comes back here later."""
        if self._induction is None:
            self._induction = self.crawler.get_extension(Induction)
        if self._induction is None:
            if not self._has_warned:
                logger.warning(_OFF_IN_SHELL if Config.is_enabled(self.crawler.settings) else _OFF)
                self._has_warned = True
            return
        for item in self._induction.read(response):
            found = self.process_induced(item, response)
            if found is not None:
                yield found

    def process_induced(self, item: Any, response: Response) -> Any:
        """Change an item before it goes on its way, or return None to leave it out."""
        return item


def _shows_a_page(spider: type) -> bool:
    """Whether ``scrapy parse`` or ``scrapy fetch`` shows what comes of one page."""
    return getattr(getattr(spider, "start", None), "__module__", "") in COMMANDS


def _is_shell(settings: BaseSettings) -> bool:
    """Whether these are the settings of ``scrapy shell``, by what it alone sets."""
    names = ("DUPEFILTER_CLASS", "LOGSTATS_INTERVAL")
    is_own = any(settings.getpriority(name) == SETTINGS_PRIORITIES["command"] for name in names)
    return is_own and not settings.getfloat("LOGSTATS_INTERVAL")


def _has_addon(addons: dict[Any, Any]) -> bool:
    return any(load_object(addon) is load_object(ADDON) for addon in addons)


class InducedSpider(InducedMixin, CrawlSpider):
    """Follows the links inside its domains and turns every page into items, from ``start_urls`` alone.

    ``rules`` and ``allowed_domains`` narrow it down as in any ``CrawlSpider``; a ``parse`` method of
    one's own replaces all of it.
    """

    rules: Sequence[Rule] = (Rule(callback="parse_induced", follow=True),)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._links = NewLinks()
        if self.rules is InducedSpider.rules:
            links: Any = self._links
            self.rules = (Rule(links, callback="parse_induced", follow=True),)
        super().__init__(*args, **kwargs)
        if not getattr(self, "allowed_domains", None):
            self.allowed_domains = _domains(self.start_urls)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        # With a limit of depth, a link that was too deep may come up again nearer.
        spider._links.remembers = not crawler.settings.getint("DEPTH_LIMIT")
        return spider

    async def start(self) -> AsyncIterator[Any]:
        # Unlike Scrapy's own, these go through the duplicate filter: the front page, to which every
        # page links, is read once, and a resumed crawl does not begin anew.
        for url in self.start_urls:
            yield Request(url)

    def _parse(self, response: Response, **kwargs: Any) -> Any:
        if type(self).parse is not Spider.parse:
            return self.parse(response, **kwargs)
        return super()._parse(response, **kwargs)

    def parse_start_url(self, response: Response, **kwargs: Any) -> Iterable[Any]:
        return self.parse_induced(response, **kwargs)


def _domains(urls: Iterable[str]) -> list[str]:
    """The domains of addresses; ``www.`` is left off, as sites send visitors there and back."""
    hosts = (urlsplit(url).hostname for url in urls)
    return list(dict.fromkeys(host.removeprefix("www.") for host in hosts if host))
