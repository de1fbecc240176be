"""Drift: notice in the crawl that a site was redesigned under a wrapper at work.

Every page is glanced at: one whose values are plainly not the fields' own waits for a wrapper instead of giving wrong
items. The others are judged together, a window at a time, so that a change which no single page shows is noticed within
a bounded number of pages: as long as all is well, fewer and fewer pages are looked at so closely, at least one in
``RAREST``. What happens then is the user's choice: WRAPINDUCE_ON_DRIFT.
"""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...upkeep.health import Reading, look
from ...upkeep.verify import glance, judge
from .. import signals

if TYPE_CHECKING:
    from ...page import Page
    from ...upkeep.health import Health
    from ...wrapper import Extraction
    from ..induction import Induction
    from .site import Active, Site

logger = logging.getLogger(__name__)

WINDOW = 8
# Looking closely takes longer than reading: after a window without a doubt, every second page will do, and so on.
RAREST = 8
# So many pages that are plainly of another design, and at least every second one, are a redesign, not accidents.
PLAIN = 3
# A wrapper that has read fewer pages may have been learned from pages that were more alike than all others.
YOUNG = 4 * WINDOW
_VALUES_LOOKED_AT = 8
_BY_CHANCE = 0.1
CARRIED = "a new wrapper reads them under the same names"
REPAIR, STOP, WARN = ACTIONS = ("repair", "stop", "warn")


@dataclass
class _Watch:
    """What a wrapper has read lately."""

    readings: list[Reading] = field(default_factory=list)
    plain: deque[bool] = field(default_factory=lambda: deque(maxlen=WINDOW))
    odd: deque[frozenset[str]] = field(default_factory=lambda: deque(maxlen=WINDOW))
    suspects: frozenset[str] = frozenset()
    cleared: set[str] = field(default_factory=set)
    told: bool = False
    stride: int = 1
    passed: int = 0

    def passes_by(self) -> bool:
        """Whether this page is one of those between two that are looked at closely."""
        self.passed = (self.passed + 1) % self.stride
        return self.passed != 0

    def is_redesign(self) -> bool:
        """Whether of the last pages too many were plainly of another design."""
        return sum(self.plain) >= max(PLAIN, len(self.plain) / 2)

    def suspect(self, odd: frozenset[str]) -> None:
        """Look closely at once where the values of one field are odd again and again."""
        self.odd.append(odd)
        again = {name for name in odd if sum(name in one for one in self.odd) >= PLAIN}
        if not again <= self.suspects | self.cleared:
            self.suspects |= again
            self.stride, self.readings = 1, []

    def judged(self, ok: bool, fields: frozenset[str], of: int) -> bool:
        """Take note of a window; whether the wrapper is still to be trusted.

        It is not where much of a record changed, or fields stand out that stood out before.
        """
        self.readings = []
        self.stride = min(2 * self.stride, RAREST) if ok else 1
        if ok:
            # What a field says may vary more than in its sample: that is looked into once.
            self.cleared |= self.suspects
        again = fields & self.suspects
        self.suspects = frozenset() if ok else fields
        return ok or not (again or "" in fields or len(fields) > _BY_CHANCE * of)


class Drift:
    """Watches the wrappers of a crawl."""

    def __init__(self, induction: Induction) -> None:
        self.induction = induction
        self._watched: dict[str, _Watch] = {}

    def trusts(
        self, site: Site, active: Active, page: Page, extraction: Extraction, *, whole: bool
    ) -> bool:
        """Whether what a wrapper read may become items; of a page that breaks its template (not ``whole``), what is left."""
        health = active.held.health
        if health is None or (whole and active.stored.address is not None):
            return True
        seen = glance(health, extraction)
        if seen.is_plain:
            return False
        watch = self._watch(active)
        watch.plain.append(False)
        watch.suspect(seen.odd)
        if not whole or watch.passes_by():
            return True
        watch.readings.append(replace(look(page, extraction, _VALUES_LOOKED_AT), page=None))
        return len(watch.readings) < WINDOW or self._trusts_window(site, active, watch, health)

    def _trusts_window(self, site: Site, active: Active, watch: _Watch, health: Health) -> bool:
        verdict = judge(health, watch.readings)
        fields = frozenset(reason.field for reason in verdict.reasons)
        if watch.judged(verdict.ok, fields, len(health.fields)):
            return True
        self._notice(site, active, watch, "; ".join(map(str, verdict.reasons[:3])), WINDOW)
        if self.induction.config.on_drift == WARN:
            return True
        site.retire(active)
        return False

    def is_read_all_the_same(self, site: Site, active: Active) -> bool:
        """Whether a page becomes items though the wrapper is not trusted with it, nor any other."""
        if active.name in site.retired:
            return False
        watch = self._watch(active)
        watch.plain.append(True)
        watch.stride = 1
        self.induction.stats.count("drift/pages")
        if watch.is_redesign():
            reason, pages = "its values are not of the kind they were", sum(watch.plain)
            self._notice(site, active, watch, reason, pages)
        return self.induction.config.on_drift == WARN

    def taken_over(self, site: Site, name: str, pages: int) -> None:
        """A wrapper at work has its fields carried over to pages that it did not read: a redesign too."""
        active = site.named(name)
        if active is not None:
            reason = "pages at its addresses have its fields in other places"
            self._notice(site, active, self._watch(active), reason, pages, CARRIED)

    def rests(self, active: Active) -> None:
        """No pages of a wrapper come for now: remember of it no more than that its redesign was told."""
        watch = self._watched.pop(active.stored.id, None)
        if watch is not None and watch.told:
            self._watched[active.stored.id] = _Watch(told=True)

    def _watch(self, active: Active) -> _Watch:
        watch = self._watched.get(active.stored.id)
        if watch is None:
            watch = self._watched[active.stored.id] = _Watch()
        return watch

    def _notice(
        self, site: Site, active: Active, watch: _Watch, reason: str, pages: int, then: str = ""
    ) -> None:
        if watch.told:
            return
        watch.told = True
        self.induction.stats.count("drift/noticed")
        action = self.induction.config.on_drift
        or_else = ", or vary more than the first ones" if active.read < YOUNG else ""
        logger.warning("The pages of %s seem to have been redesigned%s (%s); %s", active.stored.id, or_else, reason,
                       _CONSEQUENCES[action] if action == STOP or not then else then)  # fmt: skip
        self.induction.send(signals.wrapper_drifted, site=site.name, template=active.name,
                            reason=reason, pages=pages)  # fmt: skip
        if self.induction.config.on_drift == STOP:
            self.induction.stop("wrapinduce_drift")


_CONSEQUENCES = {
    REPAIR: "they wait until the wrapper is repaired",
    STOP: "the crawl is stopped",
    WARN: "they are read as before",
}
