"""Does a long crawl keep its memory? ``python -m benchmarks.memory [--pages 20000]``

Serves the sample shop as often over as it takes, crawls it with an :class:`InducedSpider`, and prints the memory of the
crawl after every tenth of its pages.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .crawl import INDUCED, command_for

SECONDS = 1.0


def resident(process: int) -> float:
    """The memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def watch(folder: Path, url: str, pages: int) -> None:
    command, environment = command_for(folder, INDUCED, url, {"LOGSTATS_INTERVAL": 2})
    log = folder / "crawl.log"
    with log.open("w") as file:
        process = subprocess.Popen(command, cwd=folder, env=environment, stderr=file)
    begun, tenth = time.monotonic(), 1
    while process.poll() is None:
        time.sleep(SECONDS)
        crawled = re.findall(r"Crawled (\d+) pages", log.read_text())
        if crawled and int(crawled[-1]) * 10 >= tenth * pages:
            memory = resident(process.pid)
            print(
                f"{int(crawled[-1]):8} pages {time.monotonic() - begun:8.0f} s {memory:8.1f} MB",
                flush=True,
            )
            tenth = int(crawled[-1]) * 10 // pages + 1
    said = log.read_text()
    print(
        "\n".join(re.findall(r"'wrapinduce/(?:pages|items|wrappers)[^,]*|'memusage/max[^,]*", said))
    )


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
        with tempfile.TemporaryDirectory() as folder:
            watch(Path(folder), server.stdout.readline().strip(), options.pages)
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
