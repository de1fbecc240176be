"""One group of parked pages to one wrapper: which of them it is learned from, and what it takes over from the one before it."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from importlib import import_module
from time import monotonic
from typing import Any

from ...errors import CannotInduce
from ...induce import induce
from ...landmark.wrapper import LandmarkWrapper
from ...page import Page
from ...signatures import Signature
from ...stores.pages import ParkedPage
from ...stores.sample import pack_sample
from ...templates import Template
from ...upkeep.carry import carry_over, says_nothing
from ...wrapper import Wrapper, dump
from .known import KnownTemplates
from .messages import LARGE, Failed, Learned, Round


def taught(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Learned | Failed:
    """The wrapper of a group, or why there is none."""
    begun = monotonic()
    chosen = _sample(pages, task)
    keys = tuple(page.key for page in pages)
    try:
        wrapper, used = _induced(task, chosen)
        left_out = _left_out(wrapper)
        there = known.at_same_addresses(signs) if len(pages) > 1 else []
        had = {one.name: one.wrapper for one in there}
        if says_nothing(had, wrapper, [page.page() for page in pages[: task.sample]]):
            reason = f"they are at the addresses of {', '.join(had)} and all say the same: an error page?"
            return Failed(keys, reason, tuple(page.url for page in pages[:3]))
        since = [task.since[key] for key in keys if key in task.since]
        olds = {one.name: one.wrapper for one in there if known.may_be_gone(one, signs, since)}
        carried = carry_over(olds, wrapper, [page.page() for page in chosen]) if olds else None
        replaces, wrapper = carried or ("", wrapper)
        kept = known.wrappers[replaces].types if replaces in known.wrappers else {}
        wrapper = wrapper.with_types({**wrapper.types, **kept, **task.types})
    except CannotInduce as error:
        return Failed(keys, str(error), tuple(page.url for page in pages[:3]))
    except Exception:  # noqa: BLE001
        # A fault of the learner must not end the crawl; it is reported in full.
        return Failed(keys, traceback.format_exc(), tuple(page.url for page in pages[:3]))
    template = Template("")
    for sign in signs:
        template.add(sign)
    coverage, by_field = measure(wrapper, [page.page() for page in chosen])
    return Learned(
        keys,
        dump(wrapper),
        template.to_dict(),
        len(used),
        wrapper.fields,
        coverage,
        by_field,
        pages[0].url if len(chosen) == 1 else None,
        monotonic() - begun,
        replaces,
        pack_sample((page.page() for page in chosen), task.kept_pages) if task.kept_pages else b"",
        left_out,
    )


def _left_out(wrapper: Wrapper) -> int:
    """How many pages of its sample a wrapper takes for strangers."""
    report = wrapper.report if isinstance(wrapper, LandmarkWrapper) else None
    return len(report.left_out) if report else 0


def _induced(task: Round, pages: list[ParkedPage]) -> tuple[Wrapper, list[ParkedPage]]:
    """A wrapper, and the pages it was learned from.

    Pages that do not differ in what they say teach no more than one of them: then that one does.
    """
    try:
        return _induce(task, pages), pages
    except CannotInduce as error:
        if len(pages) == 1 or task.examples:
            raise
        try:
            return _induce(task, pages[:1]), pages[:1]
        except CannotInduce:
            raise error from None


def _sample(pages: list[ParkedPage], task: Round) -> list[ParkedPage]:
    """The pages to learn from: those with examples, then others from all over the group.

    Copies of a page teach nothing and are left out.
    """
    pages = list({page.body: page for page in reversed(pages)}.values())[::-1]
    # Learning takes as long as its largest pages: these are left out where others remain.
    handy = [page for page in pages if len(page.body) <= LARGE or page.url in task.examples]
    pages = handy if len(handy) > 1 else pages
    named = [page for page in pages if page.url in task.examples]
    others = [page for page in pages if page.url not in task.examples]
    wanted = max(task.sample - len(named), 0)
    step = max(1, len(others) // wanted) if wanted else 1
    return named + others[::step][:wanted]


def _induce(task: Round, pages: list[ParkedPage]) -> Wrapper:
    arguments: dict[str, Any] = {"attributes": task.attributes}
    if any(page.url in task.examples for page in pages):
        arguments["examples"] = [task.examples.get(page.url) for page in pages]
    if task.item_class:
        arguments["schema"] = _imported(task.item_class)
    elif task.field_names:
        arguments["schema"] = task.field_names
    if task.recognizers:
        arguments["recognizers"] = dict(task.recognizers)
    wrapper = induce([page.page() for page in pages], **arguments)
    if not wrapper.fields:
        raise CannotInduce("there are no values on the pages")
    return wrapper


def _imported(name: str) -> type:
    module, _, path = name.partition(":")
    try:
        found: Any = import_module(module)
        for step in path.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError) as error:
        raise CannotInduce(f"the item class {name} cannot be imported: {error}") from error
    if not isinstance(found, type):
        raise CannotInduce(f"the item class {name} is not a class")
    return found


def measure(wrapper: Wrapper, pages: Sequence[Page]) -> tuple[float, dict[str, float]]:
    """The median coverage of a wrapper over pages, and the share of records that have each field."""
    coverages, records = [], 0
    counts = dict.fromkeys(wrapper.fields, 0)
    for page in pages:
        extraction = wrapper.extract(page)
        coverages.append(extraction.coverage)
        for record in extraction.records:
            records += 1
            for name in record:
                counts[name] = counts.get(name, 0) + 1
    median = sorted(coverages)[len(coverages) // 2] if coverages else 0.0
    return median, {name: round(n / max(records, 1), 4) for name, n in counts.items()}
