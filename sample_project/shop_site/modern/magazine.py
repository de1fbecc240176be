"""The magazine: article lists, articles and their authors."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..classic import article as classic_article
from ..database import Article, Author
from ..listing import Listing
from .frame import frame, pager, trail


def article_list(listing: Listing[Article]) -> str:
    teasers = "\n".join(_teaser(article) for article in listing.rows)
    return frame(
        listing.title,
        listing.path,
        f'<h1>{escape(listing.title)}</h1>\n<div class="reads">\n{teasers}\n</div>\n{pager(listing)}',
    )


def _teaser(article: Article) -> str:
    lead = f'<div class="prose">{escape(article.standfirst)}</div>' if article.standfirst else ""
    return f"""<div class="teaser"><div class="teaser__day">{article.day}</div>
<a class="teaser__head" href="{article.path}">{escape(article.headline)}</a>
<div class="teaser__by">{escape(article.author.name)}</div>{lead}</div>"""


def article(article: Article, related: Sequence[Article]) -> str:
    """An article; those that broke the old template were left as they are."""
    if article.broken is not None:
        return classic_article(article, related)
    lead = (
        f'<div class="read__lead">{escape(article.standfirst)}</div>\n'
        if article.standfirst
        else ""
    )
    caption = f'<div class="shot__text">{escape(article.caption)}</div>' if article.caption else ""
    picture = (
        f'<div class="shot"><img src="/img/story-{article.number}.png" alt="">{caption}</div>\n'
    )
    quote = f'<div class="pull">{escape(article.quote)}</div>\n' if article.quote else ""
    text = "\n".join(f'<div class="para">{escape(part)}</div>' for part in article.paragraphs)
    tags = "".join(f'<span class="chip">{escape(tag)}</span>' for tag in article.tags)
    return frame(
        article.headline,
        article.path,
        f"""{trail([("Start", "/"), ("Read", "/magazine")])}
<section class="read">
<h2 class="read__head">{escape(article.headline)}</h2>
<div class="read__about"><span class="read__day">{article.day}</span>
<span class="read__in">{article.section}</span>
<a class="read__by" href="{article.author.path}">{escape(article.author.name)}</a>
<span class="read__time"><b>{article.minutes}</b> minutes</span></div>
{lead}{picture if article.caption else ""}<div class="read__text">
{text}
</div>
{quote}<div class="chips">{tags}</div>
</section>
{_next(related)}""",
    )


def _next(articles: Sequence[Article]) -> str:
    if not articles:
        return ""
    rows = "\n".join(
        f'<div class="mini"><i>{a.section}</i><a href="{a.path}">{escape(a.headline)}</a></div>'
        for a in articles
    )
    return f'<section class="others"><h3>Go on reading</h3>\n{rows}\n</section>\n'


def author(author: Author, articles: Sequence[Article]) -> str:
    works = ", ".join(f'<a href="{a.path}">{escape(a.headline)}</a>' for a in articles)
    return frame(
        author.name,
        author.path,
        f"""<section class="writer"><h2>{escape(author.name)}</h2>
<div class="fact"><span class="fact__what">Works as</span><span class="fact__value">{author.role}</span></div>
<div class="fact"><span class="fact__what">Lives in</span><span class="fact__value">{author.town}</span></div>
<div class="prose">{escape(author.about)}</div></section>
<div class="works">{works}</div>""",
    )
