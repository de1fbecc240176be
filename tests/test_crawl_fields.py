"""What a user says about the items, on the spider or in the settings, and what comes out of the feeds."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from crawling import SPIDER, catalogue, crawl, project, serving
from scrapy.settings import Settings

from scrapy_wrapinduce.crawl.columns import CompleteCsvExporter
from scrapy_wrapinduce.crawl.config import InvalidSetting
from scrapy_wrapinduce.crawl.wishes import take_wishes

TYPED = """
from dataclasses import dataclass
from decimal import Decimal
from scrapy_wrapinduce import InducedSpider

@dataclass
class Book:
    title: str
    price: Decimal
    author: str
    pages: int = 0
    url: str = ""

class Books(InducedSpider):
    name = "local"
    start_urls = ["{url}"]
    item_class = Book
"""


def test_the_item_class_gives_names_and_types(tmp_path: Path) -> None:
    with serving(catalogue(8)) as site:
        project(tmp_path, TYPED.format(url=site.url))
        done = crawl(tmp_path)
    books = {item["url"].rsplit("/", 1)[1]: item for item in done.items if "/book/" in item["url"]}
    assert len(books) == 8
    assert [books[str(n)]["price"] for n in range(8)] == [f"{n}.99" for n in range(8)]
    assert not any("Author" in item["author"] for item in books.values())


def test_field_names_can_come_from_the_settings(tmp_path: Path) -> None:
    with serving(catalogue(8)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        done = crawl(tmp_path, WRAPINDUCE_FIELDS="title,price")
    books = [item for item in done.items if "/book/" in item["url"]]
    assert [set(item) for item in books] == [{"url", "title", "price"}] * 8


class Spider:
    pass


def test_examples_can_be_a_file_and_wrong_ones_are_named(tmp_path: Path) -> None:
    file = tmp_path / "examples.json"
    file.write_text('{"http://a.example/": {"title": "One"}}', encoding="utf-8")
    spider = Spider()
    take_wishes(spider, Settings({"WRAPINDUCE_EXAMPLES": str(file)}), tmp_path / "none")
    assert spider.examples == {"http://a.example/": {"title": "One"}}  # type: ignore[attr-defined]
    for name, value in (("EXAMPLES", "[1]"), ("EXAMPLES", "none.json"), ("ITEM_CLASS", "no.such")):
        with pytest.raises(InvalidSetting, match=f"WRAPINDUCE_{name}"):
            take_wishes(Spider(), Settings({f"WRAPINDUCE_{name}": value}), tmp_path / "none")


def test_a_csv_file_has_the_columns_of_all_items() -> None:
    file = io.BytesIO()
    exporter = CompleteCsvExporter(file)
    exporter.start_exporting()
    exporter.export_item({"url": "1", "title": "A", "tags": ["x", "y"]})
    exporter.export_item({"url": "2", "title": "B", "isbn": "978", "tags": ["z"]})
    exporter.export_item({"url": "3", "author": "C"})
    exporter.finish_exporting()
    rows = list(csv.reader(io.StringIO(file.getvalue().decode())))
    assert rows == [
        ["url", "author", "title", "isbn", "tags"],
        ["1", "", "A", "", "x,y"],
        ["2", "", "B", "978", "z"],
        ["3", "C", "", "", ""],
    ]
