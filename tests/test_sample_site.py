"""The sample site: complete, the same every time, and truthful about what is on its pages."""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from sample_project.shop_site import Site, build
from sample_project.shop_site.compare import compare, excerpt, fold, main, report
from sample_project.shop_site.serve import SiteServer


@pytest.fixture(scope="module")
def site() -> Site:
    return Site()


@pytest.fixture(scope="module")
def server(site: Site) -> Iterator[SiteServer]:
    server = SiteServer(site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def perfect_items(site: Site) -> list[dict[str, object]]:
    return [
        {"url": f"http://127.0.0.1:1{path}", **page.fields}
        for path, page in site.truth.items()
        if page.fields
    ]


def test_it_has_enough_pages_of_every_template(site: Site) -> None:
    kinds = Counter(page.kind for page in site.truth.values())
    assert len(site.paths) >= 400
    assert kinds["product"] == 240
    assert kinds["article"] == 130
    assert min(kinds["brand"], kinds["author"], kinds["product list"], kinds["article list"]) > 10


def test_a_few_pages_break_their_template(site: Site) -> None:
    broken = [page for page in site.truth.values() if not page.conforms]
    assert 4 <= len(broken) <= 12


def test_the_same_seed_gives_the_same_pages(site: Site) -> None:
    again = Site()
    assert again.paths == site.paths
    assert all(again.html(path) == site.html(path) for path in site.paths)
    assert Site(build(2)).paths != site.paths


def test_every_page_can_be_reached_from_the_front_page(site: Site) -> None:
    seen: set[str] = set()
    pending = ["/"]
    while pending:
        path = pending.pop()
        html = site.html(path)
        if path in seen or html is None:
            continue
        seen.add(path)
        pending += [
            unescape(href) for href in re.findall(r'<a[^>]* href="?(/[^" >]*)', html, re.IGNORECASE)
        ]
    assert seen == set(site.paths)


def test_every_value_of_the_truth_is_on_its_page(site: Site) -> None:
    for path, page in site.truth.items():
        if page.conforms:
            text = fold(re.sub(r"<[^>]+>", " ", site.html(path) or ""))
            for name, value in page.fields.items():
                assert fold(value) in text, (path, name)


def test_words_of_the_template_occur_in_values(site: Site) -> None:
    titles = " ".join(product.title for product in site.database.products)
    assert "Price" in titles
    assert "Description" in titles


def test_optional_fields_are_there_on_some_pages_and_missing_on_others(site: Site) -> None:
    products = [page for page in site.truth.values() if page.kind == "product"]
    for name in ("old_price", "rating", "note", "weight", "colour", "isbn"):
        present = sum(name in page.fields for page in products)
        assert 0 < present < len(products), name


def test_one_template_has_two_address_patterns_and_one_pattern_two_templates(site: Site) -> None:
    articles = {path.split("/")[1] for path, page in site.truth.items() if page.kind == "article"}
    who = {page.kind for path, page in site.truth.items() if path.startswith("/who?id=")}
    assert articles == {"magazine", "a"}
    assert who == {"brand", "author"}


def test_the_server_serves_the_pages_and_nothing_else(site: Site, server: SiteServer) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for path in ("/", "/c/books?page=2", site.database.products[0].path):
        with opener.open(server.url.rstrip("/") + path, timeout=5) as answer:
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert answer.read().decode() == site.html(path)
    with opener.open(f"{server.url}files/price-list", timeout=5) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        opener.open(f"{server.url}no-such-page", timeout=5)


def test_perfect_items_score_full_marks(site: Site) -> None:
    result = compare(perfect_items(site), site.truth)
    assert result.by_name == result.anywhere == 1
    assert [kind.once for kind in result.kinds] == [235, 127, 24, 14]
    assert result.broken == result.broken_with_item == 8


def test_a_value_in_the_wrong_field_counts_anywhere_but_not_by_name(site: Site) -> None:
    items = perfect_items(site)
    products = [item for item in items if "/p/" in str(item["url"])]
    products[0]["stray"] = products[0].pop("price")
    score = compare(items, site.truth).kind("product")
    price = next(field for field in score.fields if field.field == "price")
    assert (price.item_field, price.values - price.right_by_name) == ("price", 1)
    assert price.right_anywhere == price.values


def test_missing_and_doubled_pages_are_named(site: Site) -> None:
    items = perfect_items(site)
    result = compare([*items[1:], items[1]], site.truth)
    product = result.kind("product")
    assert len(product.missing) == len(product.doubled) == 1
    assert product.missing[0] in report(result)


def test_values_are_compared_after_entities_and_white_space() -> None:
    assert fold("Salt &amp;\n Pepper ") == fold(["Salt &", {"x": "Pepper"}]) == "Salt & Pepper"


def test_the_comparison_prints_from_the_command_line(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text("\n".join(json.dumps(item) for item in perfect_items(site)), encoding="utf-8")
    assert main([str(items)]) == 0
    assert "100.0%" in capsys.readouterr().out
    assert main([str(tmp_path / "missing.jsonl")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_a_crawl_without_items_is_still_reported(site: Site) -> None:
    result = compare([], site.truth)
    assert result.by_name == 0
    assert "product: no items" in excerpt([], site.truth, result)
