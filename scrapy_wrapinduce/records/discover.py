"""Discovery: the lists of records of pages that nobody labelled, and a wrapper for the main one.

Lists are found on each page by what repeats; a list of a template recurs in the same path of tags on its
pages, and the one with the highest score over all pages is the main one. Its records are aligned into
fields, and these labels teach the same learner that labelled pages do.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ..errors import CannotInduce
from ..labels import LabelledPage
from .learn import learn
from .repeats import ALIKE, LINKED, FoundList, Outline, Range, find_lists, similar
from .slots import FoundField, align
from .tree import tree_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..page import Page
    from .tree import Tree
    from .wrapper import RecordsWrapper

_LEAST_RECORDS = 3
_MAX_RECORDS = 1000
_LEAST_REGULARITY = 0.35
_SURE = 1.05
_ENOUGH_PAGES = 4
_ADDRESSES = frozenset(("@href", "@src", "@data-src"))
_LISTS_PER_PATH = 8
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SAYING = frozenset(("class", "id", "itemprop"))
_COMMENTS = re.compile(r"(?:^|[^a-z])comments?(?:list)?(?:$|[^a-z])", re.IGNORECASE)


# A page's regions are asked for one after the other.
_OUTLINES: WeakKeyDictionary[Page, Outline] = WeakKeyDictionary()


@dataclass(frozen=True)
class Discovery:
    """A list found on pages: its fields, its first records on each page, and how main it is (0…1)."""

    fields: tuple[FoundField, ...]
    labelled: tuple[LabelledPage, ...]
    score: float
    path: tuple[str, ...]


def discover(pages: Sequence[Page], limit: int = 5) -> list[Discovery]:
    """The lists of records that pages of one template share, the main one first.

    ``score`` is the list's share of what all lists found together weigh.
    """
    found = _shared_lists(pages)
    total = sum(score for score, _ in found) or 1.0
    discoveries: list[Discovery] = []
    covered: list[tuple[Page, Range]] = []
    for score, by_page in found:
        if len(discoveries) >= limit:
            break
        regions = [(page, region) for page, one in by_page for region in one.regions]
        if _within(regions, covered):
            continue
        one = align_lists(by_page, score / total)
        if one is not None:
            discoveries.append(one)
            covered += regions
    return discoveries


def learn_unlabelled(pages: Sequence[Page]) -> RecordsWrapper:
    """A wrapper for the main list of pages that share a template.

    Raises :class:`CannotInduce` where no list is convincing.
    """
    for found in discover(pages, limit=1):
        if found.fields:
            wrapper = learn(found.labelled, every_field=False)
            addresses = {one.name for one in found.fields if one.kind in _ADDRESSES}
            return wrapper.with_types({name: "url" for name in wrapper.fields if name in addresses})
    where = next((page.url for page in pages if page.url), None) or "the pages"
    raise CannotInduce(
        f"{where}: no list of records found: nothing with text of its own repeats at least "
        f"{_LEAST_RECORDS} times; give examples of the records"
    )


def discover_in(page: Page, start: int, end: int, limit: int = 3) -> list[Discovery]:
    """The lists inside characters ``start`` to ``end`` of a page, such as a detail page's reviews."""
    tree = tree_of(page)
    first, stop = tree.between(start, end)
    if stop - first < 4:
        return []
    outline = _OUTLINES.get(page)
    if outline is None:
        outline = _OUTLINES[page] = Outline(tree)
    found = []
    for one in find_lists(outline, first, stop)[:limit]:
        if _convincing(one, least=2):
            aligned = align_lists([(page, one)], one.score)
            if aligned is not None and aligned.fields:
                found.append(aligned)
    return found


def looks_like_list(pages: Sequence[Page]) -> float:
    """How sure it is that the main content of pages is a list of records, from 0 to 1; from 0.5 on it is.

    The measure is how much of the text that differs from page to page stands in the main list, lowered
    where that list is missing on a page, irregular, mostly one record, of single texts, or one of several. A
    detail page may have long lists, but what it is about stands outside of them. Comments are about something else,
    however many there are.
    """
    pages = pages[:_ENOUGH_PAGES]
    found = [one for one in _shared_lists(pages) if not _are_comments(*one[1][0])]
    if not found:
        return 0.0
    score, by_page = found[0]
    known = _texts_of_all(pages)
    main = listed = sure = 0.0
    lists = {id(page): one for page, one in by_page}
    for page in pages:
        outline = Outline(tree_of(page), known)
        main += outline.main_text()
        one = lists.get(id(page))
        if one is None:
            continue
        sizes = [outline.measures(region)[0] for region in one.regions]
        linked = sum(outline.measures(region)[1] for region in one.regions)
        if outline.aside[one.regions[0][0]] and linked > LINKED * sum(sizes):
            # A menu; what has other texts too may be the results in a filter's pane.
            continue
        listed += sum(sizes)
        regular = min(1.0, max(0.0, (one.regularity - 0.6) / 0.3))
        sure += (sum(sizes) - max(sizes)) * regular * min(1.0, one.texts_per_record / 2)
    share = min(1.0, listed / max(1.0, main)) * len(by_page) / len(pages)
    rival = found[1][0] / score if len(found) > 1 else 0.0
    return min(1.0, _SURE * (1.0 - 0.4 * rival) * share * sure / max(1.0, listed))


def _are_comments(page: Page, one: FoundList) -> bool:
    """Whether the records of a list, or what is right around them, are called comments.

    Not those under headings that lead elsewhere, be they called so or not.
    """
    tree, first = tree_of(page), one.regions[0][0]
    tags = (tree.tag[item] for item in (first, tree.parent[first]) if item >= 0)
    if not any(
        at.name in _SAYING and _COMMENTS.search(at.value)
        for tag in tags
        if tag is not None
        for at in tag.attributes
    ):
        return False
    headed = sum(
        any(_is_linked_heading(tree, item) for item in range(*region)) for region in one.regions
    )
    return 2 * headed < len(one.regions)


def _is_linked_heading(tree: Tree, item: int) -> bool:
    return tree.name[item] in _HEADINGS and "a" in tree.name[item + 1 : tree.stop[item]]


def _shared_lists(pages: Sequence[Page]) -> list[tuple[float, list[tuple[Page, FoundList]]]]:
    """The lists that recur on pages in the same path and with similar records, the heaviest first."""
    by_path: dict[tuple[str, ...], list[list[tuple[Page, FoundList]]]] = defaultdict(list)
    known = _texts_of_all(pages)
    for page in pages:
        for one in find_lists(Outline(tree_of(page), known))[:60]:
            if _convincing(one, _LEAST_RECORDS):
                _add(by_path[one.path], page, one)
    groups = [group for of_path in by_path.values() for group in of_path]
    found = [(sum(one.score for _, one in group), group) for group in groups]
    return sorted(found, key=lambda pair: -pair[0])


def _add(groups: list[list[tuple[Page, FoundList]]], page: Page, one: FoundList) -> None:
    """Put a page's list to the lists of other pages that are most like it, or make it the first of its kind."""
    free = [group for group in groups if all(other is not page for other, _ in group)]
    best = max(free, key=lambda group: similar(group[0][1].shape, one.shape), default=None)
    if best is not None and similar(best[0][1].shape, one.shape) >= ALIKE:
        best.append((page, one))
    elif free and len(free) == len(groups):
        # Some sites have other class names on every page: there the heaviest of a path belong together.
        free[0].append((page, one))
    elif len(groups) < _LISTS_PER_PATH and all(
        similar(other.shape, one.shape) < ALIKE for g in groups for p, other in g if p is page
    ):
        groups.append([(page, one)])


def _texts_of_all(pages: Sequence[Page]) -> frozenset[str]:
    """The texts that stand on several pages, and at least on half of them."""
    counts = Counter(text for page in pages for text in _texts(page))
    return frozenset(
        text for text, count in counts.items() if count > 1 and 2 * count >= len(pages)
    )


def _texts(page: Page) -> frozenset[str]:
    tree = tree_of(page)
    return frozenset(map(tree.text, tree.texts))


def _convincing(one: FoundList, least: int) -> bool:
    return len(one.regions) >= least and one.regularity >= _LEAST_REGULARITY and one.score > 0


def _within(regions: Sequence[tuple[Page, Range]], covered: Sequence[tuple[Page, Range]]) -> bool:
    """Whether a list is a part of lists taken before, or goes around them."""
    for page, (first, stop) in regions[:5]:
        for other, (low, high) in covered:
            if page is other and first < high and low < stop:
                return True
    return False


def align_lists(by_page: Sequence[tuple[Page, FoundList]], score: float) -> Discovery | None:
    """A list that was found on pages with its records aligned into fields; None where nothing differs."""
    places = [(page, region) for page, one in by_page for region in one.regions[:_MAX_RECORDS]]
    fields, records = align([(tree_of(page), *region) for page, region in places])
    if not fields:
        return None
    labelled = []
    for page, _ in by_page:
        own = [r for (p, _), r in zip(places, records, strict=True) if p is page and r.values]
        if own:
            labelled.append(LabelledPage(page, tuple(own)))
    return Discovery(tuple(fields), tuple(labelled), score, by_page[0][1].path)
