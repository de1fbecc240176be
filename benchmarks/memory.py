"""Does a long crawl keep its memory? ``python -m benchmarks.memory [--pages 20000] [--sites 1000]``

Serves the sample shop as often over as it takes, crawls it with an :class:`InducedSpider` and with a
spider written by hand, and prints the memory of both after every tenth of their pages. What Scrapy itself keeps of a crawl
(the fingerprints of its requests, its queue) is in both. With ``--sites`` the pages are those of so many small sites of
which each has templates of its own, and only the :class:`InducedSpider` crawls them.
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
SPIDERS = {"induced": INDUCED, "by hand": BY_HAND}
MANY_SITES = """
from scrapy_wrapinduce import InducedSpider

class Induced(InducedSpider):
    name = "induced"
    start_urls = "{url}".split()
    # These sites' wrappers are small: they would hardly fill what they may have by default.
    custom_settings = {{"WRAPINDUCE_WRAPPER_MEMORY_MB": 16}}
"""


def resident(process: int) -> float:
    """The memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def watch(folder: Path, name: str, spider: str, url: str, pages: int) -> None:
    """Print the memory of a crawl after each tenth of its pages."""
    command, environment = command_for(folder, spider, url, {"LOGSTATS_INTERVAL": 2})
    log, last = folder / "crawl.log", 0
    with log.open("w") as file:
        process = subprocess.Popen(command, cwd=folder, env=environment, stderr=file)
    while process.poll() is None:
        time.sleep(SECONDS)
        crawled = int(([0, *re.findall(r"Crawled (\d+) pages", log.read_text())])[-1])
        if crawled * 10 // pages > last:
            last = crawled * 10 // pages
            print(f"{name:8}{crawled:8} pages{resident(process.pid):8.1f} MB", flush=True)
    said = log.read_text()
    print("\n".join(re.findall(r"'wrapinduce/(?:pages|items|wrappers)[^,]*", said)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--sites", type=int, default=0, help="crawl so many small sites instead")
    options = parser.parse_args()
    each = max(1, options.pages // options.sites - 2) if options.sites else 0
    served = (
        ["benchmarks.many_sites", str(options.sites), str(each)]
        if options.sites
        else ["benchmarks.shop", str(options.pages)]
    )
    spiders = {"induced": MANY_SITES} if options.sites else SPIDERS
    server = subprocess.Popen(
        [sys.executable, "-m", *served],
        cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        for name, spider in spiders.items():
            with tempfile.TemporaryDirectory() as folder:
                # Of a small site each page comes once when it is fetched, and once more when its wrapper is there.
                turns = 2 if options.sites else 1
                watch(Path(folder), name, spider, url, turns * options.pages)
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
