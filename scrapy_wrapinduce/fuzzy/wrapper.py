"""The fuzzy wrapper: reads records that are almost regular, and says how sure it is of every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..page import Page, Region
from ..tokenizer import fold, split_markup
from ..wrapper import Extraction, Failure, Place, Wrapper
from .candidates import Candidate
from .mask import Mask, from_dict, to_dict
from .read import decide, look
from .tokens import TokenizedPage

LOW_CONFIDENCE = 0.5
_ALWAYS_THERE = 0.98
_MOST_STAY = 0.8


@dataclass(frozen=True, slots=True)
class FuzzyPlace(Place):
    """Where a value stands, and how sure the wrapper is of it: 1 is as learned, 0 nothing like it."""

    confidence: float = 1.0


@dataclass(frozen=True)
class FuzzyWrapper(Wrapper):
    """A mask and how to apply it."""

    mask: Mask
    family = "fuzzy"

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.mask.fields if field.shown)

    def extract(self, page: Page) -> Extraction:
        return read_records(self, page)

    def describe(self) -> str:
        lines = [f"fuzzy mask: records of {', '.join(self.fields)}"]
        for field in self.mask.fields:
            if not field.shown:
                continue
            where = f"attribute {field.attribute} of a tag" if field.attribute else "text"
            lines.append(f"{field.name}: {where}, in {field.presence:.0%} of the learned records")
            for side, separator in (("begins", field.begin), ("ends", field.end)):
                for each in separator.alternatives:
                    left, right = _usual(each.left), _usual(each.right)
                    lines.append(
                        f"  {side} {each.share:.0%} like  {' '.join(left[::-1])} ^ {' '.join(right)}"
                    )
        for each in self.mask.record.alternatives:
            left, right = _usual(each.left), _usual(each.right)
            lines.append(
                f"record begins {each.share:.0%} like  {' '.join(left[::-1])} ^ {' '.join(right)}"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return to_dict(self.mask)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FuzzyWrapper:
        return cls(from_dict(data))


def _usual(detector: Any) -> list[str]:
    """The most frequent closest spelling at each distance that matters."""
    usual = []
    for distance, weight in enumerate(detector.weights):
        if weight < 0.1:
            break
        counts = detector.matrix.counts
        usual.append(max(counts, key=lambda text: (counts[text][distance], "<" in text, len(text))))
    return usual


def read_records(wrapper: FuzzyWrapper, page: Page, region: Region | None = None) -> Extraction:
    """Read a page or, as the reader of last resort, the part of it that a stricter wrapper failed on."""
    tokens, records = _read(wrapper.mask, region or Region(page, 0, len(page.html)))
    extraction = Extraction()
    for record in records:
        shown = [candidate for candidate in record if wrapper.mask.fields[candidate.field].shown]
        if not shown:
            continue
        number = len(extraction.records)
        places = [_place(wrapper.mask, tokens, number, candidate) for candidate in shown]
        extraction.places += places
        extraction.records.append(_as_dict(places))
        extraction.failures += _failures(wrapper.mask, number, places)
    extraction.coverage = _coverage(wrapper.mask, extraction.records)
    if not extraction.records:
        extraction.failures.append(
            Failure("records", "nothing on the page looks like a learned record")
        )
    return extraction


def _read(mask: Mask, region: Region) -> tuple[TokenizedPage, list[list[Candidate]]]:
    sighting = look(mask, region)
    records = decide(mask, sighting)
    if mask.zone_begin is None:
        return sighting.tokens, records
    # A zone is there to leave out a few false records; one that leaves out many is not the zone.
    boundless = replace(mask, zone_begin=None, zone_end=None)
    everywhere = look(boundless, region)
    all_records = decide(boundless, everywhere)
    if len(records) < _MOST_STAY * len(all_records):
        return everywhere.tokens, all_records
    return sighting.tokens, records


def _place(mask: Mask, tokens: TokenizedPage, record: int, candidate: Candidate) -> FuzzyPlace:
    field = mask.fields[candidate.field]
    start, end = tokens.starts[candidate.first], tokens.ends[candidate.last]
    if field.attribute is None:
        value = fold("".join(split_markup(tokens.page.html[start:end])[::2]))
    else:
        tag = tokens.node(candidate.first).tag
        attributes = () if tag is None else tag.attributes
        found = next(each for each in attributes if each.name == field.attribute)
        value = fold(found.value)
        start, end = start + found.start, start + found.end
    return FuzzyPlace(
        record, field.name, value, start, end, confidence=round(candidate.confidence, 4)
    )


def _as_dict(places: Sequence[Place]) -> dict[str, Any]:
    values: dict[str, list[str]] = {}
    for place in places:
        values.setdefault(place.field, []).append(place.value)
    return {name: found[0] if len(found) == 1 else found for name, found in values.items()}


def _failures(mask: Mask, number: int, places: Sequence[FuzzyPlace]) -> list[Failure]:
    failures = [
        Failure(
            f"field {place.field!r} of record {number + 1}",
            f"read as {place.value!r:.80} with a confidence of only {place.confidence:.2f}",
            place.start,
            place.end,
        )
        for place in places
        if place.confidence < LOW_CONFIDENCE
    ]
    found = {place.field for place in places}
    start, end = min(place.start for place in places), max(place.end for place in places)
    failures += [
        Failure(
            f"field {field.name!r} of record {number + 1}",
            "not found, though nearly every learned record has it",
            start,
            end,
        )
        for field in mask.fields
        if field.shown and field.presence >= _ALWAYS_THERE and field.name not in found
    ]
    return failures


def _coverage(mask: Mask, records: Sequence[Mapping[str, Any]]) -> float:
    """How much of what a learned record holds the records of this page hold."""
    expected = len(records) * sum(field.presence for field in mask.fields if field.shown)
    found = sum(len(record) for record in records)
    return min(1.0, found / expected) if expected else 0.0
