"""A page and the wrappers of its site: which one reads it, and the items that come of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy.http import JsonResponse, TextResponse

from ...errors import CannotInduce
from ...induce import induce
from ...stores.stored import StoredWrapper
from ...templates import Template
from .. import signals
from .items import make_item
from .judge import fits, fits_partly
from .shelf import Held, WrapperIsGone
from .site import Active, Site

if TYPE_CHECKING:
    from scrapy.http import Response

    from ...fields.types import Unconverted
    from ...page import Page
    from ...wrapper import Extraction, Wrapper
    from ..config import Config
    from ..figures.stats import Stats
    from .drift import Drift

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Choice:
    """What the learner has chosen for a page: a wrapper, why, and for a large page what it read."""

    template: str
    how: str
    extraction: Extraction | None = None


@dataclass(frozen=True)
class Reading:
    """A page that was read: by which wrapper, how that was chosen, and what came out."""

    active: Active
    wrapper: Wrapper
    how: str
    extraction: Extraction


def unreadable(response: Response, max_size: int) -> str:
    """Why a response cannot be read; empty when it can."""
    if not isinstance(response, TextResponse):
        return "not text"
    if not response.body.strip():
        return "empty"
    if len(response.body) > max_size:
        return "too large"
    if b"\0" in response.body[:1024] and not response.encoding.startswith("utf-16"):
        return "binary"
    return "not html" if isinstance(response, JsonResponse) or b"<" not in response.body else ""


class Reader:
    """Reads pages and makes items of them; ``send`` sends signals."""

    def __init__(
        self,
        spider: Any,
        config: Config,
        stats: Stats,
        send: Callable[..., None],
        drift: Drift,
    ) -> None:
        self.spider = spider
        self.config = config
        self.stats = stats
        self.send = send
        self.drift = drift

    def read(self, site: Site, page: Page, shape: str, choice: Choice | None) -> Reading | None:
        """A page as the best wrapper there is reads it; None when none does."""
        while True:
            try:
                return self._read(site, page, shape, choice)
            except WrapperIsGone as error:
                # Somebody removed its file, or the disk is broken: its pages are learned from again.
                self._drop(site, error)

    def _read(self, site: Site, page: Page, shape: str, choice: Choice | None) -> Reading | None:
        chosen = site.named(choice.template) if choice else None
        if choice is not None and chosen is not None:
            wrapper = chosen.wrapper
            extraction = choice.extraction or wrapper.extract(page)
            # For a page that is for itself the learner has judged already: nothing fits it better.
            if choice.how != "wrapper" or fits_partly(extraction, chosen.stored.coverage):
                site.routed(shape, chosen)
                return Reading(chosen, wrapper, choice.how, extraction)
        doubted: dict[str, Reading] = {}
        for active, looks_alike in site.candidates(page, shape):
            if active.name in doubted:
                continue
            wrapper = active.wrapper
            extraction = wrapper.extract(page)
            whole = fits(extraction, active.stored.coverage)
            if whole or (looks_alike and fits_partly(extraction, active.stored.coverage)):
                reading = Reading(active, wrapper, "wrapper" if whole else "partial", extraction)
                if not self.drift.trusts(site, active, page, extraction, whole=whole):
                    doubted[active.name] = reading
                    continue
                if whole:
                    site.routed(shape, active)
                return reading
            if looks_alike:
                active.misread += 1
                if active.is_distrusted:
                    self._retire(site, active)
        for reading in doubted.values():
            if self.drift.is_read_all_the_same(site, reading.active):
                return reading
        return None

    def read_at_once(self, site: Site, page: Page, shape: str) -> Reading | None:
        """Without waiting for others: a contract, or ``scrapy parse``, looks at a single page."""
        found = self.read(site, page, shape, None)
        if found is not None:
            return found
        try:
            wrapper = induce([page], **self._wishes(page))
        except CannotInduce as error:
            self.stats.count("pages/unlearnable")
            logger.warning("Nothing can be learned from %s: %s", page, error)
            return None
        stored = StoredWrapper(site.name, "alone", "", {}, 1, fields=wrapper.fields)
        active = Active(stored, Held(wrapper), Template("alone"))
        return Reading(active, wrapper, "alone", wrapper.extract(page))

    def _wishes(self, page: Page) -> dict[str, Any]:
        """What the user wants of a page, as the learning process is told it."""
        wishes: dict[str, Any] = {"attributes": self.config.attributes}
        example = (getattr(self.spider, "examples", None) or {}).get(page.url)
        if example is not None:
            wishes["examples"] = [example]
        item_class = getattr(self.spider, "item_class", None)
        if item_class is not None and item_class is not dict:
            wishes["schema"] = item_class
        elif getattr(self.spider, "fields", None):
            wishes["schema"] = tuple(self.spider.fields)
        if getattr(self.spider, "recognizers", None):
            wishes["recognizers"] = dict(self.spider.recognizers)
        return wishes

    def _drop(self, site: Site, gone: WrapperIsGone) -> None:
        for active in site.every():
            if active.held is gone.held:
                site.forget(active)
                self.stats.count("wrappers/lost")
                logger.error("The wrapper %s is used no longer: %s", active.stored.id, gone)

    def _retire(self, site: Site, active: Active) -> None:
        # Its fields can still be carried over to the pages of today.
        site.retire(active)
        self.stats.count("wrappers/retired")
        reason = f"it did not read {active.misread} of this crawl's first pages"
        logger.warning("The stored wrapper %s is set aside: %s", active.stored.id, reason)
        self.send(signals.wrapper_failed, site=site.name, template=active.name,
                  reason=reason, pages=active.misread)  # fmt: skip

    def items(self, response: TextResponse, reading: Reading) -> Iterator[Any]:
        """The items of a page that was read."""
        active, extraction = reading.active, reading.extraction
        active.count(extraction)
        self.stats.page_read(active, reading.how, extraction)
        self.send(signals.page_read, response=response, template=active.name, how=reading.how,
                  extraction=extraction)  # fmt: skip
        item_class = getattr(self.spider, "item_class", None)
        for record in extraction.records:
            try:
                # A class of items converts by its own annotations.
                clean = (
                    reading.wrapper.clean(record)
                    if item_class
                    else reading.wrapper.item(record, response.url)
                )
                about = self._provenance(reading, record)
                item = make_item(clean, response.url, item_class, about, self._unconverted)
            except Exception as error:  # noqa: BLE001
                # The class is the user's: it may refuse a value in any way it likes.
                self.stats.count("items/refused")
                logger.error("%s refuses a record of %s: %s", item_class, response.url, error)
                continue
            self.stats.count("items")
            yield item
        if not extraction.records:
            self.stats.count("pages/without_records")
            logger.info("No items from %s: its wrapper %s found no record", response, active.name)

    def _unconverted(self, problem: Unconverted) -> None:
        self.stats.count(f"items/unconverted/{problem.field}")
        logger.debug("Not converted: %s", problem)

    def _provenance(self, reading: Reading, record: dict[str, Any]) -> dict[str, Any]:
        if not self.config.provenance:
            return {}
        about = {
            "template": reading.active.stored.id,
            "how": reading.how,
            "coverage": round(reading.extraction.coverage, 3),
            "raw": record,
        }
        return {self.config.provenance: about}
