"""Does a long crawl keep its memory? ``python -m benchmarks.memory [--pages 20000]``

Serves the sample shop as often over as it takes, crawls it with a spider written by hand and with an
:class:`InducedSpider`, and prints the memory of both after every tenth of their pages. What Scrapy itself keeps of a crawl
(the fingerprints of its requests, its queue) is in both.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .crawl import BY_HAND, INDUCED, command_for

SECONDS = 1.0
SPIDERS = {"by hand": BY_HAND, "induced": INDUCED}


def resident(process: int) -> float:
    """The memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def watch(folder: Path, spider: str, url: str, pages: int) -> dict[int, float]:
    """The memory of a crawl after each tenth of its pages."""
    command, environment = command_for(folder, spider, url, {"LOGSTATS_INTERVAL": 2})
    log, memory = folder / "crawl.log", {}
    with log.open("w") as file:
        process = subprocess.Popen(command, cwd=folder, env=environment, stderr=file)
    while process.poll() is None:
        time.sleep(SECONDS)
        crawled = re.findall(r"Crawled (\d+) pages", log.read_text())
        tenth = int(crawled[-1]) * 10 // pages if crawled else 0
        if tenth and tenth not in memory:
            memory[tenth] = resident(process.pid)
    said = log.read_text()
    print("\n".join(re.findall(r"'wrapinduce/(?:pages|items|wrappers)[^,]*", said)), flush=True)
    return memory


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=20_000)
    options = parser.parse_args()
    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.shop", str(options.pages)],
        cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        found = {}
        for name, spider in SPIDERS.items():
            with tempfile.TemporaryDirectory() as folder:
                found[name] = watch(Path(folder), spider, url, options.pages)
    finally:
        server.kill()
        server.wait()
    print(f"{'pages':>8}" + "".join(f"{name:>12}" for name in found))
    for tenth in range(1, 11):
        row = [f"{memory[tenth]:9.1f} MB" if tenth in memory else "" for memory in found.values()]
        print(f"{options.pages * tenth // 10:8}" + "".join(f"{cell:>12}" for cell in row))


if __name__ == "__main__":
    main()
