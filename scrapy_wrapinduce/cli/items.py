"""Items as JSON lines, JSON or CSV, by the suffix of the file."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from ..errors import WrapinduceError
from ..files import replacing

Item = Mapping[str, Any]


class UnknownSuffix(WrapinduceError):
    """The output's suffix does not say which format it is to have."""


def write_json_lines(items: Iterable[Item], file: TextIO) -> None:
    file.writelines(as_json(item) + "\n" for item in items)


def write_json(items: Iterable[Item], file: TextIO) -> None:
    before = "[\n"
    for item in items:
        file.write(before + as_json(item))
        before = ",\n"
    file.write("[]\n" if before == "[\n" else "\n]\n")


def write_csv(items: Iterable[Item], file: TextIO) -> None:
    """One column for every field of any item; what is not text is written as JSON."""
    rows = list(items)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(file)
    if columns:
        writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])


WRITERS: dict[str, Callable[[Iterable[Item], TextIO], None]] = {
    ".jsonl": write_json_lines,
    ".jl": write_json_lines,
    ".json": write_json,
    ".csv": write_csv,
}


def writer_for(path: str | None) -> Callable[[Iterable[Item], TextIO], None]:
    """How to write items to a file; JSON lines to stdout."""
    if path is None or (Path(path).exists() and not Path(path).is_file()):
        return write_json_lines
    suffix = Path(path).suffix.lower()
    if suffix not in WRITERS:
        raise UnknownSuffix(
            f"cannot tell the format of {path}: its suffix must be one of {', '.join(WRITERS)}"
        )
    return WRITERS[suffix]


@contextmanager
def output(path: str | None, newline: str | None = None) -> Iterator[TextIO]:
    """The file at ``path``, written completely or not at all; stdout without one."""
    if path is None:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
        yield sys.stdout
        sys.stdout.flush()
    else:
        with replacing(path, newline=newline) as file:
            yield file


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    """Typed values (dates, decimal numbers, paths) as the text they stand for."""
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else as_json(value)
