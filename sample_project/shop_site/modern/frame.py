"""What all pages of the design share: head, navigation, footer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .. import words
from ..database import Article, Product
from ..listing import Listing

NAME = "Lantern &amp; Leaf"


def frame(title: str, path: str, main: str) -> str:
    """A whole page around its main part."""
    sections = "".join(
        f'<a class="nav__item" href="/c/{words.slug(name)}">{name}</a>' for name in words.CATEGORIES
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{NAME}: {escape(title)}</title>
<link rel="canonical" href="{escape(path)}">
<link rel="stylesheet" href="/static/site.css">
</head>
<body>
<div class="app">
<div class="app__bar"><a class="app__home" href="/">{NAME}</a>
<div class="nav">{sections}<a class="nav__item" href="/magazine">Read</a></div></div>
<div class="app__page">
{main}
</div>
<div class="app__end"><a href="/about">Who we are</a> <a href="/delivery">Shipping</a>
<a href="/contact">Talk to us</a><span>{NAME}, since 1998</span></div>
</div>
</body>
</html>
"""


def trail(steps: Iterable[tuple[str, str]]) -> str:
    links = "".join(f'<a href="{escape(path)}">{escape(name)}</a>' for name, path in steps)
    return f'<nav class="trail">{links}</nav>'


def pager(listing: Listing[Product] | Listing[Article]) -> str:
    """Links to the pages before and after."""
    if listing.pages == 1:
        return ""
    steps = []
    if listing.page < listing.pages:
        steps.append(f'<a class="more" href="{listing.address(listing.page + 1)}">Show more</a>')
    if listing.page > 1:
        steps.append(f'<a class="less" href="{listing.address(listing.page - 1)}">Back</a>')
    return f'<div class="turn">{"".join(steps)}</div>\n'


def home(products: Sequence[Product], articles: Sequence[Article]) -> str:
    """The front page: a few articles, a few products."""
    stories = "".join(
        f'<div class="teaser"><a href="{a.path}">{escape(a.headline)}</a></div>' for a in articles
    )
    cards = "".join(
        f'<div class="card"><a class="card__name" href="{p.path}">{escape(p.title)}</a>'
        f'<div class="card__price">{p.price}</div></div>'
        for p in products
    )
    return frame(
        "A house full of good things",
        "/",
        f'<h1>A house full of good things</h1>\n<div class="reads">{stories}</div>\n'
        f'<div class="grid">{cards}</div>',
    )


def info(title: str, path: str, paragraphs: Sequence[str]) -> str:
    """A page that stands alone, such as the delivery terms."""
    text = "".join(f'<div class="prose">{escape(paragraph)}</div>' for paragraph in paragraphs)
    return frame(title, path, f"<h1>{escape(title)}</h1>\n{text}")
