"""The picture that a page is about: the one in the same place of all pages that is another one on each.

Logos and icons are the same everywhere, pictures of related items stand in links to other pages, spacers are small.
Of what is left, the picture that the page itself names to machines, whose text is the page's title, or that stands
first is the page's own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..tokenizer import CLOSE, fold
from .parts import bind_attribute
from .surroundings import within

if TYPE_CHECKING:
    from ..landmark.field import Field
    from ..page import Page
    from ..tokenizer import Tag
    from .sample import Sample

NAME = "image"
LEAST_COVERAGE = 0.6
LEAST_SIZE = 60  # pixels, where the page says how large it is
MOST_PICTURES = 60  # of a page
MARKS = ("itemprop", "id", "class")
TEACHERS = 5  # pages that the field is learned from
MOST_TRIED = 3
MOST_REGIONS = 10

Slot = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page: its address, where its tag stands, and how much says that the page is about it."""

    address: str
    place: int
    evidence: float


def find_picture(sample: Sample) -> tuple[Field, float] | None:
    """The field of the pages' own pictures, and where on the pages they stand, from 0 to 1; or None."""
    by_slot: dict[Slot, dict[int, Picture]] = defaultdict(dict)
    for number, texts in enumerate(sample.texts):
        for slot, picture in _pictures(texts.page, sample.titles[number], sample.outside[number]):
            by_slot[slot][number] = picture
    seen = Counter(p.address for found in by_slot.values() for p in found.values())
    ranked = []
    for slot, found in by_slot.items():
        own = {number: p for number, p in found.items() if seen[p.address] == 1}
        if len(own) >= LEAST_COVERAGE * sample.size:
            evidence = sum(p.evidence for p in own.values()) / len(own)
            position = sum(_position(sample, number, p) for number, p in own.items()) / len(own)
            ranked.append((-evidence, position, slot, own))
    for _, position, _, own in sorted(ranked, key=lambda item: item[:3])[:MOST_TRIED]:
        teachers = list(own)[:: max(1, len(own) // TEACHERS)][:TEACHERS]
        pages = [sample.texts[number].page for number in teachers]
        readings = [sample.readings[number] for number in teachers]
        wanted = {place: [own[number].address] for place, number in enumerate(teachers)}
        field = bind_attribute(NAME, wanted, pages, readings, MOST_REGIONS)
        if field is not None:
            return field, position
    return None


def _position(sample: Sample, page: int, picture: Picture) -> float:
    starts = sample.texts[page].starts
    return bisect_left(starts, picture.place) / max(1, len(starts))


def _pictures(
    page: Page, title: str, outside: Sequence[tuple[int, int]]
) -> Iterator[tuple[Slot, Picture]]:
    """The pictures in a page's content, each by what its tag says and which one of its kind it is."""
    named = _named_to_machines(page)
    starts = page.outline.starts
    images = [index for index, tag in enumerate(page.outline.tags) if tag.name == "img"]
    beside = within(outside, [starts[index] for index in images])
    counts: Counter[str] = Counter()
    for index, is_outside in zip(images[:MOST_PICTURES], beside, strict=False):
        tag = page.outline.tags[index]
        address = tag.get("src") or ""
        if tag.kind == CLOSE or is_outside or not _is_picture(tag, address):
            continue
        mark = next((f"{name}={tag.get(name)}" for name in MARKS if tag.get(name)), "")
        said = fold(tag.get("alt") or "").casefold()
        evidence = 2.0 * (tag.get("itemprop") == "image") + (len(said) > 2 and said in title)
        evidence += 2.0 * any(address.endswith(other) for other in named)
        yield (mark, counts[mark]), Picture(address, starts[index], evidence)
        counts[mark] += 1


def _is_picture(tag: Tag, address: str) -> bool:
    if not address or address.startswith("data:") or address.lower().endswith((".svg", ".gif")):
        return False
    sizes = [tag.get(name) or "" for name in ("width", "height")]
    return not any(
        size.isascii() and size.isdigit() and int(size[:6]) < LEAST_SIZE for size in sizes
    )


def _named_to_machines(page: Page) -> list[str]:
    """The paths of the pictures that OpenGraph data names."""
    found = []
    for tag in page.outline.tags:
        if tag.name == "meta" and tag.get("property") == "og:image" and tag.get("content"):
            path = (tag.get("content") or "").partition("://")[2].partition("/")[2]
            found += [path] if path else []
    return found
