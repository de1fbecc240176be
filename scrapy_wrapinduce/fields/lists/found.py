"""Lists of records in the default item: what repeats on the pages, aligned, named and learned.

A list is wanted if its records have at least two values each and if it is not navigation: boxes of related things
are told by what stands above them, and by links to pages like the page itself. Records that are one text each, which
markup cuts here and there, as in ``<li><b>2 cups</b> of flour</li>``, are a list of texts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...errors import CannotInduce
from ...labels import LabelledPage, Record, Span
from ...landmark.field import NestedList
from ...records import Discovery, align_lists, learn
from ...records.repeats import Range
from ...records.tree import tree_of
from ...records.wrapper import value_of
from ..columns.markup import mostly_sentences
from ..columns.naming import make_distinct
from ..values.clean import learn_cleaning
from .columns import by_label, spans_of, without_captions
from .names import field_names_of, heading_of, is_related, list_name
from .repeats import Repeat, find_repeats

if TYPE_CHECKING:
    from ...page import Page
    from ...records import RecordsWrapper
    from ..columns.column import Column
    from ..sample.texts import Sample

MOST_LISTS = 6
LEAST_FIELDS = 2
LEAST_TEXTS = 1.5  # per record: with fewer it is a list of texts
LEAST_PLAIN = 3  # texts on a page, to be a list of them
USUAL_SHARE = 0.6  # of the records: how many must have a value to count as a field of theirs
OUTSIDE_SHARE = 0.3  # of the texts: with more outside of the page's content they are not its data
INSIDE_SHARE = 0.5  # of a column's pages: on so many in the records, and it is a part of them


@dataclass(frozen=True)
class FoundRecords:
    """A list of records of the default item: its name, how it is read, and where it stands on the pages.

    A copy says what another list says, as where pages have something for wide and again for narrow screens.
    """

    nested: NestedList
    extents: Mapping[int, Sequence[tuple[int, int]]]
    position: float
    values: Mapping[str, Sequence[str]]
    is_copy: bool = False

    @property
    def texts(self) -> list[list[str]]:
        """What it says."""
        return sorted(map(list, self.values.values()))

    def holds(self, column: Column) -> bool:
        """Whether a column is a part of the records, or they of it."""
        inside = outside = 0
        for page, regions in self.extents.items():
            extent = column.candidate.extents[page]
            if extent is not None:
                within = any(low < extent.end and extent.start < high for low, high in regions)
                inside += within
                outside += not within
        return inside > INSIDE_SHARE * (inside + outside)


def find_lists(pages: Sequence[Page], sample: Sample) -> list[FoundRecords]:
    """The lists of records of pages of one template, in the order of the page."""
    found: list[FoundRecords] = []
    taken: dict[int, list[Range]] = defaultdict(list)
    for repeat in find_repeats(pages, sample):
        if len(found) >= MOST_LISTS:
            break
        if _overlaps(repeat, taken):
            continue
        one = _learned(pages, repeat, sample)
        if one is not None:
            said = any(one.texts == other.texts for other in found)
            found.append(replace(one, is_copy=said))
            for number, on_page in repeat.on_page.items():
                taken[number] += on_page.regions
    found.sort(key=lambda one: (one.is_copy, one.position))
    names = make_distinct([one.nested.name for one in found])
    return [
        replace(one, nested=replace(one.nested, name=name))
        for name, one in zip(names, found, strict=True)
    ]


def _overlaps(repeat: Repeat, taken: dict[int, list[Range]]) -> bool:
    return any(
        first < high and low < stop
        for number, on_page in repeat.on_page.items()
        for first, stop in on_page.regions
        for low, high in taken[number]
    )


def _learned(pages: Sequence[Page], repeat: Repeat, sample: Sample) -> FoundRecords | None:
    heading = heading_of(pages, repeat, sample)
    called = list_name(heading, pages, repeat)
    if is_related(heading) or is_related(called) or _is_outside(pages, repeat, sample):
        return None
    discovery = align_lists(
        [(pages[number], on_page) for number, on_page in repeat.on_page.items()], repeat.worth
    )
    if discovery is None:
        return None
    names = field_names_of(pages, repeat, discovery, sample)
    labelled = without_captions(by_label(_texts_only(discovery, names), sample), sample)
    plain = _are_texts(labelled, repeat)
    if not (plain or (repeat.texts >= LEAST_TEXTS and _are_records(labelled, repeat))):
        return None
    where = {id(pages[number]): region for number, region in repeat.regions.items()}
    within = [where[id(page.page)] for page in labelled]
    try:
        wrapper = learn(labelled, every_field=False, within=within)
    except CannotInduce:
        return None
    if not _reads_back(wrapper, labelled, within):
        return None
    values = {name: list(_values(labelled, name)) for name in wrapper.fields}
    cleanings = tuple(
        (name, cleaning)
        for name, texts in values.items()
        if not plain and (cleaning := learn_cleaning(name, [[text] for text in texts]))
    )
    nested = NestedList(called, wrapper, repeat.nonterminal, cleanings=cleanings, plain=plain)
    extents = {
        number: [_characters(pages[number], region) for region in on_page.regions]
        for number, on_page in repeat.on_page.items()
    }
    # Records that were not alike enough to be found, or alone on their page, may be read all the same.
    for number, (page, reading) in enumerate(zip(pages, sample.readings, strict=True)):
        inside = nested.read(page, reading).places
        extents.setdefault(number, []).extend((at.start, at.end) for at in inside)
    extents = {number: regions for number, regions in extents.items() if regions}
    places = [
        sample.texts[number].between(*regions[0])[0] / max(1, len(sample.texts[number].starts))
        for number, regions in extents.items()
    ]
    return FoundRecords(nested, extents, sum(places) / len(places), values)


def _characters(page: Page, region: Range) -> tuple[int, int]:
    tree = tree_of(page)
    return tree.start[region[0]], tree.end[region[1] - 1]


def _is_outside(pages: Sequence[Page], repeat: Repeat, sample: Sample) -> bool:
    """Whether most of a list belongs to the site's frame, or leads to pages like this one."""
    outside = texts = 0
    for number, on_page in repeat.on_page.items():
        for region in on_page.regions:
            first, last = sample.texts[number].between(*_characters(pages[number], region))
            texts += last - first
            outside += sample.outside_nodes(number, first, last)
    return outside > OUTSIDE_SHARE * texts


def _texts_only(discovery: Discovery, names: Mapping[str, str]) -> list[LabelledPage]:
    """The records with the fields that are text, under their names."""
    return [
        LabelledPage(
            page.page,
            tuple(
                Record({names[old]: at for old, at in record.values.items() if old in names})
                for record in page.records
                if any(old in names for old in record.values)
            ),
        )
        for page in discovery.labelled
    ]


def _are_records(labelled: Sequence[LabelledPage], repeat: Repeat) -> bool:
    """Whether there are enough records, and usually more than one value in each."""
    records = [record for page in labelled for record in page.records]
    having = Counter(
        name for record in records for name, at in record.values.items() if isinstance(at, Span)
    )
    usual = sum(count >= USUAL_SHARE * len(records) for count in having.values())
    enough = max((len(page.records) for page in labelled), default=0)
    return usual >= LEAST_FIELDS and (enough > 2 or (enough == 2 and repeat.has_heads))


def _are_texts(labelled: Sequence[LabelledPage], repeat: Repeat) -> bool:
    """Whether records are one text each, shorter than the sentences of an article."""
    records = [record for page in labelled for record in page.records]
    names = {name for record in records for name in record.values}
    if len(names) != 1 or len(records) < len(repeat.on_page) * LEAST_PLAIN:
        return False
    (name,) = names
    texts = list(_values(labelled, name))
    return len(texts) == len(records) and not mostly_sentences(texts)


def _reads_back(
    wrapper: RecordsWrapper, labelled: Sequence[LabelledPage], within: Sequence[tuple[int, int]]
) -> bool:
    """Whether the wrapper finds about the records it was learned from."""
    wanted = sum(len(page.records) for page in labelled)
    got = sum(
        len(wrapper.extract_in(page.page, *region).records)
        for page, region in zip(labelled, within, strict=True)
    )
    return 0.7 * wanted <= got <= 1.5 * wanted


def _values(labelled: Sequence[LabelledPage], name: str) -> Iterator[str]:
    for page in labelled:
        for record in page.records:
            yield from (value_of(page.page.html, span) for span in spans_of(record, name))
