"""What stands on a page like a field's values and was not read as one.

On list pages these are records that were missed; elsewhere the values of something else, "List price" beside "Our price", and what
the page calls them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from ..records.tree import tree_of
from .sightings import Observer
from .values import syntax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .features import Profile
    from .health import Reading

_PADDING = 200
_PAGES_WITH_RIVALS = 5
_MOST_RIVALS = 30


def missed(reading: Reading, name: str, known: Profile) -> list[str]:
    """Texts of the page that have the shape of a field's values and were not read as one."""
    if reading.page is None:
        return []
    tree = tree_of(reading.page)
    unread = _unread(reading, name, known, exactly=True)
    return [tree.text(item) for item in unread]


def _unread(reading: Reading, name: str, known: Profile, *, exactly: bool) -> list[int]:
    assert reading.page is not None
    tree = tree_of(reading.page)
    taken = sorted(sighting.start for sighting in reading.sightings.get(name, ()))
    longest = 4 * max(map(len, known.known), default=0)
    constant = known.constant_start
    found = []
    for item in tree.texts:
        start, end = tree.start[item], tree.end[item]
        if end - start > longest and (
            end - start > longest + _PADDING or len(tree.html[start:end].strip()) > longest
        ):
            continue
        fact = syntax(tree.text(item))
        if constant and fact.first_word != constant:
            continue
        alike = fact.exact in known.exact if exactly else fact.shape in known.shapes
        if alike and not _holds(taken, start, end):
            found.append(item)
    return found


def rivals(readings: Sequence[Reading], name: str, known: Profile) -> tuple[str, ...]:
    """What pages call values that look like a field's and are not."""
    own = set(known.annotations().values())
    pages: Counter[str] = Counter()
    looked_at = [reading for reading in readings if reading.page is not None][:_PAGES_WITH_RIVALS]
    for reading in looked_at:
        assert reading.page is not None
        tree = tree_of(reading.page)
        observer = Observer(tree)
        called = set()
        for item in _unread(reading, name, known, exactly=False)[:_MOST_RIVALS]:
            called |= {text for text in observer.called(item) if any(map(str.isalpha, text))}
        pages.update(called - own)
    usual = [text for text, count in pages.items() if 2 * count > len(looked_at)]
    # In an order that does not change from run to run: the same sample gives the same file.
    return tuple(sorted(usual, key=lambda text: (-pages[text], text))[:_MOST_RIVALS])


def _holds(places: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(places, start)
    return at < len(places) and places[at] < end
