"""Run the learning process, and survive it.

One process, started fresh (not forked, and without running the user's main script again) at the first
round, then kept. A thread waits for its messages, so that the event loop never does. A process that dies
is reported and started again; one that takes too long is ended.
"""

from __future__ import annotations

import logging
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable

from ...errors import WrapinduceError
from .messages import Began, Done, Message, Round

logger = logging.getLogger(__name__)

ATTEMPTS = 3


class LearningBroke(WrapinduceError):
    """A round has no result. ``keys`` are the pages it was learning from at the time, if known."""

    keys: tuple[str, ...] = ()


class LearnerDied(LearningBroke):
    """The learning process ended in the middle of a round, more than once."""


class CannotBegin(LearningBroke):
    """The pages to learn from cannot be had from their store now."""


class LearningTooSlow(LearningBroke):
    """An induction took longer than its time budget."""


Reply = Message | LearningBroke


class Learner:
    """Rounds in, messages out. ``deliver`` is called in the learner's thread."""

    def __init__(self, budget: float, deliver: Callable[[Round, Reply], None]) -> None:
        self.budget = budget
        self.restarts = 0
        self._deliver = deliver
        self._rounds: queue.SimpleQueue[tuple[str, Callable[[], Round]] | None] = (
            queue.SimpleQueue()
        )
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._learning_from: tuple[str, ...] = ()
        self._closed = False
        self._lock = threading.Lock()

    def submit(self, site: str, task: Callable[[], Round]) -> None:
        """Learn from the round that ``task`` puts together, in the learner's thread.

        Answers come through ``deliver``; the last is Done or an error.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="wrapinduce", daemon=True)
            self._thread.start()
        self._rounds.put((site, task))

    @property
    def process_id(self) -> int | None:
        process = self._process
        return process.pid if process else None

    def close(self) -> None:
        """End the process at once; rounds that are not finished are given up."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._rounds.put(None)
        if self._thread is not None:
            self._thread.join(timeout=10)

    def _run(self) -> None:
        while (work := self._rounds.get()) is not None and not self._closed:
            site, put_together = work
            try:
                task = put_together()
            except Exception as error:  # noqa: BLE001
                # The store is a disk or a Redis, each with errors of its own; this thread has to go on.
                self._deliver(Round(site, {}, 0), CannotBegin(f"{type(error).__name__}: {error}"))
            else:
                self._answer(task)
        self._end_process()

    def _answer(self, task: Round) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._converse(task)
                return
            except LearningTooSlow as error:
                self._end_process()
                error.keys = self._learning_from
                self._deliver(task, error)
                return
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                code = self._end_process()
                if self._closed:
                    return
                self.restarts += 1
                logger.error(
                    "The learning process for %s ended unexpectedly (exit code %s, %s); "
                    "attempt %d of %d",
                    task.site, code, type(error).__name__, attempt, ATTEMPTS,
                )  # fmt: skip
        died = LearnerDied(f"the learning process died {ATTEMPTS} times while learning {task.site}")
        died.keys = self._learning_from
        self._deliver(task, died)

    def _converse(self, task: Round) -> None:
        process = self._started()
        self._learning_from = ()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump(task, process.stdin)
        process.stdin.flush()
        while True:
            too_late = threading.Event()
            late = threading.Timer(self.budget, _end, (process, too_late))
            late.start()
            try:
                message: Message = pickle.load(process.stdout)
            except EOFError:
                if too_late.is_set():
                    raise LearningTooSlow(
                        f"learning took longer than {self.budget:g} s and was given up; "
                        "WRAPINDUCE_LEARN_TIMEOUT sets the time"
                    ) from None
                raise
            finally:
                late.cancel()
            if isinstance(message, Began):
                self._learning_from = message.keys
                continue
            self._learning_from = ()
            self._deliver(task, message)
            if isinstance(message, Done):
                return

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise EOFError("closed")
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "scrapy_wrapinduce.crawl.learning.worker"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                )
            return self._process

    def _end_process(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except BrokenPipeError:
                pass  # what was still to be sent is of no use to a process that has ended
        return process.wait()


def _end(process: subprocess.Popen[bytes], too_late: threading.Event) -> None:
    too_late.set()
    process.kill()
