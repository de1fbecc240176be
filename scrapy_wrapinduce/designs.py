"""Tell the designs of a site apart, and the templates of each by themselves.

A site in the middle of a redesign, or with a shop and a blog, shows pages in two designs. What all pages of one design share (its
frame: head, navigation, footer) then divides the site better than anything else, and hides what tells the templates of that design
apart. So pages that share a frame are compared with each other only, as if the other design were not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .grouping import grouped
from .signatures import Signature
from .templates import MAX_KNOWN_FEATURES, Template, Templates

# Pages of one design have at least so much of the smaller one's features in common.
SHARED = 0.2
MAX_DESIGNS = 16
# Tags that any two documents have in common.
_SCAFFOLD = frozenset("html head meta title link script style base body noscript".split())


class _Design:
    """Pages that share a frame, and their templates."""

    def __init__(self) -> None:
        self.pages = 0
        self.features: Counter[str] = Counter()
        self.templates = Templates()
        self._usual: frozenset[str] | None = None

    def note(self, pages: int, features: Counter[str] | frozenset[str]) -> None:
        self.pages += pages
        self.features.update(features)
        if len(self.features) > MAX_KNOWN_FEATURES:
            self.features = Counter(dict(self.features.most_common(MAX_KNOWN_FEATURES // 2)))
        self._usual = None

    @property
    def usual(self) -> frozenset[str]:
        """The features that most of its pages have."""
        if self._usual is None:
            often = {feature for feature, count in self.features.items() if 2 * count > self.pages}
            self._usual = _telling(often)
        return self._usual

    def shares(self, features: frozenset[str]) -> float:
        """How much of a frame is common to the design and to a page's telling features, from 0 to 1."""
        least = min(len(features), len(self.usual))
        return len(features & self.usual) / least if least else 0.0


class Designs:
    """The templates of one site, by design; a site with one design is like its :class:`Templates`."""

    def __init__(self) -> None:
        self._designs: list[_Design] = []

    @property
    def templates(self) -> list[Template]:
        return [template for design in self._designs for template in design.templates.templates]

    def add(self, template: Template) -> None:
        """Tell a further template apart."""
        design = self._joined(template.usual().features)
        design.note(template.pages, template.features)
        design.templates.add(template)

    def remove(self, name: str) -> None:
        """Assign no more pages to a template."""
        for design in self._designs:
            design.templates.remove(name)

    def note(self, page: Signature) -> None:
        """Count a page's features among those of its design, without assigning it."""
        design = self._joined(page.features)
        design.note(1, page.features)
        design.templates.note(page)

    def are_one(self, one: Signature, other: Signature) -> bool:
        """Whether two pages are of one design."""
        return self._of(one.features) is self._of(other.features)

    def nearest(self, page: Signature) -> list[tuple[Template, float]]:
        """The template that a page resembles most, and its twins, each with how much (0 to 1), the nearest first."""
        design = self._of(page.features)
        if design is not None and design.templates.templates:
            return design.templates.nearest(page)
        found = [design.templates.nearest(page) for design in self._designs]
        return max(filter(None, found), key=lambda pairs: pairs[0][1], default=[])

    def matches(self, page: Signature) -> list[Template]:
        """The template a page belongs to, and its twins; none when it resembles none enough."""
        design = self._of(page.features)
        return design.templates.matches(page) if design is not None else []

    def _of(self, features: frozenset[str]) -> _Design | None:
        """The design whose frame a page has; where there are none to tell by, the first."""
        telling = _telling(features)
        best = max(self._designs, key=lambda design: design.shares(telling), default=None)
        if best is None or not telling or len(self._designs) >= MAX_DESIGNS:
            return best
        return best if best.shares(telling) >= SHARED else None

    def _joined(self, features: frozenset[str]) -> _Design:
        design = self._of(features)
        if design is None:
            design = _Design()
            self._designs.append(design)
        return design


def group(pages: Sequence[Signature]) -> list[list[int]]:
    """Indices of the pages, by template, largest group first."""
    found = []
    for members in _by_design(pages):
        parts = grouped([pages[index] for index in members])
        found += [[members[place] for place in part] for part in parts]
    return sorted(found, key=lambda members: (-len(members), members[0]))


def _by_design(pages: Sequence[Signature]) -> Iterable[list[int]]:
    """Indices of the pages, by design: what all pages together have shown of the frames decides."""
    site = Designs()
    for page in pages:
        site.note(page)
    designs: dict[int, list[int]] = {}
    for index, page in enumerate(pages):
        designs.setdefault(id(site._of(page.features)), []).append(index)
    return designs.values()


def _telling(features: Iterable[str]) -> frozenset[str]:
    return frozenset(feature for feature in features if _tells(feature))


@lru_cache(maxsize=1 << 14)
def _tells(feature: str) -> bool:
    return not _SCAFFOLD.issuperset(feature.split())
