"""What the log says to a person: which fields a template has, and at the end what each gave."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..reading.site import Active, Site

# Names that a line of the log has room for.
NAMED = 12
ROWS = 30


def some_of(fields: Sequence[str]) -> str:
    """The names of fields, as many as a line of the log has room for.

    >>> some_of(["title", "price"])
    'title, price'
    >>> some_of([f"f{number}" for number in range(15)])
    'f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 3 more'
    """
    more = f" and {len(fields) - NAMED} more" if len(fields) > NAMED else ""
    return ", ".join(fields[:NAMED]) + more or "no fields"


def table(sites: Iterable[Site]) -> str:
    """What each template gave in this crawl, the largest first; empty when nothing was read."""
    number = 0

    def counted() -> Iterator[Active]:
        nonlocal number
        for site in sites:
            for active in site.every():
                if active.read:
                    number += 1
                    yield active

    # Of very many sites, the others are looked at and let go.
    largest = nsmallest(ROWS, counted(), key=lambda active: (-active.read, active.stored.id))
    if not largest:
        return ""
    names = [_name(active) for active in largest]
    width = max(map(len, names))
    rows = [f"{'':{width}}   pages    items  found  fields"]
    rows += [
        f"{name:{width}}{active.read:8}{active.records:9}{active.coverage / active.read:7.0%}"
        f"  {some_of(active.stored.fields)}"
        for name, active in zip(names, largest, strict=True)
    ]
    if number > ROWS:
        rows.append(f"and {number - ROWS} more, see the stats")
    return "\n".join(rows)


def _name(active: Active) -> str:
    """The template's name; of a page that is like no other, its address says more."""
    return active.stored.address or active.stored.id
