"""The site: which pages there are, their HTML in a design, and the truth about each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from . import classic, modern, words
from .database import Article, Author, Brand, Database, Product, build
from .listing import Listing, paginate
from .truth import (
    PageTruth,
    article_list_truth,
    article_truth,
    author_truth,
    brand_truth,
    product_list_truth,
    product_truth,
)

PRODUCTS_PER_PAGE = 12
ARTICLES_PER_PAGE = 10
INFO = {
    "/about": ("About us", ("We sell what we would buy.", "The magazine came second.")),
    "/delivery": ("Delivery & returns", ("Most parcels leave within a day.",)),
    "/contact": ("Contact", ("Write to us.", "Or ring.", "Or come in and ask by the till.")),
}


class Design(Protocol):
    """One way to show the database: a function from records to HTML for every template."""

    def home(self, products: tuple[Product, ...], articles: tuple[Article, ...]) -> str: ...
    def info(self, title: str, path: str, paragraphs: tuple[str, ...]) -> str: ...
    def product_list(self, listing: Listing[Product]) -> str: ...
    def product(self, product: Product, also_bought: tuple[Product, ...]) -> str: ...
    def brand(self, brand: Brand, products: tuple[Product, ...]) -> str: ...
    def article_list(self, listing: Listing[Article]) -> str: ...
    def article(self, article: Article, related: tuple[Article, ...]) -> str: ...
    def author(self, author: Author, articles: tuple[Article, ...]) -> str: ...


DESIGNS: Mapping[str, Design] = {"classic": classic, "modern": modern}


@dataclass(frozen=True)
class _Entry:
    render: Callable[[], str]
    truth: PageTruth


class Site:
    """Every page of the site by its path, query included."""

    def __init__(self, database: Database | None = None, design: str = "classic") -> None:
        self.database = database or build()
        self._entries = dict(_entries(self.database, DESIGNS[design]))

    def redesigned(self, design: str = "modern") -> Site:
        """The same database in another design."""
        return Site(self.database, design)

    @property
    def paths(self) -> list[str]:
        return list(self._entries)

    def html(self, path: str) -> str | None:
        """The page at this path, or None where there is none."""
        entry = self._entries.get(path)
        return entry.render() if entry else None

    @property
    def truth(self) -> dict[str, PageTruth]:
        """What is on each page, by path."""
        return {path: entry.truth for path, entry in self._entries.items()}


def _entries(database: Database, design: Design) -> list[tuple[str, _Entry]]:
    products, articles = database.products, database.articles
    fronts = products[:: max(1, len(products) // 9)], articles[:6]
    entries = [("/", _Entry(lambda: design.home(*fronts), PageTruth("home")))]
    for path, (title, text) in INFO.items():
        render = _later(design.info, title, path, text)
        entries.append((path, _Entry(render, PageTruth("info"))))
    for category in words.CATEGORIES:
        chosen = [product for product in products if product.category == category]
        for goods in paginate(category, f"/c/{words.slug(category)}", chosen, PRODUCTS_PER_PAGE):
            shelf = _Entry(_later(design.product_list, goods), product_list_truth(goods))
            entries.append((goods.path, shelf))
    for issue in paginate("Magazine", "/magazine", articles, ARTICLES_PER_PAGE):
        entry = _Entry(_later(design.article_list, issue), article_list_truth(issue))
        entries.append((issue.path, entry))
    for product in products:
        others = tuple(products[number - 1] for number in product.also_bought)
        render = _later(design.product, product, others)
        entries.append((product.path, _Entry(render, product_truth(product, others))))
    for article in articles:
        related = tuple(articles[number - 1] for number in article.related)
        render = _later(design.article, article, related)
        entries.append((article.path, _Entry(render, article_truth(article, related))))
    for brand in database.brands:
        made = tuple(product for product in products if product.brand == brand)
        render = _later(design.brand, brand, made)
        entries.append((brand.path, _Entry(render, brand_truth(brand, made))))
    for author in database.authors:
        written = tuple(article for article in articles if article.author == author)
        render = _later(design.author, author, written)
        entries.append((author.path, _Entry(render, author_truth(author, written))))
    return entries


def _later(render: Callable[..., str], *data: object) -> Callable[[], str]:
    return lambda: render(*data)
