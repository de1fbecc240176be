"""Crawls that are stopped again and again at random moments, and resumed until they are done."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from crawling import Answer, arguments, environment, item_paths, read_items

# A crawl that is left alone is done after this many seconds, on the slowest machine we care for.
LONGEST_RUN = 120


@dataclass(frozen=True)
class Outcome:
    """What all runs of a job left behind together."""

    paths: Counter[str]
    runs: int
    stopped: int
    log: str


def await_line(log: Path, text: str) -> bool:
    """Whether a line comes up in a log within the time that a slow machine needs."""
    for _ in range(LONGEST_RUN * 20):
        if text in log.read_text():
            return True
        time.sleep(0.05)
    return False


def run_until_done(
    folder: Path,
    how: signal.Signals,
    seed: int,
    stops: int,
    earliest: float,
    latest: float,
    **settings: object,
) -> Outcome:
    """Stop a crawl ``stops`` times, each at a random moment, then let it end."""
    chance = random.Random(seed)
    log, stopped, runs = "", 0, 0
    # A signal that asks for a graceful end is lost on Scrapy until its engine runs; then this extension starts.
    begun = "Spider opened"
    if how is not signal.SIGKILL and find_spec("scrapy.extensions.remote_control"):
        begun = "Remote control"
    while True:
        runs += 1
        is_last = stopped >= stops
        output = folder / f"run-{runs}.log"
        with output.open("w") as file:
            process = subprocess.Popen(
                arguments(**{"JOBDIR": "job", "LOG_LEVEL": "INFO", **settings}),
                cwd=folder, env=environment(), stderr=file, stdout=file,
            )  # fmt: skip
            if not is_last and not await_line(output, begun):
                continue
            wait = 5 * LONGEST_RUN if is_last else chance.uniform(earliest, latest)
            try:
                process.wait(wait)
                is_last = True
            except subprocess.TimeoutExpired:
                process.send_signal(how)
                stopped += 1
                process.wait(LONGEST_RUN)
        log += output.read_text()
        if is_last:
            paths = item_paths(read_items(folder / "items.jsonl"))
            return Outcome(paths, runs, stopped, log)


class HeldUp(dict[str, Answer | str]):
    """One page is not shown before something else has happened."""

    def __init__(self, answers: Mapping[str, Answer | str], held: str) -> None:
        super().__init__(answers)
        self.held = held
        self.happened = threading.Event()

    def get(self, path: str, default: object = None) -> Answer | str:  # type: ignore[override]
        if path == self.held:
            self.happened.wait(LONGEST_RUN)
        return super().get(path, Answer(b"", status=404))


def kill_learner(folder: Path, seed: int, kills: int, pages: HeldUp) -> Outcome:
    """Let a crawl run to its end, and kill its learning process at random moments.

    The crawl is not through before the first kill, so that there is always something to be learned after it.
    """
    chance = random.Random(seed)
    output = folder / "run.log"
    with output.open("w") as file:
        process = subprocess.Popen(
            arguments(DOWNLOAD_DELAY="0.02"), cwd=folder, env=environment(), stderr=file, stdout=file
        )  # fmt: skip
    killed: set[int] = set()
    until = time.monotonic() + LONGEST_RUN
    while process.poll() is None and time.monotonic() < until:
        learners = _children(process.pid) - killed
        if learners and len(killed) < kills:
            time.sleep(chance.uniform(0, 1.0))
            learner = learners.pop()
            try:
                os.kill(learner, signal.SIGKILL)
                killed.add(learner)
            except ProcessLookupError:
                break
            pages.happened.set()
        time.sleep(0.02)
    pages.happened.set()
    process.wait(LONGEST_RUN)
    log = output.read_text()
    paths = item_paths(read_items(folder / "items.jsonl"))
    return Outcome(paths, 1, log.count("ended unexpectedly"), log)


def _children(process: int) -> set[int]:
    """The learning process, which one of the crawl's threads has started."""
    found: list[str] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += path.read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue
    return {int(child) for child in found if "crawl.learning.worker" in _command(int(child))}


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except FileNotFoundError:
        return ""
