"""Follow the links of a page that no page before had.

Most links stand in the frame that all pages of a site share. They are told by what is written in the page, before
their addresses are worked out: that is most of the work of Scrapy's own extractor, which is for choosing links.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from lxml import etree, html
from parsel.selector import create_root_node
from scrapy.link import Link
from scrapy.linkextractors import IGNORED_EXTENSIONS
from scrapy.utils.response import get_base_url
from w3lib.html import strip_html5_whitespace
from w3lib.url import safe_url_string

from ..memo import Memo
from .learning.messages import LARGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import TextResponse

# Links that are remembered; those that no page had for long are left to the duplicate filter.
MAX_KNOWN = 1 << 14
_TEXT = etree.XPath("string()")
# A tag of tens of thousands of letters: the time that the parser takes grows with the square of its attributes.
_HEAVY = re.compile(r"<[a-zA-Z][^<>]{40000}")
_HREF = re.compile(
    r"<a(?:rea)?\s(?:[^<>]{0,3000}?\s)?href\s{0,9}=\s{0,9}(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))",
    re.IGNORECASE,
)
_SCHEMES = frozenset(("http", "https"))
_IGNORED = tuple(f".{ending}" for ending in IGNORED_EXTENSIONS)


class NewLinks:
    """A link extractor for a ``Rule``. With ``remembers`` off it gives every link, known or not."""

    def __init__(self) -> None:
        self.remembers = True
        self._known: Memo[int, bool] = Memo(MAX_KNOWN)

    def extract_links(self, response: TextResponse) -> list[Link]:
        """The links to pages, each once, as Scrapy's extractor gives them without any choice."""
        base = get_base_url(response)
        site = base[: base.find("/", 8)]
        found: dict[str, Link] = {}
        for written, element in _written(response):
            if self._is_known(written, site, base):
                continue
            url = _absolute(written, base, response.encoding)
            if url is not None and url not in found:
                found[url] = Link(url, "" if element is None else str(_TEXT(element)))
        return list(found.values())

    def _is_known(self, written: str, site: str, base: str) -> bool:
        if not self.remembers:
            return False
        # What begins at the root means the same on all pages of a site, the rest on pages beside this one.
        known = hash((site if written.startswith("/") else base, written))
        if known in self._known or self._known.recall(known):
            return True
        self._known.keep(known, True)
        return False


def _written(response: TextResponse) -> Iterator[tuple[str, Any]]:
    """What stands in the page as the addresses of links, and their elements where the page was parsed."""
    if len(response.body) > LARGE or _HEAVY.search(response.text):
        # The parser may take seconds or minutes over such a page, and all of the crawl waits for it.
        for match in _HREF.finditer(response.text):
            yield unescape(next(filter(None, match.groups()), "")), None
        return
    # Not by the response's selector: the two would keep each other, and the parsed page, until the garbage is collected.
    root = create_root_node(response.text, html.HTMLParser, base_url=response.url)
    for element in root.iter("a", "area"):
        written = element.get("href")
        if written is not None:
            yield written, element


def _absolute(written: str, base: str, encoding: str) -> str | None:
    """The address of a link; None for one that leads to no page."""
    try:
        url = safe_url_string(urljoin(base, strip_html5_whitespace(written)), encoding=encoding)
        parts = urlsplit(url)
    except ValueError:
        return None
    is_page = parts.scheme in _SCHEMES and not parts.path.lower().endswith(_IGNORED)
    return url if is_page else None
