"""Made-up redesigns in the middle of a crawl, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from shifting_site import (
    FIELDS,
    Design,
    Shop,
    bare,
    by_path,
    cards,
    closed,
    crawl_shop,
    cut,
    error,
    listed_on,
    names_of,
    new,
    old,
    read_right,
    reworded,
    short,
    table,
    turned,
    unpriced,
    values,
    with_lens,
    without_weight,
)

from scrapy_wrapinduce.crawl.reading.drift import PLAIN as SUSPECTED
from scrapy_wrapinduce.crawl.reading.drift import WINDOW

PAGES, CHANGED = 60, 35


def after(design: Design) -> Shop:
    return Shop(PAGES, lambda shown: old if shown < CHANGED else design)


@pytest.mark.parametrize("design", [reworded, with_lens, without_weight])
def test_fields_keep_their_names_whatever_the_design_calls_them(
    tmp_path: Path, design: Design
) -> None:
    shop = after(design)
    result = crawl_shop(tmp_path, shop)
    names = names_of(shop, result)
    changed = PAGES - CHANGED
    for name, found in read_right(shop, result, names).items():
        gone = design is without_weight and name == "weight"
        assert found == ((0, changed, 0) if gone else (changed, 0, 0)), name
    assert set(result.paths()) == set(shop.paths)
    assert result.stats["wrapinduce/drift/noticed"] == 1
    assert result.stats["wrapinduce/wrappers/repaired"] == 1
    if design is with_lens:
        last = max(shop.shown, key=lambda path: list(shop.shown).index(path))
        assert by_path(result)[last]["lens"].endswith(" mm")  # type: ignore[attr-defined]


@pytest.mark.parametrize("design", [new, turned])
def test_two_designs_in_turn_are_both_read(tmp_path: Path, design: Design) -> None:
    shop = Shop(PAGES, lambda shown: old if shown < 20 or shown % 2 else design)
    result = crawl_shop(tmp_path, shop)
    names = names_of(shop, result)
    count = sum(shown is design for shown in shop.shown.values())
    assert read_right(shop, result, names) == dict.fromkeys(FIELDS, (count, 0, 0))
    assert set(result.paths()) == set(shop.paths)


@pytest.mark.parametrize("in_turn", [False, True])
def test_other_values_in_the_same_places_are_learned_once(tmp_path: Path, in_turn: bool) -> None:
    shop = Shop(
        100, lambda shown: short if shown >= CHANGED and not (in_turn and shown % 2) else old
    )
    result = crawl_shop(tmp_path, shop)
    items = by_path(result)
    for path, design in shop.shown.items():
        row = values(int(path.rpartition("/")[2]))
        assert items[path]["maker"] == (cut(row) if design is short else row)["maker"]
    assert result.stats["wrapinduce/drift/noticed"] == 1
    # The list of links is the third.
    assert result.stats["wrapinduce/wrappers/learned"] == 3


def test_values_that_are_there_no_more_are_not_served_as_values(tmp_path: Path) -> None:
    shop = Shop(100, lambda shown: old if shown < CHANGED else closed)
    result = crawl_shop(tmp_path, shop)
    assert "n/a" not in {value for item in result.items for value in item.values()}
    assert set(result.paths()) == set(shop.paths)
    assert result.stats["wrapinduce/wrappers/learned"] == 3


def test_one_field_that_changed_is_noticed_soon_even_after_a_long_quiet(tmp_path: Path) -> None:
    shop = Shop(320, lambda shown: old if shown < 260 else unpriced)
    result = crawl_shop(tmp_path, shop, DOWNLOAD_DELAY="0")
    wrong = [item for item in result.items if item.get("price") == "Sign in to see it"]
    assert len(wrong) < SUSPECTED + WINDOW
    assert "price: values like 'Sign in to see it'" in result.log
    assert set(result.paths()) == set(shop.paths)


def test_two_redesigns_in_one_crawl_and_the_way_back(tmp_path: Path) -> None:
    shop = Shop(
        100, lambda shown: old if shown < 30 or shown >= 85 else new if shown < 58 else bare
    )
    result = crawl_shop(tmp_path, shop)
    names = names_of(shop, result)
    changed = sum(design is not old for design in shop.shown.values())
    assert read_right(shop, result, names) == dict.fromkeys(FIELDS, (changed, 0, 0))
    assert set(result.paths()) == set(shop.paths)
    assert result.stats["wrapinduce/wrappers/repaired"] >= 2


def test_a_list_that_is_redesigned_keeps_its_columns(tmp_path: Path) -> None:
    shop = Shop(PAGES, lambda shown: table if shown < CHANGED else cards)
    result = crawl_shop(tmp_path, shop)
    assert result.stats["wrapinduce/wrappers/repaired"] == 1
    listed = [item for item in result.items if "price" in item]
    found = {(i["url"].rpartition("/")[2], i["name"], i["price"], i["maker"]) for i in listed}
    assert found == {
        (str(number), row["name"], row["price"], row["maker"])
        for number in range(PAGES)
        for row in listed_on(number)
    }


def test_an_error_page_with_status_200_is_no_new_design(tmp_path: Path) -> None:
    shop = Shop(PAGES, lambda shown: error if CHANGED <= shown < CHANGED + 14 else old)
    result = crawl_shop(tmp_path, shop)
    healthy = {path for path, design in shop.shown.items() if design is old}
    assert set(result.paths()) == healthy
    assert "wrapinduce/wrappers/repaired" not in result.stats
    assert result.stats["wrapinduce/pages/unlearnable"] == 14
    assert "an error page?" in result.log


def test_stop_means_stop_though_the_old_wrapper_reads_none_of_the_new_pages(
    tmp_path: Path,
) -> None:
    result = crawl_shop(tmp_path, after(new), WRAPINDUCE_ON_DRIFT="stop")
    assert result.stats["finish_reason"] == "wrapinduce_drift"
