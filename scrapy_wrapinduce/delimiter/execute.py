"""The exec procedures of the six classes (Kushmerick 2000, Figures 3, 5, 7, 9, 12 and 13), with
spans.

The four tabular classes differ only in which structural delimiters they have, so one loop runs them
all; the two nested ones share the other. Where the paper says "scan to" a head, open or close
delimiter, scanning goes on from its first character. Of two left delimiters that begin at the same
character the longer one is read. Each delimiter is looked for at most once in each part of a page:
linear time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..wrapper import Failure
from .vector import Event

if TYPE_CHECKING:
    from .vector import Vector

_SHOWN = 60


@dataclass(slots=True)
class Run:
    """What a vector read from a page, and which of its delimiters found their place."""

    events: list[Event] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    found: set[str] = field(default_factory=set)

    def miss(self, name: str, text: str, start: int, end: int) -> None:
        self.failures.append(
            Failure(name, f"{quote(text)} does not occur from here on", start, end)
        )


def quote(text: str) -> str:
    """A delimiter as it is shown to people: quoted, cut when it is long."""
    return repr(text) if len(text) <= _SHOWN else f"{text[: _SHOWN - 20]!r}…{text[-15:]!r}"


class _Scanner:
    """Finds a string from ever later places; never looks at the same part of the page twice."""

    def __init__(self, html: str, text: str) -> None:
        self._html, self._text, self._next = html, text, -1

    def next(self, at: int) -> int:
        """Where the next occurrence begins; beyond the page's end when there is none."""
        if self._next < at:
            found = self._html.find(self._text, at)
            self._next = found if found >= 0 else len(self._html) + 1
        return self._next


def run_tabular(vector: Vector, html: str) -> Run:
    """exec of LR, HLRT, OCLR and HOCLRT: whole records only."""
    run = Run()
    at = _skip_head(vector, html, run)
    if at < 0:
        return run
    names = [(f"l{number}", f"r{number}") for number in range(1, len(vector.left) + 1)]
    opener = vector.left[0] if vector.open is None else vector.open
    tail = None if vector.tail is None else _Scanner(html, vector.tail)
    while (begin := html.find(opener, at)) >= 0:
        if tail is not None and tail.next(at) <= begin:
            break
        if vector.open is not None:
            run.found.add("o")
        at = begin
        row: list[Event] = []
        for number, (left, right) in enumerate(zip(vector.left, vector.right, strict=True)):
            start = html.find(left, at)
            if start < 0:
                run.miss(names[number][0], left, at, len(html))
                return run
            start += len(left)
            at = html.find(right, start)
            if at < 0:
                run.miss(names[number][1], right, start, len(html))
                return run
            row.append(Event(number, start, at))
            run.found.update(names[number])
        run.events += row
        if vector.close is not None:
            end = html.find(vector.close, at)
            if end < 0:
                run.miss("c", vector.close, at, len(html))
                return run
            run.found.add("c")
            at = end
    _close(vector, html, run, at, tail)
    return run


def run_nested(vector: Vector, html: str) -> Run:
    """exec of N-LR and N-HLRT: values in page order; after attribute k comes one of 1 … k+1."""
    run = Run()
    at = _skip_head(vector, html, run)
    if at < 0:
        return run
    tail = None if vector.tail is None else _Scanner(html, vector.tail)
    scanners = [_Scanner(html, left) for left in vector.left]
    reach = 1
    while True:
        begin, _, number = min(
            (scanners[number].next(at), -len(vector.left[number]), number)
            for number in range(reach)
        )
        if begin > len(html) or (tail is not None and tail.next(at) <= begin):
            break
        start = begin + len(vector.left[number])
        end = html.find(vector.right[number], start)
        if end < 0:
            run.miss(f"r{number + 1}", vector.right[number], start, len(html))
            return run
        run.events.append(Event(number, start, end))
        run.found.update((f"l{number + 1}", f"r{number + 1}"))
        at = end
        reach = min(number + 2, len(vector.left))
    _close(vector, html, run, at, tail)
    return run


def _skip_head(vector: Vector, html: str, run: Run) -> int:
    if vector.head is None:
        return 0
    at = html.find(vector.head)
    if at < 0:
        run.miss("h", vector.head, 0, len(html))
    else:
        run.found.add("h")
    return at


def _close(vector: Vector, html: str, run: Run, at: int, tail: _Scanner | None) -> None:
    if not run.events:
        name, text = ("l1", vector.left[0]) if vector.open is None else ("o", vector.open)
        run.miss(name, text, at, len(html))
    if vector.tail is not None and tail is not None:
        if tail.next(at) > len(html):
            run.miss("t", vector.tail, at, len(html))
        else:
            run.found.add("t")
