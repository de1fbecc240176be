"""From examples to fields: which column does the user mean?

Every column that shows the example's value on its page is a possibility. They are told apart by what they
hold on the other pages (a column that is the same everywhere, or missing, is not it), by the other
columns that agree with them, and by whether the page's label sounds like the field's name. Columns that
agree with the chosen one are kept as other ways to find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from ...errors import CannotInduce
from ..columns.column import Column
from ..columns.field import field_of
from ..columns.values import shape
from ..default import likeness
from ..facts import facts_shown
from .parts import bind_attribute, bind_part
from .spelling import plain, spaced

if TYPE_CHECKING:
    from ...landmark.candidates import Candidate, Locator
    from ...landmark.field import Facts, Field
    from ..sample.texts import Sample

AGREEMENT = 0.9
OTHER_CASE = 0.05  # a place with other capitals is meant only where no place has the example's
MOST_LOCATORS = 6
NEAR = 1.0  # of a score: the next possibility is still a good one
IN_VAIN = 0.5  # a place with something on a page that is said to have no value
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Possibility:
    """A column that shows the example, and how likely it is the one that is meant."""

    column: Column
    score: float
    many: bool


def bind_examples(
    candidates: Sequence[Candidate],
    sample: Sample,
    examples: Sequence[Mapping[str, Any] | None],
    addresses: Sequence[str],
    taken: Sequence[Column] = (),
    *,
    every_field: bool = True,
) -> tuple[tuple[Field, ...], tuple[Facts, ...]]:
    """A field or a fact for every name in the examples; raises :class:`CannotInduce` for one that is nowhere.

    An example may say that its page has no value: ``None``. Without ``every_field``, a field that is nowhere is left out.
    Columns that are ``taken`` are other fields already.
    """
    columns = [Column(candidate, sample) for candidate in candidates]
    names = list(dict.fromkeys(name for example in examples if example for name in example))
    labelled = [index for index, example in enumerate(examples) if example is not None]
    shown = {page: _Shown(columns, page) for page in labelled}
    bound: dict[str, Field] = {}
    open_choices: dict[str, list[Possibility]] = {}
    asked: dict[str, dict[int, list[str]]] = {}
    for name in names:
        wanted = {
            page: _texts(example[name])
            for page in labelled
            if (example := examples[page]) and example.get(name) not in (None, "", [])
        }
        if not wanted:
            continue
        without = [page for page in labelled if (examples[page] or {}).get(name, "") is None]
        found = _possibilities(name, wanted, without, shown, columns)
        asked[name] = wanted
        if found:
            open_choices[name] = found
            continue
        pages = [texts.page for texts in sample.texts]
        other = bind_part(name, wanted, columns, sample) or bind_attribute(
            name, wanted, pages, sample.readings
        )
        if other is None and not every_field:
            continue
        if other is None:
            page, values = next(iter(wanted.items()))
            raise CannotInduce(_not_found(name, values[0], sample, page, addresses[page]))
        bound[name] = other
    chosen = _apart(open_choices, taken)
    fitting = {
        name: _fits(found[0].column, asked[name], labelled) for name, found in chosen.items()
    }
    sure = [*taken, *(found[0].column for name, found in chosen.items() if fitting[name])]
    unsure = {
        name: {page: plain(" ".join(values)) for page, values in asked[name].items()}
        for name in chosen
        if not fitting[name]
    }
    facts: tuple[Facts, ...] = ()
    if unsure and sure:
        # The same values are found by their labels in other regions too.
        same = {_key(column) for column in sure}
        alike = [column for column in columns if column.label and _key(column) in same]
        facts = facts_shown([*sure, *alike], unsure, labelled)
    as_facts = {name for one in facts for _, name in one.names}
    for name, found in chosen.items():
        if name not in as_facts:
            bound[name] = _field(name, found, asked[name].values())
    return tuple(bound[name] for name in names if name in bound), facts


def _key(column: Column) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, column.values))


def _fits(column: Column, wanted: Mapping[int, list[str]], labelled: Sequence[int]) -> bool:
    """Whether a column shows what the examples show, and nothing where they show nothing."""
    shown = {page: {plain(text) for text in wanted.get(page, ())} for page in labelled}
    return all(
        {plain(text) for text in column.values[page]} == texts
        or plain(" ".join(column.values[page])) in texts
        for page, texts in shown.items()
    )


def _apart(
    choices: Mapping[str, list[Possibility]], by_others: Sequence[Column]
) -> dict[str, list[Possibility]]:
    """Two fields may show the same value on the labelled page: each gets a place of its own, if there is one.

    The field that is surer of its place keeps it.
    """
    taken = [column.values for column in by_others]
    apart = {}
    for name in sorted(choices, key=lambda name: -choices[name][0].score):
        found = choices[name]
        free = [one for one in found if one.column.values not in taken]
        near = bool(free) and free[0].score >= found[0].score - NEAR
        apart[name] = free if near else found
        taken.append(apart[name][0].column.values)
    return apart


class _Shown:
    """What the columns show on one labelled page."""

    def __init__(self, columns: Sequence[Column], page: int) -> None:
        self.by_text: dict[str, list[int]] = {}
        for number, column in enumerate(columns):
            if column.candidate.extents[page] is None:
                continue
            nodes = column.values[page]
            texts = {plain(text) for text in nodes}
            if len(nodes) > 1:
                texts.add(plain(" ".join(nodes)))
            for text in texts:
                self.by_text.setdefault(text, []).append(number)


def _possibilities(
    name: str,
    wanted: Mapping[int, list[str]],
    without: Sequence[int],
    shown: Mapping[int, _Shown],
    columns: Sequence[Column],
) -> list[Possibility]:
    quality: dict[int, float] = {}
    for page, values in wanted.items():
        texts = {plain(value) for value in values}
        spelled = {spaced(value) for value in values}
        numbers = {n for text in texts for n in shown[page].by_text.get(text, ())}
        for number in numbers:
            nodes = columns[number].values[page]
            otherwise = spelled.isdisjoint(nodes) and " ".join(nodes) not in spelled
            match = _match(nodes, texts) - (OTHER_CASE if otherwise else 0.0)
            quality[number] = quality.get(number, 0.0) + match
    for number in quality:
        quality[number] -= IN_VAIN * sum(bool(columns[number].values[page]) for page in without)
    best = max(quality.values(), default=0.0)
    kept = [number for number, value in quality.items() if value > best - 0.04 and value > 0]
    words = set(_NOT_WORD.sub(" ", name.lower()).split())
    examples = {shape(value) for values in wanted.values() for value in values}
    found = []
    vectors = {number: [tuple(value) for value in columns[number].values] for number in kept}
    for number in kept:
        column = columns[number]
        score = likeness(column)
        score += 1.5 * _same_shape(column, examples)
        score += 1.0 * _sounds_like(column, words)
        agreeing = sum(
            _agree(vectors[number], vectors[other]) >= AGREEMENT
            for other in kept
            if other != number
        )
        score += 0.15 * min(agreeing, 6)
        if column.distinct < 2 and column.sample.size > 1:
            score -= 1.0
        many = not column.single
        found.append(Possibility(column, score, many))
    found.sort(key=lambda item: -item.score)
    return found


def _match(nodes: list[str], texts: set[str]) -> float:
    """How well what a column shows equals the example: F of the two sets of values."""
    joined = plain(" ".join(nodes))
    if joined in texts:
        return 0.9 + 0.1 / len(texts)
    mine = {plain(text) for text in nodes}
    hits = len(mine & texts)
    if not hits:
        return 0.0
    precision, recall = hits / len(mine), hits / len(texts)
    return 2 * precision * recall / (precision + recall) if precision < 1 else 0.9 + 0.1 * recall


def _same_shape(column: Column, shapes: set[str]) -> float:
    values = [text for value in column.values for text in value]
    return sum(shape(text) in shapes for text in values) / len(values) if values else 0.0


def _sounds_like(column: Column, words: set[str]) -> float:
    """How much the label or the markup of a column says the field's name."""
    best = _overlap(words, column.label)
    for tag in column.tags:
        for attribute in ("itemprop", "property", "class", "id"):
            best = max(best, 0.7 * _overlap(words, tag.get(attribute) or ""))
    return best


def _overlap(words: set[str], text: str) -> float:
    parts = set(_NOT_WORD.sub(" ", text.lower()).split())
    return len(words & parts) / len(words | parts) if words and parts else 0.0


def _agree(mine: list[tuple[str, ...]], theirs: list[tuple[str, ...]]) -> float:
    both = [(a, b) for a, b in zip(mine, theirs, strict=True) if a and b]
    return sum(a == b for a, b in both) / len(mine) if both else 0.0


def _field(name: str, found: Sequence[Possibility], wanted: Iterable[list[str]]) -> Field:
    best = found[0]
    locators: dict[Locator, None] = dict.fromkeys(best.column.candidate.locators)
    mine = [tuple(value) for value in best.column.values]
    for other in found[1:]:
        if len(locators) >= MOST_LOCATORS:
            break
        theirs = [tuple(value) for value in other.column.values]
        clashes = any(a and b and a != b for a, b in zip(mine, theirs, strict=True))
        if other.many == best.many and not clashes and _agree(mine, theirs) >= AGREEMENT:
            locators.update(dict.fromkeys(other.column.candidate.locators[:2]))
    field = field_of(name, best.column)
    # What an example shows is how the value is wanted, label and all.
    kept = replace(field.cleaning, labels=(), head="", tail="")
    asked = all(field.cleaning.apply(text) == text for values in wanted for text in values)
    cleaning = field.cleaning if asked else kept
    return replace(field, locators=tuple(locators), cleaning=cleaning)


def _texts(value: Any) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list | tuple) else [str(value)]


def _not_found(name: str, value: str, sample: Sample, page: int, address: str) -> str:
    texts = sample.texts[page].folded
    nearest = max(
        texts[:3000],
        key=lambda text: SequenceMatcher(None, value[:80], text[:80]).quick_ratio(),
        default="",
    )
    return f"{address}: {name}: {value[:80]!r} is not on the page; the nearest text is {nearest[:80]!r}"
