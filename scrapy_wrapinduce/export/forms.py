"""An export in one of its forms: a spider, a page object, or JSON, with what it does not read as the wrapper does."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ..page import Page
from ..wrapper import Wrapper
from .code import honest_words
from .compare import Share, compare
from .data import plan_data
from .page_object import page_object_code
from .plan import make_plan
from .rules import Plan
from .spider import spider_code

FORMS = ("parsel", "page-object", "json")
MOST_ADDRESSES = 20
MOST_HOSTS = 3
_ADDRESS = re.compile(r"(https?|file)://")


@dataclass(frozen=True)
class Export:
    """A wrapper's selectors, and how they do on its sample pages."""

    plan: Plan
    shares: Mapping[str, Share]
    words: Sequence[str]  # how they do, line by line

    def text(self, form: str, name: str, addresses: Sequence[str]) -> str:
        """The file to write: an item is called ``name``, and pages are at ``addresses``."""
        if form == "json":
            data = plan_data(self.plan, self.shares)
            return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        if form == "parsel":
            return spider_code(self.plan, name, addresses[:MOST_ADDRESSES], self.words)
        hosts = sorted({urlsplit(url).netloc for url in addresses if url.startswith("http")})
        return page_object_code(self.plan, name, hosts[:MOST_HOSTS], self.words)


def make_export(wrapper: Wrapper, pages: Sequence[Page]) -> Export:
    """Derive selectors from sample pages and check them there; raises CannotExport."""
    plan = make_plan(wrapper, pages)
    shares = compare(wrapper, plan, pages)
    return Export(plan, shares, honest_words(plan, shares, len(pages)))


def address(name: str, page: Page) -> str:
    """Where a spider can get a page: its address, or the file it is in."""
    if page.url and _ADDRESS.match(page.url):
        return page.url
    return Path(os.path.abspath(name)).as_uri()


def item_name(text: str) -> str:
    """What an item is called, as a Python name.

    >>> item_name("Book-page"), item_name("2nd")
    ('book_page', 'item_2nd')
    """
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "item"
    return plain if plain.isidentifier() else f"item_{plain}"
