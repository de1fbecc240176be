"""What a person sees on stderr while a command runs; stdout belongs to the output."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

BAR_WIDTH = 30
SECONDS_BETWEEN_UPDATES = 0.1
LEAST_LEFT = 2  # seconds: less is not worth telling


class Console:
    """Lines of text, and a progress bar below them where stderr is a terminal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._is_terminal = sys.stderr.isatty()
        self._shown = 0
        self._waiting: tuple[threading.Event, threading.Thread] | None = None

    def say(self, text: str) -> None:
        """Print one line."""
        self.clear()
        # File names may hold what the terminal's encoding has no character for.
        line = f"{self.name}: {text}\n".encode(errors="backslashreplace").decode()
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()

    def track(self, items: Iterable[Item], unit: str, total: int | None = None) -> Iterator[Item]:
        """Pass the items on, and show how many there were."""
        begun = shown = time.monotonic()
        count = 0
        for count, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if self._is_terminal and now - shown >= SECONDS_BETWEEN_UPDATES:
                shown = now
                self._show(progress_line(count, total, unit, now - begun))
        self.clear()

    def wait_for(self, text: str) -> None:
        """Say what is going on, and for how long, until the next line replaces it."""
        if not self._is_terminal:
            return
        self._show(text)
        over = threading.Event()
        clock = threading.Thread(target=self._count_seconds, args=(text, over), daemon=True)
        self._waiting = (over, clock)
        clock.start()

    def _count_seconds(self, text: str, over: threading.Event) -> None:
        begun = time.monotonic()
        while not over.wait(1):
            self._write(f"{text}, {time.monotonic() - begun:.0f} s")

    def clear(self) -> None:
        """Remove the progress bar."""
        self._stop_waiting()
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            over, clock = self._waiting
            self._waiting = None
            over.set()
            clock.join()

    def _show(self, text: str) -> None:
        self._stop_waiting()
        self._write(text)

    def _write(self, text: str) -> None:
        # A line that wraps could not be taken back.
        text = text[: max(1, shutil.get_terminal_size().columns - 1)]
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(text)


def progress_line(count: int, total: int | None, unit: str, seconds: float) -> str:
    """
    >>> progress_line(5, 20, "pages", 2.0)
    '[███████───────────────────────] 5/20 pages, 2 s, about 6 s left'
    >>> progress_line(5, None, "pages", 2.0)
    '5 pages, 2 s'
    """
    if not total:
        return f"{count} {unit}, {seconds:.0f} s"
    done = BAR_WIDTH * min(count, total) // total
    left = seconds * max(0, total - count) / max(1, count)
    ahead = f", about {left:.0f} s left" if left >= LEAST_LEFT else ""
    bar = "█" * done + "─" * (BAR_WIDTH - done)
    return f"[{bar}] {count}/{total} {unit}, {seconds:.0f} s{ahead}"
