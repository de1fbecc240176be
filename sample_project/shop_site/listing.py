"""Result lists cut into pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Listing(Generic[T]):
    """One page of a result list."""

    title: str
    base: str
    page: int
    pages: int
    total: int
    rows: tuple[T, ...]

    def address(self, page: int) -> str:
        return self.base if page == 1 else f"{self.base}?page={page}"

    @property
    def path(self) -> str:
        return self.address(self.page)


def paginate(title: str, base: str, rows: Sequence[T], size: int) -> list[Listing[T]]:
    """All pages of one result list."""
    pages = max(1, -(-len(rows) // size))
    return [
        Listing(title, base, n + 1, pages, len(rows), tuple(rows[n * size : (n + 1) * size]))
        for n in range(pages)
    ]
