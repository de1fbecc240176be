"""Spiders whose items come from learned wrappers."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, Spider
from scrapy.utils.misc import load_object

from .addon import ADDON
from .induction import Induction

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

# Links that are remembered as followed; when there are more, the duplicate filter is asked again.
MAX_FOLLOWED = 500_000


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
        addons = settings.getdict("ADDONS")
        if settings.getbool("WRAPINDUCE_ENABLED") and not _has_addon(addons):
            settings.set("ADDONS", {**addons, ADDON: 500}, priority="spider")

    def parse_induced(self, response: Response, **kwargs: Any) -> Iterable[Any]:
        """The items of a page. A page whose wrapper is not learned yet comes back here later."""
        if self._induction is None:
            self._induction = self.crawler.get_extension(Induction)
        if self._induction is None:
            if not self._has_warned:
                logger.warning("No items: scrapy-wrapinduce is off, set WRAPINDUCE_ENABLED = True")
                self._has_warned = True
            return
        for item in self._induction.read(response):
            found = self.process_induced(item, response)
            if found is not None:
                yield found

    def process_induced(self, item: Any, response: Response) -> Any:
        """Change an item before it goes on its way, or return None to leave it out."""
        return item


def _has_addon(addons: dict[Any, Any]) -> bool:
    return any(load_object(addon) is load_object(ADDON) for addon in addons)


class InducedSpider(InducedMixin, CrawlSpider):
    """Follows the links inside its domains and turns every page into items, from ``start_urls`` alone.

    ``rules`` and ``allowed_domains`` narrow it down as in any ``CrawlSpider``; a ``parse`` method of
    one's own replaces all of it.
    """

    rules = (
        Rule(LinkExtractor(), callback="parse_induced", follow=True, process_links="new_links"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._followed: set[int] = set()
        if not getattr(self, "allowed_domains", None):
            self.allowed_domains = _domains(self.start_urls)

    def new_links(self, links: list[Link]) -> list[Link]:
        """Links that no page before has led to; asking the duplicate filter about each takes longer.

        Not with a limit of depth, where a link that was too deep may come up again nearer.
        """
        if self.settings.getint("DEPTH_LIMIT"):
            return links
        if len(self._followed) > MAX_FOLLOWED:
            self._followed.clear()
        found = []
        for link in links:
            known = hash((link.url, link.nofollow))
            if known not in self._followed:
                self._followed.add(known)
                found.append(link)
        return found

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
