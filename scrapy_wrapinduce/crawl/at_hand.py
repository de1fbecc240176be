"""The sites of a crawl, of which those are at hand whose pages came last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from .sites import Active, Site

if TYPE_CHECKING:
    from ..templates import Template

# Sites of which everything is at hand.
MOST_AWAKE = 256


class Sites(dict[str, Site]):
    """Sites by name. ``fetch``, ``template`` and ``put_away`` are what the store does for those that rest."""

    def __init__(
        self,
        sample: int,
        fetch: Callable[[str, str], Active | None],
        template: Callable[[Active], Template],
        put_away: Callable[[Active], None],
    ) -> None:
        super().__init__()
        self._sample, self._fetch = sample, fetch
        self._template, self._put_away = template, put_away
        self._awake: OrderedDict[str, None] = OrderedDict()

    def at_hand(self, name: str) -> Site:
        """A site with all that tells its templates apart."""
        site = self.get(name)
        if site is None:
            site = self[name] = Site(name, self._sample, self._fetch)
        if site.is_resting:
            site.wake(self._template)
        if name in self._awake:
            self._awake.move_to_end(name)
        else:
            self._awake[name] = None
            if len(self._awake) > MOST_AWAKE:
                self._send_to_rest()
        return site

    def _send_to_rest(self) -> None:
        """Of many sites keep those at hand whose pages came last."""
        for name in list(self._awake)[: max(1, MOST_AWAKE // 4)]:
            site = self[name]
            if site.can_rest:
                del self._awake[name]
                for active in site.rest():
                    self._put_away(active)


class AllAtHand(Sites):
    """For stores that must not be asked what a page's template is: no site rests."""

    def _send_to_rest(self) -> None:
        pass
