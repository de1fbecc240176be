"""A list, from two of its items: what stands on the page as they do."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import WrapinduceError
from ..tokenizer import CLOSE, OPEN, fold, is_blank

if TYPE_CHECKING:
    from ..page import Page

MOST_ITEMS = 300


class NoList(WrapinduceError):
    """Two values do not stand in one list; the message says so."""


Path = tuple[int, ...]  # the start tags that are open around a text, outermost first


def list_around(page: Page, first: int, second: int) -> list[str]:
    """The texts that stand as the two at these places in the source do: below the same element, in like ones."""
    texts = list(_texts(page))
    a, b = _path_at(page, texts, first), _path_at(page, texts, second)
    if a is None or b is None:
        raise NoList("click two texts of the list")
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    shape = _names(page, a, shared)
    if shape != _names(page, b, shared):
        raise NoList("these two do not stand alike on the page: click two items of one list")
    found = []
    seen = set()
    for part, path in texts:
        alike = path[:shared] == a[:shared] and _names(page, path, shared) == shape
        # Of an element of the list its first text counts; where they share one, all do.
        if alike and (path not in seen or not shape):
            seen.add(path)
            found.append(fold(page.parts[part]))
    return found[:MOST_ITEMS]


def _texts(page: Page) -> Iterator[tuple[int, Path]]:
    """The parts of a page that are text, with the tags around them."""
    open_tags: list[int] = []
    for index, part in enumerate(page.parts):
        if index % 2 == 0:
            if not is_blank(part):
                yield index, tuple(open_tags)
            continue
        number = index // 2
        kind, partner = page.tags[number].kind, page.partners[number]
        if partner < 0:
            continue
        if kind == OPEN:
            open_tags.append(number)
        elif kind == CLOSE:
            while open_tags and open_tags[-1] >= partner:
                open_tags.pop()


def _path_at(page: Page, texts: list[tuple[int, Path]], place: int) -> Path | None:
    part = bisect_right(page.part_offsets, place) - 1
    return next((path for index, path in texts if index == part), None)


def _names(page: Page, path: Path, start: int) -> tuple[str, ...]:
    return tuple(page.tags[number].name for number in path[start:])
