"""Lists of records that a schema asks for: a field of an item class that is a list of items of another class.

The page's lists are matched by name, and by how many fields of the inner class they have; those are given their
names in the class as the fields of the page itself are (see :mod:`.schema`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from ...records import RecordsWrapper
from ..assignment import best_assignment
from ..evidence import said
from ..values.classes import field_names_of, field_types, is_item_class
from ..vocabulary import TOPICS, is_kind, kind_of, phrases_for, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...landmark.field import NestedList
    from .found import FoundRecords

LEAST = 0.3
_SEQUENCES = (list, tuple, set, frozenset)


def lists_of_schema(
    schema: Any, names: Sequence[str], find: Callable[[], Sequence[FoundRecords]]
) -> tuple[NestedList, ...]:
    """The lists for those fields of a schema that hold items; ``find`` is asked only where there are any."""
    wanted = {name: inner for name, inner in _nested_classes(schema).items() if name in names}
    if not wanted:
        return ()
    found = find()
    bound = [[_bound(inner, one) for one in found] for inner in wanted.values()]
    weights = [
        [
            said(phrases_for(name), words_of(one.nested.name)) + len(inner) / 4
            for one, inner in zip(found, row, strict=True)
        ]
        for name, row in zip(wanted, bound, strict=True)
    ]
    chosen = best_assignment(weights, LEAST)
    return tuple(
        _renamed(found[number].nested, name, row[number])
        for name, row, number in zip(wanted, bound, chosen, strict=True)
        if number is not None and row[number]
    )


def _nested_classes(schema: Any) -> dict[str, type]:
    """The fields of an item class that are lists of items, with the class of these."""
    if not isinstance(schema, type) or not is_item_class(schema):
        return {}
    found = {}
    for name, annotation in field_types(schema).items():
        for option in (annotation, *get_args(annotation)):
            inner = [part for part in get_args(option) if is_item_class(part)]
            if getattr(option, "__origin__", None) in _SEQUENCES and inner:
                found[name] = inner[0]
    return found


def _bound(inner: type, one: FoundRecords) -> dict[str, str]:
    """The fields of a list by the names that an item class has for them."""
    names = [name for name in field_names_of(inner) or () if name not in ("url", "metadata")]
    held = list(one.values)
    weights = [[_evidence(name, other, one.values[other]) for other in held] for name in names]
    chosen = best_assignment(weights, LEAST)
    return {
        held[number]: name for name, number in zip(names, chosen, strict=True) if number is not None
    }


def _evidence(name: str, called: str, texts: Sequence[str]) -> float:
    score = said(phrases_for(name), words_of(called))
    if name in TOPICS and called in TOPICS:
        score = max(score, 0.8)
    kind = kind_of(name)
    if kind and texts:
        fitting = sum(is_kind(text, kind) for text in texts) / len(texts)
        score += 0.4 * fitting - (0.4 if fitting < 0.3 else 0.0)
    return score


def _renamed(nested: NestedList, name: str, names: Mapping[str, str]) -> NestedList:
    """A list under another name, with only some of its fields, under other names."""
    wrapper = nested.wrapper
    if not isinstance(wrapper, RecordsWrapper):
        return replace(nested, name=name)
    model = wrapper.model
    fields = tuple(
        replace(field, name=names[field.name]) for field in model.fields if field.name in names
    )
    required = tuple(names[one] for one in model.required if one in names)
    cleanings = tuple((names[one], cleaning) for one, cleaning in nested.cleanings if one in names)
    changed = replace(model, fields=fields, required=required, least=1)
    return replace(nested, name=name, wrapper=RecordsWrapper(changed), cleanings=cleanings)
