"""The learning process: groups parked pages by template and learns one wrapper for each group.

It runs beside the crawl in a process of its own, knows nothing of Scrapy, and sends every wrapper as soon
as it has it.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from time import monotonic
from typing import Any

from ..designs import Designs, group
from ..errors import CannotInduce, InvalidWrapper
from ..induce import induce
from ..page import Page
from ..stores.pages import BrokenPage, ParkedPage, unpack
from ..stores.sample import pack_sample
from ..templates import Signature, Template, signature
from ..upkeep.carry import carry_over, says_nothing
from ..wrapper import Wrapper, dump, parse
from .judge import fits, fits_partly
from .rounds import LARGE, Began, Done, Failed, Fits, Known, Learned, Message, Read, Round

# So many pages are needed, and enough, to judge whether a known wrapper has drifted.
JUDGED = 5
# A known wrapper is tried on this many pages of a group before the group is learned anew.
TRIALS = 3
# So similar to a template is a page that may be a broken one of it.
AKIN = 0.3
# So many of a template's pages are at the addresses of a group that may be the same things in another design.
ENOUGH_SHARED = 0.4


def main() -> None:
    """Answer rounds until the crawl is gone."""
    # Ctrl-C is for the crawl, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    # What any module prints must not end up among the answers.
    os.dup2(2, 1)
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
    known = _KnownTemplates(task.known, signatures)
    sociable = [index for index, page in enumerate(pages) if page.key not in task.stubborn]
    groups = [
        [sociable[place] for place in members]
        for members in group([signatures[index] for index in sociable])
    ]
    for members in groups:
        mine = [pages[index] for index in members]
        signs = [signatures[index] for index in members]
        yield from _group(task, mine, signs, known)
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


def _group(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: _KnownTemplates
) -> Iterator[Message]:
    keys = tuple(page.key for page in pages)
    found = known.reading(pages, signs)
    if found:
        yield from _large(known.wrappers[found], pages)
        yield Fits(keys, found, "wrapper")
        return
    if len(pages) < task.sample and not task.final:
        return
    if len({page.body for page in pages}) == 1:
        yield from _alone(task, pages, signs, known)
    else:
        yield from _taught(task, pages, signs, known)


def _alone(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: _KnownTemplates
) -> Iterator[Message]:
    """A page like no other, or copies of it: by the wrapper it fits best, else by one of its own."""
    fallback = known.fallback(pages[0], signs[0])
    # One page under many addresses is nothing that a wrapper of different pages can vouch for.
    if fallback and not known.has_drifted(fallback[0], pages):
        yield from _large(known.wrappers[fallback[0]], pages)
        yield Fits(tuple(page.key for page in pages), *fallback)
    else:
        yield from _taught(task, pages, signs, known)


def _taught(
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: _KnownTemplates
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
    task: Round, pages: list[ParkedPage], signs: list[Signature], known: _KnownTemplates
) -> Message:
    begun = monotonic()
    chosen = _sample(pages, task)
    keys = tuple(page.key for page in pages)
    try:
        wrapper, taught = _induced(task, chosen)
        olds = known.at_same_addresses(signs) if len(pages) > 1 else {}
        if says_nothing(olds, wrapper, [page.page() for page in pages[: task.sample]]):
            reason = f"they are at the addresses of {', '.join(olds)} and all say the same: an error page?"
            return Failed(keys, reason, tuple(page.url for page in pages[:3]))
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
    )


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


def _shared(shapes: Counter[str], known: Counter[str]) -> float:
    """The share of pages that are at addresses whose shapes are known."""
    return sum(n for shape, n in shapes.items() if shape in known) / max(1, shapes.total())


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


class _KnownTemplates:
    """Templates that have wrappers, and which of them reads a page."""

    def __init__(self, known: Sequence[Known], pages: Sequence[Signature]) -> None:
        self.known = {one.id: one for one in known}
        self.wrappers: dict[str, Wrapper] = {}
        self.templates = Designs()
        # Learned in this round: they have no names yet.
        self.fresh: list[tuple[Template, Wrapper]] = []
        for one in known:
            try:
                self.wrappers[one.id] = parse(one.wrapper)
            except InvalidWrapper as error:
                print(f"wrapper {one.id} is left out: {error}", file=sys.stderr)
                continue
            self.templates.add(Template.from_dict({**one.template, "name": one.id}))
        for page in pages:
            self.templates.note(page)

    def reading(self, pages: list[ParkedPage], signs: list[Signature]) -> str | None:
        """The template whose wrapper already reads a group's pages."""
        matches = [self.templates.match(sign) for sign in signs[:TRIALS]]
        names = {match.name for match in matches if match is not None}
        if len(names) != 1 or None in matches:
            return None
        name = names.pop()
        good = all(self._extracts(name, page, fits_partly) for page in pages[:TRIALS])
        return name if good and not self.has_drifted(name, pages) else None

    def has_drifted(self, name: str, pages: list[ParkedPage]) -> bool:
        """Whether a wrapper reads a group of pages, but not as it read its own."""
        wrapper = self.wrappers[name]
        if wrapper.health is None or len(pages) < JUDGED:
            return False
        return not wrapper.verify(page.page() for page in pages[:JUDGED]).ok

    def at_same_addresses(self, signs: list[Signature]) -> dict[str, Wrapper]:
        """The wrappers of templates that had the addresses which a group of pages has now.

        One design may be met at some addresses more often than the next.
        """
        shapes = Counter(sign.shape for sign in signs)
        known = [
            (template, self.wrappers[template.name])
            for template in self.templates.templates
            if template.name in self.wrappers
        ]
        found: dict[str, Wrapper] = {}
        for template, wrapper in known + self.fresh:
            theirs, ours = _shared(template.shapes, shapes), _shared(shapes, template.shapes)
            if ours > 0.5 and theirs > ENOUGH_SHARED:
                # Several that were learned in this round may have the same addresses.
                name = template.name or shapes.most_common(1)[0][0]
                found[f"{name} ({len(found) + 1})" if name in found else name] = wrapper
        return found

    def learned(self, answer: Learned) -> None:
        """A site may show two designs at once: the next group may be the same things in another one."""
        if answer.address is None:
            template = Template.from_dict({**answer.template, "name": ""})
            self.fresh.append((template, parse(answer.wrapper)))

    def fallback(self, page: ParkedPage, sign: Signature) -> tuple[str, str] | None:
        """For a page like no other: the wrapper of the template it breaks, or another that fits."""
        nearest, similarity = self.templates.nearest(sign)
        if nearest is not None:
            akin = similarity >= AKIN or sign.shape in nearest.shapes
            if akin and self._extracts(nearest.name, page, fits_partly):
                return nearest.name, "partial"
        for name in self.wrappers:
            if self._extracts(name, page, fits):
                return name, "other"
        return None

    def _extracts(self, name: str, page: ParkedPage, good: Any) -> bool:
        extraction = self.wrappers[name].extract(page.page())
        return bool(good(extraction, self.known[name].coverage))


if __name__ == "__main__":
    main()
