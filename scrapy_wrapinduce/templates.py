"""Tell the templates of a site apart, without being told how many there are.

A page's signature is the shape of its address and the set of its neighbouring start tags (name and
classes): cheap to take, and hardly touched by how often a block repeats. A template is a bounded
count of such features. Features are weighted by how well they divide the site, so that the frame
which all pages share and the odd tag inside a text say little. Every page is compared with the few
templates there are, never with other pages: the time is linear in the number of pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from statistics import median
from typing import Any
from urllib.parse import parse_qsl, urlsplit

MAX_SOURCE = 300_000
MAX_FEATURES = 1_500
MAX_KNOWN_FEATURES = 6_000
MAX_TEMPLATES = 64
# A page joins the template it resembles this much; less is asked where the address agrees.
SIMILAR = 0.7
SIMILAR_AT_SAME_ADDRESS = 0.45
# What a feature that does not divide the site still counts.
LEAST_WEIGHT = 0.05
# Groups that are one template but for optional blocks have so much in common, and one has so little that the other seldom has.
AKIN_WITHOUT_BLOCKS = 0.5
LITTLE_OWN = 0.1
SELDOM = 0.1
# So many groups, the largest ones, may be the template of a smaller one.
MOST_COMPARED = 8
# So many pages at like addresses tell how much only one page has, as a rule.
ENOUGH_TO_TELL = 5

_START_TAG = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9-]{0,30})"
    r"(?:[^<>]{0,300}?\sclass\s{0,9}=\s{0,9}(?:\"([^\"<>]{0,200})|'([^'<>]{0,200})|([^\s\"'<>]{1,200})))?"
)
_DIGITS = re.compile(r"\d+")
# Tags that belong to running text: their order is the author's, not the template's.
_INLINE = frozenset(
    "a abbr b bdi bdo br cite code em font i kbd mark q s small span strong sub sup u wbr".split()
)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a page shows of its template: where it is, and which tags follow each other."""

    site: str
    shape: str
    features: frozenset[str]


def signature(html: str, url: str | None) -> Signature:
    """The signature of a page; a few hundred microseconds for an ordinary one."""
    features: set[str] = set()
    before = ""
    for name, *classes in _START_TAG.findall(html, 0, MAX_SOURCE):
        token = _token(name, classes[0] or classes[1] or classes[2])
        if token:
            features.add(f"{before} {token}")
            # In running text it says where a tag stands, but not which others stand beside it.
            if name.lower() not in _INLINE:
                before = token
    if len(features) > MAX_FEATURES:
        features = set(sorted(features)[:MAX_FEATURES])
    return Signature(site_of(url), shape_of(url), frozenset(features))


@lru_cache(maxsize=1 << 12)
def _token(name: str, classes: str) -> str:
    name = name.lower()
    if not classes:
        return "" if name in _INLINE else name
    return ".".join([name, *_DIGITS.sub("#", classes).split()[:3]])


def site_of(url: str | None) -> str:
    """The site a page belongs to: its host and port, in lower case.

    >>> site_of("https://Shop.example:8000/p/1")
    'shop.example:8000'
    """
    if not url:
        return ""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def shape_of(url: str | None) -> str:
    """An address with what tells its pages apart taken out.

    The first step of the path stays, as it most often names the template; later steps, numbers and
    the values of the query do not.

    >>> shape_of("https://shop.example/c/books/blue-book-17?page=2")
    '/c/*/*?page'
    >>> shape_of("https://shop.example/item-4711.html")
    '/item-#.html'
    """
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        keys = sorted({key for key, _ in parse_qsl(parts.query, keep_blank_values=True)})
    except ValueError:
        return ""
    steps = [step for step in parts.path.split("/") if step]
    shape = [
        _first_step(step) if place == 0 else _later_step(step) for place, step in enumerate(steps)
    ]
    end = "/" if parts.path.endswith("/") and steps else ""
    return f"/{'/'.join(shape)}{end}" + (f"?{'&'.join(keys)}" if keys else "")


def _first_step(step: str) -> str:
    step = _DIGITS.sub("#", step)
    # A long step at the root is a page's own name, not that of a folder.
    return _later_step(step) if len(step) > 24 or step.count("-") + step.count("_") > 2 else step


def _later_step(step: str) -> str:
    stem, dot, ending = step.rpartition(".")
    return f"*.{ending}" if dot and stem and len(ending) <= 5 and ending.isalpha() else "*"


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

    def nearest(self, page: Signature) -> tuple[Template | None, float]:
        """The template that a page resembles most, and how much (0 to 1)."""
        best, most, own = None, 0.0, self._weight_of(page)
        for template in self.templates:
            value = self._overlap(page, own, template)
            if value > most:
                best, most = template, value
        return best, most

    def match(self, page: Signature) -> Template | None:
        """The template a page belongs to, or None when it resembles none enough."""
        best, most = self.nearest(page)
        if best is None:
            return None
        needed = SIMILAR_AT_SAME_ADDRESS if page.shape in best.shapes else SIMILAR
        return best if most >= needed else None

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


def grouped(pages: Sequence[Signature]) -> list[list[int]]:
    """Indices of the pages of one design, by template.

    All pages are counted before the first is assigned, and assigned twice: what the first pass found
    is the start of the second, so that a page does not depend on those that happened to come before.
    """
    pages = _without_own(pages)
    first = Templates()
    for page in pages:
        first.note(page)
    for page in pages:
        first.assign(page)
    grown = [template for template in first.templates if template.pages]
    second = _view(first, _merged(first, grown))
    groups: dict[int, list[int]] = {}
    for index, page in enumerate(pages):
        template = second.match(page)
        if template is None:
            template = Template("")
            template.add(page)
            second.templates.append(template)
        groups.setdefault(id(template), []).append(index)
    return _rejoined(pages, list(groups.values()))


def _rejoined(pages: Sequence[Signature], groups: list[list[int]]) -> list[list[int]]:
    """The groups, with those of one template together again where only its optional blocks divide them.

    The fewer templates a site shows, the more such blocks weigh, as all else is on every page. Another template has tags of its own
    in the place of those that it lacks; a page without its optional blocks merely lacks them.
    """
    whole: list[tuple[list[int], Template]] = []
    for members in sorted(groups, key=len, reverse=True):
        group = Template("")
        for index in members:
            group.add(pages[index])
        # Pages that are each like no other are many, templates are few.
        for rest, other in whole[:MOST_COMPARED]:
            if _lacks_only(group, other):
                rest += members
                other.merge(group)
                break
        else:
            whole.append((members, group))
    return [members for members, _ in whole]


def _lacks_only(one: Template, other: Template) -> bool:
    """Whether two groups of pages at like addresses differ by what one of them lacks."""
    if not one.shapes.keys() & other.shapes.keys():
        return False
    has_one, has_other = one.rates(), other.rates()
    common = sum(min(rate, has_other.get(feature, 0.0)) for feature, rate in has_one.items())
    sizes = sum(has_one.values()), sum(has_other.values())
    own = _own(has_one, has_other), _own(has_other, has_one)
    less, more = sorted(zip(own, sizes, strict=True))
    return (
        common >= AKIN_WITHOUT_BLOCKS * (sum(sizes) - common)
        and less[0] <= LITTLE_OWN * less[1]
        and less[0] <= more[0] / 2
    )


def _own(rates: Mapping[str, float], others: Mapping[str, float]) -> float:
    """How many features a page has that are hardly ever on pages of another group."""
    return sum(rate for feature, rate in rates.items() if others.get(feature, 0.0) < SELDOM)


def _without_own(pages: Sequence[Signature]) -> Sequence[Signature]:
    """The pages without the features that only one of them has, where it is usual to have such.

    Where most pages at like addresses have such features, these are of their texts. Where they have none, a page
    that does is the first of another template.
    """
    if len(pages) < ENOUGH_TO_TELL:
        return pages
    seen = Counter(feature for page in pages for feature in page.features)
    shared = [frozenset(f for f in page.features if seen[f] > 1) for page in pages]
    own = [len(page.features) - len(some) for page, some in zip(pages, shared, strict=True)]
    by_shape: dict[str, list[int]] = {}
    for page, count in zip(pages, own, strict=True):
        by_shape.setdefault(page.shape, []).append(count)
    usual = {
        shape: median(counts if len(counts) >= ENOUGH_TO_TELL else own)
        for shape, counts in by_shape.items()
    }
    return [
        replace(page, features=some) if 0 < count <= 2 * usual[page.shape] else page
        for page, some, count in zip(pages, shared, own, strict=True)
    ]


def _merged(site: Templates, templates: list[Template]) -> list[Template]:
    """Templates without those that turned out to be one; bounded by :data:`MAX_TEMPLATES`."""
    kept = _view(site, [])
    for template in sorted(templates, key=lambda t: -t.pages):
        twin = kept.match(template.usual())
        if twin is None:
            kept.templates.append(template)
        else:
            twin.merge(template)
            kept = _view(site, kept.templates)
    return kept.templates


def _view(site: Templates, templates: list[Template]) -> Templates:
    view = Templates()
    view.pages, view.seen, view.templates = site.pages, site.seen, templates
    return view
