"""Crawls killed at one known moment: when some of a page's links are queued, and the others are not."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from crawling import catalogue, crawl, project, serving

LINKS = 150
# What the journal has is written down just before the process is gone, as may happen by its timer at any time.
SPIDER = """
import os
import signal
from pathlib import Path

from scrapy import signals
from scrapy_wrapinduce import InducedSpider
from scrapy_wrapinduce.crawl.induction import Induction

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]
    links = 0

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.about_to_be_queued, signals.request_scheduled)
        return spider

    def about_to_be_queued(self, request):
        if "/book/" not in request.url:
            return
        self.links += 1
        if self.links == {fatal} and not Path("killed").exists():
            Path("killed").touch()
            self.crawler.get_extension(Induction).safe.commit()
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("fatal", [1, 101, LINKS])
def test_no_link_of_a_page_is_lost(fatal: int, tmp_path: Path) -> None:
    pages = catalogue(LINKS)
    with serving(pages) as site:
        job = project(tmp_path, SPIDER.format(url=site.url, fatal=fatal))
        settings = {"JOBDIR": "job", "WRAPINDUCE_CRASH_SAFE": "1"}
        killed = crawl(job, **settings)
        assert killed.code == -signal.SIGKILL
        assert killed.paths() == {}
        resumed = crawl(job, **settings)
    assert resumed.code == 0
    assert resumed.paths() == {path: 1 for path in pages if path != "/"}
