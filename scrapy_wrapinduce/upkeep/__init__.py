"""Upkeep: notice that a wrapper no longer fits its pages, and repair it."""

from .health import Health, health_of
from .repair import Repair, repair
from .verify import Reason, Verdict, verify

__all__ = ["Health", "Reason", "Repair", "Verdict", "health_of", "repair", "verify"]
