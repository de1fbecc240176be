"""Run ``scrapy`` and measure how much work each turn of its event loop does.

``python -m benchmarks.turns runspider …`` is ``python -m scrapy runspider …``, and prints the longest turn at the end. Unlike
the delay of a timer it is processor time, which other programs on the machine hardly change.
"""

from __future__ import annotations

import atexit
import sys
from asyncio import base_events
from time import thread_time
from typing import Any

from scrapy.cmdline import execute

from scrapy_wrapinduce.crawl.clock import LoopLag


class Turns:
    """The work of every turn between the start and the stop of a crawl's :class:`LoopLag`."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.is_crawling = False

    def install(self) -> None:
        loop: Any = base_events.BaseEventLoop
        run_once, start, stop = loop._run_once, LoopLag.start, LoopLag.stop

        def measured(self_: Any) -> None:
            was_crawling, begun = self.is_crawling, thread_time()
            run_once(self_)
            if was_crawling and self.is_crawling:
                self.seconds.append(thread_time() - begun)

        def started(lag: LoopLag) -> None:
            self.is_crawling = True
            start(lag)

        def stopped(lag: LoopLag) -> None:
            self.is_crawling = False
            stop(lag)

        loop._run_once = measured
        LoopLag.start, LoopLag.stop = started, stopped  # type: ignore[method-assign]

    def report(self) -> None:
        if self.seconds:
            print(f"'turns/longest_ms': {max(self.seconds) * 1000:.1f}", file=sys.stderr)


if __name__ == "__main__":
    turns = Turns()
    turns.install()
    atexit.register(turns.report)
    sys.argv[0] = "scrapy"
    execute()
