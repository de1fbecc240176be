"""From a schema to fields, without any example: which column is the price?

Every column is weighed for every field: does its label or its markup say the field's name or a word for the
same, do its values look like what the name promises, is it what the page's title is about? Fields get their
columns in order of certainty; one that nothing speaks for is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from .classes import field_names_of
from .columns import Column, Sample, field_of
from .default import likeness
from .vocabulary import TOPICS, is_kind, kind_of, phrases_for, words_of

if TYPE_CHECKING:
    from ..landmark.candidates import Candidate
    from ..landmark.wrapper import Field

LEAST_CERTAINTY = 0.35
LEAST_COVERAGE = 0.1
MOST_TEXTS = 12
_BOOKKEEPING = frozenset(("url", "metadata"))


@dataclass(frozen=True, slots=True)
class Binding:
    """A field, the column it is bound to, and how sure that is."""

    name: str
    column: Column
    certainty: float


def field_names(schema: Any) -> list[str]:
    """The field names of a schema: a list of names, or an item class of any kind."""
    if isinstance(schema, str):
        return [schema]
    if isinstance(schema, Mapping):
        return list(map(str, schema))
    if isinstance(schema, type):
        return _class_fields(schema)
    if isinstance(schema, Sequence) and all(isinstance(name, str) for name in schema):
        return list(schema)
    raise CannotInduce(f"the schema is neither a list of names nor an item class: {schema!r}")


def _class_fields(schema: type) -> list[str]:
    names = field_names_of(schema)
    if names is None:
        raise CannotInduce(
            f"{schema.__name__} is no item class: use a dataclass, attrs, pydantic or scrapy.Item"
        )
    return [name for name in names if name not in _BOOKKEEPING and not name.startswith("_")]


def bind_schema(
    candidates: Sequence[Candidate], sample: Sample, names: Sequence[str]
) -> list[Binding]:
    """The columns that the fields of a schema are bound to; fields that are not found are left out."""
    columns = [column for column in _columns(candidates, sample) if column.values]
    weighed = [
        (_certainty(name, column), name, number)
        for name in names
        for number, column in enumerate(columns)
    ]
    weighed.sort(key=lambda item: -item[0])
    bound: dict[str, Binding] = {}
    taken: set[tuple[tuple[str, ...], ...]] = set()
    for certainty, name, number in weighed:
        if certainty < LEAST_CERTAINTY:
            break
        held = tuple(map(tuple, columns[number].values))
        if name in bound or held in taken:
            continue
        bound[name] = Binding(name, columns[number], certainty)
        taken.add(held)
    return [bound[name] for name in names if name in bound]


def fields_of(bindings: Sequence[Binding]) -> tuple[Field, ...]:
    return tuple(field_of(item.name, item.column) for item in bindings)


def _columns(candidates: Sequence[Candidate], sample: Sample) -> list[Column]:
    found = []
    for candidate in candidates:
        if sum(extent is not None for extent in candidate.extents) < LEAST_COVERAGE * sample.size:
            continue
        column = Column(candidate, sample)
        counts = column.node_counts
        if column.cut or not counts or max(counts) > MOST_TEXTS:
            continue
        if not column.single and column.template_share > 0.1:
            continue
        if sample.size > 1 and column.distinct < 2 and not column.label:
            continue
        found.append(column)
    return found


def _certainty(name: str, column: Column) -> float:
    phrases = phrases_for(name)
    label = _said(phrases, words_of(column.label))
    markup = _said(phrases, words_of(column.embedded))
    for depth, tag in enumerate(column.tags):
        for attribute in ("itemprop", "property", "class", "id", "rel"):
            said = _said(phrases, words_of((tag.get(attribute) or "").split(":")[-1]))
            markup = max(markup, said * (1.0 if depth == 0 else 0.8))
    score = 0.6 * max(label, 0.9 * markup) + 0.2 * min(label, markup)
    if not column.label:
        score = max(score, 0.55 * _inside(phrases, column))
    kind = kind_of(name)
    if kind:
        texts = [text for value in column.values for text in value[:3]]
        fitting = sum(is_kind(text, kind) for text in texts) / len(texts)
        score += 0.45 * fitting - (0.5 if fitting < 0.3 else 0.0)
    topic = "_".join(words_of(name)) in TOPICS
    if topic:
        score = 0.3 * score + 0.6 * _is_topic(column)
    elif _is_topic(column) > 0.8:
        score -= 0.3
    return score + 0.06 * likeness(column)


def _said(phrases: Sequence[tuple[str, ...]], words: tuple[str, ...]) -> float:
    """How clearly words say a name: the name itself counts more than another word for it."""
    if not words:
        return 0.0
    best = 0.0
    for rank, phrase in enumerate(phrases):
        shared = len(set(phrase) & set(words))
        if shared:
            closeness = 2 * shared / (len(set(phrase)) + len(set(words)))
            if shared < len(set(phrase)):
                closeness *= 0.6
            best = max(best, closeness * (1.0 if rank == 0 else 0.8))
    return best


def _inside(phrases: Sequence[tuple[str, ...]], column: Column) -> float:
    """A label that stands in the value's own text: ``Phone: 334-222-6591``."""
    before = [value[0].partition(":")[0] for value in column.values if value and ":" in value[0]]
    if len(before) < 0.6 * len(column.node_counts) or len(set(before)) > 2:
        return 0.0
    return _said(phrases, words_of(before[0])) if len(before[0]) < 40 else 0.0


def _is_topic(column: Column) -> float:
    """Whether a column says what the page is about: a heading that the page's title repeats."""
    if not column.single or column.distinct < 0.5 * len(column.node_counts):
        return 0.0
    names = {tag.name for tag in column.tags}
    if "title" in names:
        return 0.5 * column.coverage
    heading = 1.0 if "h1" in names else 0.6 if "h2" in names else 0.3
    lengths = [len(value[0]) for value in column.values if value]
    long_enough = min(1.0, sum(lengths) / len(lengths) / 12)
    return column.coverage * (0.65 * column.in_title * long_enough + 0.35 * heading)
