"""What the shop sells and the magazine prints: plain records, all from one seed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from . import words

PRODUCTS_PER_CATEGORY = 48
ARTICLES = 130
AUTHORS = 14
BRANDS = 24


@dataclass(frozen=True)
class Brand:
    number: int
    name: str
    country: str
    founded: int
    about: str
    website: str | None

    @property
    def path(self) -> str:
        return f"/who?id={self.number}"


@dataclass(frozen=True)
class Author:
    number: int
    name: str
    role: str
    town: str
    about: str

    @property
    def path(self) -> str:
        # Brands and authors share one address pattern on purpose: addresses alone do not tell
        # templates apart.
        return f"/who?id={self.number}"


@dataclass(frozen=True)
class Review:
    name: str
    stars: int
    text: str


@dataclass(frozen=True)
class Product:
    number: int
    title: str
    category: str
    brand: Brand
    price: str
    old_price: str | None
    sku: str
    availability: str
    rating: str | None
    specs: dict[str, str]
    description: tuple[str, ...]
    reviews: tuple[Review, ...]
    ads: tuple[str, ...]
    note: str | None
    broken: str | None = None
    also_bought: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        return f"/p/{self.number}-{words.slug(self.title)}"

    @property
    def image(self) -> str:
        return f"/img/{self.sku.lower()}.png"


@dataclass(frozen=True)
class Article:
    number: int
    headline: str
    section: str
    author: Author
    published: date
    standfirst: str | None
    paragraphs: tuple[str, ...]
    caption: str | None
    quote: str | None
    tags: tuple[str, ...]
    minutes: int
    ads: tuple[str, ...]
    related: tuple[int, ...]
    broken: str | None = None

    @property
    def path(self) -> str:
        # One template at two address patterns: the magazine changed its addresses in 2023.
        name = words.slug(self.headline)
        if self.published.year < 2023:
            return f"/magazine/{self.published:%Y/%m}/{name}"
        return f"/a/{name}-{self.number}"

    @property
    def day(self) -> str:
        return f"{self.published.day} {self.published:%B %Y}"


@dataclass(frozen=True)
class Database:
    brands: tuple[Brand, ...]
    authors: tuple[Author, ...]
    products: tuple[Product, ...]
    articles: tuple[Article, ...]
    seed: int


# number of the product or article → in which way its page breaks the template
BROKEN_PRODUCTS = {
    17: "landing",
    58: "truncated",
    121: "withdrawn",
    164: "landing",
    203: "truncated",
}
BROKEN_ARTICLES = {23: "gallery", 77: "imported", 110: "gallery"}


def build(seed: int = 1) -> Database:
    """The same database for the same seed, on every machine and Python version."""
    rng = Random(f"lantern-{seed}")
    brands = tuple(
        _brand(rng, 100 + n, name) for n, name in enumerate(words.brand_names(rng, BRANDS))
    )
    authors = tuple(
        _author(rng, 300 + n, name) for n, name in enumerate(words.person_names(rng, AUTHORS))
    )
    total = PRODUCTS_PER_CATEGORY * len(words.CATEGORIES)
    titles = words.Titles(rng)
    categories = [name for name in words.CATEGORIES for _ in range(PRODUCTS_PER_CATEGORY)]
    products = tuple(
        _product(rng, n, total, category, titles.product(category), brands)
        for n, category in enumerate(categories, start=1)
    )
    days = sorted((_day(rng) for _ in range(ARTICLES)), reverse=True)
    articles = tuple(
        _article(rng, n, titles.headline(), days[n - 1], authors) for n in range(1, ARTICLES + 1)
    )
    return Database(brands, authors, products, articles, seed)


def _brand(rng: Random, number: int, name: str) -> Brand:
    website = f"https://www.{words.slug(name)}.example/" if rng.random() < 0.6 else None
    about = words.brand_text(rng, name)
    return Brand(number, name, rng.choice(words.COUNTRIES), rng.randint(1868, 2019), about, website)


def _author(rng: Random, number: int, name: str) -> Author:
    role, town = rng.choice(words.ROLES), rng.choice(words.TOWNS)
    return Author(number, name, role, town, words.author_text(rng, name))


def _day(rng: Random) -> date:
    return date(2021, 2, 1) + timedelta(days=rng.randrange(1400))


def _product(
    rng: Random, number: int, total: int, category: str, title: str, brands: tuple[Brand, ...]
) -> Product:
    pence = rng.choice((0, 25, 49, 50, 75, 95, 99))
    pounds = rng.randint(4, 180) if rng.random() < 0.93 else rng.randint(1001, 2400)
    reviews = tuple(_review(rng) for _ in range(rng.choice((0, 0, 1, 2, 2, 3, 4, 6))))
    stars = sum(review.stars for review in reviews)
    others = [n for n in range(1, total + 1) if n != number]
    return Product(
        number=number,
        title=title,
        category=category,
        brand=rng.choice(brands),
        price=f"£{pounds:,}.{pence:02}",
        old_price=f"£{pounds + rng.randint(2, 40):,}.{pence:02}" if rng.random() < 0.3 else None,
        sku=f"{category[:2].upper()}-{rng.randint(10000, 99999)}",
        availability=words.availability(rng),
        rating=f"{stars / len(reviews):.1f}" if reviews else None,
        specs=words.specs(rng, category),
        description=words.description(rng, category),
        reviews=reviews,
        ads=words.ads(rng),
        note=rng.choice(words.NOTES) if rng.random() < 0.2 else None,
        broken=BROKEN_PRODUCTS.get(number),
        also_bought=tuple(rng.sample(others, rng.choice((0, 2, 3, 3, 4, 6)))),
    )


def _review(rng: Random) -> Review:
    return Review(words.first_name(rng), rng.randint(2, 5), words.review_text(rng))


def _article(
    rng: Random, number: int, headline: str, day: date, authors: tuple[Author, ...]
) -> Article:
    paragraphs = words.article_text(rng)
    others = [n for n in range(1, ARTICLES + 1) if n != number]
    return Article(
        number=number,
        headline=headline,
        section=rng.choice(words.SECTIONS),
        author=rng.choice(authors),
        published=day,
        standfirst=words.standfirst(rng) if rng.random() < 0.75 else None,
        paragraphs=paragraphs,
        caption=words.caption(rng) if rng.random() < 0.5 else None,
        quote=words.quote(rng) if rng.random() < 0.3 else None,
        tags=tuple(rng.sample(words.TAGS, rng.randint(1, 4))),
        minutes=2 + len(paragraphs),
        ads=words.ads(rng),
        related=tuple(rng.sample(others, rng.choice((0, 2, 3, 4)))),
        broken=BROKEN_ARTICLES.get(number),
    )
