"""The paper's own reading, zone by zone: the page's zone, then its records, then their attributes (section 4).

Each separator is one pair of detectors over token classes alone, as wide as the average record; it stands
where the fuzzy rules give the least total error below the threshold, and what was passed is not looked at
again. Kept as the measure of what alternatives, spellings and reading a page as a whole add.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from ..labels import LabelledPage, Span
from ..page import Page
from .detector import CostRange, FrequencyMatrix, Window
from .lessons import Lesson, extent, lessons_of
from .rules import total_error
from .separator import place_at
from .tokens import Shape, class_shape, tokenize

THRESHOLD = 0.3


@dataclass(frozen=True)
class ClassDetector:
    """A frequency matrix over token classes with the costs of the examples it counts."""

    matrix: FrequencyMatrix
    width: int
    costs: CostRange

    @classmethod
    def of(cls, windows: Sequence[Window], width: int) -> ClassDetector:
        matrix = FrequencyMatrix.of(windows, width, keep_all=True)
        costs = [detector_cost(matrix, window, width) for window in windows]
        return cls(matrix, width, CostRange(min(costs), max(costs)))

    def error(self, window: Window) -> float:
        """Formula 6, as a part of the greatest cost there can be."""
        return (detector_cost(self.matrix, window, self.width) - self.costs.mean) / self.width


def token_cost(matrix: FrequencyMatrix, token_class: str, distance: int) -> float:
    """1 less the product of the truths of the token's position and of its occurrence."""
    position = matrix.position_truth(token_class, distance)
    return 1.0 - position * matrix.occurrence_truth(token_class, distance)


def detector_cost(matrix: FrequencyMatrix, window: Window, width: int) -> float:
    """The sum of the costs of the tokens."""
    return sum(
        token_cost(matrix, shape.token_class, distance)
        for distance, shape in enumerate(window[:width])
    )


@dataclass(frozen=True)
class ZoneSeparator:
    left: ClassDetector
    right: ClassDetector

    def error(self, shapes: Sequence[Shape], gap: int) -> float:
        place = place_at(shapes, gap, self.left.width)
        return max(0.0, total_error(self.left.error(place.left), self.right.error(place.right)))

    def find(self, shapes: Sequence[Shape], start: int, end: int) -> int | None:
        """The first place whose error is below the threshold and less than at the next."""
        error = self.error(shapes, start)
        for gap in range(start, end + 1):
            following = self.error(shapes, gap + 1)
            if error < THRESHOLD and error < following:
                return gap
            error = following
        return None


@dataclass(frozen=True)
class Zone:
    begin: ZoneSeparator
    end: ZoneSeparator

    def find(self, shapes: Sequence[Shape], start: int, end: int) -> tuple[int, int] | None:
        first = self.begin.find(shapes, start, end)
        last = None if first is None else self.end.find(shapes, first + 1, end)
        return None if first is None or last is None else (first, last)


@dataclass(frozen=True)
class ZoneMask:
    """The three kinds of zones of a page; ``record_length`` is MoyL, the average length of a record."""

    page: Zone
    record: Zone
    attributes: dict[str, Zone]
    record_length: int


def learn_zones(pages: Sequence[LabelledPage]) -> ZoneMask:
    """The zones of labelled pages."""
    lessons = lessons_of(pages)
    records = [
        (lesson, *extent(lesson, number))
        for lesson in lessons
        for number in range(len(lesson.records))
    ]
    length = max(2, round(mean(end - begin for _, begin, end in records)))
    wholes = [
        (lesson, extent(lesson, 0)[0], extent(lesson, len(lesson.records) - 1)[1])
        for lesson in lessons
    ]
    values: dict[str, list[tuple[Lesson, int, int]]] = {}
    for lesson in lessons:
        for record in lesson.records:
            for value in record:
                values.setdefault(value.field, []).append((lesson, value.first, value.last + 1))
    return ZoneMask(
        _zone(wholes, length),
        _zone(records, length),
        {name: _zone(spans, length) for name, spans in values.items()},
        length,
    )


def _zone(spans: Sequence[tuple[Lesson, int, int]], width: int) -> Zone:
    begins = [(lesson, begin) for lesson, begin, _ in spans]
    ends = [(lesson, end) for lesson, _, end in spans]
    return Zone(_separator(begins, width), _separator(ends, width))


def _separator(gaps: Sequence[tuple[Lesson, int]], width: int) -> ZoneSeparator:
    places = [place_at(_classes(lesson.page.shapes), gap, width) for lesson, gap in gaps]
    return ZoneSeparator(
        ClassDetector.of([place.left for place in places], width),
        ClassDetector.of([place.right for place in places], width),
    )


def _classes(shapes: Sequence[Shape]) -> list[Shape]:
    return [class_shape(shape.token_class) for shape in shapes]


def read_zones(mask: ZoneMask, page: Page) -> list[dict[str, Span]]:
    """The attributes of each record that is found, as places in the page."""
    tokens = tokenize(page)
    shapes = _classes(tokens.shapes)
    whole = mask.page.find(shapes, 0, len(shapes))
    at, stop = whole or (0, len(shapes))
    found = []
    while at < stop:
        record = mask.record.find(shapes, at, min(stop, at + 2 * mask.record_length))
        if record is None:
            break
        spans = {name: zone.find(shapes, *record) for name, zone in mask.attributes.items()}
        found.append(
            {
                name: Span(tokens.starts[span[0]], tokens.ends[span[1] - 1])
                for name, span in spans.items()
                if span is not None
            }
        )
        at = record[1]
    return found
