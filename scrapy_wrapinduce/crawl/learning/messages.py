"""What the crawl and its learning process say to each other: plain data, no code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...wrapper import Extraction

# Larger pages, in bytes, are read by the learning process.
LARGE = 1_000_000


@dataclass(frozen=True)
class Known:
    """A template that has its wrapper already; ``last_read`` counts the site's pages up to the last one that it has read."""

    id: str
    template: Mapping[str, Any]
    wrapper: str
    coverage: float
    last_read: int = 0


@dataclass(frozen=True)
class Round:
    """Parked pages of one site, to be grouped and learned from.

    ``final`` is set when no more pages are to come: then small groups are learned from as well.
    ``stubborn`` pages were not read by the wrappers of groups they were in: each is for itself now.
    ``since`` counts the site's pages up to each of these, as far as that is known. ``missing`` pages were to be
    learned from, and are not where they were put.
    """

    site: str
    blobs: Mapping[str, bytes]
    sample: int
    final: bool = False
    known: tuple[Known, ...] = ()
    stubborn: frozenset[str] = frozenset()
    item_class: str | None = None
    field_names: tuple[str, ...] | None = None
    examples: Mapping[str, Any] = field(default_factory=dict)
    recognizers: Mapping[str, str] | None = None
    attributes: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    kept_pages: int = 0
    since: Mapping[str, int] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Began:
    """Learning from these pages begins; if no more is heard, they are what it failed on."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Read:
    """A large page, read here so that the event loop does not have to."""

    key: str
    extraction: Extraction


@dataclass(frozen=True)
class Learned:
    """A wrapper, learned from ``sample`` of the pages ``keys``; ``left_out`` of these do not belong.

    ``replaces`` names the wrapper whose fields it carries over to a new design; ``archive`` holds some of its pages.
    """

    keys: tuple[str, ...]
    wrapper: str
    template: Mapping[str, Any]
    sample: int
    fields: tuple[str, ...]
    coverage: float
    field_coverage: Mapping[str, float]
    address: str | None
    seconds: float
    replaces: str = ""
    archive: bytes = b""
    left_out: int = 0


@dataclass(frozen=True)
class Fits:
    """Pages that a known wrapper reads; ``how`` is "wrapper", "partial" or "other"."""

    keys: tuple[str, ...]
    template: str
    how: str


@dataclass(frozen=True)
class Again:
    """Pages that a wrapper of this round reads: in the next round it is known."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Failed:
    """Pages from which no wrapper can be learned, and why."""

    keys: tuple[str, ...]
    reason: str
    urls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Done:
    """The round is over; ``groups`` are the sizes of all groups that were found."""

    groups: tuple[int, ...]
    seconds: float


Message = Began | Read | Learned | Fits | Again | Failed | Done
