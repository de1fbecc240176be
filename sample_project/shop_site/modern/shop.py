"""The shop: product lists, products and brands."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .. import words
from ..classic import product as classic_product
from ..database import Brand, Product, Review
from ..listing import Listing
from .frame import frame, pager, trail


def product_list(listing: Listing[Product]) -> str:
    cards = "\n".join(_card(product) for product in listing.rows)
    return frame(
        listing.title,
        listing.path,
        f'<h1>{escape(listing.title)}</h1>\n<div class="grid">\n{cards}\n</div>\n{pager(listing)}',
    )


def _card(product: Product) -> str:
    was = f'<s class="card__old">{product.old_price}</s>' if product.old_price else ""
    note = f'<div class="card__hint">{escape(product.note)}</div>' if product.note else ""
    return f"""<div class="card">
<div class="card__price">{product.price}</div>{was}
<a class="card__name" href="{product.path}">{escape(product.title)}</a>
<div class="card__maker">{escape(product.brand.name)}</div>{note}
</div>"""


def product(product: Product, also_bought: Sequence[Product]) -> str:
    """A product page; those that broke the old template were left as they are."""
    if product.broken is not None:
        return classic_product(product, also_bought)
    category = (product.category, f"/c/{words.slug(product.category)}")
    old = f'<s class="offer__old">{product.old_price}</s>' if product.old_price else ""
    hint = f'<div class="offer__hint">{escape(product.note)}</div>\n' if product.note else ""
    text = "\n".join(f'<div class="prose">{escape(part)}</div>' for part in product.description)
    return frame(
        product.title,
        product.path,
        f"""{trail([("Start", "/"), category])}
<section class="offer">
<div class="offer__box"><div class="offer__now"><label>Our price</label> <strong>{product.price}</strong>{old}</div>
<div class="offer__state"><label>In store</label> <em>{product.availability}</em></div>
{hint}<a class="offer__add" href="/about">Put in the bag</a></div>
<div class="offer__head"><a class="maker" href="{product.brand.path}">{escape(product.brand.name)}</a>
<h2 class="name">{escape(product.title)}</h2>
{_stars(product)}</div>
</section>
<section class="facts"><h3>Facts</h3>
{_facts(product)}
</section>
<section class="story"><h3>About this product</h3>
{text}
</section>
<section class="voices"><h3>What people say</h3>
{_voices(product.reviews)}
</section>
{_others(also_bought)}""",
    )


def _stars(product: Product) -> str:
    if product.rating is None:
        return ""
    return (
        f'<div class="score"><span class="score__mean">{product.rating}</span> stars from '
        f'<span class="score__count">{len(product.reviews)}</span> reviews</div>\n'
    )


def _facts(product: Product) -> str:
    facts = {**product.specs, "Article number": product.sku}
    return "\n".join(
        f'<div class="fact"><span class="fact__what">{label}</span>'
        f'<span class="fact__value">{escape(value)}</span></div>'
        for label, value in facts.items()
    )


def _voices(reviews: Sequence[Review]) -> str:
    return "\n".join(
        f'<div class="voice"><div class="voice__text">{escape(review.text)}</div>'
        f'<div class="voice__by">{escape(review.name)}</div><i>{review.stars}</i></div>'
        for review in reviews
    )


def _others(products: Sequence[Product]) -> str:
    if not products:
        return ""
    cards = "\n".join(
        f'<div class="mini"><a href="{p.path}">{escape(p.title)}</a><b>{p.price}</b></div>'
        for p in products
    )
    return f'<section class="others"><h3>More like this</h3>\n{cards}\n</section>\n'


def brand(brand: Brand, products: Sequence[Product]) -> str:
    site = (
        f'<div class="fact"><span class="fact__what">On the web</span>'
        f'<a class="fact__value" href="{brand.website}">{brand.website}</a></div>\n'
        if brand.website
        else ""
    )
    cards = "\n".join(_card(product) for product in products)
    return frame(
        brand.name,
        brand.path,
        f"""<section class="maker-page"><h2>{escape(brand.name)}</h2>
<div class="prose">{escape(brand.about)}</div>
<div class="fact"><span class="fact__what">Since</span><span class="fact__value">{brand.founded}</span></div>
<div class="fact"><span class="fact__what">From</span><span class="fact__value">{brand.country}</span></div>
{site}</section>
<div class="grid">
{cards}
</div>""",
    )
