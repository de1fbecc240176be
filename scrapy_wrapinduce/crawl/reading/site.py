"""What the crawl knows about one site: its wrappers, and the pages that wait for one."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ...designs import Designs
from ...signatures import signature
from ...stores.stored import StoredWrapper
from ...templates import Template

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from ...page import Page
    from ...wrapper import Extraction, Wrapper
    from .shelf import Held

# After so many pages of one address shape went to one template, its wrapper is tried at once.
SURE = 5
MAX_ROUTES = 2_000
# A wrapper from an earlier crawl is trusted after so many pages that it reads, and given up after
# so many that it does not.
TRUSTED, DISTRUSTED = 3, 3
# Wrappers of pages that are like no other, which are at hand: most are asked for once.
MOST_SINGLES = 128
# Pages that one round of learning looks at.
ROUND_PAGES = 256
_WORD = re.compile(r"[A-Za-z]+")


class Waiting(NamedTuple):
    """A page that has no wrapper yet: the shape of its address, and which of the site's pages it is (0: unknown)."""

    shape: str
    since: int = 0


@dataclass
class Active:
    """A wrapper at work, and how it has done in this crawl."""

    stored: StoredWrapper
    held: Held
    template: Template
    trusted: bool = True
    is_shared: bool = False  # whether its text is in the store that all workers share
    read: int = 0
    misread: int = 0
    last_read: int = 0  # which of the site's pages is the last one that it has read or is to read
    records: int = 0
    coverage: float = 0.0
    fields: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return self.stored.name

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper; raises :class:`~scrapy_wrapinduce.crawl.reading.shelf.WrapperIsGone`."""
        return self.held.wrapper

    def to_store(self) -> StoredWrapper:
        """The wrapper as it is stored, with its text; raises :class:`~scrapy_wrapinduce.crawl.reading.shelf.WrapperIsGone`."""
        return replace(self.stored, text=self.held.text(), template=self.template.to_dict())

    def count(self, extraction: Extraction) -> None:
        """A page was read."""
        self.read += 1
        self.coverage += extraction.coverage
        self.records += len(extraction.records)
        for record in extraction.records:
            self.fields.update(record.keys())
        self.failures.update(failure.what for failure in extraction.failures)
        if self.read >= TRUSTED:
            self.trusted = True

    @property
    def is_distrusted(self) -> bool:
        """Whether a wrapper from an earlier crawl has shown that it no longer fits."""
        return not (self.trusted or self.stored.pinned) and self.misread >= DISTRUSTED

    def field_coverage(self) -> dict[str, float]:
        """The share of this crawl's records that have each field."""
        names = self.stored.fields or tuple(self.fields)
        return {name: round(self.fields[name] / max(self.records, 1), 4) for name in names}


class Site:
    """Routes pages to wrappers, and keeps the order of those that have none yet."""

    def __init__(
        self, name: str, sample: int, fetch: Callable[[str, str], Active | None] | None = None
    ) -> None:
        self.name = name
        self.sample = sample
        self.active: dict[str, Active] = {}
        self.retired: dict[str, Active] = {}
        # Pages that are like no other: by address the names of all their wrappers, and by name those at hand.
        self.alone: dict[str, str] = {}
        self.singles: dict[str, Active] = {}
        self._fetch = fetch
        self.names: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.templates = Designs()
        self.routes: OrderedDict[str, Counter[str]] = OrderedDict()
        self.waiting: dict[str, Waiting] = {}
        self.seen = 0
        self.again: set[str] = set()
        # Pages of the round under way that have had an answer; they may wait again since.
        self.answered: set[str] = set()
        self.stubborn: set[str] = set()
        self.learning = False
        self.round_at = sample
        self.round_pages = ROUND_PAGES

    def add(self, active: Active) -> None:
        """Use a wrapper from now on."""
        self.names.add(active.name)
        if active.stored.address is not None:
            self.alone[active.stored.address] = active.name
            self.singles[active.name] = active
            return
        self.active[active.name] = active
        active.template.name = active.name
        self.templates.add(active.template)

    def add_later(self, stored: StoredWrapper) -> None:
        """Use the stored wrapper of a page alone, once that page is met."""
        assert stored.address is not None
        self.names.add(stored.name)
        self.alone[stored.address] = stored.name

    def surplus(self) -> list[Active]:
        """Take away wrappers of pages alone, the oldest first, where there are many: the store has them."""
        oldest = list(self.singles)[: max(0, len(self.singles) - MOST_SINGLES)]
        return [self.singles.pop(name) for name in oldest]

    def named(self, name: str) -> Active | None:
        """The wrapper of this name, be it of a template or of a page alone."""
        found = self.active.get(name) or self.retired.get(name) or self.singles.get(name)
        if found is None and name in self.names and self._fetch is not None:
            found = self._fetch(self.name, name)
            if found is None or found.stored.address is None:
                self.names.discard(name)
                return None
            self.singles[name] = found
        return found

    def every(self) -> list[Active]:
        """All wrappers that have read in this crawl or may do so."""
        return [*self.active.values(), *self.retired.values(), *self.singles.values()]

    def drop(self, active: Active) -> None:
        """Use a wrapper no longer."""
        self.active.pop(active.name, None)
        if self.singles.pop(active.name, None) is not None:
            self.alone.pop(active.stored.address or "", None)
        self.templates.remove(active.name)
        for route in self.routes.values():
            route.pop(active.name, None)

    def forget(self, active: Active) -> None:
        """Use a wrapper in no way any more."""
        self.drop(active)
        self.retired.pop(active.name, None)

    def retire(self, active: Active) -> None:
        """Read no more pages at once with a wrapper that has drifted; the learner judges which it still reads."""
        self.drop(active)
        self.retired[active.name] = active

    def candidates(self, page: Page, shape: str) -> Iterator[tuple[Active, bool]]:
        """Wrappers that may read a page, and whether the page looks most like those it was learned from.

        The address is asked first, as that costs nothing; the page's looks when that did not do. Templates that look alike come
        after each other: a redesign may have put other things into the same places.
        """
        name = self.alone.get(page.url or "")
        single = self.named(name) if name is not None else None
        if single is not None:
            yield single, True
        if not self.active:
            return
        route = self.routes.get(shape)
        if route and len(route) == 1:
            ((name, count),) = route.items()
            if count >= SURE and name in self.active:
                yield self.active[name], False
        for number, match in enumerate(self.templates.matches(signature(page.html, page.url))):
            if match.name in self.active:
                yield self.active[match.name], number == 0

    def routed(self, shape: str, active: Active) -> None:
        """A page of this address shape was read by this wrapper."""
        if active.name in self.active:
            self.routes.setdefault(shape, Counter())[active.name] += 1
            self.routes.move_to_end(shape)
            if len(self.routes) > MAX_ROUTES:
                self.routes.popitem(last=False)

    @property
    def can_rest(self) -> bool:
        """Whether nothing is under way here, and all wrappers are in the store."""
        is_busy = self.waiting or self.learning
        return not is_busy and all(active.held.is_stored for active in self.every())

    def wants_round(self) -> bool:
        """Whether enough pages wait to try and learn from them."""
        return not self.learning and len(self.waiting) - len(self.stubborn) >= self.round_at

    def round_keys(self, final: bool) -> list[str]:
        """The pages of the next round, those of like addresses together.

        Pages that no wrapper of a group has read are left to the last rounds. In these small groups are learned from
        as well, so that no pages of like addresses may be missing: the most frequent addresses come first, all that there are.
        """
        keys = [key for key in self.waiting if final or key not in self.stubborn]
        if not final or len(keys) <= self.round_pages:
            return sorted(keys, key=self.waiting.__getitem__)[: self.round_pages]
        counts = Counter(page.shape for page in self.waiting.values())
        keys.sort(key=lambda key: (-counts[self.waiting[key].shape], self.waiting[key]))
        cut = self.waiting[keys[self.round_pages]].shape
        chosen = keys[: self.round_pages]
        return [key for key in chosen if self.waiting[key].shape != cut] or chosen

    def wait(self, key: str, shape: str, *, stubborn: bool) -> None:
        """A page has no wrapper yet."""
        self.waiting[key] = Waiting(shape, self.seen)
        if stubborn:
            self.stubborn.add(key)

    def resolve(self, key: str) -> bool:
        """A page waits no longer; False when it did not."""
        self.stubborn.discard(key)
        if self.learning:
            self.answered.add(key)
        return self.waiting.pop(key, None) is not None

    def round_done(self, tried: Collection[str]) -> None:
        """Wait for more pages than those that were tried before the next round."""
        self.learning = False
        left = len(self.waiting) - len(self.stubborn)
        if len(tried) < self.round_pages:
            # Those that came meanwhile will be in the next round. Of a round with no room for them, they would not.
            left -= sum(key not in tried and key not in self.stubborn for key in self.waiting)
        self.round_at = left + max(self.sample // 2, left // 4, 1)

    def new_name(self, template: Template) -> str:
        """A readable name for a template: from the addresses of its pages."""
        shape = template.shapes.most_common(1)[0][0] if template.shapes else ""
        stem = "-".join(_WORD.findall(shape)[:3]).lower() or "home"
        number = self.numbers.get(stem, 1)
        while (name := stem if number == 1 else f"{stem}-{number}") in self.names:
            number += 1
        # Pages that are like no other may be thousands: they are not all counted again.
        self.numbers[stem] = number
        return name
