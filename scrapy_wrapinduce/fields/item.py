"""A wrapper for pages that are about one thing each: a landmark tree and named fields."""

from __future__ import annotations

import logging
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from ..landmark.candidates import learn_candidates
from ..landmark.counting import rule_words
from ..landmark.learn import learn
from ..landmark.tokens import tokenize
from ..landmark.wrapper import LandmarkWrapper
from .columns.field import field_of
from .columns.naming import make_distinct, name_columns
from .default import MOST_FIELDS, choose_fields
from .examples.bind import bind_examples
from .examples.known import known_fields
from .facts import find_facts
from .lists.asked import lists_of_schema
from .lists.found import find_lists
from .lists.nested import split_nested
from .picture import find_picture
from .sample.lone import imagined
from .sample.texts import Sample
from .schema import bind_schema, field_names, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..landmark.candidates import Candidate, Locator
    from ..landmark.field import NestedList
    from ..landmark.learn import Learned
    from ..landmark.tree import Tree
    from ..page import Page
    from .columns.column import Column
    from .lists.found import FoundRecords

MOST_CANDIDATES = 5500
logger = logging.getLogger(__name__)


def learn_item(
    pages: Sequence[Page],
    search: str = "astar",
    k: int | None = None,
    examples: Sequence[Mapping[str, Any] | None] | None = None,
    schema: Any = None,
    *,
    every_field: bool = True,
    attributes: str | Iterable[str] | None = None,
) -> LandmarkWrapper:
    """Learn the template, then choose and name the fields, or find those that are asked for.

    Without ``every_field``, a field whose examples cannot be found is left out. ``attributes`` says which attributes
    of tags count, see :mod:`scrapy_wrapinduce.landmark.counting`.
    """
    rules = rule_words(attributes)
    alone = len(pages) == 1
    if alone:
        pages = [*pages, imagined(pages[0])]
        examples = None if examples is None else [*examples, None]
    learned = _learn_tree(pages, search, k, rules)
    shown = [None] * len(pages) if examples is None else examples
    strange = {index for index, _ in learned.report.left_out if not shown[index]}
    kept = [index for index in range(len(pages)) if index not in strange]
    wrapper = _with_fields(
        learned.tree,
        [pages[index] for index in kept],
        [pages[index].url or f"page {index + 1}" for index in kept],
        [shown[index] for index in kept],
        schema,
        every_field,
        alone,
    )
    told = replace(wrapper, attributes=rules, report=learned.report)
    return told.with_types(wrapper.types)


def _with_fields(
    tree: Tree,
    pages: Sequence[Page],
    addresses: Sequence[str],
    examples: Sequence[Mapping[str, Any] | None],
    schema: Any,
    every_field: bool,
    alone: bool,
) -> LandmarkWrapper:
    candidates, texts, readings = learn_candidates(tree, pages)
    sample = Sample(texts, readings, alone)
    if any(examples):
        return _with_examples(
            tree, pages, addresses, candidates, sample, examples, schema, every_field
        )
    if schema is not None:
        names = field_names(schema)
        lists = lists_of_schema(schema, names, lambda: find_lists(pages, sample))
        single = [name for name in names if all(name != one.name for one in lists)]
        fields = fields_of(bind_schema(candidates, sample, single))
        if not fields and not lists:
            raise CannotInduce(f"none of the fields was found on the pages: {', '.join(names)}")
        return LandmarkWrapper(tree, fields, _offered(candidates), lists=lists)
    return _default(tree, pages, candidates, sample)[0]


def _default(
    tree: Tree, pages: Sequence[Page], candidates: Sequence[Candidate], sample: Sample
) -> tuple[LandmarkWrapper, dict[str, Column]]:
    """The item that nobody has said anything about, and the columns that its fields are."""
    repeated = find_lists(pages, sample)
    columns = choose_fields(candidates, sample, repeated)
    repeated = [one for one in repeated if not one.is_copy]
    names = name_columns(columns)
    named = [field_of(name, column) for name, column in zip(names, columns, strict=True)]
    positions = [column.position for column in columns]
    picture = find_picture(sample) if len(names) + len(repeated) < MOST_FIELDS else None
    types = {}
    if picture is not None:
        field, position = picture
        field = replace(field, name=make_distinct([*names, field.name])[-1])
        place = bisect_left(positions, position)
        positions.insert(place, position)
        named.insert(place, field)
        types[field.name] = "url"
    wrapper = LandmarkWrapper(
        tree,
        tuple(named),
        _offered(candidates),
        find_facts(columns),
        _placed(repeated, positions, [field.name for field in named]),
    )
    return wrapper.with_types(types), dict(zip(names, columns, strict=True))


def _with_examples(
    tree: Tree,
    pages: Sequence[Page],
    addresses: Sequence[str],
    candidates: Sequence[Candidate],
    sample: Sample,
    examples: Sequence[Mapping[str, Any] | None],
    schema: Any,
    every_field: bool,
) -> LandmarkWrapper:
    """The fields that examples show: those of the default item, and what else there is on the pages."""
    default, columns = _default(tree, pages, candidates, sample)
    known = known_fields(default, pages, examples)
    own = {field.name: field for field in default.named}
    rest = [
        None if one is None else {name: one[name] for name in one if name not in known}
        for one in examples
    ]
    flat, lists = split_nested(pages, rest, sample.readings)
    taken = [columns[theirs] for theirs in known.values() if theirs in columns]
    found, facts = bind_examples(
        candidates, sample, flat, addresses, taken, every_field=every_field
    )
    bound = {field.name: field for field in found}
    bound |= {
        name: replace(own[theirs], name=name) for name, theirs in known.items() if theirs in own
    }
    nested = {one.name: one for one in lists}
    nested |= {
        name: replace(one, name=name)
        for name, theirs in known.items()
        for one in default.lists
        if one.name == theirs
    }
    order = list(dict.fromkeys(name for example in examples if example for name in example))
    fields = [bound[name] for name in order if name in bound]
    if schema is not None:
        shown = {*bound, *nested, *(name for one in facts for _, name in one.names)}
        asked = [name for name in field_names(schema) if name not in shown]
        places = {at for field in fields for at in field.locators[:1]}
        free = [one for one in candidates if not places.intersection(one.locators)]
        fields += fields_of(bind_schema(free, sample, asked)) if asked else []
    before = {name: sum(other in bound for other in order[: order.index(name)]) for name in nested}
    placed = tuple(replace(nested[name], before=before[name]) for name in order if name in nested)
    return LandmarkWrapper(tree, tuple(fields), _offered(candidates), facts, placed)


def _placed(
    lists: Sequence[FoundRecords], positions: Sequence[float], names: Sequence[str]
) -> tuple[NestedList, ...]:
    """The lists at their places among the fields, under names that no field has."""
    distinct = make_distinct([*names, *(one.nested.name for one in lists)])[len(names) :]
    return tuple(
        replace(one.nested, name=name, before=bisect_left(positions, one.position))
        for one, name in zip(lists, distinct, strict=True)
    )


def _learn_tree(
    pages: Sequence[Page], search: str, k: int | None, attributes: Sequence[str]
) -> Learned:
    """The landmark tree of the pages; the log says how it was found and which pages do not belong."""
    learned = learn([tokenize(page) for page in pages], search, k, attributes=attributes)
    for index, reason in learned.report.left_out:
        address = pages[index].url or f"page {index + 1}"
        logger.warning("%s does not belong to the template and is left out: %s", address, reason)
    logger.debug("Landmark tree: %s", learned.report)
    return learned


def _offered(candidates: Sequence[Candidate]) -> tuple[tuple[Locator, ...], ...]:
    """The candidates that a person may still choose from: the ones on most pages."""
    ranked = sorted(candidates, key=lambda candidate: -len(candidate.pages))
    return tuple(candidate.locators for candidate in ranked[:MOST_CANDIDATES])
