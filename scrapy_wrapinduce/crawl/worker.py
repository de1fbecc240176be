"""The learning process: groups parked pages by template and learns one wrapper for each group.

It runs beside the crawl in a process of its own, knows nothing of Scrapy, and sends every wrapper as soon
as it has it.
"""

from __future__ import annotations

import logging
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from time import monotonic
from typing import Any

from ..designs import group
from ..errors import CannotInduce
from ..induce import induce
from ..landmark.wrapper import LandmarkWrapper
from ..page import Page
from ..stores.pages import BrokenPage, ParkedPage, unpack
from ..stores.sample import pack_sample
from ..templates import Signature, Template, signature
from ..upkeep.carry import carry_over, says_nothing
from ..wrapper import Wrapper, dump, parse
from .known import KnownTemplates
from .rounds import LARGE, Again, Began, Done, Failed, Fits, Learned, Message, Read, Round

# So many pages that are each like no other show what they have in common, all the same.
ENOUGH_ODD = 4


def main() -> None:
    """Answer rounds until the crawl is gone."""
    # Ctrl-C is for the crawl, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    # What any module prints must not end up among the answers.
    os.dup2(2, 1)
    # What is to be known of it, the crawl's own log says.
    logging.getLogger("scrapy_wrapinduce").setLevel(logging.ERROR)
    rounds: queue.SimpleQueue[Round] = queue.SimpleQueue()
    threading.Thread(target=_read_rounds, args=(rounds,), daemon=True).start()
    while True:
        for message in work(rounds.get()):
            pickle.dump(message, answers)
            answers.flush()


def _read_rounds(rounds: queue.SimpleQueue[Round]) -> None:
    try:
        while True:
            rounds.put(pickle.load(sys.stdin.buffer))
    except (EOFError, pickle.UnpicklingError):
        # The crawl is gone, perhaps in the middle of a round: so is the need for what is being learned.
        os._exit(0)


def work(task: Round) -> Iterator[Message]:
    """All that can be said about the pages of a round."""
    begun = monotonic()
    pages, broken = _unpacked(task.blobs)
    if broken:
        yield Failed(tuple(broken), "the parked page cannot be read back")
    signatures = [signature(page.html, page.url) for page in pages]
    known = KnownTemplates(task.known, signatures)
    sociable = [index for index, page in enumerate(pages) if page.key not in task.stubborn]
    groups = [
        [sociable[place] for place in members]
        for members in group([signatures[index] for index in sociable])
    ]
    unread = []
    for members in groups:
        mine = [pages[index] for index in members]
        found = known.reading(mine, [signatures[index] for index in members])
        if found:
            yield from _large(known.wrappers[found], mine)
            yield Fits(tuple(page.key for page in mine), found, "wrapper")
        elif len(mine) >= task.sample or task.final:
            unread.append(members)
    lone = {members[0] for members in unread if len(members) == 1}
    for members in _with_odd_ones(unread, signatures, known):
        mine = [pages[index] for index in members]
        signs = [signatures[index] for index in members]
        yield from _group(task, mine, signs, known, odd=members[0] in lone)
    for page, sign in zip(pages, signatures, strict=True):
        if page.key in task.stubborn:
            yield from _alone(task, [page], [sign], known)
    yield Done(tuple(map(len, groups)), monotonic() - begun)


def _unpacked(blobs: Mapping[str, bytes]) -> tuple[list[ParkedPage], list[str]]:
    pages, broken = [], []
    for key, blob in blobs.items():
        try:
            pages.append(unpack(blob))
        except BrokenPage:
            broken.append(key)
    return pages, broken


def _with_odd_ones(
    groups: Sequence[list[int]], signs: Sequence[Signature], known: KnownTemplates
) -> list[list[int]]:
    """The groups, with pages that are like no other put together where they are at like addresses in one design.

    The articles of an encyclopedia may all be built differently; together they still show what they have in common.
    """
    kept = [members for members in groups if len(members) > 1]
    odd: list[list[int]] = []
    for index in (members[0] for members in groups if len(members) == 1):
        for pool in odd:
            one = signs[pool[0]]
            if one.shape == signs[index].shape and known.templates.are_one(one, signs[index]):
                pool.append(index)
                break
        else:
            odd.append([index])
    return kept + odd


def _group(
    task: Round,
    pages: list[ParkedPage],
    signs: list[Signature],
    known: KnownTemplates,
    *,
    odd: bool,
) -> Iterator[Message]:
    if len({page.body for page in pages}) == 1:
        yield from _alone(task, pages, signs, known)
    elif odd:
        yield from _odd_ones(task, pages, signs, known)
    else:
        yield from _taught(task, pages, signs, known)


def _alone(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Iterator[Message]:
    """A page like no other, or copies of it: by the wrapper it fits best, else by one of its own."""
    placed = _placed(pages, signs[0], known)
    yield from placed or _taught(task, pages, signs, known)


def _odd_ones(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Iterator[Message]:
    """Pages that are each like no other: by the wrappers they fit, many others by one that they share."""
    left, left_signs = [], []
    for page, sign in zip(pages, signs, strict=True):
        placed = _placed([page], sign, known)
        yield from placed
        if not placed:
            left.append(page)
            left_signs.append(sign)
    if len(left) >= ENOUGH_ODD:
        yield from _taught(task, left, left_signs, known)
    else:
        for page, sign in zip(left, left_signs, strict=True):
            yield from _taught(task, [page], [sign], known)


def _placed(pages: list[ParkedPage], sign: Signature, known: KnownTemplates) -> list[Message]:
    """What there is to say where a wrapper reads a page and its copies; nothing where none does."""
    keys = tuple(page.key for page in pages)
    fallback = known.fallback(pages[0], sign)
    # One page under many addresses is nothing that a wrapper of different pages can vouch for.
    if fallback and not known.has_drifted(fallback[0], pages):
        return [*_large(known.wrappers[fallback[0]], pages), Fits(keys, *fallback)]
    return [Again(keys)] if known.will_read(pages[0], sign) else []


def _taught(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Iterator[Message]:
    yield Began(tuple(page.key for page in pages))
    answer = _learned(task, pages, signs, known)
    if isinstance(answer, Learned):
        known.learned(answer)
        yield from _large(parse(answer.wrapper), pages)
    yield answer


def _large(wrapper: Wrapper, pages: list[ParkedPage]) -> Iterator[Message]:
    for page in pages:
        if len(page.body) > LARGE:
            yield Read(page.key, replace(wrapper.extract(page.page()), places=[]))


def _learned(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Message:
    begun = monotonic()
    chosen = _sample(pages, task)
    keys = tuple(page.key for page in pages)
    try:
        wrapper, taught = _induced(task, chosen)
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
        len(taught),
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


if __name__ == "__main__":
    main()
