"""The picture that a page is about: the one in the same place of all pages that is another one on each.

Logos and icons are the same everywhere, pictures of related items stand in links to other pages, spacers are small.
Of what is left, the picture that the page itself names to machines, whose text is the page's title, or that stands
first is the page's own. Where none of those is the one that is named to machines, that one is in no place but its name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..tokenizer import CLOSE, fold
from .examples.parts import bind_attribute
from .sample.surroundings import within

if TYPE_CHECKING:
    from ..landmark.field import Field
    from ..page import Page
    from ..tokenizer import Tag
    from .sample.texts import Sample

NAME = "image"
LEAST_COVERAGE = 0.6
LEAST_SIZE = 60  # pixels, where the page says how large it is
MOST_PICTURES = 60  # of a page
MARKS = ("itemprop", "id", "class")
NAMED_SLOT = "named to machines"
TEACHERS = 5  # pages that the field is learned from
MOST_TRIED = 3
MOST_REGIONS = 10
# How much more it says that a picture is the page's own than that it stands first.
NAMED_AND_SHOWN, NAMED, TITLED = 2.0, 1.5, 1.0
_FILE = re.compile(r"[^\s,]+\.(?:jpe?g|png|webp|avif)(?:\?[^\s,]*)?", re.IGNORECASE)
# What servers put behind the name of a picture that they made smaller.
_SIZE = re.compile(r"(?:[-_]\d+x\d+|-scaled)(?=\.\w+$)")

Slot = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page: its address, where its tag stands, and how much says that the page is about it."""

    address: str
    place: int
    evidence: float


def find_picture(sample: Sample) -> tuple[Field, float] | None:
    """The field of the pages' own pictures, and where on the pages they stand, from 0 to 1; or None.

    Of a page alone only what it says to machines tells a logo from its picture.
    """
    by_slot: dict[Slot, dict[int, Picture]] = defaultdict(dict)
    for number, texts in enumerate(sample.texts[: 1 if sample.alone else None]):
        for slot, picture in _pictures(texts.page, sample.titles[number], sample.outside[number]):
            by_slot[slot][number] = picture
    shown = {(number, p.address) for found in by_slot.values() for number, p in found.items()}
    seen = Counter(address for _, address in shown)
    pages = 1 if sample.alone else sample.size
    ranked = []
    for slot, found in by_slot.items():
        own = {number: p for number, p in found.items() if seen[p.address] == 1}
        if len(own) < LEAST_COVERAGE * pages:
            continue
        evidence = sum(p.evidence for p in own.values()) / len(own)
        if not sample.alone or evidence >= NAMED:
            position = sum(_position(sample, number, p) for number, p in own.items()) / len(own)
            ranked.append((-evidence, position, slot, own))
    for _, position, _, own in sorted(ranked, key=lambda item: item[:3])[:MOST_TRIED]:
        teachers = list(own)[:: max(1, len(own) // TEACHERS)][:TEACHERS]
        taught = [sample.texts[number].page for number in teachers]
        readings = [sample.readings[number] for number in teachers]
        wanted = {place: [own[number].address] for place, number in enumerate(teachers)}
        field = bind_attribute(NAME, wanted, taught, readings, MOST_REGIONS)
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
    starts, tags = page.outline.starts, page.outline.tags
    named = [
        (index, address)
        for index, tag in enumerate(tags)
        if tag.name == "meta"
        and tag.get("property") == "og:image"
        and (address := (tag.get("content") or "").strip())
    ]
    for index, address in named[:1]:
        yield (NAMED_SLOT, 0), Picture(address, starts[index], NAMED)
    paths = {path for _, address in named if (path := _path(address))}
    images = [index for index, tag in enumerate(tags) if tag.name == "img"]
    beside = within(outside, [starts[index] for index in images])
    counts: Counter[str] = Counter()
    for index, is_outside in zip(images[:MOST_PICTURES], beside, strict=False):
        tag = tags[index]
        address = _address(tag)
        if tag.kind == CLOSE or is_outside or not _is_picture(tag, address):
            continue
        mark = next((f"{name}={tag.get(name)}" for name in MARKS if tag.get(name)), "")
        said = fold(tag.get("alt") or "").casefold()
        evidence = NAMED_AND_SHOWN * (tag.get("itemprop") == "image")
        evidence += TITLED * (len(said) > 2 and said in title)
        shown = _SIZE.sub("", address.partition("?")[0])
        evidence += NAMED_AND_SHOWN * any(shown.endswith(path) for path in paths)
        yield (mark, counts[mark]), Picture(address, starts[index], evidence)
        counts[mark] += 1


def _address(tag: Tag) -> str:
    """The address of a picture; where a script is to put it in, it waits in another attribute."""
    address = tag.get("src") or ""
    if address and not address.startswith("data:"):
        return address
    waiting = (
        at.value.strip() for at in tag.attributes if at.value and at.name.startswith("data-")
    )
    return next((text for text in waiting if _FILE.fullmatch(text)), address)


def _is_picture(tag: Tag, address: str) -> bool:
    if not address or address.startswith("data:") or address.lower().endswith((".svg", ".gif")):
        return False
    sizes = [tag.get(name) or "" for name in ("width", "height")]
    return not any(
        size.isascii() and size.isdigit() and int(size[:6]) < LEAST_SIZE for size in sizes
    )


def _path(address: str) -> str:
    """The path of a picture's address, as it would be without a size."""
    path = address.partition("://")[2].partition("/")[2]
    return _SIZE.sub("", path.partition("?")[0])
