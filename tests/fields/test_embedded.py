"""schema.org and OpenGraph data lends its names to what stands on the page."""

from __future__ import annotations

import json
import sys

import pytest

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.fields.sample.embedded import embedded_names
from scrapy_wrapinduce.wrapper import dump, parse

pytest.importorskip("extruct")
NAMES = ["Kettle", "Toaster", "Mixer", "Oven", "Fridge", "Juicer"]


def product_page(number: int, kind: str = "json-ld") -> Page:
    name, brand, price = NAMES[number], f"Brand{number}", f"{number + 3}.50"
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": name,
        "brand": {"@type": "Brand", "name": brand},
        "offers": [{"@type": "Offer", "price": price, "priceCurrency": "EUR"}],
    }
    head = (
        f'<script type="application/ld+json">{json.dumps(data)}</script>'
        if kind == "json-ld"
        else f'<meta property="og:title" content="{name}"><meta property="product:price:amount" content="{price}">'
        f'<meta property="product:brand" content="{brand}">'
    )
    return Page(
        f"<html><head><title>{name} - shop</title>{head}</head><body><div>{name}</div>"
        f"<div>{price.replace('.', ',')} €</div><div><i>{brand}</i></div><p>Call {number}{number * 7}</p></body></html>"
    )


@pytest.mark.parametrize("kind", ["json-ld", "opengraph"])
def test_names_of_the_default_item(kind: str) -> None:
    pages = [product_page(number, kind) for number in range(len(NAMES))]
    record = induce(pages, family="landmark").extract(pages[2]).records[0]
    assert (record["price"], record["brand"]) == ("5,50 €", "Brand2")


def test_types_come_with_the_names() -> None:
    pages = [product_page(number) for number in range(len(NAMES))]
    wrapper = parse(dump(induce(pages, family="landmark")))
    assert wrapper.suggested_types == {"name": "text", "price": "number", "brand": "text"}  # type: ignore[attr-defined]
    (item,) = wrapper.with_types(wrapper.suggested_types).items(pages[2])  # type: ignore[attr-defined]
    assert (item["price"], item["brand"]) == (5.5, "Brand2")


def test_days_are_matched_however_they_are_written() -> None:
    def article(number: int) -> Page:
        data = {"@type": "Article", "datePublished": f"2021-03-0{number + 1}T10:00:00Z"}
        return Page(
            f'<html><head><script type="application/ld+json">{json.dumps(data)}</script></head><body>'
            f"<h1>{NAMES[number]}</h1><div><i>{number + 1} March 2021</i></div></body></html>"
        )

    pages = [article(number) for number in range(len(NAMES))]
    wrapper = induce(pages, family="landmark")
    assert wrapper.items(pages[4])[0]["date_published"] == "5 March 2021"
    assert wrapper.suggested_types["date_published"] == "date"  # type: ignore[attr-defined]


def test_evidence_for_a_schema() -> None:
    pages = [product_page(number) for number in range(len(NAMES))]
    record = induce(pages, schema=["brand", "price"]).extract(pages[3]).records[0]
    assert record == {"brand": "Brand3", "price": "6,50 €"}


def test_without_extruct_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert embedded_names(product_page(0))["brand0"] == "brand"
    monkeypatch.setitem(sys.modules, "extruct", None)
    assert embedded_names(product_page(0)) == {}


@pytest.mark.parametrize(
    "html",
    [
        '<script type="application/ld+json">{"a": [[[[}</script>',
        '<script type="application/ld+json">[1, null, {"x": {"x": {"x": true}}}]</script>',
        '<div itemscope><p itemprop="name"></div>',
        '<meta property="og:title">',
        "application/ld+json",
        '<?xml version="1.0" encoding="latin-1"?><p>\0 application/ld+json</p>',
        f'<script type="application/ld+json">{"[" * 5000}</script>',
    ],
)
def test_broken_data_is_no_data(html: str) -> None:
    assert isinstance(embedded_names(Page(html)), dict)
