"""The front door: from pages to a wrapper.

``induce`` chooses a family, learns, and names the fields. What a family does is in its own folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .collector import collector_paused
from .errors import CannotInduce
from .fields.values.plain import fault as types_fault
from .labels import LabelledPage
from .landmark.counting import rule_words
from .landmark.learn import SEARCHES
from .page import Page
from .wrapper import FAMILIES, Wrapper

Example = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
DELIMITER_FAMILIES = ("lr", "hlrt", "oclr", "hoclrt", "nlr", "nhlrt")
SURELY_A_LIST = 0.5
SURELY_A_LIST_OF_MANY = 0.65  # with many pages there is more that can look like a list by chance
MANY_PAGES = 8


def induce(
    pages: Page | Iterable[Page],
    family: str | None = None,
    search: str = "astar",
    k: int | None = None,
    examples: Sequence[Example] | None = None,
    schema: Any = None,
    recognizers: Mapping[str, Any] | None = None,
    attributes: str | Iterable[str] | None = None,
    types: Mapping[str, str] | None = None,
) -> Wrapper:
    """Learn a wrapper from pages of one template.

    ``family`` is chosen when not given. ``search`` and ``k`` are for the landmark family. ``examples`` has
    one entry per page, or None for a page without: a dict is the page's single record, a list of dicts
    its list of records. ``schema`` names the fields wanted: a list of names or an item class.
    ``recognizers`` are noisy hints per field. ``attributes`` are rules of which attributes of tags can be
    landmarks, for the landmark family: ``["-title", "nowrap?"]`` counts titles no more, and of ``nowrap``
    whether it is there. ``types`` says what the values of fields are (``fields.plain``). Raises
    :class:`CannotInduce`, naming what stands in the way.
    """
    sample = [pages] if isinstance(pages, Page) else list(pages)
    shown = _checked(sample, family, search, k, examples)
    wrong = types_fault(types or {})
    if wrong:
        raise CannotInduce(wrong)
    rules = rule_words(attributes)
    from .upkeep import health_of

    with collector_paused():
        wrapper = _learned(sample, family, search, k, shown, schema, recognizers, rules)
        healthy = wrapper.with_health(health_of(wrapper, sample).to_dict())
    return healthy.with_types({**wrapper.types, **(types or {})})


def _learned(
    sample: Sequence[Page],
    family: str | None,
    search: str,
    k: int | None,
    shown: Sequence[Example],
    schema: Any,
    recognizers: Mapping[str, Any] | None,
    attributes: Sequence[str],
) -> Wrapper:
    if recognizers:
        return _by_recognizers(sample, family, recognizers)
    if family == "sections":
        from .sections import learn as learn_sections

        return learn_sections(sample)
    lists = [example for example in shown if example is not None and not _is_record(example)]
    if family in (*DELIMITER_FAMILIES, "fuzzy", "records") or (lists and family is None):
        return _by_records(sample, family, shown)
    if lists:
        raise CannotInduce(
            "the landmark family reads one record per page; leave the family to be chosen, "
            "or give one dict per page"
        )
    if family is None and not any(shown) and schema is None:
        found = _list_or_document(sample)
        if found is not None:
            return found
    from .fields.item import learn_item

    records = [example if isinstance(example, Mapping) else None for example in shown]
    return learn_item(
        sample, search=search, k=k, examples=records, schema=schema, attributes=attributes
    )


def _checked(
    sample: Sequence[Page],
    family: str | None,
    search: str,
    k: int | None,
    examples: Sequence[Example] | None,
) -> list[Example]:
    if not sample:
        raise CannotInduce("there are no pages to learn from")
    for number, page in enumerate(sample, 1):
        if not isinstance(page, Page):
            raise CannotInduce(f"page {number} is a {type(page).__name__}, not a Page")
    if search not in SEARCHES:
        raise CannotInduce(f"unknown search {search!r}; there are: {', '.join(SEARCHES)}")
    if family is not None and family not in FAMILIES:
        raise CannotInduce(f"unknown family {family!r}; there are: {', '.join(FAMILIES)}")
    if k is not None and (not isinstance(k, int) or k < 1):
        raise CannotInduce(f"k must be a whole number from 1 on, not {k!r}")
    if examples is None:
        return [None] * len(sample)
    shown = list(examples)
    if len(shown) != len(sample):
        raise CannotInduce(
            f"{len(shown)} examples for {len(sample)} pages: give one per page, None for a page without"
        )
    for number, example in enumerate(shown, 1):
        if example is None or _is_record(example):
            continue
        if not isinstance(example, Sequence) or not all(map(_is_record, example)):
            raise CannotInduce(
                f"the example of page {number} must be a dict, a list of dicts or None, "
                f"not {type(example).__name__}"
            )
    return shown


def _is_record(example: object) -> bool:
    return isinstance(example, Mapping)


def _by_records(sample: Sequence[Page], family: str | None, shown: Sequence[Example]) -> Wrapper:
    """Learn from pages whose records are given, all of a page's records at a time."""
    from .fields.examples.locate import locate_records

    labelled = [
        locate_records(page, [example] if isinstance(example, Mapping) else example)
        for page, example in zip(sample, shown, strict=True)
        if example
    ]
    if not labelled:
        raise CannotInduce(
            f"the {family} family learns from examples or recognizers; give the records of a page"
        )
    return _learn_records(labelled, family)


def _learn_records(labelled: Sequence[LabelledPage], family: str | None) -> Wrapper:
    from . import delimiter, fuzzy, records

    if family in DELIMITER_FAMILIES:
        return delimiter.learn(family, labelled)
    if family == "fuzzy":
        return fuzzy.learn(labelled)
    if family == "records":
        return records.learn(labelled)
    from .records.choice import choose

    return choose(labelled)


def _by_recognizers(
    sample: Sequence[Page], family: str | None, recognizers: Mapping[str, Any]
) -> Wrapper:
    """Learn from what noisy recognizers of the fields agree on."""
    from .delimiter.corroboration import corroborate

    return corroborate(sample, recognizers, lambda labels: _learn_records(labels, family)).wrapper


def _list_or_document(sample: Sequence[Page]) -> Wrapper | None:
    """A wrapper for pages that are lists of records, or documents of sections; None for other pages."""
    from . import records, sections

    sure = SURELY_A_LIST_OF_MANY if len(sample) >= MANY_PAGES else SURELY_A_LIST
    try:
        if records.looks_like_list(sample) >= sure:
            return records.learn_unlabelled(sample)
        if len(sample) > 1 and sections.looks_sectioned(sample):
            return sections.learn(sample)
    except CannotInduce:
        return None
    return None
