"""Rounds of learning: when one begins, and what becomes of its answers."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

from ...errors import InvalidWrapper
from .. import signals
from ..clock import Clock
from ..figures.summary import some_of
from ..reading.shelf import WrapperIsGone
from .learner import CannotBegin, Learner, LearningBroke, LearningTooSlow, Reply
from .messages import Again, Done, Failed, Fits, Known, Learned, Read, Round

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..induction import Induction
    from ..reading.site import Active, Site

logger = logging.getLogger(__name__)

# After so many seconds a store that gave no pages is asked again.
RETRY_SECONDS, RETRIES = 5, 12


class Learning:
    """Talks to the learning process on behalf of the crawl; all methods run in the event loop."""

    def __init__(self, induction: Induction, clock: Clock) -> None:
        self.induction = induction
        self.clock = clock
        self._learner = Learner(
            induction.config.learn_timeout,
            lambda task, reply: clock.from_thread(self._receive, task, reply),
        )
        self._progress: Any = None
        self._closed = False
        self._refused: Counter[str] = Counter()
        self._item_class, self._field_names = _schema(induction.spider)

    def consider(self, site: Site) -> None:
        """Begin a round if enough pages wait, or more than the disk may hold."""
        if site.wants_round():
            self.begin(site, final=False)
        elif self.induction.parking.pages.full and site.waiting and not site.learning:
            logger.warning("The pages that wait fill the disk, or WRAPINDUCE_PARKED_LIMIT_MB: "
                           "learning from what there is")  # fmt: skip
            self.begin(site, final=True)

    def begin(self, site: Site, *, final: bool) -> None:
        """Learn from the pages that wait; ``final`` when no more are to come."""
        site.learning = True
        site.answered.clear()
        keys = site.round_keys(final)
        stubborn = frozenset(site.stubborn.intersection(keys))
        careful = site.round_pages < len(site.waiting) and site.round_pages < site.sample
        known = [
            (active, active.last_read) for active in [*site.active.values(), *site.retired.values()]
        ]
        since = {key: site.waiting[key].since for key in keys if site.waiting[key].since}
        parked, spider = self.induction.parking.pages, self.induction.spider

        def put_together() -> Round:
            blobs = {key: blob for key in keys if (blob := parked.get(key)) is not None}
            missing = tuple(key for key in keys if key not in blobs)
            return Round(
                site.name,
                blobs,
                site.sample,
                final or careful,
                tuple(_known(known)),
                stubborn,
                self._item_class,
                self._field_names,
                getattr(spider, "examples", None) or {},
                getattr(spider, "recognizers", None),
                self.induction.config.attributes,
                getattr(spider, "field_types", None) or {},
                self.induction.config.kept_pages,
                since,
                missing,
            )

        logger.info("Looking for templates among %d pages of %s%s", len(keys), site.name,
                    ", the last ones" if final else "")  # fmt: skip
        self._learner.submit(site.name, put_together)

    def _receive(self, task: Round, reply: Reply) -> None:
        if self._closed:
            return
        site = self.induction.site(task.site)
        if isinstance(reply, Learned):
            self._learned(site, reply)
        elif isinstance(reply, Read):
            self.induction.parking.readings[reply.key] = reply.extraction
        elif isinstance(reply, Fits):
            self.induction.assign(site, reply.keys, reply.template, reply.how)
        elif isinstance(reply, Again):
            site.again.update(reply.keys)
        elif isinstance(reply, Failed):
            self._failed(site, reply)
        elif isinstance(reply, Done):
            self._done(site, task)
        elif isinstance(reply, LearningBroke):
            self._broken(site, task, reply)

    def _learned(self, site: Site, learned: Learned) -> None:
        induction = self.induction
        try:
            active = induction.keep(site, learned)
        except InvalidWrapper as error:
            self._failed(site, Failed(learned.keys, str(error)))
            return
        induction.memory.wrapper_came()
        how = "wrapper" if learned.address is None else "alone"
        induction.stats.count("wrappers/learned")
        if learned.sample == 1:
            induction.stats.count("wrappers/from_one_page")
        logger.info(
            "Learned %s from %d page%s in %.1f s%s%s: %s",
            active.stored.id, learned.sample, "s"[: learned.sample != 1], learned.seconds,
            f" ({len(learned.keys)} wait for it)" if len(learned.keys) > 1 else "",
            f", leaving out {learned.left_out} that do not belong" if learned.left_out else "",
            some_of(learned.fields),
        )  # fmt: skip
        about = {"site": site.name, "template": active.name, "pages": len(learned.keys)}
        induction.send(signals.template_found, **about)
        induction.send(signals.wrapper_learned, wrapper=active.wrapper, **about)
        if learned.replaces:
            induction.reader.drift.taken_over(site, learned.replaces, len(learned.keys))
            induction.stats.count("wrappers/repaired")
            logger.info("%s takes over the fields of %s", active.stored.id, learned.replaces)
            induction.send(signals.wrapper_repaired, replaces=learned.replaces,
                           wrapper=active.wrapper, **about)  # fmt: skip
        induction.assign(site, learned.keys, active.name, how)

    def _failed(self, site: Site, failed: Failed) -> None:
        where = f" such as {failed.urls[0]}" if failed.urls else ""
        logger.warning("Nothing can be learned from %d page%s of %s%s: %s", len(failed.keys),
                       "s"[: len(failed.keys) != 1], site.name, where, failed.reason)  # fmt: skip
        self._tell_failure(site, failed.reason, len(failed.keys))
        self.induction.discard(site, failed.keys, "unlearnable")

    def _done(self, site: Site, task: Round) -> None:
        self.induction.stats.count("learn/rounds")
        self._refused.pop(site.name, None)
        site.round_done(task.blobs)
        self.induction.miss(site, task.missing)
        if site.waiting and not task.final:
            logger.info("%d pages of %s wait for more of their kind, or for the end of the crawl",
                        len(site.waiting), site.name)  # fmt: skip
        if task.final:
            # Pages that had their answer and came back meanwhile, unread, have another round before them.
            waiting = site.waiting.keys() - site.again - site.answered
            left = [key for key in task.blobs if key in waiting]
            if left:
                logger.warning("%d pages of %s fit no wrapper", len(left), site.name)
                self.induction.discard(site, left, "unlearnable")
        site.again.clear()
        site.answered.clear()
        self.induction.parking.replay()
        self.consider(site)
        if not site.learning:
            self.induction.parking.nudge()

    def _broken(self, site: Site, task: Round, error: LearningBroke) -> None:
        """The process died or took too long: try with less, at last give up what it failed on."""
        if isinstance(error, CannotBegin) and self._cannot_begin(site, error):
            return
        site.learning = False
        self._tell_failure(site, str(error), len(error.keys or task.blobs))
        if isinstance(error, LearningTooSlow) and site.sample > 2 and len(error.keys) > 2:
            site.sample = max(2, site.sample // 2)
            logger.warning("%s; %s is tried again with %d pages", error, site.name, site.sample)
        elif not error.keys and len(task.blobs) > 1:
            site.round_pages = max(1, len(task.blobs) // 2)
            logger.warning("%s; tried again with %d pages at a time", error, site.round_pages)
        else:
            keys = error.keys or tuple(task.blobs)
            logger.error("%d pages of %s end without items: %s", len(keys), site.name, error)
            self.induction.discard(site, keys, "unlearnable")
        if site.waiting:
            self.begin(site, final=task.final)
        else:
            self.induction.parking.nudge()

    def _cannot_begin(self, site: Site, error: CannotBegin) -> bool:
        """The store gave no pages: ask it again after a while, if it is not the last time."""
        self._refused[site.name] += 1
        if self._refused[site.name] > RETRIES:
            error.keys = tuple(site.waiting)
            return False
        logger.error("The pages of %s cannot be had now, and are asked for again in %d s: %s",
                     site.name, RETRY_SECONDS, error)  # fmt: skip
        self.clock.later(RETRY_SECONDS, self._try_again, site)
        return True

    def _try_again(self, site: Site) -> None:
        site.learning = False
        if not self._closed:
            self.consider(site)
            self.induction.parking.nudge()

    def _tell_failure(self, site: Site, reason: str, pages: int) -> None:
        self.induction.stats.count("learn/failed")
        about = {"site": site.name, "template": None, "reason": reason, "pages": pages}
        self.induction.send(signals.wrapper_failed, **about)

    def start_progress(self) -> None:
        """Say from time to time how far the crawl is."""
        interval = self.induction.config.progress_interval
        if interval:
            self._progress = self.clock.later(interval, self._say_progress)

    def _say_progress(self) -> None:
        induction = self.induction
        wrappers = induction.sites.wrappers
        logger.info(
            "So far: %d pages read into %d items by %d wrapper%s, %d pages wait for theirs%s",
            induction.stats.get("pages/read"), induction.stats.get("items"), wrappers, "s"[: wrappers != 1],
            induction.parking.waiting, "; learning" if any(site.learning for site in induction.sites.awake) else "",
        )  # fmt: skip
        self.start_progress()

    def close(self) -> None:
        self._closed = True
        if self._progress is not None:
            self._progress.cancel()
        self._learner.close()
        if self._learner.restarts:
            self.induction.stats.count("learn/restarts", self._learner.restarts)


def _known(wrappers: Iterable[tuple[Active, int]]) -> Iterator[Known]:
    for active, last_read in wrappers:
        try:
            text = active.held.text()
        except WrapperIsGone as error:
            logger.error("The learning process has to do without %s: %s", active.stored.id, error)
        else:
            yield Known(
                active.name, active.template.to_dict(), text, active.stored.coverage, last_read
            )


def _schema(spider: Any) -> tuple[str | None, tuple[str, ...] | None]:
    """The spider's item class as the learning process can find it, else the names of its fields."""
    from itemadapter import ItemAdapter

    item_class = getattr(spider, "item_class", None)
    if item_class is None or item_class is dict:
        return None, tuple(getattr(spider, "fields", None) or ()) or None
    if item_class.__module__ != "__main__" and "<locals>" not in item_class.__qualname__:
        return f"{item_class.__module__}:{item_class.__qualname__}", None
    names = ItemAdapter.get_field_names_from_class(item_class) or ()
    return None, tuple(name for name in names if name != "url")
