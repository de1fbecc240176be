"""What stands around the content of a page: menus, head and foot of the site, links to pages like this one.

None of it is data of the page. Most of it is the same on all pages and drops out by itself; what is left (a
visitor counter in the foot, the titles of related items) is told by the elements it stands in, and by
where its links lead: a product page that links to other product pages recommends them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from html import unescape
from itertools import accumulate
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from ...signatures import shape_of, site_of
from ...tokenizer import OPEN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...page import Page
    from ...tokenizer import Tag

Span = tuple[int, int]
_FRAMES = frozenset(("nav", "footer", "header", "aside"))
_ROLES = frozenset(("navigation", "contentinfo", "banner", "complementary", "search", "menu"))
_CALLED = frozenset(
    "footer site-footer page-footer nav navbar navigation main-nav main-menu site-header site-nav "
    "cookie-banner cookies skip-link".split()
)
# A frame whose name says it in a part (``navheader``, ``page-nav``) may be one around all of the page.
_NAVIGATION = re.compile(r"(?:^|[^a-z])(?:nav|navi|navheader|navfooter|navlinks|docnav)(?![a-z])")
_LARGEST_NAVIGATION = 0.4
# What pages that come one after the other call those before, behind and above them.
_NEIGHBOURS = frozenset(("prev", "previous", "next", "up", "start", "first", "last", "contents"))
_LARGEST_CARD = 3000  # characters of source
_MOST_AROUND = 8
# Inside these, head and foot are those of an article, not of the site.
_CONTENT = frozenset(("main", "article"))


def frames(page: Page) -> list[Span]:
    """The parts of a page's source that belong to the site rather than to the page, in order."""
    found: list[Span] = []
    content_until = 0
    for index, tag in enumerate(page.tags):
        if tag.kind != OPEN or not (tag.name in _CONTENT or _is_frame(tag, inside=False)):
            continue
        close = page.partners[index]
        if close < 0:
            continue
        span = page.part_offsets[2 * index + 1], page.part_offsets[2 * close + 2]
        if found and span[0] < found[-1][1]:
            continue
        if tag.name in _CONTENT:
            content_until = max(content_until, span[1])
        elif (
            _is_frame(tag, inside=span[0] < content_until)
            and not _is_content(page, index, close)
            and (_is_named(tag) or span[1] - span[0] < _LARGEST_NAVIGATION * len(page.html))
        ):
            found.append(span)
    return found


@lru_cache(maxsize=1 << 13)
def _is_frame(tag: Tag, *, inside: bool) -> bool:
    said = tag.source.lower()
    if "crumb" in said and _is_trail(tag):
        return False
    if tag.name == "nav" or ("role" in said and tag.get("role") in _ROLES):
        return True
    if inside or tag.name not in ("footer", "header", "aside", "div", "ul", "section", "table"):
        return False
    return _is_named(tag) or any(map(_NAVIGATION.search, _words(tag)))


def _is_named(tag: Tag) -> bool:
    """Whether the name of an element leaves no doubt that it is a part of the site's frame."""
    return (
        tag.name == "nav"
        or tag.name in _FRAMES
        or tag.get("role") in _ROLES
        or not _CALLED.isdisjoint(_words(tag))
    )


def _words(tag: Tag) -> set[str]:
    return {(tag.get("id") or "").lower(), *(tag.get("class") or "").lower().split()}


def _is_trail(tag: Tag) -> bool:
    said = " ".join(tag.get(name) or "" for name in ("class", "id", "aria-label", "itemtype"))
    return "crumb" in said.lower()


def _is_content(page: Page, first: int, last: int) -> bool:
    """Whether an element holds what the page is about: its heading, or a trail that leads to it."""
    inside = page.tags[first + 1 : last]
    return any(tag.name in ("h1", "main", "article") or _is_trail(tag) for tag in inside)


def sibling_links(page: Page, sentences: Callable[[], Sequence[Span]] = tuple) -> list[Span]:
    """The links to other pages whose addresses have the shape of this page's own, with what belongs to each.

    A link in the middle of one of the page's ``sentences`` is a word of it. Of several such links, each is taken with the largest element around it that holds none of the others: the
    card of a recommended product, with its price.
    """
    if not page.url:
        return []
    links = _links_to(page, shape_of(page.url))
    if not links:
        return []
    told = within(sentences(), [span[0] for span, _, _ in links])
    links = [link for link, is_word in zip(links, told, strict=True) if not is_word]
    targets = sorted((span, address) for span, address, _ in links)
    places = [span[0] for span, _ in targets]
    several = len({address for _, address in targets}) > 1
    found = []
    for span, address, around in links:
        card = span
        for outer in reversed(around):
            held = targets[bisect_left(places, outer[0]) : bisect_left(places, outer[1])]
            if outer[1] - outer[0] > _LARGEST_CARD or any(other != address for _, other in held):
                break
            card = outer
        found.append(card if several else span)
    return found


def _links_to(page: Page, shape: str) -> list[tuple[Span, str, list[Span]]]:
    """The links to addresses of a shape: each with its address and the elements around it, outermost first."""
    url = page.url or ""
    site, here, root = site_of(url), url.partition("#")[0], _absolute(url, "/")
    found: list[tuple[Span, str, list[Span]]] = []
    around: list[Span] = []
    for index, tag in enumerate(page.tags):
        close = page.partners[index]
        if tag.kind != OPEN or close < 0:
            continue
        span = page.part_offsets[2 * index + 1], page.part_offsets[2 * close + 2]
        while around and around[-1][1] <= span[0]:
            around.pop()
        around.append(span)
        if tag.name != "a":
            continue
        href = tag.get("href") or ""
        # The links of a menu are the same on all pages, whatever their own address.
        address, kind = _target(root if href.startswith(("/", "http")) else url, href)
        if address != here and kind == (site, shape):
            found.append((span, address, around[-_MOST_AROUND:]))
    return found


def neighbour_links(page: Page) -> list[Span]:
    """The links to what a page says are the pages before, behind and above it."""
    named = {
        tag.get("href")
        for tag in page.tags
        if tag.name == "link" and not _NEIGHBOURS.isdisjoint(_relations(tag))
    }
    return [
        (page.part_offsets[2 * index + 1], page.part_offsets[2 * page.partners[index] + 2])
        for index, tag in enumerate(page.tags)
        if tag.name == "a"
        and page.partners[index] > index
        and (tag.get("href") in named or not _NEIGHBOURS.isdisjoint(_relations(tag)))
        and tag.get("href")
    ]


def _relations(tag: Tag) -> list[str]:
    return (tag.get("rel") or "").lower().split() if "rel" in tag.source else []


def is_home(href: str | None) -> bool:
    """Whether an address is that of a site's front page.

    >>> is_home("/"), is_home("https://shop.example/index.html"), is_home("/p/1"), is_home(None)
    (True, True, False, False)
    """
    if not href:
        return False
    try:
        path = urlsplit(href.strip()).path
    except ValueError:
        return False
    return path.lower() in ("/", "/index.html", "/index.php", "/home") or (
        not path and "//" in href
    )


def within(spans: Sequence[Span], places: Sequence[int]) -> list[bool]:
    """For each of some places whether any of the spans holds it."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    reach = list(accumulate((end for _, end in ordered), max))
    found = []
    for place in places:
        before = bisect_right(starts, place)
        found.append(before > 0 and place < reach[before - 1])
    return found


@lru_cache(maxsize=1 << 14)
def _target(base: str, href: str) -> tuple[str, tuple[str, str]]:
    """Where a link leads, and what kind of address that is."""
    address = _absolute(base, href).partition("#")[0]
    return address, (site_of(address), shape_of(address))


def _absolute(base: str, href: str) -> str:
    try:
        return urljoin(base, unescape(href).strip())
    except ValueError:
        return ""
