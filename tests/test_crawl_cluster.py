"""Three workers and a real Redis: one that learns is killed, Redis restarts, and every page comes out once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from crawling import arguments, catalogue, environment, project, serving

from sample_project import cluster
from sample_project.demo import served
from sample_project.shop_site.compare import Comparison, compare
from sample_project.shop_site.site import Site

pytest.importorskip("redis", reason="needs the redis extra")
pytest.importorskip("scrapy_redis", reason="needs the redis extra")
if not (os.environ.get("REDIS_SERVER") or shutil.which("redis-server")):
    pytest.skip("needs redis-server, on the PATH or named in REDIS_SERVER", allow_module_level=True)

from scrapy_wrapinduce.stores.redis import SharedStore, client

HEARTBEAT = 3


@pytest.fixture
def redis() -> Iterator[cluster.Redis]:
    with cluster.redis_server() as server:
        yield server


def store(redis: cluster.Redis, worker: str, heartbeat: int = 600) -> SharedStore:
    return SharedStore(client(redis.url), "s", worker, "s:requests", "s:dupefilter", heartbeat)


def workers(
    site: str, redis: cluster.Redis, folder: Path, count: int = 3
) -> list[subprocess.Popen[bytes]]:
    return [
        cluster.start_worker(site, redis.url, folder / f"{number}.log",
                             WRAPINDUCE_REDIS_HEARTBEAT=HEARTBEAT, DOWNLOAD_DELAY=0.02)
        for number in range(count)
    ]  # fmt: skip


def await_log(folder: Path, text: str) -> Path:
    """The log of the worker that first says something."""
    for _ in range(2400):
        for log in sorted(folder.glob("*.log")):
            if text in log.read_text(errors="replace"):
                return log
        time.sleep(0.05)
    raise AssertionError(f"no worker said {text!r}")


def outcome(redis: cluster.Redis) -> Comparison:
    return compare(cluster.read_items(redis.url), Site().truth)


def assert_each_once(found: Comparison) -> None:
    for kind in ("product", "article"):
        assert (found.kind(kind).missing, found.kind(kind).doubled) == ((), ()), kind
    assert found.broken_with_item == found.broken


def test_the_worker_that_learns_is_killed(redis: cluster.Redis, tmp_path: Path) -> None:
    with served() as site:
        running = workers(site, redis, tmp_path)
        leader = running[int(await_log(tmp_path, "Looking for templates").stem)]
        leader.send_signal(signal.SIGKILL)
        leader.wait()
        assert [worker.wait(timeout=180) for worker in running if worker is not leader] == [0, 0]
    assert_each_once(outcome(redis))
    others = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert others.count("is in office") >= 2


def test_redis_restarts_in_the_middle(redis: cluster.Redis, tmp_path: Path) -> None:
    with served() as site:
        running = workers(site, redis, tmp_path)
        await_log(tmp_path, "Looking for templates")
        redis.stop()
        time.sleep(1)
        redis.start()
        assert [worker.wait(timeout=180) for worker in running] == [0, 0, 0]
    assert_each_once(outcome(redis))


IMPATIENT = """
from scrapy_wrapinduce.stores import redis
redis.PATIENCE = 1
"""


def test_redis_is_away_for_longer_than_a_call_waits(
    redis: cluster.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "patch").mkdir()
    (tmp_path / "patch/sitecustomize.py").write_text(IMPATIENT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "patch"))
    with served() as site:
        running = workers(site, redis, tmp_path)
        for sign in ("Looking for templates", "Learned 127"):
            await_log(tmp_path, sign)
            redis.stop()
            time.sleep(8)
            redis.start()
        assert [worker.wait(timeout=180) for worker in running] == [0, 0, 0]
    assert_each_once(outcome(redis))
    logs = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert "does not answer" in logs
    assert "Unhandled" not in logs
    assert "is given up" not in logs


def test_a_request_is_taken_once_and_comes_back_when_its_worker_is_gone(
    redis: cluster.Redis,
) -> None:
    dead, alive = store(redis, "dead", heartbeat=1), store(redis, "alive")
    dead.beat()
    assert dead.add("f1", 0, b"request")
    assert not alive.add("f1", 0, b"request")
    assert dead.take("1") == b"request"
    assert alive.take("2") is None
    time.sleep(2.1)
    assert alive.beat() == 1
    assert alive.take("3") == b"request"
    assert not dead.finish("r:1", [b"late"])
    assert alive.finish("r:3", [b"item"])
    assert alive.items() == [b"item"]
    assert alive.work_left() == (0, 0)


def test_a_parked_page_is_kept_until_its_items_are_safe(redis: cluster.Redis) -> None:
    one = store(redis, "one")
    one.beat()
    one.add("f", 0, b"request")
    one.take("1")
    assert one.finish("r:1", [], ("key", b"page", '["s", "/", 0]'))
    assert one.waiting() == {"key": '["s", "/", 0]'}
    one.assign(["key"], "book", "wrapper")
    assert one.take_ready() == ("key", "book", "wrapper")
    assert one.work_left() == (1, 0)
    one.put_back("key", "s", "/")
    assert one.waiting() == {"key": '["s", "/", 1]'}
    one.assign(["key"], "book", "partial")
    assert one.take_ready() == ("key", "book", "partial")
    assert one.get("key") == b"page"
    assert one.finish("p:key", [b"item"])
    assert (one.get("key"), one.items(), one.work_left()) == (None, [b"item"], (0, 0))


def test_one_worker_is_in_office_at_a_time(redis: cluster.Redis) -> None:
    one, two = store(redis, "one"), store(redis, "two", heartbeat=1)
    assert one.lead()
    assert not two.lead()
    one.resign()
    assert two.lead()
    time.sleep(1.2)
    assert one.lead()
    assert not two.lead()


RESTING = """
from scrapy_wrapinduce import InducedSpider
from scrapy_wrapinduce.crawl.reading import at_hand

at_hand.MOST_AWAKE = 1

class Spider(InducedSpider):
    name = "local"
    start_urls = {urls}
"""


def book_urls(redis: cluster.Redis) -> list[str]:
    """The addresses of the items for books that the workers of ``local`` have put into Redis."""
    shared = SharedStore(
        client(redis.url), "local", "reader", "local:requests", "local:dupefilter", 600
    )
    urls = [json.loads(item)["url"] for item in shared.items()]
    return [url for url in urls if "/book/" in url]


def local_worker(job: Path, log: Path, **settings: object) -> subprocess.Popen[bytes]:
    with log.open("wb") as file:
        return subprocess.Popen(arguments(**settings), cwd=job, env=environment(), stderr=file)


def test_sites_whose_pages_came_long_ago_rest_in_every_worker(
    redis: cluster.Redis, tmp_path: Path
) -> None:
    settings = {
        "WRAPINDUCE_REDIS_URL": redis.url,
        "CONCURRENT_REQUESTS": 4,
        "DOWNLOAD_DELAY": 0.02,
    }
    with ExitStack() as servers:
        sites = [servers.enter_context(serving(catalogue(12))) for _ in range(4)]
        job = project(tmp_path, RESTING.format(urls=[site.url for site in sites]))
        running = [local_worker(job, tmp_path / f"{n}.log", **settings) for n in range(2)]
        assert [worker.wait(timeout=180) for worker in running] == [0, 0]
    books = book_urls(redis)
    assert (len(books), len(set(books))) == (48, 48)
    logs = "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert "Traceback" not in logs


DYING = """
import os
import signal
from pathlib import Path

from scrapy import signals
from scrapy_wrapinduce import InducedSpider

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
        self.links += "/book/" in request.url
        if self.links == {fatal} and not Path("killed").exists():
            Path("killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("fatal", [1, 101])
def test_no_link_of_a_page_is_lost_with_its_worker(
    fatal: int, redis: cluster.Redis, tmp_path: Path
) -> None:
    settings = {"WRAPINDUCE_REDIS_URL": redis.url, "WRAPINDUCE_REDIS_HEARTBEAT": HEARTBEAT}
    with serving(catalogue(150)) as site:
        job = project(tmp_path, DYING.format(url=site.url, fatal=fatal))
        killed = local_worker(job, tmp_path / "killed.log", **settings)
        assert killed.wait(timeout=180) == -signal.SIGKILL
        heir = local_worker(job, tmp_path / "heir.log", **settings)
        assert heir.wait(timeout=180) == 0
    books = book_urls(redis)
    assert (len(books), len(set(books))) == (150, 150)
