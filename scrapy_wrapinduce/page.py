"""Page and Region: an HTML page with its tokens, and pieces of it that know their place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from w3lib.encoding import html_to_unicode

from .outline import Outline, outline
from .texts import Texts
from .tokenizer import build_nodes, fold, offsets, split_markup

if TYPE_CHECKING:
    from .tokenizer import Node, Tag

# Python knows codecs under these names that no browser takes for the encoding of a page.
_NO_PAGE_ENCODINGS = ("unicode-escape", "raw-unicode-escape", "punycode", "idna")


class Page:
    """An HTML page: its text, its address and, on demand, its tokens.

    Bytes are decoded as browsers do: byte order mark, the ``content_type`` header, ``<meta>``, then UTF-8,
    or Windows-1252 where they are not UTF-8.

    >>> Page(b"<b>caf\\xc3\\xa9</b>").html
    '<b>café</b>'
    """

    def __init__(
        self, html: str | bytes, url: str | None = None, *, content_type: str | None = None
    ) -> None:
        if isinstance(html, bytes):
            html = decode(html, content_type)
        self.html: str = html
        self.url = url

    def __repr__(self) -> str:
        return f"<Page {self.url or 'without address'}, {len(self.html)} characters>"

    def __reduce__(self) -> tuple[type[Page], tuple[str, str | None]]:
        # Tokens are cheaper to make again than to send to another process.
        return Page, (self.html, self.url)

    @cached_property
    def outline(self) -> Outline:
        """The tags and where they start: all that reading with a wrapper needs, and much cheaper than the rest."""
        return outline(self.html)

    @cached_property
    def parts(self) -> list[str]:
        """The source as alternating text (even places) and markup (odd places)."""
        return self.outline.parts()

    @cached_property
    def part_offsets(self) -> list[int]:
        """Where each of :attr:`parts` starts; the last entry is the length of the page."""
        return offsets(self.parts)

    @property
    def tags(self) -> list[Tag]:
        """The odd places of :attr:`parts`, parsed."""
        return self.outline.tags

    @property
    def partners(self) -> list[int]:
        """For each of :attr:`tags` the index of its end or start tag, or -1."""
        return self.outline.partners

    @cached_property
    def texts(self) -> Texts:
        """The visible text nodes, for those who look at the page more than once."""
        return Texts(self)

    @property
    def known_texts(self) -> Texts | None:
        """The same, if somebody has asked for them before."""
        return self.__dict__.get("texts")

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Tags and visible text in source order, start and end tags paired."""
        return build_nodes(self.html)


@dataclass(frozen=True, slots=True)
class Region:
    """A contiguous piece of a page, from ``start`` up to ``end`` in its source."""

    page: Page
    start: int
    end: int

    @property
    def html(self) -> str:
        return self.page.html[self.start : self.end]

    @property
    def texts(self) -> list[str]:
        """The stretches of text in the region, in order, as a person reads them."""
        folded = (fold(part) for part in split_markup(self.html)[::2])
        return [text for text in folded if text]

    @property
    def text(self) -> str:
        """All text of the region as one string."""
        return " ".join(self.texts)


def decode(body: bytes, content_type: str | None = None) -> str:
    """The text of a page. Never raises: what cannot be decoded becomes U+FFFD."""
    try:
        encoding, text = html_to_unicode(content_type, body, auto_detect_fun=_undeclared_encoding)
    except (LookupError, UnicodeError):
        return body.decode(_undeclared_encoding(body), "replace")
    if encoding.replace("_", "-") in _NO_PAGE_ENCODINGS:
        return body.decode(_undeclared_encoding(body), "replace")
    if encoding.startswith(("utf-16", "utf-32")) and b"<" in body and b"\0" not in body:
        # Declared in letters that could not be read if it were so.
        return body.decode("utf-8", "replace")
    return text


def _undeclared_encoding(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    # Half a character at the end of a cut page is no reason to doubt the others.
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return "cp1252" if 2 * wrong > beyond_ascii else "utf-8"
