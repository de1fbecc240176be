"""Settings are checked once, and every error names its setting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_wrapinduce.crawl.config import Config, InvalidSetting


def test_the_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    config = Config.from_settings(Settings(), "shop")
    assert (config.enabled, config.sample_pages, config.reuse) == (False, 20, True)
    assert config.folder == Path(".scrapy/wrapinduce/shop")
    assert (config.job_folder, config.provenance) == (None, "")


def test_parked_pages_live_with_the_job() -> None:
    assert Config.from_settings(Settings({"JOBDIR": "job"})).job_folder == Path("job/wrapinduce")


@pytest.mark.parametrize("value", [["-title", "nowrap?"], "-title,nowrap?"])
def test_attributes_are_a_list_or_a_text(value: Any) -> None:
    config = Config.from_settings(Settings({"WRAPINDUCE_ATTRIBUTES": value}))
    assert config.attributes == ("-title", "nowrap?")


@pytest.mark.parametrize(
    ("value", "field"), [(True, "wrapinduce"), ("0", ""), ("origin", "origin")]
)
def test_provenance_is_a_switch_or_a_name(value: Any, field: str) -> None:
    assert Config.from_settings(Settings({"WRAPINDUCE_PROVENANCE": value})).provenance == field


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SAMPLE_PAGES", 0, "a number of at least 1"),
        ("SAMPLE_PAGES", "many", "a number"),
        ("LEARN_TIMEOUT", -1, "a number of at least 0.1"),
        ("ENABLED", "perhaps", "True or False"),
        ("MIN_COVERAGE", 2, "a number of at least 0 and at most 1"),
        ("PROVENANCE", 3.5, "True, False or the name of an item field"),
        ("DIR", 17, "the path of a folder"),
        ("MIN_FIELD_COVERAGE", {"title": "most"}, "a dict of field names and shares from 0 to 1"),
        ("CRASH_SAFE", True, "set JOBDIR"),
        ("ATTRIBUTES", ["a b"], "write name"),
        ("SAMPLE_PAGES", "inf", "a number"),
        ("REUSE", float("inf"), "True or False"),
        ("ENABLED", [], "True or False"),
    ],
)
def test_errors_name_the_setting(name: str, value: Any, expected: str) -> None:
    with pytest.raises(InvalidSetting, match=f"WRAPINDUCE_{name}.*{expected}"):
        Config.from_settings(Settings({f"WRAPINDUCE_{name}": value}))
