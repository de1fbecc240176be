"""Crawl the sample site with three workers that share a Redis, and check the items against its database.

``python -m sample_project.cluster`` from the repository. It starts its own redis-server on a free port of the
loopback address; set REDIS_SERVER where that program is not on the PATH.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .demo import PROJECT, DemoFailed, served
from .shop_site.compare import compare, report
from .shop_site.site import Site

WORKERS = 3
# Below those that systems give to whoever asks for any: a Redis that starts again finds its own free.
PORTS = range(20_000, 28_000)
_COUNT = re.compile(r"'wrapinduce/(pages/read|wrappers/learned)': (\d+)")


def redis_program() -> str:
    """Where redis-server is."""
    found = os.environ.get("REDIS_SERVER") or shutil.which("redis-server")
    if not found:
        raise DemoFailed(
            "no redis-server found: install Redis, or name the program in REDIS_SERVER"
        )
    return found


class Redis:
    """A Redis of one's own, that keeps what it holds through a restart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for port in random.sample(PORTS, 5):
            self.port = port
            if self._starts():
                break
        else:
            raise DemoFailed(f"{redis_program()} did not start")
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        if not self._starts():
            raise DemoFailed(f"{redis_program()} did not start again")

    def _starts(self) -> bool:
        if self._answers():
            return False  # Another program has this port.
        command = [redis_program(), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "",
                   "--appendonly", "yes", "--dir", str(self.folder)]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            if self.process.poll() is not None:
                return False
            if self._answers():
                return True
            time.sleep(0.05)
        self.stop()
        return False

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


@contextmanager
def redis_server() -> Iterator[Redis]:
    """A redis-server for as long as the block runs."""
    with tempfile.TemporaryDirectory() as folder:
        server = Redis(Path(folder))
        try:
            yield server
        finally:
            server.stop()


def start_worker(site: str, redis: str, log: Path, **settings: object) -> subprocess.Popen[bytes]:
    """One worker: a plain ``scrapy crawl`` that knows where Redis is."""
    command = [sys.executable, "-m", "scrapy", "crawl", "shop"]
    defaults = {
        "WRAPINDUCE_REDIS_URL": redis,
        "WRAPINDUCE_DIR": log.with_suffix(""),
        "LOG_FILE": log,
    }
    for name, value in {**defaults, **settings}.items():
        command += ["-s", f"{name}={value}"]
    paths = [str(PROJECT.parent), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "SHOP_SITE": site,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "no_proxy": "127.0.0.1",
        "NO_PROXY": "127.0.0.1",
    }
    return subprocess.Popen(command, cwd=PROJECT, env=environment)


def read_items(redis: str) -> list[dict[str, object]]:
    """The items that all workers have put into Redis."""
    from scrapy_wrapinduce.stores.redis import SharedStore, client

    store = SharedStore(client(redis), "shop", "reader", "shop:requests", "shop:dupefilter")
    return [json.loads(item) for item in store.items()]


def run(workers: int, out: Path) -> None:
    # Logs and wrappers of an earlier run would make this one look as if it had learned nothing.
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    logs = [out / f"worker-{number}.log" for number in range(1, workers + 1)]
    with served() as site, redis_server() as redis:
        print(f"Serving the shop at {site}, Redis at {redis.url}; {workers} workers", flush=True)
        begun = time.monotonic()
        running = [start_worker(site, redis.url, log) for log in logs]
        codes = [worker.wait() for worker in running]
        items = read_items(redis.url)
        seconds = time.monotonic() - begun
    for log in logs:
        print(did(log))
    with (out / "items.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    print(f"{len(items)} items in {seconds:.1f} s\n\n{report(compare(items, Site().truth))}")
    print(f"\nThe items and the workers' logs are in {out}")
    if any(codes):
        raise DemoFailed(f"a worker failed (exit codes {codes}): see its log")


def did(log: Path) -> str:
    """What a worker did, in one line."""
    said = log.read_text(encoding="utf-8", errors="replace")
    counts = {name: int(count) for name, count in _COUNT.findall(said)}
    read, learned = counts.get("pages/read", 0), counts.get("wrappers/learned", 0)
    taught = f", learned {learned} wrappers for all" if learned else ""
    return f"{log.stem} read {read} pages{taught}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--out", type=Path, default=PROJECT / "out" / "cluster")
    options = parser.parse_args()
    try:
        run(options.workers, options.out.resolve())
    except DemoFailed as failure:
        print(f"cluster: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
