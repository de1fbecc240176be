"""A Spidermon monitor suite over the crawl's verdict.

``SPIDERMON_SPIDER_CLOSE_MONITORS = ["scrapy_wrapinduce.crawl.spidermon.WrapperMonitorSuite"]``; the limits
are the settings ``WRAPINDUCE_MIN_COVERAGE``, ``WRAPINDUCE_MIN_FIELD_COVERAGE`` and
``WRAPINDUCE_MAX_COVERAGE_DROP``. Spidermon is imported when the suite is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

LOST = "wrapinduce/pages/lost/"


def problems(stats: Mapping[str, Any]) -> list[str]:
    """What the stats of a finished crawl say against it, in sentences."""
    lost = [
        f"{number} pages were lost ({name.removeprefix(LOST)})"
        for name, number in stats.items()
        if name.startswith(LOST)
    ]
    return [*(stats.get("wrapinduce/verdict/reasons") or ()), *lost]


@lru_cache(maxsize=1)
def _suite() -> type:
    try:
        spidermon: Any = import_module("spidermon")
    except ImportError as error:
        raise ImportError(
            "the monitors need Spidermon: pip install 'scrapy-wrapinduce[monitor]'"
        ) from error

    def test_verdict(monitor: Any) -> None:
        found = problems(monitor.data.stats)
        if found:
            raise AssertionError("; ".join(found))

    monitor = type("WrapperMonitor", (spidermon.Monitor,), {"test_verdict": test_verdict})
    return type("WrapperMonitorSuite", (spidermon.MonitorSuite,), {"monitors": [monitor]})


def __getattr__(name: str) -> Any:
    if name == "WrapperMonitorSuite":
        return _suite()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
