"""A wrapper as selectors: a plain spider, a page object, or JSON."""

from .compare import Share, compare, overall
from .plan import CannotExport, make_plan
from .rules import Plan

__all__ = ["CannotExport", "Plan", "Share", "compare", "make_plan", "overall"]
