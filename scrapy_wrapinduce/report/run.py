"""What a crawl was like, template by template: counted page by page, in little and bounded memory.

The crawl counts while it reads; at its end the counts go into one JSON file of the store, from which the
report is made in a process of its own.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..files import write_atomically
from ..wrapper import Extraction

RUN_FILE = "last-run.json"
MOST_WINDOWS = 48
MOST_DISTINCT = 1000
MOST_ITEMS = 40
MOST_FAILURES = 200
LONGEST_TEXT = 2000
MOST_IN_LIST = 50


@dataclass
class Window:
    """Some pages that came one after another."""

    pages: int = 0
    coverage: float = 0.0
    records: int = 0
    fields: Counter[str] = field(default_factory=Counter)

    def count(self, extraction: Extraction) -> None:
        self.pages += 1
        self.coverage += extraction.coverage
        # A page that gave nothing counts as one record that is missing.
        self.records += max(1, len(extraction.records))
        for record in extraction.records:
            self.fields.update(record.keys())

    def joined(self, other: Window) -> Window:
        return Window(
            self.pages + other.pages,
            self.coverage + other.coverage,
            self.records + other.records,
            self.fields + other.fields,
        )


class TemplateRun:
    """How one template did in a crawl."""

    def __init__(self) -> None:
        self.windows = [Window()]
        self.width = 1  # pages of a window; doubles when there are too many windows
        self.items: list[tuple[str, Mapping[str, Any]]] = []
        self.records = 0
        # Hashes in order: a set of them would take ten times the memory.
        self.distinct: dict[str, array[int]] = {}
        self.failures: Counter[tuple[str, str]] = Counter()
        self.failed_at: dict[tuple[str, str], str] = {}
        self.notes: list[str] = []

    @property
    def pages(self) -> int:
        return sum(window.pages for window in self.windows)

    def count(self, url: str, extraction: Extraction) -> None:
        """A page was read."""
        if self.windows[-1].pages >= self.width:
            self._next_window()
        self.windows[-1].count(extraction)
        for record in extraction.records:
            self._keep(url, record)
            for name, value in record.items():
                seen = self.distinct.setdefault(name, array("q"))
                if len(seen) < MOST_DISTINCT:
                    _add(seen, hash(value if isinstance(value, str) else repr(value)))
        for failure in extraction.failures:
            key = (failure.what, failure.reason)
            if key in self.failures or len(self.failures) < MOST_FAILURES:
                self.failures[key] += 1
                self.failed_at.setdefault(key, url)

    def _keep(self, url: str, record: Mapping[str, Any]) -> None:
        """Items from all over the run: every record at first, later ever fewer of them."""
        step = 1 << max(0, (self.records // MOST_ITEMS).bit_length())
        if len(self.items) < MOST_ITEMS:
            self.items.append((url, record))
        elif self.records % step == 0:
            self.items[(self.records // step) % MOST_ITEMS] = (url, record)
        self.records += 1

    def _next_window(self) -> None:
        if len(self.windows) >= MOST_WINDOWS:
            pairs = zip(self.windows[::2], self.windows[1::2], strict=True)
            self.windows = [first.joined(second) for first, second in pairs]
            self.width *= 2
        self.windows.append(Window())

    def to_dict(self) -> dict[str, Any]:
        windows = [window for window in self.windows if window.pages]
        return {
            "pages": self.pages,
            "records": self.records,
            "coverage": _share(sum(w.coverage for w in windows), self.pages),
            "windows": [
                {
                    "pages": window.pages,
                    "records": window.records,
                    "coverage": _share(window.coverage, window.pages),
                    "fields": {
                        name: _share(count, window.records) for name, count in window.fields.items()
                    },
                }
                for window in windows
            ],
            "distinct": {name: len(seen) for name, seen in self.distinct.items()},
            "items": [[url, _bounded(record)] for url, record in self.items],
            "failures": [
                [what, reason, count, self.failed_at[what, reason]]
                for (what, reason), count in self.failures.most_common()
            ],
            "notes": self.notes,
        }


@dataclass(frozen=True)
class Run:
    """A crawl, as its file has it."""

    spider: str = ""
    begun: str = ""
    seconds: float = 0.0
    reason: str = ""
    verdict: tuple[str, ...] = ()
    unlearned: tuple[str, ...] = ()
    templates: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        text = json.dumps(data, ensure_ascii=False, indent=1, default=str)
        write_atomically(folder / RUN_FILE, text + "\n")


def read_run(folder: Path) -> Run | None:
    """The last crawl of a store; None where there is no file of it that can be read."""
    try:
        data = json.loads((folder / RUN_FILE).read_bytes())
        known = {name: data[name] for name in Run.__dataclass_fields__ if name in data}
        return Run(**known)
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def _add(seen: array[int], mark: int) -> None:
    """Put a number where it belongs, if it is not there."""
    place = bisect_left(seen, mark)
    if place == len(seen) or seen[place] != mark:
        seen.insert(place, mark)


def _bounded(value: Any, depth: int = 0) -> Any:
    """A value without what would make the file large."""
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if depth > 4:
        return str(value)[:LONGEST_TEXT]
    if isinstance(value, Mapping):
        return {key: _bounded(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [_bounded(inner, depth + 1) for inner in value[:MOST_IN_LIST]]
    return value


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0
