"""Feeds without a torn or doubled record: what is exported goes through the journal.

Only files on this machine, and formats to which records can be appended, can be made safe.
"""

from __future__ import annotations

import csv
import io
import logging
import os
import sqlite3
from typing import IO, TYPE_CHECKING, Any

from scrapy.exporters import CsvItemExporter
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage

from ..induction import Induction

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from .journal import Journal

logger = logging.getLogger(__name__)

SAFE_FORMATS = frozenset(("jsonlines", "jl", "jsonl", "csv", "pickle", "marshal"))


class JournalFile(io.RawIOBase):
    """What is written here reaches the file when the page it comes from is done."""

    def __init__(self, journal: Journal, path: str) -> None:
        self.journal = journal
        self.path = path
        self.unit: str | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.journal.stage(self.unit, self.path, bytes(data))
        return len(data)

    def header(self) -> list[str] | None:
        """The first line of a CSV file that an earlier run began."""
        if not self.journal.feed_length(self.path):
            return None
        with open(self.path, encoding="utf-8", newline="") as file:
            return next(csv.reader(file), None)


class SafeFileStorage:
    """Local files; by the journal where the format allows it, else as Scrapy does."""

    def __init__(self, crawler: Crawler, uri: str, feed_options: dict[str, Any] | None) -> None:
        self.crawler = crawler
        self.plain = FileFeedStorage(uri, feed_options=feed_options)
        self.options = feed_options or {}
        self.is_safe = self.options.get("format") in SAFE_FORMATS and not self.options.get(
            "postprocessing"
        )

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, uri: str, *, feed_options: dict[str, Any] | None = None
    ) -> Self:
        return cls(crawler, uri, feed_options)

    def open(self, spider: Spider) -> IO[bytes]:
        if not self.is_safe:
            logger.warning(
                "The feed %s is not safe from crashes: records cannot be appended to %s files. "
                "Use .jsonl or .csv with WRAPINDUCE_CRASH_SAFE", self.plain.path, self.options.get("format"),
            )  # fmt: skip
            return self.plain.open(spider)
        induction = self.crawler.get_extension(Induction)
        assert induction is not None
        path = os.path.abspath(self.plain.path)
        journal = induction.safe.open()
        try:
            journal.begin_feed(path, overwrite=bool(self.options.get("overwrite")))
        except (sqlite3.Error, OSError) as error:
            induction.safe.give_up(error)
        return JournalFile(journal, path)  # type: ignore[return-value]

    def store(self, file: IO[bytes]) -> Any:
        if not isinstance(file, JournalFile):
            return self.plain.store(file)
        induction = self.crawler.get_extension(Induction)
        assert induction is not None
        induction.safe.commit()
        return None


class SafeCsvExporter(CsvItemExporter):
    """Goes on with the columns that an earlier run of the job began."""

    def __init__(self, file: Any, **options: Any) -> None:
        header = file.header() if isinstance(file, JournalFile) else None
        if header:
            options |= {"include_headers_line": False, "fields_to_export": header}
        super().__init__(file, **options)


class SafeFeedExporter(FeedExporter):
    """Scrapy's exporter, which tells the files from which page an item comes."""

    def item_scraped(self, item: Any, spider: Spider, response: Response | None = None) -> None:
        induction = self.crawler.get_extension(Induction)
        assert induction is not None
        unit = induction.units.of(response)
        for slot in self.slots:
            if slot.filter.accepts(item):
                slot.start_exporting()
                file: Any = slot.file
                if isinstance(file, JournalFile):
                    file.unit = unit
        super().item_scraped(item, spider)
