"""Item classes of every kind get values of the types they ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, Optional

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from itemadapter import ItemAdapter

from scrapy_wrapinduce.crawl.reading.items import make_item
from scrapy_wrapinduce.fields.types import Unconverted, convert

URL = "https://books.example/b/1"
RAW = {
    "title": "Emma",
    "price": "£51.77",
    "pages": "1,288 pages",
    "published": "5 March 2024",
    "in_stock": "In stock",
    "genres": "Romance",
    "cover": "/img/1.jpg",
    "unknown": "left out",
}


@dataclass
class Book:
    title: str
    price: Decimal
    pages: int | None = None
    published: date | None = None
    in_stock: bool = False
    genres: list[str] = field(default_factory=list)
    url: str = ""


EXPECTED = {
    "title": "Emma",
    "price": Decimal("51.77"),
    "pages": 1288,
    "published": date(2024, 3, 5),
    "in_stock": True,
    "genres": ["Romance"],
    "url": URL,
}


def as_attrs() -> type:
    import attr

    @attr.define
    class AttrsBook:
        title: str
        price: Decimal
        pages: Optional[int] = None  # noqa: UP045
        published: Optional[date] = None  # noqa: UP045
        in_stock: bool = False
        genres: list[str] = attr.Factory(list)
        url: str = ""

    AttrsBook.__annotations__ |= {"price": Decimal, "published": date | None}
    return AttrsBook


def as_pydantic() -> type:
    import pydantic

    return pydantic.create_model(
        "PydanticBook",
        title=(str, ...),
        price=(Decimal, ...),
        pages=(int | None, None),
        published=(date | None, None),
        in_stock=(bool, False),
        genres=(list[str], []),
        url=(pydantic.AnyUrl | None, None),
    )


def as_scrapy_item() -> type:
    import scrapy

    class ScrapyBook(scrapy.Item):
        title = scrapy.Field()
        price = scrapy.Field(type=Decimal)
        pages = scrapy.Field(type=int)
        published = scrapy.Field(type=date)
        in_stock = scrapy.Field(type=bool)
        genres = scrapy.Field(type=list[str])
        url = scrapy.Field()

    return ScrapyBook


@pytest.mark.parametrize("kind", [lambda: Book, as_attrs, as_pydantic, as_scrapy_item])
def test_every_kind_of_item_class_has_its_types(kind: Any) -> None:
    item = make_item(RAW, URL, kind(), {})
    found = ItemAdapter(item).asdict()
    assert {**found, "url": str(found["url"])} == EXPECTED


def test_a_product_of_zyte_common_items_has_its_nested_items() -> None:
    zyte = pytest.importorskip("zyte_common_items")
    raw = {"name": "Kettle", "brand": "Acme", "mainImage": "/k.jpg", "price": "12.50"}
    item = make_item(raw, URL, zyte.Product, {})
    assert (item.url, item.name, item.price, item.brand.name) == (URL, "Kettle", "12.50", "Acme")


def test_what_cannot_be_converted_is_reported_and_left_to_the_default() -> None:
    problems: list[Unconverted] = []
    item = make_item({**RAW, "pages": "many", "price": "call us"}, URL, Book, {}, problems.append)
    assert (item.pages, item.price, item.title) == (None, None, "Emma")
    assert [str(problem) for problem in problems] == [
        "price: 'call us' is no Decimal",
        "pages: 'many' is no int | None",
    ]


class Size(Enum):
    SMALL = "S"
    LARGE = "L"


@dataclass
class Person:
    name: str
    born: date | None = None


@dataclass
class Odd:
    size: Size | None = None
    state: Literal["new", "used"] = "new"
    author: Person | None = None
    authors: list[Person] = field(default_factory=list)
    at: datetime | None = None
    ratio: float = 0.0
    either: int | str = ""
    anything: Any = None
    address: str = ""


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("size", "l", Size.LARGE),
        ("size", "small", Size.SMALL),
        ("state", "Used", "used"),
        ("author", "Jane Austen", Person("Jane Austen")),
        ("authors", ["A", "B"], [Person("A"), Person("B")]),
        ("authors", [{"name": "A", "born": "16.12.1775"}], [Person("A", date(1775, 12, 16))]),
        ("at", "2024-03-05T10:20:30Z", datetime.fromisoformat("2024-03-05T10:20:30+00:00")),
        ("ratio", "-3,5 %", -3.5),
        ("either", "12", 12),
        ("either", "twelve", "twelve"),
        ("anything", ["x"], ["x"]),
        ("address", ["1 Main St", "Springfield"], "1 Main St, Springfield"),
    ],
)
def test_annotations_of_many_kinds(name: str, raw: Any, value: Any) -> None:
    assert convert({name: raw}, Odd) == ({name: value}, [])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(["size", "state", "author", "authors", "ratio", "either", "address"]),
                       st.text(max_size=30) | st.lists(st.text(max_size=8)) | st.none()))  # fmt: skip
def test_no_value_makes_it_raise(record: dict[str, Any]) -> None:
    values, problems = convert(record, Odd)
    given_names = {name for name, value in record.items() if value is not None}
    assert set(values) | {problem.field for problem in problems} == given_names
