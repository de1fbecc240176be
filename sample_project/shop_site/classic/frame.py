"""What all pages of the design share: head, navigation, advertisements, footer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .. import words
from ..database import Article, Product
from ..listing import Listing

NAME = "Lantern &amp; Leaf"


def frame(title: str, path: str, kind: str, main: str, head: str = "") -> str:
    """A whole page around its main part."""
    sections = "\n".join(
        f'<li><a href="/c/{words.slug(name)}">{name}</a></li>' for name in words.CATEGORIES
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)} | {NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="{escape(path)}">
<link rel="stylesheet" href="/static/site.css">
{head}<script>window.dataLayer = window.dataLayer || []; dataLayer.push({{"path": "{path}"}});</script>
</head>
<body class="{kind}">
<header id="top">
<a class="logo" href="/"><img src="/img/logo.png" alt="{NAME}"></a>
<form class="search" action="/search" method="post"><input name="q" type="search">
<button>Search</button></form>
<nav class="main"><ul>
{sections}
<li><a href="/magazine">Magazine</a></li>
<li><a href="/about">About us</a></li>
</ul></nav>
</header>
<main>
{main}
</main>
<footer>
<ul class="links"><li><a href="/delivery">Delivery &amp; returns</a></li>
<li><a href="/contact">Contact</a></li><li><a href="/files/price-list">Price list</a></li></ul>
<p class="small">&copy; 2024 {NAME}. Prices include VAT.</p>
</footer>
</body>
</html>
"""


def breadcrumbs(steps: Iterable[tuple[str, str]], last: str) -> str:
    links = "".join(
        f'<a href="{escape(path)}">{escape(name)}</a> &rsaquo; ' for name, path in steps
    )
    return f'<div class="crumbs">{links}<span>{escape(last)}</span></div>'


def banner(ads: Sequence[str]) -> str:
    """The strip above the page; only where there are many advertisements."""
    if len(ads) < 3:
        return ""
    return f'<div class="ad banner"><a href="/delivery">{escape(ads[2])}</a></div>\n'


def sidebar(ads: Sequence[str]) -> str:
    boxes = "\n".join(
        f'<div class="ad"><small>Advertisement</small><a href="/about">{escape(text)}</a></div>'
        for text in ads[:2]
    )
    return f'<aside class="ads">\n{boxes}\n</aside>\n' if boxes else ""


def stripe(position: int) -> str:
    return "odd" if position % 2 == 0 else "even"


def pager(listing: Listing[Product] | Listing[Article]) -> str:
    """Numbered pages, with links to the ones before and after."""
    if listing.pages == 1:
        return ""
    steps = []
    if listing.page > 1:
        steps.append(
            f'<a class="prev" rel="prev" href="{listing.address(listing.page - 1)}">Previous</a>'
        )
    steps.append(f'<span class="here">Page {listing.page} of {listing.pages}</span>')
    if listing.page < listing.pages:
        steps.append(
            f'<a class="next" rel="next" href="{listing.address(listing.page + 1)}">Next</a>'
        )
    return f'<div class="pager">{" ".join(steps)}</div>\n'


def home(products: Sequence[Product], articles: Sequence[Article]) -> str:
    """The front page: a few products, a few articles."""
    tiles = "\n".join(
        f'<div class="tile"><a href="{p.path}"><img src="{p.image}" alt=""></a>'
        f'<a href="{p.path}">{escape(p.title)}</a> <span>{p.price}</span></div>'
        for p in products
    )
    stories = "\n".join(f'<li><a href="{a.path}">{escape(a.headline)}</a></li>' for a in articles)
    return frame(
        "Things for the house, and things to read",
        "/",
        "home",
        f"""<section class="hero"><h1>Things for the house, and things to read</h1>
<p>New in the shop this week, and new in the magazine.</p></section>
<section class="tiles"><h2>New in</h2>
{tiles}
</section>
<section class="stories"><h2>From the magazine</h2>
<ul>
{stories}
</ul></section>""",
    )


def info(title: str, path: str, paragraphs: Sequence[str]) -> str:
    """A page that stands alone, such as the delivery terms."""
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    return frame(title, path, "info", f'<div class="text"><h1>{escape(title)}</h1>\n{text}\n</div>')
