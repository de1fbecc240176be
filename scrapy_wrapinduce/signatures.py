"""What a page shows of its template: the shape of its address, and the set of its neighbouring start tags (name and classes).

Cheap to take, and hardly touched by how often a block repeats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

MAX_SOURCE = 300_000
MAX_FEATURES = 1_500

_START_TAG = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9-]{0,30})"
    r"(?:[^<>]{0,300}?\sclass\s{0,9}=\s{0,9}(?:\"([^\"<>]{0,200})|'([^'<>]{0,200})|([^\s\"'<>]{1,200})))?"
)
_DIGITS = re.compile(r"\d+")
# Tags that belong to running text: their order is the author's, not the template's.
_INLINE = frozenset(
    "a abbr b bdi bdo br cite code em font i kbd mark q s small span strong sub sup u wbr".split()
)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a page shows of its template: where it is, and which tags follow each other."""

    site: str
    shape: str
    features: frozenset[str]


def signature(html: str, url: str | None) -> Signature:
    """The signature of a page; a few hundred microseconds for an ordinary one."""
    features: set[str] = set()
    before = ""
    for name, *classes in _START_TAG.findall(html, 0, MAX_SOURCE):
        token = _token(name, classes[0] or classes[1] or classes[2])
        if token:
            features.add(f"{before} {token}")
            # In running text it says where a tag stands, but not which others stand beside it.
            if name.lower() not in _INLINE:
                before = token
    if len(features) > MAX_FEATURES:
        features = set(sorted(features)[:MAX_FEATURES])
    return Signature(site_of(url), shape_of(url), frozenset(features))


@lru_cache(maxsize=1 << 12)
def _token(name: str, classes: str) -> str:
    name = name.lower()
    if not classes:
        return "" if name in _INLINE else name
    return ".".join([name, *_DIGITS.sub("#", classes).split()[:3]])


def site_of(url: str | None) -> str:
    """The site a page belongs to: its host and port, in lower case.

    >>> site_of("https://Shop.example:8000/p/1")
    'shop.example:8000'
    """
    if not url:
        return ""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def shape_of(url: str | None) -> str:
    """An address with what tells its pages apart taken out.

    The first step of the path stays, as it most often names the template; later steps, numbers and
    the values of the query do not.

    >>> shape_of("https://shop.example/c/books/blue-book-17?page=2")
    '/c/*/*?page'
    >>> shape_of("https://shop.example/item-4711.html")
    '/item-#.html'
    """
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        keys = sorted({key for key, _ in parse_qsl(parts.query, keep_blank_values=True)})
    except ValueError:
        return ""
    steps = [step for step in parts.path.split("/") if step]
    shape = [
        _first_step(step) if place == 0 else _later_step(step) for place, step in enumerate(steps)
    ]
    end = "/" if parts.path.endswith("/") and steps else ""
    return f"/{'/'.join(shape)}{end}" + (f"?{'&'.join(keys)}" if keys else "")


def _first_step(step: str) -> str:
    step = _DIGITS.sub("#", step)
    # A long step at the root is a page's own name, not that of a folder.
    return _later_step(step) if len(step) > 24 or step.count("-") + step.count("_") > 2 else step


def _later_step(step: str) -> str:
    stem, dot, ending = step.rpartition(".")
    return f"*.{ending}" if dot and stem and len(ending) <= 5 and ending.isalpha() else "*"
