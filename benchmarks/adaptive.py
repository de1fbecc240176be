"""Scrapling's adaptive selectors on the same pages: an element of one page, found again on changed ones.

For each field the innermost element that shows the field's value on a labelled page is remembered; on a changed page the
element most like it is taken. Optional: without ``scrapling`` there is nothing to compare with.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ADDRESS = "https://changes.example/"


class Adaptive:
    """Elements remembered by field; raises :class:`ImportError` without Scrapling."""

    def __init__(self, labelled: Sequence[tuple[str, Mapping[str, str]]]) -> None:
        from scrapling.parser import Selector

        self._selector = Selector
        self._file = str(Path(tempfile.mkdtemp()) / "elements.db")
        self.fields: list[str] = []
        for source, values in labelled:
            page = self._parsed(source)
            for field, value in values.items():
                holders = [e for e in page.xpath("//body//*") if _text(e) == value]
                if holders and field not in self.fields:
                    page.save(holders[-1], field)
                    self.fields.append(field)

    def _parsed(self, source: str) -> Any:
        arguments = {"storage_file": self._file, "url": ADDRESS}
        return self._selector(source, url=ADDRESS, adaptive=True, storage_args=arguments)

    def read(self, sources: Sequence[str]) -> list[dict[str, str]]:
        """The values of each page."""
        found = []
        for source in sources:
            page = self._parsed(source)
            record = {}
            for field in self.fields:
                element = page.relocate(page.retrieve(field), percentage=0, selector_type=True)
                if element:
                    record[field] = _text(element[0])
            found.append(record)
        return found


def _text(element: Any) -> str:
    return " ".join(str(element.get_all_text(separator=" ")).split())
