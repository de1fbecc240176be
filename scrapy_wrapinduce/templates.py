"""Tell the templates of a site apart, without being told how many there are.

A template is a bounded count of the features that its pages' signatures have. Features are weighted by how well they divide the
site, so that the frame which all pages share and the odd tag inside a text say little. Every page is compared with the few
templates there are, never with other pages: the time is linear in the number of pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .signatures import Signature

MAX_KNOWN_FEATURES = 6_000
MAX_TEMPLATES = 64
# A page joins the template it resembles this much; less is asked where the address agrees.
SIMILAR = 0.7
SIMILAR_AT_SAME_ADDRESS = 0.45
# Templates that a page resembles almost as much as the nearest one may have it instead: their pages differ in what they say.
TWINS = 0.02
# What a feature that does not divide the site still counts.
LEAST_WEIGHT = 0.05


@dataclass
class Template:
    """Pages that look alike: how many there were, their features and the shapes of their addresses."""

    name: str
    pages: int = 0
    features: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)

    def add(self, page: Signature) -> None:
        self.pages += 1
        self.features.update(page.features)
        self.shapes[page.shape] += 1
        if len(self.features) > MAX_KNOWN_FEATURES:
            self.features = Counter(dict(self.features.most_common(MAX_KNOWN_FEATURES // 2)))

    def merge(self, other: Template) -> None:
        """Count the pages of another template to this one."""
        self.pages += other.pages
        self.features.update(other.features)
        self.shapes.update(other.shapes)

    def rates(self) -> dict[str, float]:
        """The share of its pages that have each feature."""
        return {feature: count / self.pages for feature, count in self.features.items()}

    def usual(self) -> Signature:
        """What most of its pages show."""
        features = frozenset(f for f, n in self.features.items() if 2 * n >= self.pages)
        shape = self.shapes.most_common(1)[0][0] if self.shapes else ""
        return Signature("", shape, features)

    def to_dict(self) -> dict[str, Any]:
        """The template as JSON-able data; features on fewer than a tenth of the pages are left out."""
        often = {f: n for f, n in sorted(self.features.items()) if n * 10 >= self.pages}
        return {
            "name": self.name,
            "pages": self.pages,
            "shapes": dict(self.shapes),
            "features": often,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Template:
        """The inverse of :meth:`to_dict`."""
        return cls(
            str(data["name"]),
            int(data["pages"]),
            Counter(data["features"]),
            Counter(data["shapes"]),
        )


class Templates:
    """The templates of one site. Pages are assigned one by one; the order hardly matters."""

    def __init__(self, templates: Iterable[Template] = ()) -> None:
        self.templates: list[Template] = []
        self.pages = 0
        self.seen: Counter[str] = Counter()
        # How much a feature counts, and what of each template counts how much: as long as nothing changes.
        self._weights: dict[str, float] = {}
        self._weighed: dict[int, tuple[dict[str, float], float]] = {}
        for template in templates:
            self.add(template)

    def add(self, template: Template) -> None:
        """Tell a further template apart."""
        self.templates.append(template)
        self._note(template.pages, template.features)

    def remove(self, name: str) -> None:
        """Assign no more pages to a template."""
        self.templates = [template for template in self.templates if template.name != name]
        self._weighed.clear()

    def note(self, page: Signature) -> None:
        """Count a page's features among those of the site, without assigning it."""
        self._note(1, page.features)

    def _note(self, pages: int, features: Iterable[str]) -> None:
        self.pages += pages
        self.seen.update(features)
        if len(self.seen) > 4 * MAX_KNOWN_FEATURES:
            self.seen = Counter(dict(self.seen.most_common(2 * MAX_KNOWN_FEATURES)))
        self._weights.clear()
        self._weighed.clear()

    def similarity(self, page: Signature, template: Template) -> float:
        """From 0 (nothing that matters in common) to 1: a weighted overlap of the feature sets."""
        return self._overlap(page, self._weight_of(page), template)

    def _overlap(self, page: Signature, own: float, template: Template) -> float:
        features, total = self._weighed.get(id(template)) or self._weigh(template)
        common = sum([features[feature] for feature in page.features if feature in features])
        either = own + total - common
        return common / either if either else 1.0

    def _weigh(self, template: Template) -> tuple[dict[str, float], float]:
        pages = max(template.pages, 1)
        features = {
            feature: self._weight(feature) * count / pages
            for feature, count in template.features.items()
        }
        self._weighed[id(template)] = weighed = features, sum(features.values())
        return weighed

    def _weight_of(self, page: Signature) -> float:
        return sum(map(self._weight, page.features))

    def _weight(self, feature: str) -> float:
        weight = self._weights.get(feature)
        if weight is None:
            share = min(1.0, self.seen[feature] / max(self.pages, 1))
            weight = self._weights[feature] = LEAST_WEIGHT + share * (1.0 - share)
        return weight

    def nearest(self, page: Signature) -> list[tuple[Template, float]]:
        """The template that a page resembles most, and its twins, each with how much (0 to 1), the nearest first."""
        own = self._weight_of(page)
        found = [(template, self._overlap(page, own, template)) for template in self.templates]
        most = max((value for _, value in found), default=0.0)
        twins = [pair for pair in found if pair[1] > max(0.0, most - TWINS)]
        return sorted(twins, key=lambda pair: -pair[1])

    def matches(self, page: Signature) -> list[Template]:
        """The template a page belongs to, and its twins; none when it resembles none enough."""
        return [
            template for template, value in self.nearest(page) if value >= _needed(page, template)
        ]

    def match(self, page: Signature) -> Template | None:
        """The template a page belongs to, or None when it resembles none enough."""
        return next(iter(self.matches(page)), None)

    def assign(self, page: Signature) -> Template:
        """The template a page belongs to, a new one if need be; the page is counted there."""
        template = self.match(page)
        if template is None:
            template = Template(f"t{len(self.templates) + 1}")
            if len(self.templates) >= MAX_TEMPLATES:
                self.templates.remove(min(self.templates, key=lambda t: t.pages))
            self.templates.append(template)
        self.grow(template, page)
        return template

    def grow(self, template: Template, page: Signature) -> None:
        """Count a page to a template."""
        template.add(page)
        self._weighed.pop(id(template), None)


def _needed(page: Signature, template: Template) -> float:
    return SIMILAR_AT_SAME_ADDRESS if page.shape in template.shapes else SIMILAR
