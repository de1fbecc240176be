"""Pages and wrappers on disk: complete or not there at all."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce.errors import InvalidWrapper
from scrapy_wrapinduce.stores.files import ParkedPages, Wrappers, temporary_folder
from scrapy_wrapinduce.stores.pages import BrokenPage, ParkedPage, address, pack, unpack
from scrapy_wrapinduce.stores.stored import StoredWrapper

KEY = "ab12"
STORED = StoredWrapper(
    "x.example:80", "book", '{"format": 1}', {"name": "book"}, 12, fields=("title",)
)


@given(st.binary(max_size=200), st.text(max_size=20), st.dictionaries(st.text(), st.integers()))
def test_a_page_comes_back_as_it_was(body: bytes, url: str, meta: dict[str, int]) -> None:
    page = ParkedPage(KEY, url, body, "utf-8", 200, {"Content-Type": "text/html"}, meta)
    assert unpack(pack(page)) == page
    assert address(pack(page)) == page.url


@given(st.binary(max_size=100))
def test_a_broken_blob_is_an_error_that_says_so(blob: bytes) -> None:
    with pytest.raises(BrokenPage, match="cannot be read back"):
        unpack(blob)
    with pytest.raises(BrokenPage):
        address(blob)


def test_pages_outlive_the_process(tmp_path: Path) -> None:
    ParkedPages(tmp_path, 1000).put(KEY, b"blob")
    again = ParkedPages(tmp_path, 1000)
    assert list(again) == [KEY]
    assert again.get(KEY) == b"blob"
    assert again.total == 4


def test_a_removed_page_is_gone(tmp_path: Path) -> None:
    pages = ParkedPages(tmp_path, 1000)
    pages.put(KEY, b"blob")
    pages.remove(KEY)
    pages.remove(KEY)
    assert (KEY in pages, pages.get(KEY), pages.total, len(pages)) == (False, None, 0, 0)


def test_the_size_bound_is_known(tmp_path: Path) -> None:
    pages = ParkedPages(tmp_path, 10)
    pages.put(KEY, b"x" * 9)
    assert not pages.full
    pages.put(KEY, b"x" * 10)
    assert pages.full


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab/ab12.4711").write_bytes(b"half")
    assert list(ParkedPages(tmp_path, 1000)) == []
    assert not (tmp_path / "ab/ab12.4711").exists()


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = ParkedPages(tmp_path, 1000)
    pages.put("ab00", b"first")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        pages.put(KEY, b"blob")
    assert [path.name for path in tmp_path.glob("*/*")] == ["ab00.page"]
    assert KEY not in pages


def test_wrappers_are_listed_by_site_and_name(tmp_path: Path) -> None:
    store = Wrappers(tmp_path)
    store.save(STORED)
    store.save(replace(STORED, name="author"))
    assert [stored.id for stored in store.all() if isinstance(stored, StoredWrapper)] == [
        "x.example:80/author",
        "x.example:80/book",
    ]
    assert list(store.all())[1] == STORED


def test_a_wrapper_can_be_pinned_and_removed(tmp_path: Path) -> None:
    store = Wrappers(tmp_path)
    store.save(STORED)
    pinned = store.pin(STORED, True)
    assert list(store.all()) == [pinned]
    store.remove(pinned)
    assert list(store.all()) == []


def test_a_broken_wrapper_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    store = Wrappers(tmp_path)
    store.save(STORED)
    (tmp_path / "x.example_80/broken.about").write_text("{", encoding="utf-8")
    book, broken = sorted(store.all(), key=lambda one: isinstance(one, InvalidWrapper))
    assert book == STORED
    assert isinstance(broken, InvalidWrapper)
    assert "broken.about" in str(broken)


def test_folders_of_processes_that_are_gone_are_removed(tmp_path: Path) -> None:
    gone = tmp_path / "run-999999999-x"
    (gone / "parked").mkdir(parents=True)
    mine = temporary_folder(tmp_path)
    assert not gone.exists()
    assert temporary_folder(tmp_path) != mine
    assert mine.exists()
