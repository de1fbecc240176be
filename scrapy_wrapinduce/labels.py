"""Labels: where the values of a page's records stand in its source.

Examples, recognizers and discovery all end as labels; every family that learns from records learns from these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .page import Page


class Span(NamedTuple):
    """A value's place: characters ``start`` up to ``end`` of the page's source."""

    start: int
    end: int


@dataclass(frozen=True)
class Record:
    """One labelled record: its values, and the records nested in it.

    A field maps to one span or, where it has several values, to a tuple of spans in page order.
    """

    values: Mapping[str, Span | tuple[Span, ...]]
    children: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class LabelledPage:
    """A page and all its records, in page order."""

    page: Page
    records: tuple[Record, ...]
