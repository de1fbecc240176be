"""The templates of a site that have wrappers, as the learning process sees them in one round."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from ...designs import Designs
from ...errors import InvalidWrapper
from ...signatures import Signature
from ...stores.pages import ParkedPage
from ...templates import Template
from ...upkeep.health import kept_health
from ...upkeep.verify import plainly_wrong
from ...wrapper import Extraction, Wrapper, parse
from ..reading.judge import fits, fits_partly
from .messages import Known, Learned

# So many pages are needed, and enough, to judge whether a known wrapper has drifted.
JUDGED = 5
# A known wrapper is tried on this many pages of a group before the group is learned anew.
TRIALS = 3
# So similar to a template is a page that may be a broken one of it.
AKIN = 0.3
# So many of a template's pages are at the addresses of a group that may be the same things in another design.
ENOUGH_SHARED = 0.4


@dataclass(frozen=True)
class Old:
    """A template that is known already; one of this round (``is_fresh``) has no name of its own yet."""

    name: str
    template: Template
    wrapper: Wrapper
    is_fresh: bool = False


class KnownTemplates:
    """Templates that have wrappers, and which of them reads a page."""

    def __init__(self, known: Sequence[Known], pages: Sequence[Signature]) -> None:
        self.known = {one.id: one for one in known}
        self.wrappers: dict[str, Wrapper] = {}
        self.templates = Designs()
        self._fresh: list[tuple[Template, Wrapper, float]] = []
        self._reading: set[str] = set()
        for one in known:
            try:
                self.wrappers[one.id] = parse(one.wrapper)
            except InvalidWrapper as error:
                print(f"wrapper {one.id} is left out: {error}", file=sys.stderr)
                continue
            self.templates.add(Template.from_dict({**one.template, "name": one.id}))
        for page in pages:
            self.templates.note(page)

    def reading(self, pages: list[ParkedPage], signs: list[Signature]) -> str | None:
        """The template whose wrapper already reads a group's pages; of those that look alike, the one whose values these are."""
        matches = [
            [template.name for template in self.templates.matches(sign)] for sign in signs[:TRIALS]
        ]
        names = [name for name in matches[0] if all(name in others for others in matches)]
        names.sort(key=lambda name: self._are_odd(name, pages))
        for name in names:
            good = all(self._extracts(name, page, fits_partly) for page in pages[:TRIALS])
            if good and not self.has_drifted(name, pages):
                self._reading.add(name)
                return name
        return None

    def has_drifted(self, name: str, pages: list[ParkedPage]) -> bool:
        """Whether a wrapper reads a group of pages, but not as it read its own."""
        wrapper = self.wrappers[name]
        if wrapper.health is None or len(pages) < JUDGED:
            return False
        return not wrapper.verify(page.page() for page in pages[:JUDGED]).ok

    def at_same_addresses(self, signs: list[Signature]) -> list[Old]:
        """The templates that had the addresses which a group of pages has now.

        One design may be met at some addresses more often than the next.
        """
        shapes = Counter(sign.shape for sign in signs)
        known = [
            Old(template.name, template, self.wrappers[template.name])
            for template in self.templates.templates
            if template.name in self.wrappers
        ]
        shape = shapes.most_common(1)[0][0]
        fresh = [
            Old(f"{shape} ({number})" if number > 1 else shape, template, wrapper, is_fresh=True)
            for number, (template, wrapper, _) in enumerate(self._fresh, 1)
        ]
        return [
            old
            for old in known + fresh
            if _shared(shapes, old.template.shapes) > 0.5
            and _shared(old.template.shapes, shapes) > ENOUGH_SHARED
        ]

    def may_be_gone(self, old: Old, signs: list[Signature], since: Sequence[int]) -> bool:
        """Whether a group may be the pages of an old template in a new design, and not others at like addresses.

        It may where its design is another one, or where no pages of the old template come any more; ``since``
        says when those of the group came.
        """
        group = Template("")
        for sign in signs:
            group.add(sign)
        if not self.templates.are_one(group.usual(), old.template.usual()):
            return True
        if old.is_fresh or old.name in self._reading:
            return False
        return not since or median(since) > self.known[old.name].last_read

    def learned(self, answer: Learned) -> None:
        """A site may show two designs at once: the next group may be the same things in another one."""
        if answer.address is None:
            template = Template.from_dict({**answer.template, "name": ""})
            self._fresh.append((template, parse(answer.wrapper), answer.coverage))

    def fallback(self, page: ParkedPage, sign: Signature) -> tuple[str, str] | None:
        """For a page like no other: the wrapper of the template it breaks, or another that fits."""
        akin = [
            template.name
            for template, similarity in self.templates.nearest(sign)
            if similarity >= AKIN or sign.shape in template.shapes
        ]
        for name in sorted(akin, key=lambda name: self._are_odd(name, [page])):
            if self._extracts(name, page, fits_partly):
                return name, "partial"
        for name in self.wrappers:
            if self._extracts(name, page, fits):
                return name, "other"
        return None

    def will_read(self, page: ParkedPage, sign: Signature) -> bool:
        """Whether a wrapper that was learned in this round reads a page: then it can wait for the next."""
        return any(
            fits_partly(wrapper.extract(page.page()), coverage)
            for template, wrapper, coverage in self._fresh
            if sign.shape in template.shapes and self.templates.are_one(sign, template.usual())
        )

    def _are_odd(self, name: str, pages: list[ParkedPage]) -> bool:
        """Whether what a wrapper reads from the first pages of a group is plainly not its own."""
        wrapper = self.wrappers[name]
        if wrapper.health is None:
            return False
        health = kept_health(wrapper)
        return any(plainly_wrong(health, wrapper.extract(page.page())) for page in pages[:TRIALS])

    def _extracts(
        self, name: str, page: ParkedPage, good: Callable[[Extraction, float], bool]
    ) -> bool:
        return good(self.wrappers[name].extract(page.page()), self.known[name].coverage)


def _shared(shapes: Counter[str], known: Counter[str]) -> float:
    """The share of pages that are at addresses whose shapes are known."""
    return sum(n for shape, n in shapes.items() if shape in known) / max(1, shapes.total())
