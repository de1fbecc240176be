"""Pages of one design into templates, all at once: what all of them show decides, and not the order they came in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from .signatures import Signature
from .templates import Template, Templates

# Groups that are one template but for optional blocks have so much in common, and one has so little that the other seldom has.
AKIN_WITHOUT_BLOCKS = 0.5
LITTLE_OWN = 0.1
SELDOM = 0.1
# So many groups, the largest ones, may be the template of a smaller one.
MOST_COMPARED = 8
# So many pages at like addresses tell how much only one page has, as a rule.
ENOUGH_TO_TELL = 5


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
