"""``scrapy crawl`` from a start address alone to items, on a site that knows its own database."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from crawling import SPIDER, Crawl, catalogue, crawl, crawl_site, project, serving

from sample_project.demo import crawl as crawl_sample
from sample_project.demo import served
from sample_project.shop_site.compare import Comparison, compare, read_items
from sample_project.shop_site.site import Site


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Crawl]:
    out = tmp_path_factory.mktemp("shop")
    with served() as site:
        items = read_items(crawl_sample("shop", site, out))
    log = (out / "crawl.log").read_text(encoding="utf-8")
    return compare(items, Site().truth), Crawl(items, log, 0)


def test_every_product_and_article_comes_out_exactly_once(shop: tuple[Comparison, Crawl]) -> None:
    comparison, _ = shop
    for kind in ("product", "article"):
        score = comparison.kind(kind)
        assert (score.missing, score.doubled) == ((), ()), kind


def test_almost_all_values_equal_the_database(shop: tuple[Comparison, Crawl]) -> None:
    comparison, _ = shop
    assert comparison.anywhere >= 0.95


def test_pages_that_break_their_template_give_an_item_too(shop: tuple[Comparison, Crawl]) -> None:
    comparison, _ = shop
    assert comparison.broken_with_item == comparison.broken > 0


def test_the_numbers_of_the_crawl_add_up(shop: tuple[Comparison, Crawl]) -> None:
    _, done = shop
    stats = done.stats
    pages = len(Site().paths)
    assert stats["wrapinduce/pages/seen"] == pages
    assert stats["wrapinduce/pages/read"] + stats.get("wrapinduce/pages/unlearnable", 0) == pages
    assert stats["wrapinduce/items"] == stats["item_scraped_count"] == len(done.items)


def test_the_log_says_what_was_learned_from_how_many_pages(shop: tuple[Comparison, Crawl]) -> None:
    _, done = shop
    assert "Learned 127.0.0.1:" in done.log
    assert "from 20 pages" in done.log
    assert re.search(
        r"445 pages were read into \d+ items:\n +pages +items +found +fields", done.log
    )
    assert "Traceback" not in done.log


@pytest.mark.parametrize(("enabled", "items"), [("1", 12), ("0", 0)], ids=["enabled", "disabled"])
def test_the_command_line_turns_it_on_and_off(enabled: str, items: int, tmp_path: Path) -> None:
    done = crawl_site(tmp_path, catalogue(12), WRAPINDUCE_ENABLED=enabled)
    assert len(done.paths()) == items
    assert done.code == 0
    assert ("scrapy-wrapinduce is off" in done.log) == (not items)


def test_each_page_is_fetched_once(tmp_path: Path) -> None:
    with serving(catalogue(30)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        done = crawl(tmp_path)
        assert set(site.asked.values()) == {1}
    assert set(done.paths().values()) == {1}
    assert len(done.paths()) == 30


def test_the_add_on_alone_is_enough(tmp_path: Path) -> None:
    with serving(catalogue(8)) as site:
        project(tmp_path, SPIDER.format(url=site.url), 'ADDONS = {"scrapy_wrapinduce.Addon": 500}')
        assert len(crawl(tmp_path, WRAPINDUCE_ENABLED=None).paths()) == 8


CRAWL_SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from scrapy_wrapinduce import InducedMixin

class Books(InducedMixin, CrawlSpider):
    name = "local"
    start_urls = ["{url}"]
    rules = [Rule(LinkExtractor(allow="/book/"), callback="parse_induced")]

    def process_induced(self, item, response):
        item["seen_by_hook"] = True
        return item
"""


def test_rules_of_a_crawl_spider_choose_the_pages(tmp_path: Path) -> None:
    with serving(catalogue(9)) as site:
        project(tmp_path, CRAWL_SPIDER.format(url=site.url))
        done = crawl(tmp_path)
    assert set(done.paths()) == {f"/book/{number}" for number in range(9)}
    assert all(item["seen_by_hook"] for item in done.items)


OWN_CALLBACK = """
from dataclasses import dataclass
from scrapy_wrapinduce import InducedSpider

class Books(InducedSpider):
    name = "local"
    start_urls = ["{url}"]

    def parse(self, response):
        yield {{"url": response.url, "links": len(response.css("a"))}}
        yield from response.follow_all(css="a", callback=self.parse_book)

    def parse_book(self, response):
        yield from self.parse_induced(response)
"""


def test_callbacks_of_ones_own_work_as_in_any_spider(tmp_path: Path) -> None:
    with serving(catalogue(7)) as site:
        project(tmp_path, OWN_CALLBACK.format(url=site.url))
        done = crawl(tmp_path)
    assert len(done.items) == 8
    assert [item["links"] for item in done.items if "links" in item] == [7]


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    done = crawl_site(tmp_path, catalogue(1), WRAPINDUCE_SAMPLE_PAGES="many")
    assert done.code != 0
    assert "WRAPINDUCE_SAMPLE_PAGES is 'many', but has to be a number" in done.log
    assert "Traceback" not in done.log
    assert done.code == 2
