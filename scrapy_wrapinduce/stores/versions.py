"""Earlier versions of a wrapper file: nothing that was learned or repaired is overwritten silently.

::

    shop.example/book.json             the wrapper in use
    shop.example/book.about            what a crawl knows about it; a wrapper made by hand has none
    shop.example/book.versions/3.json  what was in use before it, the newest with the highest number
    shop.example/book.versions/3.about

The oldest are removed when there are more than :data:`KEPT`. Every file is a wrapper like any other: ``wrapinduce show``, ``apply`` and
``diff`` read it where it lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import WrapinduceError
from ..files import write_atomically

KEPT = 10
ENDINGS = (".json", ".about")


class NoSuchVersion(WrapinduceError):
    """The version asked for is not kept."""


@dataclass(frozen=True)
class Versions:
    """The earlier versions of the wrapper file ``current``."""

    current: Path

    @property
    def folder(self) -> Path:
        return self.current.with_suffix(".versions")

    def numbers(self) -> list[int]:
        """The versions that are kept, oldest first."""
        names = (path.stem for path in self.folder.glob("*.json"))
        return sorted(int(name) for name in names if name.isascii() and name.isdecimal())

    @property
    def number(self) -> int:
        """The number of the wrapper in use: one more than the last before it."""
        return max(self.numbers(), default=0) + 1

    def path(self, number: int) -> Path:
        """Where a version lies; raises :class:`NoSuchVersion`."""
        if number not in self.numbers():
            kept = ", ".join(map(str, self.numbers())) or "none"
            raise NoSuchVersion(f"{self.current} has no version {number}; kept: {kept}")
        return self.folder / f"{number}.json"

    def replace(self, text: str) -> bool:
        """Write the wrapper in use; if it says something else than before, that is kept first.

        Killed half-way it leaves the old wrapper in use, at worst kept a second time.
        """
        changed = self._is_other(text)
        if changed:
            number = self.number
            self.folder.mkdir(exist_ok=True)
            # What is known about it first: a version is there when its wrapper is.
            for ending in reversed(ENDINGS):
                source = self.current.with_suffix(ending)
                if source.is_file():
                    write_atomically(self.folder / f"{number}{ending}", _text(source))
            self._forget_oldest()
        write_atomically(self.current, text)
        return changed

    def _is_other(self, text: str) -> bool:
        # Through a link, the file it leads to is replaced; a pipe or a terminal has no history.
        return self.current.is_file() and _text(self.current) != text

    def _forget_oldest(self) -> None:
        for number in self.numbers()[:-KEPT]:
            for ending in ENDINGS:
                (self.folder / f"{number}{ending}").unlink(missing_ok=True)

    def remove(self) -> None:
        """Forget all of it, as when the wrapper itself is pruned."""
        for number in self.numbers():
            for ending in ENDINGS:
                (self.folder / f"{number}{ending}").unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape")
