"""Parts of a detail page that repeat: the cast of a film, the offers for a product, its reviews.

What repeats is found on every page as on pages of lists; the smallest region of the landmark tree around it says
which list of one page is the same as which of another. A list is taken for data if its records differ from
page to page and are alike within a page: the rows of a table of facts have a caption each that no other row
has, blocks of a layout even more, and neither are records.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ...landmark.read import ROOT
from ...records.repeats import FoundList, Outline, Range, find_lists
from ...records.tree import Tree, tree_of
from ..columns.elements import LABEL_TAGS

if TYPE_CHECKING:
    from ...landmark.read import Nonterminal
    from ...page import Page
    from ..sample.texts import Sample

MOST_PAGES = 10  # that are looked at
MOST_LISTS = 60  # of a page
MOST_REPEATS = 20  # of a template
LEAST_SHARE = 0.2  # of the pages: how many must have the list
LEAST_REGULARITY = 0.35
LEAST_TEXTS = 1.05  # per record: where markup cuts none of them, a field holds them as they are
LONG = 200
LONGEST_HEADING = 60
WIDE = 2.5  # texts per record
FACTS_SHARE = 0.8  # of the records: how many must begin with a text of several pages to be facts
MOST_REPEATED = (
    0.1  # of the records: so many may begin as another one of their page does, and be facts
)
MOST_ODD_IN_TABLE = 0.5
MOST_ODD = 0.2  # of the texts: captions that only some of a page's records have
MADE_OF = (
    0.6  # of the text of a list's records: so much of it in another list, and that is the list
)


_LAST = (1 << 30, 0)  # no nonterminal comes behind it

# The lists of a path of tags in a region of the template, by page.
Groups = dict[tuple[tuple[str, ...], "Nonterminal"], dict[int, FoundList]]


@dataclass(frozen=True)
class Repeat:
    """A list in a region of the template: its records on each of the pages that have it.

    ``heads`` are rows of the list that say nothing but captions, ``regions`` the characters of the region, ``texts``
    how many texts there are per record.
    """

    nonterminal: Nonterminal
    on_page: Mapping[int, FoundList]
    heads: Mapping[int, Sequence[Range]]
    regions: Mapping[int, tuple[int, int]]
    worth: float
    texts: float = WIDE

    @property
    def has_heads(self) -> bool:
        return 2 * sum(map(bool, self.heads.values())) > len(self.on_page)

    @property
    def is_open_table(self) -> bool:
        """Whether it is rows of more than two cells under heads, more rows on some pages than on others.

        Such rows may begin with the same words on all pages (S, M, L); where there are always as many, or two
        cells, those words are labels, and the other cells facts.
        """
        return self.has_heads and len({len(one.regions) for one in self.on_page.values()}) > 1


@dataclass(frozen=True)
class _Look:
    """A page that is looked at: its tree, its outline and where the regions of the template are."""

    tree: Tree
    outline: Outline
    regions: Mapping[Nonterminal, tuple[int, int]]
    by_size: Sequence[tuple[int, Nonterminal]]

    def holds(self, nonterminal: Nonterminal, region: Range) -> bool:
        """Whether a region of the template has all of some items of the page in it."""
        start, end = self.regions.get(nonterminal, (0, 0))
        first, last = self.tree.start[region[0]], self.tree.start[region[1] - 1]
        return start <= first and last < end

    def around(self, element: int) -> Nonterminal:
        """The smallest region that holds all that is in an element."""
        tree, regions = self.tree, self.regions
        first = tree.start[min(element + 1, len(tree) - 1)]
        last = tree.start[tree.stop[element] - 1]
        for _, one in self.by_size[bisect_right(self.by_size, (last - first, _LAST)) :]:
            start, end = regions[one]
            if start <= first and last < end:
                return one
        return ROOT

    def marked(self, item: int) -> bool:
        """Whether a text is marked as a label."""
        parent = self.tree.parent[item]
        return parent >= 0 and self.tree.name[parent] in LABEL_TAGS

    def words(self, region: Range) -> list[str]:
        return [self.tree.text(item) for item in self.tree.texts_in(*region)]


def find_repeats(pages: Sequence[Page], sample: Sample) -> list[Repeat]:
    """The lists of records of a template, in the order of their worth."""
    step = max(1, len(pages) // MOST_PAGES)
    numbers = range(0, len(pages), step)[:MOST_PAGES]
    known = sample.template
    looks = {
        number: _look(pages[number], sample.readings[number].regions, known) for number in numbers
    }
    grouped: Groups = defaultdict(dict)
    for number, look in looks.items():
        for one in find_lists(look.outline)[:MOST_LISTS]:
            if one.regularity < LEAST_REGULARITY or one.texts_per_record < LEAST_TEXTS:
                continue
            for nonterminal, part in _by_region(look, one, frozenset() if sample.alone else known):
                grouped[one.path, nonterminal].setdefault(number, part)
    groups = _gathered(looks, _innermost(looks, dict(grouped), known))
    found = []
    for (_, nonterminal), on_page in groups.items():
        kept = {n: rows for n, part in on_page.items() if (rows := _records(looks[n], part, known))}
        if len(kept) < min(len(looks), max(2, LEAST_SHARE * len(looks))):
            continue
        where = {number: looks[number].regions[nonterminal] for number in kept}
        heads = {
            number: _heads(looks[number], one, on_page[number], known)
            for number, one in kept.items()
        }
        worth, odd, texts = _worth(looks, kept, known)
        repeat = Repeat(nonterminal, kept, heads, where, worth, texts)
        most_odd = MOST_ODD_IN_TABLE if texts > WIDE and repeat.is_open_table else MOST_ODD
        narrow = texts < WIDE and _are_facts(looks, kept, sample)
        if worth > 0 and odd <= most_odd and not narrow:
            found.append(repeat)
    found.sort(key=lambda one: -one.worth)
    return found[:MOST_REPEATS]


def _look(
    page: Page, regions: Mapping[Nonterminal, tuple[int, int]], known: frozenset[str]
) -> _Look:
    tree = tree_of(page)
    by_size = sorted((end - start, one) for one, (start, end) in regions.items())
    return _Look(tree, Outline(tree, known), regions, by_size)


def _by_region(
    look: _Look, one: FoundList, known: frozenset[str]
) -> Iterator[tuple[Nonterminal, FoundList]]:
    """The parts of a list that stand in different regions of the template: they are lists of their own.

    Parts between which a heading of the page's own stands at most, as in a recipe for a cake and its icing, are not.
    """
    tree = look.tree
    around: dict[int, Nonterminal] = {}
    parts: dict[Nonterminal, list[Range]] = defaultdict(list)
    for group in _in_parts(look, one.regions, known):
        element = tree.parent[group[0][0]]
        while tree.stop[element] < group[-1][1]:
            element = tree.parent[element]
        if element not in around:
            around[element] = look.around(element)
        parts[around[element]] += group
    for nonterminal, regions in parts.items():
        if len(regions) > 1:
            yield nonterminal, replace(one, regions=tuple(regions))


def _in_parts(look: _Look, regions: Sequence[Range], known: frozenset[str]) -> list[list[Range]]:
    """Records by the elements that they stand in; of elements that are divided by headings at most, together."""
    tree = look.tree
    found: list[list[Range]] = []
    for region in regions:
        if tree.parent[region[0]] < 0 or look.outline.aside[region[0]]:
            continue
        if found and (
            tree.parent[found[-1][-1][0]] == tree.parent[region[0]]
            or _is_subheading(look.words((found[-1][-1][1], region[0])), known)
        ):
            found[-1].append(region)
        else:
            found.append([region])
    return found


def _is_subheading(words: Sequence[str], known: frozenset[str]) -> bool:
    return len(words) == 1 and len(words[0]) <= LONGEST_HEADING and words[0] not in known


def _gathered(looks: Mapping[int, _Look], groups: Groups) -> Groups:
    """Lists that stand in one region on some pages and in a smaller one on others are the same list."""
    ranked = sorted(groups, key=lambda key: -len(groups[key]))
    for key in ranked:
        for other in ranked:
            if other == key or other[0] != key[0] or key not in groups or other not in groups:
                continue
            mine, theirs = groups[key], groups[other]
            fits = all(
                looks[number].holds(key[1], (one.regions[0][0], one.regions[-1][1]))
                for number, one in theirs.items()
            )
            if fits and not mine.keys() & theirs.keys():
                groups[key] = {**mine, **theirs}
                del groups[other]
    return groups


def _innermost(looks: Mapping[int, _Look], groups: Groups, known: frozenset[str]) -> Groups:
    """Lists without those that are made of others: two columns of reviews are one list of reviews."""
    for outer in sorted(groups, key=lambda key: len(key[0])):
        path, nonterminal = outer
        inner_paths = {key[0] for key in groups if len(key[0]) > len(path)}
        inner_paths = {inner for inner in inner_paths if _below(inner, path)}
        for inner in sorted(inner_paths, key=len):
            keys = [key for key in groups if key[0] == inner and key != outer]
            joined = _joined(looks, groups[outer], [groups[key] for key in keys], known)
            if joined:
                for key in keys:
                    rest = {n: one for n, one in groups[key].items() if n not in joined}
                    groups[key] = rest
                del groups[outer]
                groups[inner, nonterminal] = {**groups.get((inner, nonterminal), {}), **joined}
                break
    return {key: on_page for key, on_page in groups.items() if on_page}


def _below(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    return inner[: len(outer)] == (*outer[:-1], outer[-1].rstrip("+"))


def _joined(
    looks: Mapping[int, _Look],
    outer: Mapping[int, FoundList],
    inner: Sequence[Mapping[int, FoundList]],
    known: frozenset[str],
) -> dict[int, FoundList]:
    """The inner records on the pages of an outer list, where most of that list's text is in them."""
    found: dict[int, FoundList] = {}
    made = 0
    for number, one in outer.items():
        look = looks[number]
        regions = sorted(
            region
            for part in inner
            if number in part
            for region in part[number].regions
            if any(first <= region[0] and region[1] <= stop for first, stop in one.regions)
        )
        measure = look.outline.measures
        whole = sum(measure(region)[0] for region in one.regions)
        if (
            len(regions) >= 2 * len(one.regions) > 0
            and sum(measure(region)[0] for region in regions) >= MADE_OF * whole
            and _side_by_side(look, one.regions)
            and not _headed_apart(look, one.regions, regions, known)
        ):
            made += 1
            part = next(part[number] for part in inner if number in part)
            found[number] = replace(part, regions=tuple(dict.fromkeys(regions)))
    return found if 2 * made > len(outer) else {}


def _side_by_side(look: _Look, regions: Sequence[Range]) -> bool:
    """Whether no text stands between the parts of a list, as between the columns of a layout.

    Parts that say the same are one and the same for wide and for narrow screens.
    """
    between = any(look.tree.texts_in(one[1], other[0]) for one, other in pairwise(regions))
    return not between and len({tuple(look.words(one)) for one in regions}) > 1


def _headed_apart(
    look: _Look, outer: Sequence[Range], inner: Sequence[Range], known: frozenset[str]
) -> bool:
    """Whether captions around the inner records say that they are of several kinds: critics, users."""
    held = {item for region in inner for item in look.tree.texts_in(*region)}
    around = [
        {look.tree.text(item) for item in look.tree.texts_in(*region) if item not in held} & known
        for region in outer
    ]
    having = Counter(text for texts in around for text in texts)
    return any(2 * count <= len(outer) for count in having.values())


def _records(look: _Look, one: FoundList, known: frozenset[str]) -> FoundList | None:
    """A list without rows of heads: those say nothing but captions."""
    regions = tuple(
        region for region in one.regions if any(text not in known for text in look.words(region))
    )
    return replace(one, regions=regions) if len(regions) > 1 else None


def _heads(look: _Look, one: FoundList, whole: FoundList, known: frozenset[str]) -> list[Range]:
    """Rows of captions: those of a list itself, and those above it in its table."""
    tree = look.tree
    found = set(whole.regions) - set(one.regions)
    first = one.regions[0][0]
    table = next((item for item in tree.ancestors(first) if tree.name[item] == "table"), first)
    for item in range(table, first):
        if tree.name[item] == "tr" and tree.stop[item] <= first:
            words = look.words((item, tree.stop[item]))
            if words and all(text in known or text.endswith(":") for text in words):
                found.add((item, tree.stop[item]))
    return sorted(found)


def _worth(
    looks: Mapping[int, _Look], on_page: Mapping[int, FoundList], known: frozenset[str]
) -> tuple[float, float, float]:
    """How much data stands in a list, the share of texts that are captions of some records only, texts per record."""
    total = odd = 0
    data = 0.0
    contents: Counter[tuple[str, ...]] = Counter()
    for number, one in on_page.items():
        rows = [looks[number].words(region) for region in one.regions]
        having = Counter(text for row in rows for text in set(row))
        contents.update(tuple(row) for row in rows)
        for region, row in zip(one.regions, rows, strict=True):
            total += len(row)
            for item, text in zip(looks[number].tree.texts_in(*region), row, strict=True):
                if text in known or text.endswith(":") or looks[number].marked(item):
                    odd += 2 * having[text] <= len(rows)
                else:
                    data += min(len(text), LONG)
    records = contents.total()
    if records < 3 or len(contents) < 0.5 * records:
        return 0.0, 0.0, 0.0
    regularity = sum(one.regularity for one in on_page.values()) / len(on_page)
    return data / len(on_page) * regularity, odd / max(1, total), total / records


def _are_facts(
    looks: Mapping[int, _Look], on_page: Mapping[int, FoundList], sample: Sample
) -> bool:
    """Whether records begin with words that come back on other pages, and go on with others: labels and values.

    A page has each of its labels once; who writes reviews may write two.
    """
    labels = values = records = repeated = 0
    for number, one in on_page.items():
        rows = [words for region in one.regions if len(words := looks[number].words(region)) > 1]
        records += len(rows)
        labels += sum(sample.pages_with[words[0]] > 1 for words in rows)
        values += sum(sample.pages_with[words[1]] == 1 for words in rows)
        repeated += len(rows) - len({words[0] for words in rows})
    if repeated > MOST_REPEATED * records:
        return False
    return labels > FACTS_SHARE * records and 2 * values > records
