"""Coverage against limits and earlier runs, and the command that lists stored wrappers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.crawl import spidermon as suites
from scrapy_wrapinduce.crawl.config import Config
from scrapy_wrapinduce.crawl.figures.monitoring import verdict
from scrapy_wrapinduce.crawl.reading.shelf import Held
from scrapy_wrapinduce.crawl.reading.site import Active, Site
from scrapy_wrapinduce.crawl.spidermon import problems
from scrapy_wrapinduce.stores.files import Wrappers
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.templates import Template
from scrapy_wrapinduce.wrapper import Extraction

BOOK = StoredWrapper(
    "x.example", "book", "{}", {}, 20, learned="2026-01-02T03:04:05+00:00", fields=("title", "price"),
    field_coverage={"title": 1.0, "price": 0.9},
)  # fmt: skip


def site(stored: StoredWrapper = BOOK, prices: int = 9, coverage: float = 1.0) -> Site:
    """A site of which ten pages were read; so many had a price."""
    wrapper: Any = None
    active = Active(stored, Held(wrapper), Template("book"))
    for number in range(10):
        record = {"title": "x", "price": "1"} if number < prices else {"title": "x"}
        active.count(Extraction([record], coverage))
    found = Site("x.example", 20)
    found.add(active)
    return found


def config(**settings: Any) -> Config:
    return Config.from_settings(Settings({f"WRAPINDUCE_{k}": v for k, v in settings.items()}))


def test_a_run_like_those_before_is_fine() -> None:
    assert verdict([site()], config()) == []


def test_a_field_that_went_missing_is_named() -> None:
    (reason,) = verdict([site(prices=2)], config())
    assert reason == "x.example/book: price is on 20% of the records, was on 90%"


def test_earlier_runs_count_more_than_the_sample() -> None:
    runs = ({"records": 50, "fields": {"title": 1.0, "price": 0.25}},)
    assert verdict([site(replace(BOOK, runs=runs), prices=2)], config()) == []


def test_limits_are_settings() -> None:
    found = verdict(
        [site(coverage=0.5)],
        config(MIN_COVERAGE=0.8, MIN_FIELD_COVERAGE={"price": 0.95, "book/title": 1}),
    )
    assert len(found) == 2
    assert "WRAPINDUCE_MIN_COVERAGE is 80%" in found[0]
    assert "price is on 90%" in found[1]


def test_too_few_records_say_nothing() -> None:
    few = Site("x.example", 20)
    wrapper: Any = None
    few.add(Active(BOOK, Held(wrapper), Template("book")))
    few.active["book"].count(Extraction([{"title": "x"}], 0.1))
    assert verdict([few], config(MIN_COVERAGE=0.9)) == []


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    store = Wrappers(tmp_path / "wrappers")
    store.save(BOOK)
    store.save(replace(BOOK, name="author", pinned=True))
    return tmp_path


def test_the_command_lists_wrappers(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wrappers", "list", str(stored)]) == 0
    tail = "learned 2026-01-02 from 20 pages, last used 2026-01-02, coverage 100%: title, price"
    assert capsys.readouterr().out.splitlines() == [
        f"x.example/author (pinned)  {tail}",
        f"x.example/book  {tail}",
    ]


def test_pruning_spares_what_is_pinned_or_in_use(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wrappers", "prune", str(stored), "--unused-for", "100000"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["wrappers", "prune", str(stored)]) == 0
    assert capsys.readouterr().out == "pruned  x.example/book\n"
    main(["wrappers", "unpin", str(stored), "x.example/author"])
    main(["wrappers", "prune", str(stored)])
    assert list(Wrappers(stored / "wrappers").all()) == []


def test_a_missing_folder_or_name_is_one_line(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wrappers", "list", str(stored / "none")]) == 2
    assert "holds no stored wrappers" in capsys.readouterr().err
    assert main(["wrappers", "pin", str(stored), "x.example/none"]) == 2
    assert "no wrapper x.example/none" in capsys.readouterr().err


def test_the_monitor_sees_the_verdict_and_what_was_lost() -> None:
    assert problems({"wrapinduce/verdict/reasons": [], "wrapinduce/pages/read": 3}) == []
    assert problems({"wrapinduce/verdict/reasons": ["bad"], "wrapinduce/pages/lost/disk": 2}) == [
        "bad",
        "2 pages were lost (disk)",
    ]


def test_the_suite_is_a_spidermon_suite_or_says_what_is_missing() -> None:
    try:
        import spidermon
    except ImportError:
        with pytest.raises(ImportError, match="pip install"):
            suites.WrapperMonitorSuite  # noqa: B018
    else:
        assert issubclass(suites.WrapperMonitorSuite, spidermon.MonitorSuite)
