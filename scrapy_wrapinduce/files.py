"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

# Half a surrogate pair, which a page can hold, is written as the escape that JSON has for it.
_ESCAPE = "backslashreplace"


@contextmanager
def replacing(path: str | os.PathLike[str], newline: str | None = None) -> Iterator[TextIO]:
    """A text file that takes the place of ``path`` when the block ends without an error.

    Until then a reader sees the old content; after an error nothing is left behind. What is not a
    regular file (a pipe, a terminal) cannot be replaced and is written to directly.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", errors=_ESCAPE, newline=newline) as file:
            yield file
        return
    # A link keeps pointing to the file it pointed to.
    target = Path(os.path.realpath(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"cannot write {os.fspath(path)}: no folder {target.parent}")
    with (
        _in_place_of(target) as temporary,
        open(
            temporary, "w", encoding="utf-8", errors=_ESCAPE, newline=newline, opener=_private
        ) as file,
    ):
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file's content; a reader sees the old or the new one, never a part."""
    with replacing(path) as file:
        file.write(text)


def write_bytes_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """As :func:`write_atomically`, for what is not text and may be lost with the machine: the disk is not waited for."""
    target = Path(path)
    with _in_place_of(target) as temporary, open(temporary, "wb", opener=_private) as file:
        file.write(content)


@contextmanager
def _in_place_of(target: Path) -> Iterator[Path]:
    """The name of a file to write, moved to its place when the block ends well, else removed.

    The file is made in the block: a signal that ends the program finds nothing that is not looked after.
    """
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}")
    try:
        yield temporary
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _private(path: str, flags: int) -> int:
    """Open a file that nobody else has made or may read."""
    return os.open(path, flags | os.O_EXCL, 0o600)


def _mode(target: Path) -> int:
    """The permissions that an ordinary write would have left; temporary files are private."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask
