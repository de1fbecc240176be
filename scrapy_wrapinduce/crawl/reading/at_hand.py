"""The sites of a crawl: those whose pages came last are at hand, the others rest in a file.

A crawl may come to any number of sites. Memory holds a bounded number of them and those at which pages wait or are learned from;
what is known of the others is written to a temporary file, which ends with the process, and read back when a page of theirs comes.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from .resting import FindHeld, Kept, from_text, to_text
from .site import Active, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .shelf import Held

logger = logging.getLogger(__name__)

# Sites that are at hand though nothing is under way there, and how many of them are looked at when there are more.
MOST_AWAKE = 256
LOOKED_AT = 16


class Sites:
    """Sites by name. ``fetch`` finds wrappers in the store, ``held`` makes one that is there and not in memory.

    ``rests`` is told which wrappers read no more pages for now.
    """

    def __init__(
        self,
        sample: int,
        fetch: Callable[[str, str], Active | None],
        held: FindHeld,
        rests: Callable[[Active], None],
    ) -> None:
        self._sample, self._fetch = sample, fetch
        self._held, self._rests = held, rests
        self._awake: OrderedDict[str, Site] = OrderedDict()
        # Wrappers of sites that rest, as long as they are in memory all the same.
        self._on_shelf: WeakValueDictionary[str, Held] = WeakValueDictionary()
        self._has_warned = False
        # SQLite's own temporary file: it has no name, and is in memory as long as it is small.
        self._resting = sqlite3.connect("", isolation_level=None)
        self._resting.execute(
            "create table sites (name text primary key, wrappers integer, state text)"
        )

    def at_hand(self, name: str) -> Site:
        """A site with all that tells its templates apart."""
        site = self._awake.get(name) or self._woken(name)
        self._awake[name] = site
        self._awake.move_to_end(name)
        if len(self._awake) > MOST_AWAKE:
            self._send_to_rest()
        return site

    def _woken(self, name: str) -> Site:
        site = self._at_rest(name)
        if site is None:
            return Site(name, self._sample, self._fetch)
        self._resting.execute("delete from sites where name = ?", (name,))
        return site

    def get(self, name: str) -> Site | None:
        """A site to look at; one that rests goes on resting."""
        return self._awake.get(name) or self._at_rest(name)

    @property
    def awake(self) -> list[Site]:
        """The sites at hand; pages wait and are learned from at these alone."""
        return list(self._awake.values())

    def __iter__(self) -> Iterator[Site]:
        """Every site, one at a time, to look at."""
        for name, state in self._resting.execute("select name, state from sites order by rowid"):
            yield self._read(name, state)
        yield from self.awake

    @property
    def wrappers(self) -> int:
        """The wrappers of all sites."""
        (resting,) = self._resting.execute("select total(wrappers) from sites").fetchone()
        return int(resting) + sum(map(_wrappers, self._awake.values()))

    def close(self) -> None:
        """Let go of the file; sites that rest are not known any more."""
        self._resting.close()

    def _send_to_rest(self) -> None:
        """Of many sites keep those at hand whose pages came last."""
        for name in list(islice(self._awake, min(LOOKED_AT, len(self._awake) - 1))):
            site = self._awake[name]
            if not site.can_rest:
                # Not to be looked at again before all the others.
                self._awake.move_to_end(name)
            elif self._put_away(site):
                del self._awake[name]
            else:
                return

    def _put_away(self, site: Site) -> bool:
        row = (site.name, _wrappers(site), to_text(site))
        try:
            self._resting.execute("insert or replace into sites values (?, ?, ?)", row)
        except sqlite3.Error as error:
            if not self._has_warned:
                self._has_warned = True
                logger.warning("What is known of the sites stays in memory: %s", error)
            return False
        for active in site.every():
            self._rests(active)
            self._on_shelf[active.stored.id] = active.held
        return True

    def _at_rest(self, name: str) -> Site | None:
        asked = "select state from sites where name = ?"
        try:
            found = self._resting.execute(asked, (name,)).fetchone()
        except sqlite3.Error as error:
            logger.error("What was known of %s cannot be read back: %s", name, error)
            return None
        return None if found is None else self._read(name, found[0])

    def _read(self, name: str, state: str) -> Site:
        return from_text(state, Site(name, self._sample, self._fetch), self._find)

    def _find(self, kept: Kept) -> Held:
        found = self._on_shelf.get(kept.stored.id)
        return found if found is not None else self._held(kept)


def _wrappers(site: Site) -> int:
    return len(site.active) + len(site.alone)
