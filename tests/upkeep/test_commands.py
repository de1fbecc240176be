"""The commands ``verify``, ``repair`` and what they leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from video_pages import NEW, OLD, changed, original, wanted

from scrapy_wrapinduce import Page, induce, load
from scrapy_wrapinduce.cli import main


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "old.html").write_text(original(OLD), encoding="utf-8")
    (tmp_path / "new.html").write_text(changed(NEW), encoding="utf-8")
    wrapper = induce([Page(original(OLD))], examples=[wanted(OLD)])
    wrapper.save(tmp_path / "videos.json")
    return tmp_path


def test_verify_says_by_its_exit_status_whether_a_wrapper_fits(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(shop / "videos.json"), str(shop / "old.html")]) == 0
    assert main(["verify", str(shop / "videos.json"), str(shop / "new.html")]) == 1
    assert "no longer fits" in capsys.readouterr().out
    assert main(["verify", str(shop / "videos.json"), str(shop / "missing.html")]) == 2


def test_repair_writes_a_wrapper_of_the_same_fields(shop: Path) -> None:
    new = shop / "new.json"
    assert main(["repair", str(shop / "videos.json"), str(shop / "new.html"), "-o", str(new)]) == 0
    assert load(new).extract(Page(changed(NEW))).records == wanted(NEW)
    assert main(["verify", str(new), str(shop / "new.html")]) == 0


def test_repair_that_cannot_be_done_leaves_no_file(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "gone.html").write_text("<p>We have moved.</p>", encoding="utf-8")
    new = shop / "new.json"
    assert main(["repair", str(shop / "videos.json"), str(shop / "gone.html"), "-o", str(new)]) == 2
    assert not new.exists()
    assert "looks like" in capsys.readouterr().err


def test_a_wrapper_without_health_says_so(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = load(shop / "videos.json").with_health(None)
    bare.save(shop / "bare.json")
    assert main(["verify", str(shop / "bare.json"), str(shop / "old.html")]) == 2
    assert "learn it again" in capsys.readouterr().err
