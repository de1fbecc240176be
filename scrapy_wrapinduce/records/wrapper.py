"""The wrapper of the records family: lists of records read by structure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ..tokenizer import fold, split_markup
from ..wrapper import Extraction, Failure, Place, Wrapper
from .model import Field, ListModel
from .read import regions, spans
from .tree import Tree, tree_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from typing_extensions import Self

    from ..labels import Span
    from ..page import Page

_MAX_RECORDS = 100_000


@dataclass(frozen=True)
class Reading:
    """One record as read: its region and its values' places, and the records nested in it."""

    region: tuple[int, int]
    values: Mapping[str, Sequence[Span]]
    children: Mapping[str, Sequence[Reading]]


def read_list(tree: Tree, model: ListModel, first: int, stop: int) -> list[Reading]:
    """The records of a list model in a range of the tree."""
    for level in model.levels:
        if level and level[0].kind == "columns":
            return _read_columns(tree, model, first, stop)
        found = sorted({region for unit in level for region in regions(tree, unit, first, stop)})
        kept: list[tuple[int, int]] = []
        for region in found[:_MAX_RECORDS]:
            if not kept or region[0] >= kept[-1][1]:
                kept.append(region)
        readings = _read_regions(tree, model, kept)
        if readings:
            return readings
    return []


def _read_columns(tree: Tree, model: ListModel, first: int, stop: int) -> list[Reading]:
    columns = {f.name: read_field(tree, f, [(first, stop)])[0] for f in model.fields}
    size = max(map(len, columns.values()), default=0)
    return [
        Reading((first, stop), {name: [c[i]] for name, c in columns.items() if i < len(c)}, {})
        for i in range(min(size, _MAX_RECORDS))
    ]


def _read_regions(tree: Tree, model: ListModel, found: Sequence[tuple[int, int]]) -> list[Reading]:
    columns = {field.name: read_field(tree, field, found) for field in model.fields}
    readings = []
    for number, region in enumerate(found):
        values = {name: column[number] for name, column in columns.items() if column[number]}
        if len(values) < model.least or not all(name in values for name in model.required):
            continue
        children = {name: read_list(tree, child, *region) for name, child in model.children}
        readings.append(Reading(region, values, {k: v for k, v in children.items() if v}))
    return readings


def read_field(tree: Tree, field: Field, found: Sequence[tuple[int, int]]) -> list[list[Span]]:
    """A field's values in each of the regions."""
    column: list[list[Span]] = [[] for _ in found]
    for group in field.groups:
        for number, region in enumerate(found):
            for locator in group:
                values = spans(tree, locator, *region)
                if values:
                    column[number] = values if field.many else values[:1]
                    break
        if any(column):
            break
    return column


class RecordsWrapper(Wrapper):
    """Reads the records of a list page, whatever stands between them.

    Learn one with :func:`scrapy_wrapinduce.records.learn` or
    :func:`scrapy_wrapinduce.records.learn_unlabelled`.
    """

    family: ClassVar[str] = "records"

    def __init__(self, model: ListModel) -> None:
        self.model = model

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.model.fields) + tuple(
            name for name, _ in self.model.children
        )

    def without_fields(self, names: Collection[str]) -> RecordsWrapper:
        kept = tuple(field for field in self.model.fields if field.name not in names)
        required = tuple(name for name in self.model.required if name not in names)
        return RecordsWrapper(replace(self.model, fields=kept, required=required))

    def extract(self, page: Page) -> Extraction:
        return self._rescued(page, self.extract_in(page, 0, len(page.html)))

    def extract_in(self, page: Page, start: int, end: int) -> Extraction:
        """Read the records in characters ``start`` to ``end`` of a page. Never raises."""
        tree = tree_of(page)
        readings = read_list(tree, self.model, *tree.between(start, end))
        result = Extraction()
        if not readings:
            result.failures.append(
                Failure("records", "no place on the page looks like one of its records")
            )
            return result
        for number, reading in enumerate(readings):
            result.records.append(self._record(tree, self.model, reading, number, result.places))
        self._judge(tree, readings, result)
        return result

    def _record(
        self,
        tree: Tree,
        model: ListModel,
        reading: Reading,
        number: int,
        places: list[Place],
        prefix: str = "",
        within: tuple[int, ...] = (),
    ) -> dict[str, Any]:
        record: dict[str, Any] = {}
        columns = any(unit.kind == "columns" for level in model.levels for unit in level)
        for field in model.fields:
            found = reading.values.get(field.name)
            if not found:
                continue
            texts = [value_of(tree.html, span) for span in found]
            kept = [(text, span) for text, span in zip(texts, found, strict=True) if text]
            path = prefix + field.name
            places += [Place(number, path, text, *span, within) for text, span in kept]
            many = field.many and not columns
            if kept:
                record[field.name] = [text for text, _ in kept] if many else kept[0][0]
        for name, child in model.children:
            nested = reading.children.get(name, ())
            if nested:
                record[name] = [
                    self._record(
                        tree, child, one, number, places, f"{prefix}{name}.", (*within, which)
                    )
                    for which, one in enumerate(nested)
                ]
        return record

    def _judge(self, tree: Tree, readings: Sequence[Reading], result: Extraction) -> None:
        """Coverage, and what is missing where: fields that no record, or only some records, show."""
        shares = []
        for field in self.model.fields:
            missing = [reading for reading in readings if field.name not in reading.values]
            shares.append(1.0 - len(missing) / len(readings))
            if len(missing) == len(readings):
                result.failures.append(Failure(field.name, "found in none of the records"))
                continue
            if len(missing) * 2 > len(readings):
                continue
            for reading in missing:
                first, stop = reading.region
                result.failures.append(
                    Failure(
                        field.name,
                        "not found in this record",
                        tree.start[first],
                        tree.end[stop - 1],
                    )
                )
        result.coverage = sum(shares) / len(shares) if shares else 1.0

    def describe(self) -> str:
        lines = _described(self.model, "")
        if self.last_resort is not None:
            lines.append(str(self.last_resort))
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        return {"list": self.model.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(ListModel.from_dict(data["list"]))


def value_of(html: str, span: Span) -> str:
    """A span's text as a person reads it, tags left out."""
    piece = html[span.start : span.end]
    return fold("".join(split_markup(piece)[::2]) if "<" in piece else piece)


def _described(model: ListModel, indent: str) -> list[str]:
    lines = []
    for number, level in enumerate(model.levels):
        lines += [f"{indent}{'records' if not number else 'else'}: {unit}" for unit in level]
    for field in model.fields:
        ways = "; else ".join(" or ".join(map(str, group)) for group in field.groups[:2])
        lines.append(f"{indent}  {field.name}{' (several)' if field.many else ''}: {ways}")
    for name, child in model.children:
        lines.append(f"{indent}  {name}:")
        lines += _described(child, indent + "    ")
    return lines
