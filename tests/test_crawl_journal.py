"""The journal of a crash-safe job: all of a page's effects, or none."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrapy_wrapinduce.crawl.job.journal import CannotOpenJournal, Journal


class Job:
    """A job whose process can be killed: all that was not committed is gone."""

    def __init__(self, folder: Path) -> None:
        self.path, self.feed = folder / "journal.sqlite", str(folder / "items.jsonl")
        self.open()

    def open(self) -> None:
        self.journal = Journal(self.path)
        self.journal.begin_feed(self.feed, overwrite=False)

    def kill(self) -> None:
        self.journal._db.close()
        self.open()

    def read(self) -> bytes:
        return Path(self.feed).read_bytes()


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    job = Job(tmp_path)
    yield job
    job.journal.close()


def test_requests_come_back_last_in_first_out_within_their_priority(job: Job) -> None:
    for priority, data in ((0, b"a"), (0, b"b"), (5, b"c")):
        job.journal.add(priority, data)
    taken = [job.journal.take() for _ in range(4)]
    assert [found and found[1] for found in taken] == [b"c", b"b", b"a", None]


def test_a_request_is_seen_once_also_after_a_kill(job: Job) -> None:
    assert job.journal.see("f")
    assert not job.journal.see("f")
    job.journal.commit()
    job.kill()
    assert not job.journal.see("f")


def test_what_was_taken_and_not_finished_is_asked_for_again(job: Job) -> None:
    job.journal.add(0, b"a")
    job.journal.commit()
    assert job.journal.take() == (1, b"a")
    job.journal.commit()
    job.kill()
    assert job.journal.pending == 1
    assert job.journal.take() == (1, b"a")
    job.journal.finish(1)
    job.journal.commit()
    job.kill()
    assert job.journal.take() is None


def test_items_of_a_page_that_is_not_done_are_not_in_the_feed(job: Job) -> None:
    job.journal.add(0, b"a")
    job.journal.take()
    job.journal.stage("1", job.feed, b"item\n")
    job.journal.commit()
    assert job.read() == b""
    job.journal.finish(1, "1")
    job.journal.commit()
    assert job.read() == b"item\n"


def test_what_a_killed_process_wrote_too_much_is_cut_off(job: Job) -> None:
    job.journal.stage(None, job.feed, b"one\n")
    job.journal.commit()
    job.journal.commit()
    with open(job.feed, "ab") as file:
        file.write(b'{"half a reco')
    job.kill()
    assert job.read() == b"one\n"


def test_what_was_committed_and_not_yet_in_the_feed_gets_there(job: Job) -> None:
    job.journal.stage(None, job.feed, b"one\n")
    # Committed and written, but that it was written is not: it must not come twice.
    job.journal.commit()
    job.kill()
    assert job.read() == b"one\n"


def test_a_parked_page_is_neither_pending_nor_done(job: Job) -> None:
    job.journal.add(0, b"a")
    job.journal.take()
    job.journal.finish(1, "1", parked=True)
    job.journal.commit()
    job.kill()
    assert (job.journal.parked(), job.journal.pending) == ({1}, 0)
    job.journal.ask_again(1)
    assert job.journal.take() == (1, b"a")


def test_a_feed_that_somebody_removed_is_begun_anew(job: Job) -> None:
    job.journal.stage(None, job.feed, b"one\n")
    job.journal.commit()
    job.journal.commit()
    Path(job.feed).unlink()
    job.kill()
    job.journal.stage(None, job.feed, b"two\n")
    job.journal.commit()
    assert job.read() == b"two\n"


def test_overwriting_is_for_the_first_run_of_a_job(tmp_path: Path) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_bytes(b"old\n")
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_feed(str(feed), overwrite=True)
    journal.stage(None, str(feed), b"new\n")
    journal.close()
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_feed(str(feed), overwrite=True)
    journal.close()
    assert feed.read_bytes() == b"new\n"


def test_two_crawls_cannot_share_a_job(job: Job) -> None:
    with pytest.raises(CannotOpenJournal, match="another crawl"):
        Journal(job.path)


def _emptied(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 100)


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _of_another_kind(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.executescript("drop table requests; create table requests (x text)")
    db.close()


def _of_a_later_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")
    db.close()


@pytest.mark.parametrize("change", [_emptied, _cut_short, _of_another_kind, _of_a_later_version])
def test_a_record_that_cannot_be_read_is_named(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    change(path)
    with pytest.raises(CannotOpenJournal, match="begin anew with another JOBDIR"):
        Journal(path)


@pytest.mark.parametrize("seed", range(20))
def test_random_kills_lose_and_double_nothing(seed: int, tmp_path: Path) -> None:
    """A crawl of a tree of pages, each with one item, killed between any two steps."""
    chance, job = random.Random(seed), Job(tmp_path)
    if job.journal.see("page 1"):
        job.journal.add(0, b"1")
    job.journal.commit()
    steps = 0
    while True:
        steps += 1
        if chance.random() < 0.15 and steps < 500:
            job.kill()
        taken = job.journal.take()
        if taken is None:
            break
        row, data = taken
        page = int(data)
        for child in (2 * page, 2 * page + 1):
            if child < 40 and job.journal.see(f"page {child}"):
                job.journal.add(0, str(child).encode())
        job.journal.stage(str(row), job.feed, f"{page}\n".encode())
        if chance.random() < 0.2 and steps < 500:
            job.journal.commit()
            job.kill()
            continue
        job.journal.finish(row, str(row))
        if chance.random() < 0.3:
            job.journal.commit()
    job.journal.close()
    assert sorted(map(int, job.read().split())) == list(range(1, 40))
