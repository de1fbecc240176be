"""What is on each page, from the database and not from the HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .database import Article, Author, Brand, Product
from .listing import Listing

Value = str | tuple[str, ...]


@dataclass(frozen=True)
class PageTruth:
    """One page: its template, its values, the records that it lists.

    ``fields`` holds what the page says of its subject; a tuple is one value in several parts, such
    as the paragraphs of an article. ``records`` holds the repeated parts. A page that does not
    ``conform`` breaks its template: nothing can be asked of it.
    """

    kind: str
    fields: Mapping[str, Value] = field(default_factory=dict)
    records: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)
    conforms: bool = True


def _present(fields: Mapping[str, Value | None]) -> dict[str, Value]:
    return {name: value for name, value in fields.items() if value}


def product_truth(product: Product, also_bought: tuple[Product, ...]) -> PageTruth:
    specs = {label.lower(): value for label, value in product.specs.items()}
    fields: dict[str, Value | None] = {
        "title": product.title,
        "brand": product.brand.name,
        "price": product.price,
        "old_price": product.old_price,
        "availability": product.availability,
        "rating": product.rating,
        "review_count": str(len(product.reviews)) if product.reviews else None,
        "note": product.note,
        "description": product.description,
        "sku": product.sku,
        **specs,
    }
    reviews = tuple(
        {"name": review.name, "stars": str(review.stars), "text": review.text}
        for review in product.reviews
    )
    others = tuple({"title": other.title, "price": other.price} for other in also_bought)
    records = {"reviews": reviews, "also_bought": others}
    return PageTruth("product", _present(fields), records, product.broken is None)


def article_truth(article: Article, related: tuple[Article, ...]) -> PageTruth:
    fields: dict[str, Value | None] = {
        "headline": article.headline,
        "section": article.section,
        "author": article.author.name,
        "date": article.day,
        "standfirst": article.standfirst,
        "body": article.paragraphs,
        "caption": article.caption,
        "quote": article.quote,
        "tags": article.tags,
        "minutes": str(article.minutes),
    }
    records = {"related": tuple({"headline": a.headline, "section": a.section} for a in related)}
    return PageTruth("article", _present(fields), records, article.broken is None)


def brand_truth(brand: Brand, products: tuple[Product, ...]) -> PageTruth:
    fields: dict[str, Value | None] = {
        "name": brand.name,
        "country": brand.country,
        "founded": str(brand.founded),
        "website": brand.website,
        "about": brand.about,
    }
    return PageTruth("brand", _present(fields), {"products": _product_rows(products)})


def author_truth(author: Author, articles: tuple[Article, ...]) -> PageTruth:
    fields: dict[str, Value | None] = {
        "name": author.name,
        "role": author.role,
        "town": author.town,
        "about": author.about,
    }
    rows = tuple({"date": a.day, "headline": a.headline} for a in articles)
    return PageTruth("author", _present(fields), {"articles": rows})


def product_list_truth(listing: Listing[Product]) -> PageTruth:
    return PageTruth("product list", records={"products": _product_rows(listing.rows)})


def article_list_truth(listing: Listing[Article]) -> PageTruth:
    rows = tuple(
        _texts(
            {"headline": a.headline, "author": a.author.name, "date": a.day, "lead": a.standfirst}
        )
        for a in listing.rows
    )
    return PageTruth("article list", records={"articles": rows})


def _product_rows(products: tuple[Product, ...]) -> tuple[dict[str, str], ...]:
    return tuple(
        _texts(
            {
                "title": p.title,
                "brand": p.brand.name,
                "price": p.price,
                "old_price": p.old_price,
                "note": p.note,
            }
        )
        for p in products
    )


def _texts(values: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
