"""The magazine: article lists, articles and their authors."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..database import Article, Author
from ..listing import Listing
from .frame import banner, breadcrumbs, frame, pager, sidebar, stripe


def article_list(listing: Listing[Article]) -> str:
    rows = "\n".join(_row(position, article) for position, article in enumerate(listing.rows))
    main = f"""{breadcrumbs([("Home", "/")], listing.title)}
<h1>{escape(listing.title)}</h1>
<div class="stories">
{rows}
</div>
{pager(listing)}"""
    return frame(listing.title, listing.path, "magazine", main)


def _row(position: int, article: Article) -> str:
    lead = f"\n<p>{escape(article.standfirst)}</p>" if article.standfirst else ""
    return f"""<article class="story {stripe(position)}">
<h2><a href="{article.path}">{escape(article.headline)}</a></h2>
<div class="meta"><span>{escape(article.author.name)}</span>, <time>{article.day}</time></div>{lead}
</article>"""


def article(article: Article, related: Sequence[Article]) -> str:
    """An article; a few of them break the template, each in its own way."""
    if article.broken == "gallery":
        return _gallery(article)
    if article.broken == "imported":
        return _imported(article)
    return _article(article, related)


def _article(article: Article, related: Sequence[Article]) -> str:
    lead = f'<p class="standfirst">{escape(article.standfirst)}</p>\n' if article.standfirst else ""
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in article.paragraphs)
    tags = "".join(f"<li>{escape(tag)}</li>" for tag in article.tags)
    quote = f"<blockquote>{escape(article.quote)}</blockquote>\n" if article.quote else ""
    head = '<meta property="og:type" content="article">\n'
    main = f"""{banner(article.ads)}{breadcrumbs([("Home", "/"), ("Magazine", "/magazine")], article.headline)}
<article class="full">
<div class="kicker">{article.section}</div>
<h1 class="headline">{escape(article.headline)}</h1>
{lead}<div class="byline">By <a rel="author" href="{article.author.path}">{escape(article.author.name)}</a>
<time class="date" datetime="{article.published.isoformat()}">{article.day}</time>
<span class="length"><i>{article.minutes}</i> min read</span></div>
{_picture(article)}<div class="body">
{text}
</div>
{quote}<div class="tags">Tags: <ul>{tags}</ul></div>
</article>
{_related(related)}{sidebar(article.ads)}"""
    return frame(article.headline, article.path, "magazine", main, head)


def _picture(article: Article) -> str:
    if article.caption is None:
        return ""
    return (
        f'<figure><img src="/img/story-{article.number}.png" alt="">'
        f"<figcaption>{escape(article.caption)}</figcaption></figure>\n"
    )


def _related(articles: Sequence[Article]) -> str:
    if not articles:
        return ""
    rows = "\n".join(
        f'<li><a href="{a.path}">{escape(a.headline)}</a> <small>{a.section}</small></li>'
        for a in articles
    )
    return f'<div class="related"><h3>Read next</h3>\n<ul>\n{rows}\n</ul></div>\n'


def _gallery(article: Article) -> str:
    shots = "\n".join(
        f'<li class="shot"><img src="/img/story-{article.number}-{n}.png" alt="">'
        f"<span>{escape(text.split('.')[0])}</span></li>"
        for n, text in enumerate(article.paragraphs)
    )
    return frame(
        f"In pictures: {article.headline}",
        article.path,
        "pictures",
        f'<h2>In pictures: {escape(article.headline)}</h2>\n<ul class="reel">\n{shots}\n</ul>',
    )


def _imported(article: Article) -> str:
    """As the magazine's pages looked in its first years: upper case, unquoted, never closed."""
    text = "\n<P>".join(escape(paragraph) for paragraph in article.paragraphs)
    return f"""<HTML><HEAD><TITLE>{escape(article.headline)}</TITLE></HEAD>
<BODY BGCOLOR=white><CENTER><FONT SIZE=5>{escape(article.headline)}</FONT></CENTER>
<TABLE WIDTH=600 BORDER=0><TR><TD>{escape(article.author.name)}<TD ALIGN=right>{article.day}</TABLE>
<P>{text}
<HR><A HREF=/magazine>Back to the magazine</A>
"""


def author(author: Author, articles: Sequence[Article]) -> str:
    rows = "\n".join(
        f'<tr class="{stripe(position)}"><td><time>{a.day}</time></td>'
        f'<td><a href="{a.path}">{escape(a.headline)}</a></td></tr>'
        for position, a in enumerate(articles)
    )
    main = f"""{breadcrumbs([("Home", "/"), ("Magazine", "/magazine")], author.name)}
<div class="profile"><img class="face" src="/img/author-{author.number}.png" alt="">
<h1>{escape(author.name)}</h1>
<p class="role"><b>{author.role}</b> in <span>{author.town}</span></p>
<p class="bio">{escape(author.about)}</p></div>
<table class="archive">
<tr><th>Date</th><th>Article</th></tr>
{rows}
</table>"""
    return frame(author.name, author.path, "magazine", main)
