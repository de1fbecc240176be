"""A record of the crawl that survives ``kill -9``: what was requested, what became of it, which items came out.

Scrapy's JOBDIR marks a request as seen at once but writes its queue only at a graceful end, so a killed
crawl forgets what was pending. Here a page's effects — the requests and items it led to, and that it
is done — are written in one transaction, so that after a crash each page is either done with all of
them or asked for again. Items wait in the same database until they are in their feed file, whose
safe length is recorded: what a killed process wrote beyond it is cut off.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from pathlib import Path

from ...errors import WrapinduceError

# The file of a job's record, in its folder.
JOURNAL = "journal.sqlite"
PENDING, TAKEN, PARKED, DONE = range(4)
# Units of work between two commits, and the longest time between them in seconds.
COMMIT_UNITS, COMMIT_SECONDS = 50, 0.2

_TABLES = """
create table if not exists seen (fingerprint text primary key) without rowid;
create table if not exists requests (
    id integer primary key, priority integer not null, state integer not null, data blob);
create index if not exists pending on requests (priority desc, id desc) where state = 0;
create table if not exists feeds (path text primary key, length integer not null);
create table if not exists output (id integer primary key, path text not null, data blob not null);
"""


# The version of the tables; it goes up when they change.
VERSION = 1


class CannotOpenJournal(WrapinduceError):
    """The record of a job cannot be used: another crawl uses it, it is broken, or its disk takes nothing."""


class Journal:
    """The database of one job. All writes since the last commit are lost together, or not at all."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.is_abandoned = False
        self._db = sqlite3.connect(path, isolation_level=None, timeout=1)
        try:
            self._db.execute("pragma locking_mode = exclusive")
            self._db.execute("pragma journal_mode = wal")
            # Enough for the death of the process; the last moments before a power cut may be redone.
            self._db.execute("pragma synchronous = normal")
            (version,) = self._db.execute("pragma user_version").fetchone()
            if version not in (0, VERSION):
                raise sqlite3.DatabaseError(f"its version is {version}")
            self._db.executescript(f"{_TABLES} pragma user_version = {VERSION};")
            self._db.execute("begin immediate")
            self._db.execute("update requests set state = ? where state = ?", (PENDING, TAKEN))
            self.pending = self._count(PENDING)
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise CannotOpenJournal(f"{path} cannot be used: {_why(error)}") from error
        self.taken: set[int] = set()
        self.units = 0
        self._staged: defaultdict[str | None, list[tuple[str, bytes]]] = defaultdict(list)
        self.commit()

    # Requests

    def see(self, fingerprint: str) -> bool:
        """Remember a request; False when it was known before."""
        added = self._db.execute("insert or ignore into seen values (?)", (fingerprint,))
        return added.rowcount > 0

    def add(self, priority: int, data: bytes) -> int:
        """A request to be made."""
        self.pending += 1
        row = self._db.execute(
            "insert into requests (priority, state, data) values (?, ?, ?)",
            (priority, PENDING, data),
        ).lastrowid
        assert row is not None
        return row

    def put_back(self, row: int, priority: int, data: bytes) -> None:
        """A request that is to be made again, or in another form: a retry, a redirect."""
        self.taken.discard(row)
        self.pending += 1
        self._db.execute(
            "update requests set state = ?, priority = ?, data = ? where id = ?",
            (PENDING, priority, data, row),
        )

    def take(self) -> tuple[int, bytes] | None:
        """The next request, last in first out within its priority."""
        if not self.pending:
            return None
        found = self._db.execute(
            "select id, data from requests where state = 0 order by priority desc, id desc limit 1"
        ).fetchone()
        if found is None:
            self.pending = 0
            return None
        row, data = found
        self._db.execute("update requests set state = ? where id = ?", (TAKEN, row))
        self.pending -= 1
        self.taken.add(row)
        return row, data

    # Pages

    def parked(self) -> set[int]:
        """The requests whose pages wait for a wrapper."""
        rows = self._db.execute("select id from requests where state = ?", (PARKED,))
        return {row for (row,) in rows}

    def stage(self, unit: str | None, path: str, data: bytes) -> None:
        """Output for a feed; it counts once the unit of work that it comes from is done."""
        self._staged[unit].append((path, data))

    def finish(self, row: int, unit: str | None = None, *, parked: bool = False) -> None:
        """A request has had all its effects; with ``parked``, its page has yet to become items."""
        self.taken.discard(row)
        if unit is not None:
            self._release(unit)
        if parked:
            self._db.execute("update requests set state = ? where id = ?", (PARKED, row))
        else:
            self._db.execute("update requests set state = ?, data = null where id = ?", (DONE, row))
        self.units += 1

    def leave(self, row: int) -> None:
        """A request that cannot be made in this run, and may be in the next."""
        self.taken.discard(row)

    def ask_again(self, row: int) -> None:
        """The page of a request is no longer there."""
        self.pending += 1
        self._db.execute("update requests set state = ? where id = ?", (PENDING, row))

    def _release(self, unit: str | None) -> None:
        for path, data in self._staged.pop(unit, ()):
            self._db.execute("insert into output (path, data) values (?, ?)", (path, data))

    # Feeds

    def commit(self) -> None:
        """Make everything so far safe, then bring the feed files up to it."""
        if self.is_abandoned:
            return
        self._release(None)
        self._db.execute("commit")
        self._db.execute("begin immediate")
        self._write_feeds()
        self.units = 0

    def _write_feeds(self) -> None:
        by_path: defaultdict[str, list[bytes]] = defaultdict(list)
        rows = self._db.execute("select id, path, data from output order by id").fetchall()
        for _, path, data in rows:
            by_path[path].append(data)
        for path, parts in by_path.items():
            length = _cut(path, self.feed_length(path) or 0)
            _append(path, length, b"".join(parts))
            length += sum(map(len, parts))
            self._db.execute("insert or replace into feeds values (?, ?)", (path, length))
        if rows:
            # Committed with the next units; until then the same output would be written again.
            self._db.execute("delete from output where id <= ?", (rows[-1][0],))

    def feed_length(self, path: str) -> int | None:
        """How much of a feed file is safe; None for one that this job has not written yet."""
        found = self._db.execute("select length from feeds where path = ?", (path,)).fetchone()
        return None if found is None else int(found[0])

    def begin_feed(self, path: str, *, overwrite: bool) -> None:
        """A feed file is about to be used: appended to, or begun anew by a job's first run."""
        if self.feed_length(path) is None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            size = 0 if overwrite or not Path(path).exists() else Path(path).stat().st_size
            self._db.execute("insert into feeds values (?, ?)", (path, size))
            self.commit()
        _cut(path, self.feed_length(path) or 0)

    def _count(self, state: int) -> int:
        return int(
            self._db.execute("select count(*) from requests where state = ?", (state,)).fetchone()[
                0
            ]
        )

    def abandon(self) -> None:
        """The disk takes no more: forget everything since the last commit, and whatever is still to come.

        What is forgotten is done again when the job goes on. Until the crawl has stopped, its record leads nowhere.
        """
        self.is_abandoned = True
        self._db.close()
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        self._db.executescript(_TABLES)
        self._db.execute("begin")
        self.pending = 0
        self.taken.clear()
        self._staged.clear()

    def close(self) -> None:
        self.commit()
        self._db.execute("commit")
        self._db.close()


def is_broken(error: Exception) -> bool:
    """Whether a job's record cannot be read any more, as nobody can mend by making room for it."""
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error, sqlite3.OperationalError
    )


def _why(error: sqlite3.DatabaseError) -> str:
    said = str(error)
    if "locked" in said:
        return "another crawl uses this JOBDIR"
    if not is_broken(error) and "no such column" not in said:
        return said
    return f"it is not the record of a job that this version reads ({said}); begin anew with another JOBDIR"


def _cut(path: str, length: int) -> int:
    """Cut a feed to its safe length: beyond is what a killed process had no time to record.

    A file that somebody has shortened or removed meanwhile is left as it is.
    """
    with open(path, "ab") as file:
        length = min(length, file.tell())
        file.truncate(length)
    return length


def _append(path: str, length: int, data: bytes) -> None:
    """Add to a feed; what a full disk takes only in part is taken off again."""
    with open(path, "r+b", buffering=0) as file:
        file.seek(length)
        written = 0
        try:
            while written < len(data):
                written += file.write(memoryview(data)[written:])
        except OSError:
            file.truncate(length)
            raise
