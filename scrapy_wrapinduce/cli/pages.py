"""PAGES of the command line: files, folders, archives and web archives, in a stable order.

What is not a page is skipped with a line that says so; a path that cannot be read at all is an error.
"""

from __future__ import annotations

import gzip
import lzma
import mimetypes
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from .. import warc
from ..errors import WrapinduceError
from ..page import Page

LARGEST_PAGE = 64 * 1024 * 1024
BYTES_LOOKED_AT = 65536

_HTML_TYPES = ("text/html", "application/xhtml+xml")
# Only the suffixes every Python knows: the answer must not depend on the machine.
_TYPES = mimetypes.MimeTypes()
_TAG = re.compile(rb"<[a-zA-Z!/?]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)

Say = Callable[[str], None]


class UnreadablePages(WrapinduceError):
    """Pages were asked for that are not there or cannot be read."""


@dataclass(frozen=True)
class NamedPage:
    """A page and the name it goes by: its path, or its place in an archive."""

    name: str
    page: Page


@dataclass(frozen=True)
class _Candidate:
    """Something that may be a page: its bytes are looked at before it is taken for one."""

    name: str
    read: Callable[[], bytes]
    url: str | None = None
    content_type: str | None = None
    asked_for: bool = False


def read_pages(paths: Sequence[str], say: Say, confined: bool = False) -> Iterator[NamedPage]:
    """The pages at ``paths``, one at a time; ``confined``: no link leads out of a folder."""
    for path in paths:
        if not os.path.exists(path):
            raise UnreadablePages(f"{path}: no such file or folder")
    found = False
    for path in paths:
        for candidate in _candidates(path, confined):
            try:
                body = candidate.read()
            except _BROKEN as error:
                if candidate.asked_for:
                    raise UnreadablePages(f"{candidate.name}: {_reason(error)}") from error
                say(f"skipped {candidate.name}: {_reason(error)}")
                continue
            fault = why_not_a_page(candidate.name, body, candidate.asked_for)
            if fault:
                say(f"skipped {candidate.name}: {fault}")
                continue
            found = True
            url = candidate.url or printable(candidate.name)
            page = Page(body, url=url, content_type=candidate.content_type)
            yield NamedPage(printable(candidate.name), page)
    if not found:
        raise UnreadablePages(f"no HTML pages in {', '.join(paths)}")


def count_pages(paths: Sequence[str]) -> int | None:
    """About how many pages there are, where that can be told without reading them."""
    total = 0
    for path in paths:
        if os.path.isdir(path):
            total += sum(1 for _ in _files(path))
        elif _opener(path) is not None:
            return None
        else:
            total += 1
    return total


def why_not_a_page(name: str, body: bytes, asked_for: bool = False) -> str | None:
    """Why something is not an HTML page; ``None`` for one that is.

    >>> why_not_a_page("logo.png", b"...")
    'not HTML (image/png)'
    >>> why_not_a_page("index.php", b"<p>Hello")
    """
    guessed, _ = _TYPES.guess_type(Path(name).name)
    known = guessed is not None and guessed not in (*_HTML_TYPES, "application/octet-stream")
    if known and not asked_for:
        return f"not HTML ({guessed})"
    if not body.strip():
        return "empty"
    if len(body) > LARGEST_PAGE:
        return f"larger than {LARGEST_PAGE // 1024**2} MB"
    start = body[:BYTES_LOOKED_AT]
    if start.startswith(_UTF16):
        return None
    if start.startswith(b"WARC/"):
        return "not HTML (a web archive: name it to read its pages)"
    if b"\0" in start:
        return "not HTML (binary)"
    if guessed not in _HTML_TYPES and not _TAG.search(start):
        return "not HTML (no tags)"
    return None


def printable(name: str) -> str:
    """A file's name as text that can be written anywhere."""
    return os.fsencode(name).decode("utf-8", "replace")


def _files(folder: str) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.join(parent, name)


def _candidates(path: str, confined: bool) -> Iterator[_Candidate]:
    if os.path.isdir(path):
        for name in _files(path):
            yield _Candidate(name, _reader(name, path if confined else None))
        return
    opener = _opener(path)
    if opener is None:
        yield _Candidate(path, _reader(path), asked_for=True)
        return
    try:
        yield from opener(path)
    except _BROKEN as error:
        raise UnreadablePages(f"{path}: {_reason(error)}") from error


def _reader(path: str, folder: str | None = None) -> Callable[[], bytes]:
    def read() -> bytes:
        if folder is not None and not Path(path).resolve().is_relative_to(Path(folder).resolve()):
            raise OSError("a link out of the folder")
        # Reading a pipe or a device may never end.
        if not os.path.isfile(path):
            raise OSError("not a regular file")
        with _maybe_gzipped(path) as file:
            return file.read(LARGEST_PAGE + 1)

    return read


def _maybe_gzipped(path: str) -> IO[bytes]:
    if path.lower().endswith(".gz"):
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return Path(path).open("rb")


def _opener(path: str) -> Callable[[str], Iterator[_Candidate]] | None:
    """How to read an archive; ``None`` for what is a page itself."""
    name = os.path.basename(path).lower()
    if name.endswith(".zip"):
        return _from_zip
    if name.endswith((".warc", ".warc.gz")):
        return _from_warc
    if re.search(r"\.(tar(\.\w+)?|tgz|tbz2?|txz)$", name):
        return _from_tar
    return None


def _from_zip(path: str) -> Iterator[_Candidate]:
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        for member in sorted(members, key=lambda member: member.filename):

            def read(member: zipfile.ZipInfo = member) -> bytes:
                try:
                    with archive.open(member) as file:
                        return file.read(LARGEST_PAGE + 1)
                except (RuntimeError, NotImplementedError) as error:
                    raise OSError(str(error)) from error

            if not _hidden(member.filename):
                yield _Candidate(f"{path}/{member.filename}", read)


def _from_tar(path: str) -> Iterator[_Candidate]:
    # The order of the archive, which is as stable as its name: a compressed one cannot be read in another.
    with tarfile.open(path, "r:*") as archive:
        for member in archive:
            if not member.isfile() or _hidden(member.name):
                continue

            def read(member: tarfile.TarInfo = member) -> bytes:
                file = archive.extractfile(member)
                return file.read(LARGEST_PAGE + 1) if file else b""

            yield _Candidate(f"{path}/{member.name.removeprefix('./')}", read)


def _from_warc(path: str) -> Iterator[_Candidate]:
    with _maybe_gzipped(path) as file:
        for response in warc.responses(file, LARGEST_PAGE):
            yield _Candidate(
                response.url, response.read, response.url, response.content_type, asked_for=False
            )


def _hidden(name: str) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in name.split("/"))


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"cannot be read ({error or type(error).__name__})"
