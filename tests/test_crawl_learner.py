"""The learning process: what it answers, and what happens when it dies or takes too long."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crawling import catalogue

from scrapy_wrapinduce.crawl.learning.learner import (
    CannotBegin,
    Learner,
    LearnerDied,
    LearningTooSlow,
    Reply,
)
from scrapy_wrapinduce.crawl.learning.messages import (
    Began,
    Done,
    Failed,
    Fits,
    Known,
    Learned,
    Message,
    Round,
)
from scrapy_wrapinduce.crawl.learning.worker import work
from scrapy_wrapinduce.stores.pages import ParkedPage, pack

SITE = "http://x.example"


def blobs(count: int = 8, **more: str) -> dict[str, bytes]:
    """Pages of one template, by key, and others by path."""
    pages = {path: str(html) for path, html in catalogue(count).items() if path != "/"} | more
    return {
        str(number): pack(ParkedPage(str(number), f"{SITE}{path}", html.encode(), "utf-8"))
        for number, (path, html) in enumerate(pages.items())
    }


def answers(task: Round) -> list[Message]:
    return [message for message in work(task) if not isinstance(message, Began)]


def learned_from(task: Round) -> Learned:
    return next(message for message in answers(task) if isinstance(message, Learned))


def known(learned: Learned) -> Known:
    return Known("book", learned.template, learned.wrapper, learned.coverage)


def test_a_group_that_is_large_enough_is_learned() -> None:
    learned, done = answers(Round("x.example", blobs(8), sample=5))
    assert isinstance(learned, Learned)
    assert (len(learned.keys), learned.sample, learned.address) == (8, 5, None)
    assert learned.coverage > 0.9
    assert isinstance(done, Done)
    assert done.groups == (8,)


def test_a_small_group_waits_until_the_last_round() -> None:
    assert [type(answer) for answer in answers(Round("x", blobs(3), sample=5))] == [Done]
    assert [type(answer) for answer in answers(Round("x", blobs(3), sample=5, final=True))] == [
        Learned,
        Done,
    ]


def test_pages_that_a_known_wrapper_reads_are_not_learned_again() -> None:
    learned = learned_from(Round("x", blobs(8), sample=5))
    fits, _ = answers(Round("x", blobs(8), sample=5, known=(known(learned),)))
    assert isinstance(fits, Fits)
    assert (fits.template, fits.how, len(fits.keys)) == ("book", "wrapper", 8)


def test_a_page_like_no_other_is_learned_alone() -> None:
    odd = {
        "/odd": '<html><body><table class="x"><tr><th>Name</th><td>Ada</td></tr></table></body></html>'
    }
    found = answers(Round("x", blobs(6, **odd), sample=5, final=True))
    alone = [message for message in found if isinstance(message, Learned) and message.address]
    assert [message.address for message in alone] == [f"{SITE}/odd"]


def test_copies_of_one_page_are_one_page() -> None:
    page = str(catalogue(1)["/book/0"])
    learned, _ = answers(Round("x", blobs(0, a=page, b=page), sample=5, final=True))
    assert isinstance(learned, Learned)
    assert (len(learned.keys), learned.sample, learned.address) == (2, 1, f"{SITE}a")


def test_pages_that_say_the_same_are_read_as_one_of_them() -> None:
    page = str(catalogue(1)["/book/0"])
    twins = {f"/x/{number}": page.replace("<body>", f"<body id={number}>") for number in range(3)}
    learned, _ = answers(Round("x", blobs(0, **twins), sample=5, final=True))
    assert isinstance(learned, Learned)
    assert (len(learned.keys), learned.address) == (3, None)


def test_a_stubborn_page_is_for_itself() -> None:
    learned = learned_from(Round("x", blobs(8), sample=5))
    task = Round("x", blobs(2), 5, final=True, known=(known(learned),), stubborn=frozenset("0"))
    fits = [message for message in answers(task) if isinstance(message, Fits)]
    assert sorted((message.keys, message.how) for message in fits) == [
        (("0",), "partial"),
        (("1",), "wrapper"),
    ]


def test_a_broken_blob_is_named() -> None:
    failed, *_ = answers(Round("x", {"7": b"broken"}, sample=5, final=True))
    assert isinstance(failed, Failed)
    assert failed.keys == ("7",)


@pytest.fixture
def replies() -> queue.Queue[Reply]:
    return queue.Queue()


@pytest.fixture
def learner(replies: queue.Queue[Reply]) -> Iterator[Learner]:
    learner = Learner(60, lambda _, reply: replies.put(reply))
    yield learner
    learner.close()


def started(learner: Learner) -> int:
    """The process id of the learner, once it has one."""
    for _ in range(6000):
        process = learner.process_id
        if process is not None:
            return process
        time.sleep(0.01)
    raise AssertionError("the learning process did not start")


DEADLY = """
import os, pathlib, signal, sys
left = pathlib.Path({folder!r}, "left")
if "scrapy_wrapinduce.crawl.learning.worker" in sys.orig_argv and int(left.read_text()):
    left.write_text(str(int(left.read_text()) - 1))
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Has the learning process killed by itself as it starts, so many times: however busy the machine, in time."""

    def set_up(times: int) -> None:
        (tmp_path / "left").write_text(str(times))
        (tmp_path / "sitecustomize.py").write_text(DEADLY.format(folder=str(tmp_path)))
        monkeypatch.syspath_prepend(str(tmp_path))

    return set_up


def test_a_killed_process_is_started_again(
    learner: Learner,
    replies: queue.Queue[Reply],
    killed: Callable[[int], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    killed(1)
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    assert isinstance(replies.get(timeout=60), Learned)
    assert isinstance(replies.get(timeout=60), Done)
    assert learner.restarts == 1
    assert "ended unexpectedly (exit code -9" in caplog.text


def test_a_process_that_always_dies_is_given_up(
    learner: Learner, replies: queue.Queue[Reply], killed: Callable[[int], None]
) -> None:
    killed(100)
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    reply = replies.get(timeout=60)
    assert isinstance(reply, LearnerDied)
    assert "died 3 times" in str(reply)


def test_learning_that_takes_too_long_is_ended_and_the_next_round_works(
    learner: Learner, replies: queue.Queue[Reply]
) -> None:
    learner.budget = 0.001  # Not even Python starts in that time.
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    reply = replies.get(timeout=60)
    assert isinstance(reply, LearningTooSlow)
    assert "WRAPINDUCE_LEARN_TIMEOUT" in str(reply)
    learner.budget = 60
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    assert isinstance(replies.get(timeout=60), Learned)


def test_closing_ends_the_process_at_once(replies: queue.Queue[Reply]) -> None:
    learner = Learner(60, lambda _, reply: replies.put(reply))
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    process = started(learner)
    learner.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_the_process_ends_with_the_crawl(learner: Learner) -> None:
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    started(learner)
    process = learner._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=60) == 0


def test_a_store_that_gives_no_pages_does_not_end_the_learner(
    learner: Learner, replies: queue.Queue[Reply]
) -> None:
    def refuse() -> Round:
        raise OSError("the disk is tired")

    learner.submit("x.example", refuse)
    reply = replies.get(timeout=60)
    assert isinstance(reply, CannotBegin)
    assert "the disk is tired" in str(reply)
    learner.submit("x.example", lambda: Round("x.example", blobs(8), sample=5))
    assert isinstance(replies.get(timeout=60), Learned)


def test_the_process_ends_with_a_crawl_that_was_killed_while_it_sent_a_round() -> None:
    command = [sys.executable, "-m", "scrapy_wrapinduce.crawl.learning.worker"]
    half = pickle.dumps(Round("x.example", blobs(8), sample=5))[:500]
    done = subprocess.run(command, input=half, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
