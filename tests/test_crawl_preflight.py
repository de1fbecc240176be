"""What is wrong before a crawl begins is said in one line, by the command that was to begin it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from crawling import REPOSITORY, SPIDER, crawl, project

from scrapy_wrapinduce.crawl.config import SETTINGS

NOBODY = "http://127.0.0.1:1/"
IMPATIENT = """
from scrapy_wrapinduce.stores import redis
redis.PATIENCE = 0.1
"""


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("DIR", "{file}/w", "WRAPINDUCE_DIR names a folder that cannot be written to"),
        ("REPORT", "no/folder/report.html", "but there is no folder no/folder"),
        ("ITEM_CLASS", "no.such.Class", "has to be a class or the path of one"),
        ("EXAMPLES", "none.json", "WRAPINDUCE_EXAMPLES cannot be read"),
        ("SAMPLE_PAGES", "2.5", "has to be a whole number"),
        ("CRASH_SAFE", "1", "set JOBDIR as well"),
        ("REDIS_URL", "10.0.0.5:6379", "has to be an address such as redis://"),
    ],
)
def test_a_setting_that_cannot_work(name: str, value: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    project(tmp_path, SPIDER.format(url=NOBODY))
    done = crawl(tmp_path, **{f"WRAPINDUCE_{name}": value.format(file=tmp_path / "file")})
    assert done.code == 2
    assert "Traceback" not in done.log
    (said,) = [said for said in done.log.splitlines() if "error: " in said]
    assert f"WRAPINDUCE_{name}" in said
    assert line in said


def test_a_redis_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scrapy_redis", reason="needs the redis extra")
    (tmp_path / "sitecustomize.py").write_text(IMPATIENT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    project(tmp_path, SPIDER.format(url=NOBODY))
    done = crawl(tmp_path, WRAPINDUCE_REDIS_URL="redis://127.0.0.1:1/0")
    assert done.code == 2
    assert "Traceback" not in done.log
    assert "does not answer" in done.log.splitlines()[-1]
    assert "waiting for it" in done.log


def test_a_misspelled_setting_is_named(tmp_path: Path) -> None:
    project(tmp_path, SPIDER.format(url=NOBODY))
    done = crawl(tmp_path, WRAPINDUCE_SAMPLE_PAGE="5")
    meant = "There is no setting WRAPINDUCE_SAMPLE_PAGE: is WRAPINDUCE_SAMPLE_PAGES meant?"
    assert done.log.count(meant) == 1


def test_every_setting_is_documented() -> None:
    text = (REPOSITORY / "docs/settings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## `(\w+)`", text, re.MULTILINE)) == set(SETTINGS)
