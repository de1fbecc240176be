"""The report at the end of a crawl.

While pages are read, little is done: counts go up. When the crawl is over and its feeds are written, the counts are saved
in the store, and a process of its own makes the report of them and of the pages that are kept with the
wrappers; the event loop only waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections import defaultdict
from datetime import datetime, timezone
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import signals as scrapy_signals

from ...report.run import Run, TemplateRun
from ...signatures import site_of
from ...stores.pages import BrokenPage, unpack
from ...stores.sample import changed_path, save_sample
from ...warc import record
from .. import signals
from ..induction import Induction
from ..reading.drift import WARN
from ..reading.shelf import WrapperIsGone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import TextResponse
    from typing_extensions import Self

    from ...wrapper import Extraction
    from ..reading.site import Active, Site

logger = logging.getLogger(__name__)

REPORT_SECONDS = 120
# Pages that are kept of a template because they were read badly, and how bad that is.
DOUBTFUL_PAGES = 5
DOUBTFUL = 0.7
# Pages that are kept of a redesign after which the crawl was stopped, and how many are looked at for them.
CHANGED_PAGES = 10
LOOKED_AT = 30
MOST_UNLEARNED = 20
MOST_TEMPLATES = 128


class Account:
    """Extension that keeps account of a crawl and has its report made."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.begun, self._clock = datetime.now(timezone.utc), monotonic()
        self.templates: defaultdict[str, TemplateRun] = defaultdict(TemplateRun)
        self.drifted: set[str] = set()
        self.unlearned: list[str] = []
        self.reason = ""
        self._doubtful: defaultdict[str, list[tuple[float, bytes]]] = defaultdict(list)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        account = cls(crawler)
        connect = crawler.signals.connect
        connect(account.read, signals.page_read)
        connect(account.noticed, signals.wrapper_drifted)
        connect(account.repaired, signals.wrapper_repaired)
        connect(account.failed, signals.wrapper_failed)
        connect(account.close, scrapy_signals.spider_closed)
        connect(account.report, scrapy_signals.engine_stopped)
        return account

    @property
    def induction(self) -> Induction:
        # Made after this extension, whose end has to come before its own.
        induction: Induction | None = self.crawler.get_extension(Induction)
        assert induction is not None
        return induction

    def read(self, response: TextResponse, template: str, extraction: Extraction) -> None:
        name = f"{site_of(response.url)}/{template}"
        if name not in self.templates and len(self.templates) >= 2 * MOST_TEMPLATES:
            self._forget_smallest()
        self.templates[name].count(response.url, extraction)
        is_read_anyway = name in self.drifted and self.induction.config.on_drift == WARN
        if extraction.coverage < DOUBTFUL or is_read_anyway:
            self._doubt(name, response, extraction.coverage)

    def _forget_smallest(self) -> None:
        """A report is for people: of very many templates it shows those with most pages."""
        names = sorted(self.templates, key=lambda name: -self.templates[name].pages)
        for name in names[MOST_TEMPLATES:]:
            del self.templates[name]
            self._doubtful.pop(name, None)

    def _doubt(self, name: str, response: TextResponse, coverage: float) -> None:
        """Keep the pages that were read worst."""
        kept = self._doubtful[name]
        if len(kept) < DOUBTFUL_PAGES or coverage < kept[-1][0]:
            kept.append((coverage, record(response.url, response.text)))
            kept.sort(key=lambda pair: pair[0])
            del kept[DOUBTFUL_PAGES:]

    def noticed(self, site: str, template: str, reason: str) -> None:
        self.drifted.add(f"{site}/{template}")
        self.templates[f"{site}/{template}"].notes.append(f"Its pages changed: {reason}.")

    def repaired(self, site: str, template: str, replaces: str) -> None:
        self.templates[f"{site}/{template}"].notes.append(
            f"It takes over the fields of {replaces}, whose pages were redesigned."
        )

    def failed(self, site: str, template: str | None, reason: str, pages: int) -> None:
        if template is not None:
            self.templates[f"{site}/{template}"].notes.append(f"It was set aside: {reason}.")
        elif len(self.unlearned) < MOST_UNLEARNED:
            short = reason.strip().splitlines()[-1] if reason.strip() else "no reason given"
            self.unlearned.append(f"{site}, {pages} pages: {short}")

    def close(self, reason: str) -> None:
        self.reason = reason
        for name, kept in self._doubtful.items():
            self._keep_changed(name, [page for _, page in kept])
        for name in self.drifted - self._doubtful.keys():
            self._keep_changed(name, list(islice(self._waiting_like(name), CHANGED_PAGES)))

    def _waiting_like(self, name: str) -> Iterator[bytes]:
        """Pages that wait for a wrapper at the addresses of a template: its new design."""
        found = self._active(name)
        if found is None:
            return
        site, active = found
        shapes = active.template.shapes
        keys = [key for key, page in site.waiting.items() if page.shape in shapes]
        # The last ones came after the change; pages of the old design may wait among them.
        try:
            wrapper = active.wrapper
        except WrapperIsGone as error:
            logger.error("Pages of %s are not kept: %s", name, error)
            return
        for key in keys[: -LOOKED_AT - 1 : -1]:
            blob = self.induction.parking.pages.get(key)
            try:
                page = unpack(blob or b"")
            except BrokenPage:
                continue
            if wrapper.extract(page.page()).coverage < DOUBTFUL:
                yield record(page.url, page.html)

    def _keep_changed(self, name: str, pages: list[bytes]) -> None:
        found = self._active(name)
        if found is None or not pages:
            return
        store = self.induction.library.store
        try:
            save_sample(changed_path(store.path(found[1].stored)), b"".join(pages))
        except OSError as error:
            logger.error("Pages of %s cannot be kept: %s", name, error)

    def _active(self, name: str) -> tuple[Site, Active] | None:
        site = self.induction.sites.get(name.rpartition("/")[0])
        active = site.named(name.rpartition("/")[2]) if site else None
        return (site, active) if site is not None and active is not None else None

    async def report(self) -> None:
        """Have the report made; the crawl is over, and its feeds are written."""
        if not any(template.records for template in self.templates.values()):
            return
        stats: Any = self.crawler.stats
        run = Run(
            self.induction.spider.name,
            self.begun.isoformat(timespec="seconds"),
            round(monotonic() - self._clock, 1),
            self.reason,
            tuple(stats.get_value("wrapinduce/verdict/reasons", ())),
            tuple(self.unlearned),
            {name: template.to_dict() for name, template in self.templates.items()},
        )
        await _in_thread(self._make, run)

    def _make(self, run: Run) -> None:
        config = self.induction.config
        assert config.report is not None
        target = config.report.resolve()
        command = [
            sys.executable,
            "-m",
            "scrapy_wrapinduce",
            "report",
            str(config.folder.resolve()),
        ]
        try:
            run.save(config.folder)
            done = subprocess.run(
                [*command, "-o", str(target)],
                capture_output=True,
                text=True,
                timeout=REPORT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            logger.error("The report could not be made: %s", error)
            return
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            logger.error("The report could not be made: %s", said)
        else:
            logger.info("What was learned and read, to look at in a browser: %s", target.as_uri())


async def _in_thread(work: Any, *arguments: Any) -> None:
    """Run a function while the event loop, whichever it is, goes on."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        from twisted.internet.threads import deferToThread

        await deferToThread(work, *arguments)
    else:
        await asyncio.to_thread(work, *arguments)
