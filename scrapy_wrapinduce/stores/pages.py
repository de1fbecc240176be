"""A page as it waits for its wrapper: everything needed to hand it to the spider again.

One page is one blob: zlib over a JSON head, a line feed, and the body as it was downloaded.
"""

from __future__ import annotations

import codecs
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import WrapinduceError
from ..page import Page

# Parking is on the crawl's path: speed before the last tenth of size.
COMPRESSION = 1
_KINDS = {"key": str, "url": str, "encoding": str, "status": int, "headers": dict, "meta": dict}
# The head of nearly every page is shorter.
_HEAD = 1 << 14


class BrokenPage(WrapinduceError):
    """A parked page cannot be read back; the message names it."""


@dataclass(frozen=True)
class ParkedPage:
    """A downloaded page: address, body, and what of the request and response is worth keeping."""

    key: str
    url: str
    body: bytes
    encoding: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    attempts: int = 0

    @property
    def html(self) -> str:
        return self.body.decode(self.encoding, errors="replace")

    def page(self) -> Page:
        return Page(self.html, self.url)


def pack(page: ParkedPage) -> bytes:
    """A page as one blob."""
    head = {
        "key": page.key,
        "url": page.url,
        "encoding": page.encoding,
        "status": page.status,
        "headers": dict(page.headers),
        "meta": dict(page.meta),
        "attempts": page.attempts,
    }
    return zlib.compress(json.dumps(head).encode() + b"\n" + page.body, COMPRESSION)


def address(blob: bytes) -> str:
    """The address of a packed page, without unpacking the rest."""
    try:
        head, end, _ = zlib.decompressobj().decompress(blob, _HEAD).partition(b"\n")
        return str(_checked(json.loads(head))["url"]) if end else unpack(blob).url
    except (zlib.error, ValueError, TypeError) as error:
        raise BrokenPage(f"a parked page cannot be read back: {error}") from error


def unpack(blob: bytes) -> ParkedPage:
    """The inverse of :func:`pack`."""
    try:
        head, _, body = zlib.decompress(blob).partition(b"\n")
        return ParkedPage(body=body, **_checked(json.loads(head)))
    except (zlib.error, ValueError, TypeError) as error:
        raise BrokenPage(f"a parked page cannot be read back: {error}") from error


def _checked(head: Any) -> dict[str, Any]:
    """What stands before a page; raises :class:`TypeError` or :class:`ValueError` where no page can be made of it."""
    if not isinstance(head, dict):
        raise TypeError("it has no head")
    for name, kind in _KINDS.items():
        if not isinstance(head.get(name), kind):
            raise TypeError(f"its {name} is {head.get(name)!r}")
    try:
        codecs.lookup(head["encoding"])
    except LookupError as error:
        raise ValueError(str(error)) from error
    return head
