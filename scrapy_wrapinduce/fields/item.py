"""A wrapper for pages that are about one thing each: a landmark tree and named fields."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from ..landmark.candidates import learn_candidates
from ..landmark.learn import learn
from ..landmark.tokens import tokenize
from ..landmark.wrapper import LandmarkWrapper
from .columns import Sample, field_of
from .default import choose_fields
from .examples import bind_examples
from .facts import find_facts
from .lone import imagined
from .naming import name_columns
from .nested import split_nested
from .schema import bind_schema, field_names, fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..landmark.candidates import Candidate, Locator
    from ..landmark.tree import Tree
    from ..page import Page

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
) -> LandmarkWrapper:
    """Learn the template, then choose and name the fields, or find those that are asked for.

    Without ``every_field``, a field whose examples cannot be found is left out.
    """
    if len(pages) == 1:
        pages = [*pages, imagined(pages[0])]
        examples = None if examples is None else [*examples, None]
    tree = _tree(pages, search, k)
    candidates, texts = learn_candidates(tree, pages)
    sample = Sample(texts)
    if examples is not None and any(examples):
        addresses = [page.url or f"page {number}" for number, page in enumerate(pages, 1)]
        flat, lists = split_nested(pages, examples)
        bound = bind_examples(candidates, sample, flat, addresses, tree, every_field=every_field)
        shown = {field.name for field in bound}
        asked = [] if schema is None else [n for n in field_names(schema) if n not in shown]
        places = {at for field in bound for at in field.locators[:1]}
        free = [one for one in candidates if not places.intersection(one.locators)]
        if asked:
            bound += fields_of(bind_schema(free, sample, asked))
        return LandmarkWrapper(tree, bound, _offered(candidates), lists=lists)
    if schema is not None:
        names = field_names(schema)
        fields = fields_of(bind_schema(candidates, sample, names))
        if not fields:
            raise CannotInduce(f"none of the fields was found on the pages: {', '.join(names)}")
        return LandmarkWrapper(tree, fields, _offered(candidates))
    columns = choose_fields(candidates, sample)
    names = name_columns(columns)
    named = tuple(field_of(name, column) for name, column in zip(names, columns, strict=True))
    return LandmarkWrapper(tree, named, _offered(candidates), find_facts(columns))


def _tree(pages: Sequence[Page], search: str, k: int | None) -> Tree:
    """The landmark tree of the pages; the log says how it was found and which pages do not belong."""
    learned = learn([tokenize(page) for page in pages], search, k)
    for index, reason in learned.report.left_out:
        address = pages[index].url or f"page {index + 1}"
        logger.warning("%s does not belong to the template and is left out: %s", address, reason)
    logger.debug("Landmark tree: %s", learned.report)
    return learned.tree


def _offered(candidates: Sequence[Candidate]) -> tuple[tuple[Locator, ...], ...]:
    """The candidates that a person may still choose from: the ones on most pages."""
    ranked = sorted(candidates, key=lambda candidate: -len(candidate.pages))
    return tuple(candidate.locators for candidate in ranked[:MOST_CANDIDATES])
