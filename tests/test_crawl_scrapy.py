"""What Scrapy users expect to go on working."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from crawling import SPIDER, catalogue, crawl, environment, project, serving

REACTORS = {
    "reactorless": {"TWISTED_REACTOR_ENABLED": "0"},
    "select reactor": {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"},
}


@pytest.mark.parametrize("reactor", REACTORS)
def test_other_event_loops(reactor: str, tmp_path: Path) -> None:
    with serving(catalogue(12)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        done = crawl(tmp_path, **REACTORS[reactor])
    assert "Traceback" not in done.log
    assert set(done.paths().values()) == {1}
    assert len(done.paths()) == 12


def test_a_second_crawl_uses_what_the_first_has_learned(tmp_path: Path) -> None:
    with serving(catalogue(12)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        first = crawl(tmp_path)
        (tmp_path / "items.jsonl").unlink()
        second = crawl(tmp_path, WRAPINDUCE_PROVENANCE="origin")
    assert first.stats["wrapinduce/wrappers/learned"] == 2
    assert second.stats["wrapinduce/wrappers/reused"] == 2
    assert "wrapinduce/wrappers/learned" not in second.stats
    assert "wrapinduce/pages/parked" not in second.stats
    plain = [{k: v for k, v in item.items() if k != "origin"} for item in second.items]
    assert sorted(map(json.dumps, plain)) == sorted(map(json.dumps, first.items))
    assert {item["origin"]["how"] for item in second.items} == {"wrapper"}


def test_a_stored_wrapper_that_no_longer_fits_is_set_aside(tmp_path: Path) -> None:
    pages = catalogue(12)
    with serving(pages) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        crawl(tmp_path)
        (tmp_path / "items.jsonl").unlink()
        for path, html in pages.items():
            if path != "/":
                redesigned = (
                    str(html)
                    .replace("<p ", "<section><h3>New</h3><span ")
                    .replace("</p>", "</span></section>")
                )
                site.answers[path] = redesigned.replace('class="', 'class="new-').replace(
                    "<div", "<article"
                )
        second = crawl(tmp_path)
    assert second.stats["wrapinduce/wrappers/learned"] >= 1
    assert set(second.paths().values()) == {1}
    assert len(second.paths()) == 12


ITEM_CLASS = """
from dataclasses import dataclass
from scrapy_wrapinduce import InducedMixin
from scrapy.spiders import SitemapSpider

@dataclass
class Book:
    url: str
    title: str | None = None
    price: str | None = None

class Books(InducedMixin, SitemapSpider):
    name = "local"
    sitemap_urls = ["{url}sitemap.xml"]
    sitemap_rules = [("/book/", "parse_induced")]
    item_class = Book
"""


def test_a_sitemap_spider_with_an_item_class_and_a_cache(tmp_path: Path) -> None:
    pages = catalogue(8)
    with serving(pages) as site:
        urls = "".join(
            f"<url><loc>{site.url.rstrip('/')}{path}</loc></url>" for path in pages if path != "/"
        )
        site.answers["/sitemap.xml"] = (
            f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        )
        project(tmp_path, ITEM_CLASS.format(url=site.url))
        done = crawl(tmp_path, HTTPCACHE_ENABLED="1")
        assert set(done.paths().values()) == {1}
        assert all(set(item) == {"url", "title", "price"} for item in done.items)
        assert all(item["price"].startswith("£") for item in done.items)
        (tmp_path / "items.jsonl").unlink()
        again = crawl(tmp_path, HTTPCACHE_ENABLED="1", WRAPINDUCE_REUSE="0")
        assert set(site.asked.values()) == {1}
    assert sorted(map(str, again.items)) == sorted(map(str, done.items))


TWO_SITES = """
from scrapy_wrapinduce import InducedSpider

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{one}", "{two}"]
"""


def test_two_sites_in_one_crawl_have_their_own_wrappers(tmp_path: Path) -> None:
    with serving(catalogue(9)) as one, serving(catalogue(7)) as two:
        urls = {"one": one.url, "two": two.url.replace("127.0.0.1", "localhost")}
        project(tmp_path, TWO_SITES.format(**urls))
        done = crawl(tmp_path)
    assert done.paths() == {f"/book/{n}": 1 + (n < 7) for n in range(9)}
    folders = sorted(path.name for path in tmp_path.rglob("wrappers/*"))
    assert [name.rpartition("_")[0] for name in folders] == ["127.0.0.1", "localhost"]


def test_a_template_that_comes_late_is_learned_too(tmp_path: Path) -> None:
    late = {
        f"/late/{number}": f"<html><body><table class=t><tr><th>Name</th><td>N{number}</td></tr>"
        f"<tr><th>Age</th><td>{number * 7}</td></tr></table></body></html>"
        for number in range(10)
    }
    pages = catalogue(40)
    links = "".join(f'<a href="{path}">x</a>' for path in late)
    pages["/book/0"] = str(pages["/book/0"]).replace("</body>", f"{links}</body>")
    with serving(pages | late) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        # Breadth first, the late pages come when the others are through.
        done = crawl(tmp_path, CONCURRENT_REQUESTS="2", DEPTH_PRIORITY="1",
                     SCHEDULER_MEMORY_QUEUE="scrapy.squeues.FifoMemoryQueue")  # fmt: skip
    assert set(done.paths().values()) == {1}
    assert len(done.paths()) == 50
    assert any("/late from" in line for line in done.log.splitlines())


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = ("-s", "WRAPINDUCE_ENABLED=1")
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments, *settings],
        cwd=folder, env=environment(), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


CONTRACT = """
from scrapy_wrapinduce import InducedSpider

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]

    def parse_book(self, response):
        '''
        @url {url}book/3
        @returns items 1 1
        @scrapes url
        '''
        yield from self.parse_induced(response)
"""


ALONE = ""
# Neither is there: who looks at one page has no use for them.
AS_A_WORKER = 'WRAPINDUCE_REDIS_URL = "redis://127.0.0.1:1/0"'
IN_A_JOB = "WRAPINDUCE_CRASH_SAFE = True"
WITH_ADDON = 'ADDONS = {"scrapy_wrapinduce.Addon": 500}'


@pytest.mark.parametrize(
    "settings",
    [ALONE, AS_A_WORKER, IN_A_JOB, WITH_ADDON],
    ids=["alone", "as a worker", "in a job", "with add-on"],
)
def test_check_shell_fetch_and_parse_still_work(settings: str, tmp_path: Path) -> None:
    with serving(catalogue(8)) as site:
        project(tmp_path, CONTRACT.format(url=site.url), settings)
        checked = command(tmp_path, "check", "local")
        assert checked.returncode == 0, checked.stderr
        assert "OK" in checked.stderr
        for spider in ([], ["--spider=local"]):
            heading = "response.css('h1::text').get()"
            shell = command(tmp_path, "shell", *spider, f"{site.url}book/1", "-c", heading)
            assert "Story" in shell.stdout, shell.stderr
            fetched = command(tmp_path, "fetch", *spider, "--nolog", f"{site.url}book/1")
            assert "price" in fetched.stdout
        items = "list(crawler.spidercls.from_crawler(crawler).parse_induced(response))"
        shell = command(tmp_path, "shell", "--spider=local", f"{site.url}book/1", "-c", items)
        assert "scrapy parse shows the items" in shell.stderr
        parsed = command(
            tmp_path, "parse", "--spider=local", "-c", "parse_book", "--nolog", f"{site.url}book/2"
        )
        assert "book/2" in parsed.stdout


WISHES = """
from dataclasses import dataclass
from scrapy_wrapinduce import InducedSpider

@dataclass
class Book:
    url: str
    heading: str | None = None

class Spider(InducedSpider):
    name = "local"
    start_urls = ["{url}"]
    item_class = Book
    examples = {{"{url}book/2": {{"heading": "Story 2"}}}}
"""


def test_a_page_that_is_read_at_once_has_the_fields_that_are_wanted(tmp_path: Path) -> None:
    with serving(catalogue(8)) as site:
        title = re.search("<h1[^>]*>(.*?)</h1>", str(site.answers["/book/2"]))
        assert title is not None
        spider = WISHES.replace("Story 2", title[1]).format(url=site.url)
        project(tmp_path, spider)
        parsed = command(
            tmp_path,
            "parse",
            "--spider=local",
            "-c",
            "parse_induced",
            "--nolog",
            f"{site.url}book/2",
        )
    assert f"'heading': '{title[1]}'" in parsed.stdout
    assert "'url': 'http://127.0.0.1:" in parsed.stdout
    assert not list(tmp_path.rglob("wrappers/*/*.json"))
