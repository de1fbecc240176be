"""Lantern & Leaf: a shop and magazine made up from a seed, which knows what is on its pages."""

from .database import Database, build
from .site import Site
from .truth import PageTruth

__all__ = ["Database", "PageTruth", "Site", "build"]
