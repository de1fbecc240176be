"""Crawls stopped and killed at random moments and resumed until done: every page exactly once.

A few stops by default; ``make test-kill`` makes at least fifty of each kind. The seed is in every message.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest
from crawling import SPIDER, catalogue, item_paths, project, read_items, serving
from killing import HeldUp, Outcome, kill_learner, run_until_done

STOPS = int(os.environ.get("WRAPINDUCE_TEST_STOPS", "2"))
SEED = int(os.environ.get("WRAPINDUCE_TEST_SEED", "0")) or random.randrange(1, 10**6)
STOPS_PER_JOB = 5
IS_THOROUGH = STOPS >= 10
# Enough pages that Scrapy's own files are no longer in their buffers when it is killed.
PAGES = 500 if IS_THOROUGH else 60
LATEST = 4.0 if IS_THOROUGH else 1.5

PLAIN_SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class Spider(CrawlSpider):
    name = "local"
    start_urls = ["{url}"]
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True)]

    def parse_start_url(self, response):
        return self.parse_page(response)

    def parse_page(self, response):
        yield {{"url": response.url, "title": response.css("h1::text").get()}}
"""


def outcomes(folder: Path, how: signal.Signals, spider: str, **settings: object) -> list[Outcome]:
    """As many jobs as it takes to have been stopped often enough."""
    print(f"{how.name}, {STOPS} times, seed {SEED}")
    found: list[Outcome] = []
    with serving(catalogue(PAGES)) as site:
        while sum(outcome.stopped for outcome in found) < STOPS and len(found) < STOPS:
            job = project(folder / str(len(found)), spider.format(url=site.url))
            stops = min(STOPS_PER_JOB, STOPS - sum(outcome.stopped for outcome in found))
            found.append(
                run_until_done(
                    job,
                    how,
                    SEED + len(found),
                    stops,
                    0.05,
                    LATEST,
                    DOWNLOAD_DELAY="0.02",
                    **settings,
                )
            )
    return found


def assert_exactly_once(found: list[Outcome]) -> None:
    expected = {path: 1 for path in catalogue(PAGES) if path != "/"}
    for outcome in found:
        differ = {path: outcome.paths[path] for path in expected if outcome.paths[path] != 1}
        assert differ == {}, f"seed {SEED}: pages that did not come out once"
        assert set(outcome.paths) == set(expected)


THOROUGH = pytest.mark.skipif(not IS_THOROUGH, reason="make test-kill")


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGINT, id="SIGINT"),
        pytest.param(signal.SIGTERM, id="SIGTERM", marks=THOROUGH),
    ],
)
def test_a_stopped_job_goes_on_where_it_was(how: signal.Signals, tmp_path: Path) -> None:
    assert_exactly_once(outcomes(tmp_path, how, SPIDER))


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGKILL, id="SIGKILL"),
        pytest.param(signal.SIGTERM, id="SIGTERM", marks=THOROUGH),
    ],
)
def test_a_crash_safe_job_survives_anything(how: signal.Signals, tmp_path: Path) -> None:
    assert_exactly_once(outcomes(tmp_path, how, SPIDER, WRAPINDUCE_CRASH_SAFE="1"))


@THOROUGH
def test_a_plain_spider_does_not_survive_it(tmp_path: Path) -> None:
    found = outcomes(tmp_path, signal.SIGKILL, PLAIN_SPIDER)
    expected = [path for path in catalogue(PAGES) if path != "/"]
    missing = sum(path not in outcome.paths for outcome in found for path in expected)
    doubled = sum(count > 1 for outcome in found for count in outcome.paths.values())
    print(
        f"plain spider, {len(found)} jobs of {len(expected)} pages: {missing} lost, {doubled} doubled"
    )
    assert missing + doubled > 0


def test_the_learning_process_is_killed(tmp_path: Path) -> None:
    """Twice in each crawl: after the third time, what it is learning from is given up."""
    if not Path("/proc").is_dir():
        pytest.skip("NOT TESTED: the learning process is found through /proc")
    print(f"learning process, {STOPS} times, seed {SEED}")
    with serving({}) as site:
        for number in range((STOPS + 1) // 2):
            site.answers = pages = HeldUp(catalogue(60), "/book/30")
            job = project(tmp_path / str(number), SPIDER.format(url=site.url))
            outcome = kill_learner(job, SEED + number, 2, pages)
            assert outcome.paths == {f"/book/{book}": 1 for book in range(60)}, f"seed {SEED}"
            assert outcome.stopped > 0
            assert "Traceback" not in outcome.log


def test_a_csv_feed_keeps_its_columns_through_a_kill(tmp_path: Path) -> None:
    with serving(catalogue(30)) as site:
        job = project(
            tmp_path, SPIDER.format(url=site.url), 'FEEDS = {"items.csv": {"format": "csv"}}'
        )
        run_until_done(
            job, signal.SIGKILL, SEED, 1, 0.8, 1.2, DOWNLOAD_DELAY="0.05", WRAPINDUCE_CRASH_SAFE="1"
        )
    rows = (tmp_path / "items.csv").read_text().splitlines()
    assert sum(row.startswith("url,") for row in rows) == 1
    assert sum("/book/" in row for row in rows) == 30
    assert len(item_paths(read_items(tmp_path / "items.jsonl"))) == 30
