"""The mask: all that is learned about a page's zones, as plain data.

A page holds a zone of records, a record holds attributes (paper, figure 2). Each zone is known by its
separators; beside them the mask knows in what order attributes follow each other and how long they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import InvalidWrapper
from .detector import CostRange, Detector, FrequencyMatrix
from .separator import Alternative, Separator

BEGIN, END = "(begin)", "(end)"


@dataclass(frozen=True)
class FieldMask:
    """One attribute: its separators, and what its values are made of.

    ``attribute`` names the HTML attribute for values that stand inside a tag. ``longest`` counts the tokens
    of the longest learned value, ``inner_tags`` are those that values may hold, ``begins_in_text`` and ``ends_in_text`` tell whether
    a learned value shared its stretch of text with something before or after it, ``fills_element`` whether
    nearly every one was all the text of its element, and ``presence`` is the part of the learned records that have the field.
    """

    name: str
    begin: Separator
    end: Separator
    attribute: str | None
    longest: int
    inner_tags: frozenset[str]
    begins_in_text: bool
    ends_in_text: bool
    fills_element: bool
    presence: float
    shown: bool = True


@dataclass(frozen=True)
class Thresholds:
    """How much error a value may have, what a record must gain to count, what repeating a field costs."""

    value: float = 0.45
    record: float = 0.15
    repeat: float = 0.05


@dataclass(frozen=True)
class Mask:
    """A learned page: fields, the order they come in, and the separators of records and their zone."""

    fields: tuple[FieldMask, ...]
    order: Mapping[str, Mapping[str, int]]
    record: Separator
    longest_record: int
    widest_gap: int
    zone_begin: Separator | None = None
    zone_end: Separator | None = None
    thresholds: Thresholds = Thresholds()

    def spellings(self) -> set[str]:
        separators = [self.record, self.zone_begin, self.zone_end]
        separators += [each for field in self.fields for each in (field.begin, field.end)]
        return {text for each in separators if each is not None for text in each.spellings()}


def to_dict(mask: Mask) -> dict[str, Any]:
    """The mask as JSON-able data."""
    return {
        "fields": [
            {
                "name": field.name,
                "attribute": field.attribute,
                "presence": field.presence,
                "shown": field.shown,
                "longest": field.longest,
                "inner_tags": sorted(field.inner_tags),
                "begins_in_text": field.begins_in_text,
                "ends_in_text": field.ends_in_text,
                "fills_element": field.fills_element,
                "begin": _separator_data(field.begin),
                "end": _separator_data(field.end),
            }
            for field in mask.fields
        ],
        "order": {before: dict(after) for before, after in mask.order.items()},
        "record": _separator_data(mask.record),
        "longest_record": mask.longest_record,
        "widest_gap": mask.widest_gap,
        "zone_begin": None if mask.zone_begin is None else _separator_data(mask.zone_begin),
        "zone_end": None if mask.zone_end is None else _separator_data(mask.zone_end),
        "thresholds": asdict(mask.thresholds),
    }


def from_dict(data: Mapping[str, Any]) -> Mask:
    """The inverse of :func:`to_dict`."""
    fields = tuple(
        FieldMask(
            str(each["name"]),
            _separator(each["begin"]),
            _separator(each["end"]),
            None if each["attribute"] is None else str(each["attribute"]),
            int(each["longest"]),
            frozenset(map(str, each["inner_tags"])),
            bool(each["begins_in_text"]),
            bool(each["ends_in_text"]),
            bool(each["fills_element"]),
            float(each["presence"]),
            bool(each["shown"]),
        )
        for each in data["fields"]
    )
    if not fields:
        raise InvalidWrapper("broken fuzzy wrapper: it has no fields")
    begin, end = data["zone_begin"], data["zone_end"]
    return Mask(
        fields,
        {
            str(before): {str(field): int(count) for field, count in after.items()}
            for before, after in data["order"].items()
        },
        _separator(data["record"]),
        int(data["longest_record"]),
        int(data["widest_gap"]),
        None if begin is None else _separator(begin),
        None if end is None else _separator(end),
        Thresholds(**{name: float(value) for name, value in data["thresholds"].items()}),
    )


def _separator_data(separator: Separator) -> list[dict[str, Any]]:
    return [
        {
            "share": round(each.share, 4),
            "left": _detector_data(each.left),
            "right": _detector_data(each.right),
        }
        for each in separator.alternatives
    ]


def _detector_data(detector: Detector) -> dict[str, Any]:
    return {
        "examples": detector.matrix.examples,
        "slack": detector.slack,
        "weights": list(detector.weights),
        "costs": list(detector.costs),
        "seen": {
            spelling: " ".join(map(str, counts))
            for spelling, counts in sorted(detector.matrix.counts.items())
        },
    }


def _separator(data: Any) -> Separator:
    alternatives = tuple(
        Alternative(_detector(each["left"]), _detector(each["right"]), float(each["share"]))
        for each in data
    )
    if not alternatives:
        raise InvalidWrapper("broken fuzzy wrapper: a separator has no alternatives")
    return Separator(alternatives)


def _detector(data: Mapping[str, Any]) -> Detector:
    weights = tuple(float(weight) for weight in data["weights"])
    counts = {
        str(spelling): tuple(int(count) for count in row.split())
        for spelling, row in data["seen"].items()
    }
    slack = float(data["slack"])
    if not weights or slack <= 0 or any(len(row) != len(weights) for row in counts.values()):
        raise InvalidWrapper("broken fuzzy wrapper: a frequency matrix does not fit its weights")
    least, greatest = data["costs"]
    return Detector(
        FrequencyMatrix(counts, int(data["examples"])),
        weights,
        slack,
        CostRange(float(least), float(greatest)),
    )
