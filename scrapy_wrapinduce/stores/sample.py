"""Some pages of a template, kept beside its wrapper: what reports show and the studio learns from.

::

    wrappers/shop.example/t1.json               the wrapper
    wrappers/shop.example/t1.warc.gz            pages it was learned from
    wrappers/shop.example/t1.changed.warc.gz    pages that it no longer reads as it should

A web archive keeps a page with its address, and every command that takes pages takes one.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, cast

from .. import warc
from ..files import write_bytes_atomically
from ..page import Page

MOST_PAGES = 20
MOST_BYTES = 2 << 20
LARGEST_PAGE = 20 << 20


def sample_path(wrapper: Path) -> Path:
    """Where the pages of a wrapper's file are kept."""
    return wrapper.with_suffix(".warc.gz")


def changed_path(wrapper: Path) -> Path:
    """Where the pages are kept that a wrapper no longer reads as it should."""
    return wrapper.with_suffix(".changed.warc.gz")


def pack_sample(pages: Iterable[Page], most: int = MOST_PAGES) -> bytes:
    """Pages as an archive of bounded size; one that is too large for it is left out."""
    records: list[bytes] = []
    size = 0
    for number, page in enumerate(pages):
        if len(records) == most:
            break
        record = warc.record(page.url or f"page-{number}", page.html)
        if size + len(record) <= MOST_BYTES:
            records.append(record)
            size += len(record)
    return b"".join(records)


def save_sample(path: Path, packed: bytes) -> None:
    """Write an archive; none where there is nothing to keep."""
    if packed:
        write_bytes_atomically(path, packed)
    else:
        path.unlink(missing_ok=True)


def read_sample(path: Path, most: int = MOST_PAGES) -> list[Page]:
    """The pages of an archive; those before a broken place, and none where there is no archive."""
    pages: list[Page] = []
    try:
        with gzip.open(path, "rb") as archive:
            file = cast("IO[bytes]", archive)
            for response in warc.responses(file, LARGEST_PAGE):
                if len(pages) == most:
                    break
                pages.append(
                    Page(response.read(), url=response.url, content_type=response.content_type)
                )
    except (OSError, EOFError, zlib.error):
        pass
    return pages
