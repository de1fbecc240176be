"""Which delimiter classes can read which list sites: ``python -m benchmarks.lists_coverage DATA``.

The paper's Figures 15, 16, 18 and 19 on the sites of a folder: one folder for each, with pages
``0.htm``, ``1.htm``, … and ``truth.json``, the records of each page in order. Prints Markdown: for
each class whether it can read all pages of the site, how many pages it takes to learn a wrapper
that reads the others right (mean over which come first), and the seconds to learn from all of them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scrapy_wrapinduce.delimiter import learn
from scrapy_wrapinduce.delimiter.vector import CLASSES
from scrapy_wrapinduce.delimiter.wrapper import text_of
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.fields.examples.locate import locate_records
from scrapy_wrapinduce.labels import LabelledPage, Span
from scrapy_wrapinduce.page import Page


@dataclass(frozen=True)
class Cell:
    """One class on one site."""

    seconds: float
    pages: float | None = None
    reason: str = ""


def read_site(folder: Path) -> list[LabelledPage]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    pages = [Page((folder / f"{number}.htm").read_bytes()) for number in range(len(truth))]
    return [
        locate_records(page, records) for page, records in zip(pages, truth, strict=True) if records
    ]


def content(page: LabelledPage) -> list[dict[str, str]]:
    html = page.page.html
    return [
        {
            name: text_of(html[span.start : span.end])
            for name, span in record.values.items()
            if isinstance(span, Span)
        }
        for record in page.records
    ]


def measure(family: str, pages: Sequence[LabelledPage]) -> Cell:
    started = time.perf_counter()
    try:
        learn(family, pages)
    except CannotInduce as error:
        return Cell(time.perf_counter() - started, reason=str(error))
    seconds = time.perf_counter() - started
    return Cell(
        seconds, statistics.mean(needed(family, pages, first) for first in range(len(pages)))
    )


def needed(family: str, pages: Sequence[LabelledPage], first: int) -> int:
    """How many pages, from one of them on, it takes to read the others right."""
    order = [*pages[first:], *pages[:first]]
    for count in range(1, len(order)):
        try:
            wrapper = learn(family, order[:count])
        except CannotInduce:
            continue
        if all(wrapper.extract(page.page).records == content(page) for page in order[count:]):
            return count
    return len(order)


def shown(cell: Cell) -> str:
    return "×" if cell.pages is None else f"{cell.pages:.1f} · {cell.seconds:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", default="", help="sites whose names begin so")
    parser.add_argument("--reasons", action="store_true", help="say why classes fail")
    options = parser.parse_args()
    print("| site | K | records |", " | ".join(CLASSES), "|")
    print("|---|---|---|" + "---|" * len(CLASSES))
    table: dict[str, dict[str, Cell]] = {}
    for folder in sorted(options.data.iterdir()):
        if not folder.name.startswith(options.only) or not folder.is_dir():
            continue
        try:
            pages = read_site(folder)
        except CannotInduce as error:
            print(f"| {folder.name} | | | {error} |")
            continue
        row = {family: measure(family, pages) for family in CLASSES}
        table[folder.name] = row
        fields = len({name for page in pages for record in page.records for name in record.values})
        records = sum(len(page.records) for page in pages)
        cells = " | ".join(shown(row[family]) for family in CLASSES)
        print(f"| {folder.name} | {fields} | {records} | {cells} |", flush=True)
        if options.reasons:
            for cell in row.values():
                if cell.reason:
                    print("   ", cell.reason)
    summary(table)


def summary(table: dict[str, dict[str, Cell]]) -> None:
    groups = {family: (family,) for family in CLASSES}
    groups["lr, hlrt, oclr or hoclrt"] = ("lr", "hlrt", "oclr", "hoclrt")
    groups["any of the six"] = tuple(CLASSES)
    print(
        "\n| class | sites it can read | pages needed | median seconds when it can | longest when not |"
    )
    print("|---|---|---|---|---|")
    for name, families in groups.items():
        good = [
            [row[family] for family in families if row[family].pages is not None]
            for row in table.values()
        ]
        able = [cells[0] for cells in good if cells]
        failed = [
            row[family].seconds
            for row in table.values()
            for family in families
            if row[family].pages is None
        ]
        pages = statistics.mean(cell.pages or 0 for cell in able) if able else 0
        seconds = statistics.median(cell.seconds for cell in able) if able else 0
        share = f"{len(able)} of {len(table)} ({len(able) / max(1, len(table)):.0%})"
        print(f"| {name} | {share} | {pages:.1f} | {seconds:.2f} | {max(failed, default=0):.2f} |")


if __name__ == "__main__":
    main()
