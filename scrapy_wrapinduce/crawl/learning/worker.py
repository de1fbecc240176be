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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from ...designs import group
from ...signatures import Signature, signature
from ...stores.pages import BrokenPage, ParkedPage, unpack
from ...wrapper import Wrapper, parse
from .known import KnownTemplates
from .messages import LARGE, Again, Began, Done, Failed, Fits, Learned, Message, Read, Round
from .teaching import taught

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
        yield from _told(task, pages, signs, known)


def _alone(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Iterator[Message]:
    """A page like no other, or copies of it: by the wrapper it fits best, else by one of its own."""
    placed = _placed(pages, signs[0], known)
    yield from placed or _told(task, pages, signs, known)


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
        yield from _told(task, left, left_signs, known)
    else:
        for page, sign in zip(left, left_signs, strict=True):
            yield from _told(task, [page], [sign], known)


def _placed(pages: list[ParkedPage], sign: Signature, known: KnownTemplates) -> list[Message]:
    """What there is to say where a wrapper reads a page and its copies; nothing where none does."""
    keys = tuple(page.key for page in pages)
    fallback = known.fallback(pages[0], sign)
    # One page under many addresses is nothing that a wrapper of different pages can vouch for.
    if fallback and not known.has_drifted(fallback[0], pages):
        return [*_large(known.wrappers[fallback[0]], pages), Fits(keys, *fallback)]
    return [Again(keys)] if known.will_read(pages[0], sign) else []


def _told(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: KnownTemplates
) -> Iterator[Message]:
    yield Began(tuple(page.key for page in pages))
    answer = taught(task, pages, signs, known)
    if isinstance(answer, Learned):
        known.learned(answer)
        yield from _large(parse(answer.wrapper), pages)
    yield answer


def _large(wrapper: Wrapper, pages: list[ParkedPage]) -> Iterator[Message]:
    for page in pages:
        if len(page.body) > LARGE:
            yield Read(page.key, replace(wrapper.extract(page.page()), places=[]))


if __name__ == "__main__":
    main()
