"""The commands ``verify``, ``repair`` and what they leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from shifting_site import old, values, without_weight
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


def test_fields_that_are_gone_can_be_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    induce([Page(old(number)) for number in range(20)]).save(tmp_path / "camera.json")
    for number in range(30, 36):
        (tmp_path / f"{number}.html").write_text(without_weight(number), encoding="utf-8")
    new = tmp_path / "new.json"
    arguments = ["repair", str(tmp_path / "camera.json"), *map(str, tmp_path.glob("*.html"))]
    assert main([*arguments, "-o", str(new)]) == 2
    assert "'weight'" in capsys.readouterr().err
    assert main([*arguments, "-o", str(new), "--leave-out"]) == 0
    assert "left out, as they are not sure: weight" in capsys.readouterr().err
    (record,) = load(new).extract(Page(without_weight(40))).records
    assert {"price": values(40)["price"], "maker": values(40)["maker"]}.items() <= record.items()


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
