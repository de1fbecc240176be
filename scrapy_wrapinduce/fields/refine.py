"""Examples that come later: an existing wrapper is corrected, its template is not learned anew.

A field whose example the wrapper already reads stays as it is; one that reads something else is bound anew, one
that is new is added. A field that only had another name until now gives it up for the example's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from ..landmark.candidates import learn_candidates
from ..landmark.wrapper import LandmarkWrapper
from .examples.bind import bind_examples
from .examples.spelling import plain
from .lists.nested import split_nested
from .sample.texts import Sample

if TYPE_CHECKING:
    from ..page import Page
    from ..wrapper import Wrapper


def refine(
    wrapper: Wrapper, pages: Sequence[Page], examples: Sequence[Mapping[str, Any] | None]
) -> Wrapper:
    """A wrapper with the fields that examples ask for, in addition to those it has.

    ``pages`` and ``examples`` go together as for :func:`scrapy_wrapinduce.induce`; more pages of the template,
    with ``None`` for an example, help to tell places apart. An example of ``None`` for a field takes the field
    away; where another page has a value for it, that page has none. Raises :class:`CannotInduce`, naming page, field and value, where a value is not found.
    """
    if not isinstance(wrapper, LandmarkWrapper):
        raise CannotInduce(
            f"a {wrapper.family} wrapper cannot be refined: learn it anew with all examples"
        )
    if len(pages) != len(examples):
        raise CannotInduce(
            f"{len(examples)} examples for {len(pages)} pages: give one per page, None for a page without"
        )
    candidates, texts, readings = learn_candidates(wrapper.tree, pages)
    flat, lists = split_nested(pages, examples, readings)
    given = {name for one in flat if one for name, value in one.items() if value is not None}
    unwanted = {name for one in flat if one for name in one if name not in given}
    wrong = _misread(wrapper, pages, flat) - unwanted
    asked = [one and {name: one[name] for name in one if name in wrong} for one in flat]
    addresses = [page.url or f"page {number}" for number, page in enumerate(pages, 1)]
    bound, facts = bind_examples(candidates, Sample(texts, readings), asked, addresses)
    new = {field.name: field for field in bound}
    places = {at for field in bound for at in field.locators[:1] if field.part is None}
    kept = [
        new.pop(field.name, field)
        for field in wrapper.named
        if field.name in new
        or not (field.name in unwanted or places.intersection(field.locators[:1]))
    ]
    replaced = {item.name for item in lists} | unwanted
    return replace(
        wrapper,
        named=(*kept, *new.values()),
        facts=(*facts, *wrapper.facts),
        lists=(*(item for item in wrapper.lists if item.name not in replaced), *lists),
    )


def _misread(
    wrapper: LandmarkWrapper, pages: Sequence[Page], examples: Sequence[Mapping[str, Any] | None]
) -> set[str]:
    """The fields of the examples that the wrapper has not, or reads otherwise."""
    wrong = set()
    for page, example in zip(pages, examples, strict=True):
        records = wrapper.extract(page).records if example else []
        record = records[0] if records else {}
        for name, value in (example or {}).items():
            if _plain(record.get(name)) != _plain(value):
                wrong.add(name)
    return wrong


def _plain(value: Any) -> list[str]:
    parts = value if isinstance(value, list | tuple) else [value]
    return [plain(str(part)) for part in parts if part is not None]
