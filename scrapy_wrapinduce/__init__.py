"""Learn page templates and turn templated pages into named items."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import CannotInduce, CannotRepair, InvalidWrapper, WrapinduceError
from .induce import induce
from .page import Page, Region
from .wrapper import Extraction, Failure, Wrapper, load

if TYPE_CHECKING:
    from .crawl.addon import Addon
    from .crawl.spider import InducedMixin, InducedSpider
    from .fields.refine import refine

__all__ = [
    "Addon",
    "CannotInduce",
    "CannotRepair",
    "Extraction",
    "Failure",
    "InducedMixin",
    "InducedSpider",
    "InvalidWrapper",
    "Page",
    "Region",
    "WrapinduceError",
    "Wrapper",
    "induce",
    "load",
    "refine",
]

# Imported when first asked for: the core is used without Scrapy.
_LAZY = {
    "Addon": "crawl.addon",
    "InducedMixin": "crawl.spider",
    "InducedSpider": "crawl.spider",
    "refine": "fields.refine",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
