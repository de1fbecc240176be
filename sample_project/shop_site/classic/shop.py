"""The shop: product lists, products and brands."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .. import words
from ..database import Brand, Product, Review
from ..listing import Listing
from .frame import banner, breadcrumbs, frame, pager, sidebar, stripe


def product_list(listing: Listing[Product]) -> str:
    rows = "\n".join(_row(position, product) for position, product in enumerate(listing.rows))
    main = f"""{breadcrumbs([("Home", "/")], listing.title)}
<h1>{escape(listing.title)}</h1>
<p class="count">{listing.total} products</p>
<ul class="results">
{rows}
</ul>
{pager(listing)}"""
    return frame(listing.title, listing.path, "shop", main)


def _row(position: int, product: Product) -> str:
    was = f' <del class="was">{product.old_price}</del>' if product.old_price else ""
    note = f'\n<em class="note">{escape(product.note)}</em>' if product.note else ""
    return f"""<li class="result {stripe(position)}">
<a class="thumb" href="{product.path}"><img src="{product.image}" alt=""></a>
<h3><a href="{product.path}">{escape(product.title)}</a></h3>
<div class="by">{escape(product.brand.name)}</div>
<div class="cost"><span class="price">{product.price}</span>{was}</div>{note}
</li>"""


def product(product: Product, also_bought: Sequence[Product]) -> str:
    """A product page; a few of them break the template, each in its own way."""
    if product.broken == "landing":
        return _landing(product)
    if product.broken == "withdrawn":
        return _withdrawn(product)
    html = _product(product, also_bought)
    if product.broken == "truncated":
        return html[: html.index('<table class="specs">') + 60]
    return html


def _product(product: Product, also_bought: Sequence[Product]) -> str:
    category = (product.category, f"/c/{words.slug(product.category)}")
    was = (
        f'\n<span class="was">Was <del>{product.old_price}</del></span>'
        if product.old_price
        else ""
    )
    note = f'<div class="note">{escape(product.note)}</div>\n' if product.note else ""
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in product.description)
    head = f"""<meta property="og:type" content="product">
<meta property="og:image" content="{product.image}">
"""
    main = f"""{banner(product.ads)}{breadcrumbs([("Home", "/"), category], product.title)}
<div class="product" itemscope itemtype="https://schema.org/Product">
<div class="gallery"><img itemprop="image" src="{product.image}" alt="{escape(product.title)}"></div>
<div class="buy">
<h1 itemprop="name">{escape(product.title)}</h1>
<p class="brand">Brand: <a href="{product.brand.path}">{escape(product.brand.name)}</a></p>
{_rating(product)}<p class="cost">Price: <span class="price" itemprop="price">{product.price}</span>{was}</p>
<p class="stock">Availability: <b>{product.availability}</b></p>
{note}<form action="/basket" method="post"><input type="hidden" name="id" value="{product.number}">
<button>Add to basket</button></form>
</div>
<h2>Description</h2>
<div class="description" itemprop="description">
{text}
</div>
<h2>Details</h2>
{_specs(product)}
<h2>Reviews</h2>
{_reviews(product.reviews)}
</div>
{_also_bought(also_bought)}{sidebar(product.ads)}"""
    return frame(f"{product.title} - {product.category}", product.path, "shop", main, head)


def _rating(product: Product) -> str:
    if product.rating is None:
        return ""
    return (
        f'<p class="rating">Rating: <span class="stars">{product.rating}</span> out of 5 '
        f'(<a href="#reviews">{len(product.reviews)}</a>)</p>\n'
    )


def _specs(product: Product) -> str:
    rows = {"SKU": product.sku, **product.specs}
    cells = "\n".join(
        f'<tr class="{stripe(position)}"><th>{label}</th><td>{escape(value)}</td></tr>'
        for position, (label, value) in enumerate(rows.items())
    )
    return f'<table class="specs">\n{cells}\n</table>'


def _reviews(reviews: Sequence[Review]) -> str:
    if not reviews:
        return '<p class="none">Nobody has written a review yet.</p>'
    rows = "\n".join(
        f'<li class="review {stripe(position)}"><strong>{escape(review.name)}</strong> '
        f'<span class="given">{review.stars}</span><p>{escape(review.text)}</p></li>'
        for position, review in enumerate(reviews)
    )
    return f'<ol id="reviews" class="reviews">\n{rows}\n</ol>'


def _also_bought(products: Sequence[Product]) -> str:
    if not products:
        return ""
    tiles = "\n".join(
        f'<li><a href="{p.path}"><img src="{p.image}" alt=""> {escape(p.title)}</a> '
        f"<span>{p.price}</span></li>"
        for p in products
    )
    return f'<div class="also"><h2>People also bought</h2>\n<ul>\n{tiles}\n</ul></div>\n'


def _landing(product: Product) -> str:
    blocks = "\n".join(
        f'<section class="panel"><blockquote>{escape(text)}</blockquote></section>'
        for text in product.description
    )
    return frame(
        product.title,
        product.path,
        "campaign",
        f"""<div class="splash"><p class="big">{escape(product.title)}</p>
<p>The one everybody talks about. From {product.price}.</p></div>
{blocks}
<div class="call"><a href="/contact">Ask us about it</a></div>""",
    )


def _withdrawn(product: Product) -> str:
    link = f'<a href="/c/{words.slug(product.category)}">{product.category}</a>'
    return frame(
        product.title,
        product.path,
        "shop",
        f"<p>We no longer sell {escape(product.title)}. There is more in {link}.</p>",
    )


def brand(brand: Brand, products: Sequence[Product]) -> str:
    site = (
        f'<dt>Website</dt><dd><a href="{brand.website}">{brand.website}</a></dd>\n'
        if brand.website
        else ""
    )
    rows = "\n".join(_row(position, product) for position, product in enumerate(products))
    main = f"""{breadcrumbs([("Home", "/")], brand.name)}
<div class="brand-card"><h1>{escape(brand.name)}</h1>
<dl class="facts">
<dt>Country</dt><dd>{brand.country}</dd>
<dt>Founded</dt><dd>{brand.founded}</dd>
{site}</dl>
<div class="about">{escape(brand.about)}</div>
</div>
<h2>In the shop</h2>
<ul class="results">
{rows}
</ul>"""
    return frame(brand.name, brand.path, "shop", main)
