"""CSV files with all columns: those of every template, not only those of the first item.

Which fields there are is known for sure when the crawl ends. Until then the rows wait in a temporary file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import Any

from scrapy.exporters import CsvItemExporter

IN_MEMORY = 4 << 20


class CompleteCsvExporter(CsvItemExporter):
    """Scrapy's exporter; dicts without ``FEED_EXPORT_FIELDS`` get a column for every field of any of them."""

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **options)
        self._columns: list[str] = []
        self._rows: SpooledTemporaryFile[str] | None = None

    def export_item(self, item: Any) -> None:
        if self._rows is None:
            if self.fields_to_export or not isinstance(item, dict):
                super().export_item(item)
                return
            self._rows = SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8")  # noqa: SIM115
        row = dict(self.get_serialized_fields(item, default_value="", include_empty=True))
        merge_columns(self._columns, row)
        self._rows.write(json.dumps(row, default=str) + "\n")

    def finish_exporting(self) -> None:
        if self._rows is not None:
            if self.include_headers_line:
                self.csv_writer.writerow(self._columns)
            self._rows.seek(0)
            for line in self._rows:
                row = json.loads(line)
                self.csv_writer.writerow([row.get(name, "") for name in self._columns])
            self._rows.close()
        super().finish_exporting()


def merge_columns(columns: list[str], names: Iterable[str]) -> None:
    """Add new names right behind the ones they follow, so that the order does not hang on the first item.

    >>> columns = ["url", "title", "price"]
    >>> merge_columns(columns, ["url", "title", "isbn", "price"])
    >>> columns
    ['url', 'title', 'isbn', 'price']
    """
    place = 0
    known = set(columns)
    for name in names:
        if name in known:
            place = columns.index(name) + 1
        else:
            columns.insert(place, name)
            known.add(name)
            place += 1
