"""Earlier versions of wrappers: kept, listed, compared, rolled back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from video_pages import NEW, OLD, changed, original, wanted

from scrapy_wrapinduce import Page, induce, load
from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.stores.files import Wrappers
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.stores.versions import KEPT, NoSuchVersion, Versions
from scrapy_wrapinduce.wrapper import dump


def stored(text: str, **about: object) -> StoredWrapper:
    return StoredWrapper("shop.example", "book", text, {"name": "book"}, 10, **about)  # type: ignore[arg-type]


def test_what_is_replaced_is_kept_and_what_is_the_same_is_not(tmp_path: Path) -> None:
    store = Wrappers(tmp_path)
    assert not store.save(stored("one", learned="2026-01-01"))
    assert not store.save(stored("one", learned="2026-01-01", pinned=True))
    assert store.save(stored("two", learned="2026-02-02"))
    versions = Versions(store.path(stored("")))
    assert versions.numbers() == [1]
    assert versions.path(1).read_text() == "one"
    earlier = store.version(stored(""), 1)
    assert (earlier.text, earlier.learned) == ("one", "2026-01-01")
    # Versions are not wrappers of their own.
    assert [one.text for one in store.all() if isinstance(one, StoredWrapper)] == ["two"]


def test_the_number_of_versions_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "wrapper.json"
    for number in range(KEPT + 5):
        Versions(file).replace(str(number))
    assert Versions(file).numbers() == list(range(5, KEPT + 5))
    assert len(list(Versions(file).folder.iterdir())) == KEPT
    with pytest.raises(NoSuchVersion, match="no version 1; kept: 5, 6"):
        Versions(file).path(1)


def test_pruning_a_wrapper_takes_its_history_along(tmp_path: Path) -> None:
    store = Wrappers(tmp_path)
    store.save(stored("one"))
    store.save(stored("two"))
    store.remove(stored("two"))
    assert not list((tmp_path / "shop.example").iterdir())


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A crawl's folder whose wrapper was repaired."""
    old = induce([Page(original(OLD))], examples=[wanted(OLD)])
    new = old.repair(Page(changed(NEW)))
    store = Wrappers(tmp_path / "wrappers")
    store.save(stored(dump(old), learned="2026-01-01T10:00", fields=old.fields, pinned=True))
    store.save(stored(dump(new), learned="2026-02-02T10:00", fields=new.fields, pinned=True))
    (tmp_path / "new.html").write_text(changed(NEW), encoding="utf-8")
    (tmp_path / "old.html").write_text(original(OLD), encoding="utf-8")
    return tmp_path


def test_history_names_files_that_diff_compares(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wrappers", "history", str(shop), "shop.example/book"]) == 0
    name, in_use, before = capsys.readouterr().out.splitlines()
    assert name == "shop.example/book"
    assert "2 (in use)  learned 2026-02-02T10:00 from 10 pages" in in_use
    assert "1  learned 2026-01-01T10:00" in before
    files = [line.rsplit("  ", 1)[1] for line in (before, in_use)]
    assert main(["diff", *files, str(shop / "new.html")]) == 1
    assert "different" in capsys.readouterr().out


def test_rollback_puts_the_version_before_into_use_and_keeps_the_other(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wrappers", "rollback", str(shop), "shop.example/book"]) == 0
    assert "to version 1; what was in use is version 2" in capsys.readouterr().out
    (book,) = (one for one in Wrappers(shop / "wrappers").all() if isinstance(one, StoredWrapper))
    assert (book.learned, book.pinned) == ("2026-01-01T10:00", True)
    file = shop / "wrappers/shop.example/book.json"
    assert load(file).extract(Page(original(OLD))).records == wanted(OLD)
    assert main(["wrappers", "rollback", str(shop), "shop.example/book", "--to", "2"]) == 0
    assert load(file).extract(Page(changed(NEW))).records == wanted(NEW)
    assert Versions(file).numbers() == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["shop.example/book", "--to", "7"], "has no version 7; kept: 1"),
        ([], "name the one wrapper"),
        (["shop.example/pen"], "no wrapper shop.example/pen"),
    ],
)
def test_rollback_says_in_a_sentence_what_it_cannot_do(
    shop: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wrappers", "rollback", str(shop), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_broken_version_is_listed_and_not_put_into_use(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "wrappers/shop.example/book.versions/1.about").write_text("{")
    assert main(["wrappers", "history", str(shop)]) == 0
    assert "broken" in capsys.readouterr().out
    assert main(["wrappers", "rollback", str(shop), "shop.example/book"]) == 2
    (book,) = (one for one in Wrappers(shop / "wrappers").all() if isinstance(one, StoredWrapper))
    assert book.learned == "2026-02-02T10:00"


def test_repair_over_its_own_file_keeps_the_old_wrapper_and_says_what_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = tmp_path / "videos.json", tmp_path / "new.html"
    page.write_text(changed(NEW), encoding="utf-8")
    induce([Page(original(OLD))], examples=[wanted(OLD)]).save(file)
    before = file.read_text()
    assert main(["repair", str(file), str(page), "-o", str(file)]) == 0
    said = capsys.readouterr().err
    assert "repaired, " in said
    assert all(f"{name} (sure " in said for name in wanted(NEW)[0])
    assert "where the old one reads" in said
    assert f"is kept as {tmp_path / 'videos.versions/1.json'}" in said
    assert main(["wrappers", "history", str(file)]) == 0
    assert main(["wrappers", "rollback", str(file)]) == 0
    assert file.read_text() == before
    assert main(["wrappers", "rollback", str(page)]) == 2
    # A wrapper that still fits is not a new version.
    assert json.loads(before)["health"]
    (tmp_path / "old.html").write_text(original(OLD), encoding="utf-8")
    assert main(["repair", str(file), str(tmp_path / "old.html"), "-o", str(file)]) == 0
    assert "still fits and is kept" in capsys.readouterr().err
    assert Versions(file).numbers() == [1, 2]
