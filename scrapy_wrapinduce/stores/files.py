"""Parked pages and wrappers as plain files, each written completely or not at all.

::

    parked/3f/3fa4….page             a page that waits for its wrapper (see ``stores.pages``)
    wrappers/shop.example/t1.json    a wrapper, as ``wrapinduce show`` reads it
    wrappers/shop.example/t1.about   JSON: the template, when and from how many pages it was learned
    wrappers/shop.example/t1.warc.gz some of its pages (see ``stores.sample``)
    wrappers/shop.example/t1.versions/1.json   what was in use before (see ``stores.versions``)
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..errors import InvalidWrapper
from ..files import write_atomically
from .sample import changed_path, sample_path
from .stored import StoredWrapper, described
from .versions import Versions

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


class ParkedPages:
    """Pages on disk by key. The keys are in memory, the pages are not."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit
        self.sizes: dict[str, int] = {}
        self.total = 0
        self._is_refused = False
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob("*/*"):
            if path.suffix == ".page":
                self._count(path.stem, path.stat().st_size)
            else:
                # Left by a process that was killed while it wrote.
                path.unlink(missing_ok=True)

    def __len__(self) -> int:
        return len(self.sizes)

    def __contains__(self, key: str) -> bool:
        return key in self.sizes

    def __iter__(self) -> Iterator[str]:
        return iter(list(self.sizes))

    @property
    def full(self) -> bool:
        """Whether the pages fill their limit, or the disk did not take the last one."""
        return self._is_refused or self.total >= self.limit

    def put(self, key: str, blob: bytes) -> None:
        """Keep a page; raises :class:`OSError` when the disk does not take it."""
        path = self._path(key)
        self._is_refused = True
        try:
            self._write(path, blob)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(path, blob)
        self._is_refused = False
        self._count(key, len(blob))

    def get(self, key: str) -> bytes | None:
        """A page's blob, or None when it is no longer here."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            return None

    def remove(self, key: str) -> None:
        """Forget a page whose items are safe."""
        self._path(key).unlink(missing_ok=True)
        self.total -= self.sizes.pop(key, 0)

    def _count(self, key: str, size: int) -> None:
        self.total += size - self.sizes.get(key, 0)
        self.sizes[key] = size

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.page"

    @staticmethod
    def _write(path: Path, blob: bytes) -> None:
        # The page must outlive the process, not the machine: that is what the crawl's other files do.
        temporary = path.with_suffix(f".{os.getpid()}")
        try:
            temporary.write_bytes(blob)
            os.replace(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


class Wrappers:
    """Wrappers on disk, by site and template."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, stored: StoredWrapper) -> Path:
        """The file of a wrapper."""
        return self._folder(stored.site) / f"{stored.name}.json"

    def _folder(self, site: str) -> Path:
        return self.folder / _UNSAFE.sub("_", site or "_")

    def save(self, stored: StoredWrapper) -> bool:
        """Put a wrapper into use; another one of its name becomes an earlier version: then True."""
        path = self.path(stored)
        path.parent.mkdir(parents=True, exist_ok=True)
        about = stored.about()
        # The wrapper first: a description without a wrapper would be an error, the reverse is not.
        changed = Versions(path).replace(stored.text)
        write_atomically(
            path.with_suffix(".about"), json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        )
        return changed

    def numbers(self, stored: StoredWrapper) -> list[int]:
        """The earlier versions that are kept, oldest first."""
        return Versions(self.path(stored)).numbers()

    def number(self, stored: StoredWrapper) -> int:
        """The number of the wrapper in use."""
        return Versions(self.path(stored)).number

    def where(self, stored: StoredWrapper, number: int) -> str:
        """The file of a version, or of the wrapper in use."""
        versions = Versions(self.path(stored))
        return str(versions.current if number == versions.number else versions.path(number))

    def version(self, stored: StoredWrapper, number: int) -> StoredWrapper:
        """An earlier version of a wrapper."""
        path = Versions(self.path(stored)).path(number)
        try:
            return _read(path.with_suffix(".about"))
        except (OSError, ValueError, InvalidWrapper) as error:
            raise InvalidWrapper(f"{path}: {error}") from error

    def one(self, site: str, name: str) -> StoredWrapper | None:
        """The wrapper of a name; None where there is none, and :class:`InvalidWrapper` where it is broken."""
        path = self._folder(site) / f"{name}.about"
        try:
            return _read(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, InvalidWrapper) as error:
            raise InvalidWrapper(f"{path}: {error}") from error

    def all(self) -> Iterator[StoredWrapper | InvalidWrapper]:
        """Every wrapper in the store; for a broken one, the error that says what is wrong."""
        for path in sorted(self.folder.glob("*/*.about")):
            try:
                yield _read(path)
            except (OSError, ValueError, InvalidWrapper) as error:
                yield InvalidWrapper(f"{path}: {error}")

    def remove(self, stored: StoredWrapper) -> None:
        """Forget a wrapper, its pages and its earlier versions."""
        path = self.path(stored)
        for file in (path.with_suffix(".about"), path, sample_path(path), changed_path(path)):
            file.unlink(missing_ok=True)
        Versions(path).remove()

    def pin(self, stored: StoredWrapper, pinned: bool) -> StoredWrapper:
        changed = replace(stored, pinned=pinned)
        self.save(changed)
        return changed


def _read(path: Path) -> StoredWrapper:
    try:
        text = path.with_suffix(".json").read_text(encoding="utf-8")
    except ValueError as error:
        raise ValueError(f"the wrapper beside it is not text: {error}") from error
    return described(json.loads(path.read_bytes()), text)


def temporary_folder(parent: Path) -> Path:
    """A folder for the pages of this process alone; those of processes that are gone are removed."""
    parent.mkdir(parents=True, exist_ok=True)
    for path in parent.glob("run-*-*"):
        process = path.name.split("-")[1]
        if process.isdigit() and not _is_alive(int(process)):
            shutil.rmtree(path, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"run-{os.getpid()}-", dir=parent))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
