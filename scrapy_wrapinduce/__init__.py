"""Learn page templates and turn templated pages into named items."""

from __future__ import annotations

from .errors import CannotInduce, CannotRepair, InvalidWrapper, WrapinduceError
from .induce import induce
from .page import Page, Region
from .wrapper import Extraction, Failure, Wrapper, load

__all__ = [
    "CannotInduce",
    "CannotRepair",
    "Extraction",
    "Failure",
    "InvalidWrapper",
    "Page",
    "Region",
    "WrapinduceError",
    "Wrapper",
    "induce",
    "load",
]
