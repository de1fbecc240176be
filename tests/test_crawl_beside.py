"""Beside the plugins that people use: pages rendered by a browser, and page objects."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from crawling import SPIDER, Answer, catalogue, crawl, project, serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

RENDERED = """
from scrapy import Request
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import Rule
from scrapy_wrapinduce import InducedSpider

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]
    rules = [Rule(LinkExtractor(), "parse_induced", follow=True, process_request="rendered")]

    async def start(self):
        for url in self.start_urls:
            yield Request(url, meta={{"playwright": True}})

    def rendered(self, request, response):
        request.meta["playwright"] = True
        return request
"""
PLAYWRIGHT = """
DOWNLOAD_HANDLERS = {{
    "http": "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler",
    "https": "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler",
}}
PLAYWRIGHT_LAUNCH_OPTIONS = {{
    "executable_path": {chromium!r},
    "args": ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
}}
"""


def written_by_a_script(page: Answer | str) -> str:
    """A page whose body is not in its source."""
    head, body = str(page).split("<body>")
    text = body.removesuffix("</body></html>").replace('"', "'")
    return f'{head}<body><script>document.body.innerHTML = "{text}"</script></body></html>'


def test_pages_rendered_by_playwright(tmp_path: Path) -> None:
    pytest.importorskip("scrapy_playwright", reason="NOT TESTED: needs scrapy-playwright")
    if CHROMIUM is None:
        pytest.skip("NOT TESTED: scrapy-playwright needs chromium")
    pages = {path: written_by_a_script(page) for path, page in catalogue(9).items()}
    with serving(pages) as site:
        project(tmp_path, RENDERED.format(url=site.url), PLAYWRIGHT.format(chromium=CHROMIUM))
        done = crawl(tmp_path)
    assert done.code == 0, done.log
    assert "Traceback" not in done.log
    assert done.stats["playwright/page_count"] == 10
    assert done.paths() == {f"/book/{number}": 1 for number in range(9)}
    books = {item["url"].rpartition("/")[2]: item for item in done.items if "/book/" in item["url"]}
    assert all(f"£{number}.99" in map(str, item.values()) for number, item in books.items())


PAGE_OBJECT = """
from scrapy import Request
from scrapy_wrapinduce import InducedSpider
from web_poet import WebPage, field

class FrontPage(WebPage):
    @field
    def books(self):
        return self.css("li a::attr(href)").getall()

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]

    async def start(self):
        yield Request("{url}", self.parse_front)

    async def parse_front(self, response, page: FrontPage):
        yield {{"url": response.url, "count": len(page.books)}}
        for request in response.follow_all(page.books, self.parse_book):
            yield request

    def parse_book(self, response):
        yield from self.parse_induced(response)
"""


@pytest.mark.parametrize("spider", [PAGE_OBJECT, SPIDER], ids=["page object", "plain"])
def test_page_objects_of_scrapy_poet(spider: str, tmp_path: Path) -> None:
    pytest.importorskip("scrapy_poet", reason="NOT TESTED: needs scrapy-poet")
    with serving(catalogue(9)) as site:
        project(tmp_path, spider.format(url=site.url), 'ADDONS = {"scrapy_poet.Addon": 300}')
        done = crawl(tmp_path)
        assert set(site.asked.values()) == {1}
    assert done.code == 0, done.log
    assert "Traceback" not in done.log
    assert done.paths() == {f"/book/{number}": 1 for number in range(9)}
    counts = [item["count"] for item in done.items if "count" in item]
    assert counts == ([9] if spider is PAGE_OBJECT else [])
