"""Wrappers that a worker has published for all, put into use in this one."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from ...errors import InvalidWrapper
from ...templates import Template
from ...wrapper import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...stores.stored import StoredWrapper
    from ..reading.site import Active
    from .cluster import SharedInduction

logger = logging.getLogger(__name__)


class Published:
    """What of the shared wrappers this worker has seen."""

    def __init__(self, induction: SharedInduction) -> None:
        self.induction = induction
        self.wrappers = induction.store.wrappers
        self._version = -1

    def refresh(self) -> None:
        """Pick up what was published since the last time."""
        version = self.wrappers.changes()
        if version == self._version:
            return
        found = (
            self.wrappers.changed_since(self._version)
            if self._version >= 0
            else self.wrappers.all()
        )
        for stored in found:
            if isinstance(stored, InvalidWrapper):
                logger.error("A shared wrapper cannot be used: %s", stored)
                continue
            self._pick_up(stored)
        # Not before all of them are there: Redis may have gone away in between.
        self._version = version

    def fetch(self, site: str, name: str) -> Active | None:
        """The wrapper of a name, if there is a shared one."""
        stored = self.wrappers.one(site, name)
        return None if stored is None else self._opened(stored)

    def _pick_up(self, stored: StoredWrapper) -> None:
        site = self.induction.site(stored.site)
        known = site.named(stored.name)
        if known is not None and known.held.mark == hash(stored.text):
            return
        active = self._opened(stored)
        if active is None:
            return
        if known is not None:
            # Another version was put into use.
            site.drop(known)
            site.retired.pop(known.name, None)
        site.add(active)
        for other in site.surplus():
            self.induction.put_away(other)
        self.induction.memory.wrapper_came()
        self.induction.stats.count("wrappers/picked_up")

    def _opened(self, stored: StoredWrapper) -> Active | None:
        try:
            wrapper, template = parse(stored.text), Template.from_dict(stored.template)
        except (InvalidWrapper, KeyError, TypeError, ValueError) as error:
            logger.error("The shared wrapper %s cannot be used: %s", stored.id, error)
            return None
        return self.induction.library.active(stored, wrapper, template, read=self.reader(stored))

    def reader(self, stored: StoredWrapper) -> Callable[[], str]:
        """What gives a shared wrapper's text once more."""
        return partial(self._text, stored.site, stored.name)

    def _text(self, site: str, name: str) -> str:
        """A wrapper's text, once more; whatever stands in its way is an :class:`OSError`."""
        try:
            stored = self.wrappers.one(site, name)
        except (self.induction.redis_error, InvalidWrapper) as error:
            raise OSError(f"Redis does not give it: {error}") from error
        if stored is None:
            raise OSError("it is no longer in Redis")
        return stored.text
