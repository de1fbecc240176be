"""Files are written completely or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scrapy_wrapinduce.files import replacing, write_atomically


def test_an_error_leaves_the_old_content_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    write_atomically(path, "old")

    def fail() -> None:
        with replacing(path) as file:
            file.write("half of the n")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_of_an_ordinary_write(tmp_path: Path) -> None:
    new, plain = tmp_path / "new", tmp_path / "plain"
    write_atomically(new, "x")
    plain.write_text("x")
    assert new.stat().st_mode == plain.stat().st_mode
    new.chmod(0o640)
    write_atomically(new, "y")
    assert new.stat().st_mode & 0o777 == 0o640


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_is_not_a_regular_file_is_written_to() -> None:
    write_atomically(os.devnull, "x")
    assert not Path(os.devnull).is_file()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no folder .*missing"):
        write_atomically(tmp_path / "missing" / "x.json", "x")


def test_half_a_surrogate_pair_is_still_json(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_atomically(path, json.dumps({"a": "\ud800"}, ensure_ascii=False))
    assert json.loads(path.read_text()) == {"a": "\ud800"}
