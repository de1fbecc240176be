"""Seconds to learn each delimiter class, by page length: ``python -m benchmarks.delimiter``.

Pages have a head and a tail that look like the records, so that LR alone does not do, or (``--plain``) do not. A second table shows pages on which a class
cannot succeed, where all candidates have to be ruled out.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from scrapy_wrapinduce.delimiter import learn
from scrapy_wrapinduce.delimiter.vector import CLASSES
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import LabelledPage, Record, Span
from scrapy_wrapinduce.page import Page

FIELDS = ("title", "author", "year", "price", "stock")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Writer:
    """Writes a page and remembers where values stand."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pieces: list[str] = []
        self.length = 0

    def add(self, text: str) -> Span:
        self.pieces.append(text)
        self.length += len(text)
        return Span(self.length - len(text), self.length)

    def words(self, count: int) -> str:
        lengths = (self.random.randint(2, 9) for _ in range(count))
        return " ".join("".join(self.random.choices(LETTERS, k=length)) for length in lengths)


def page(records: int, filler: int, seed: int, *, plain: bool, hopeless: bool) -> LabelledPage:
    """A list page with about ``filler`` characters around the list and 330 for each record."""
    out = Writer(seed)
    cell = "<div><span>" if plain else '<tr class="row"><td class="title"><a>'
    out.add(f"<html><head><title>{out.words(4)}</title></head><body><div id=top>")
    while out.length < filler * 2 // 3:
        out.add(
            f'<div class="box">{cell}{out.words(6)}</a></td></tr></div>\n<p>{out.words(12)}</p>'
        )
    out.add('</div><table id="results"><tbody>')
    rows = []
    for number in range(records):
        values = {}
        out.add(f'<tr class="row"><td class="title"><a href="/item/{seed}-{number}">')
        if not plain:
            out.add("</a><a>")
        for field in FIELDS:
            if field != "title":
                out.add(f'<td class="{field}"><span>')
            values[field] = out.add(out.words(3))
            out.add("</a></td>" if field == "title" else f"</span><i>{out.words(4)}</i></td>\n")
        out.add("</tr>\n")
        rows.append(Record(values))
    out.add("</tbody></table>" if not hopeless else "")
    end = out.length + filler // 3
    while out.length < end:
        out.add(
            f'<div class="box">{cell}{out.words(6)}</a></td></tr></div>\n<p>{out.words(12)}</p>'
        )
    if hopeless:
        out.add(
            f'<tr class="row"><td class="title"><a href="/item/{seed}-x"></a><a>{out.words(2)}</a>'
        )
    out.add("</body></html>")
    return LabelledPage(Page("".join(out.pieces)), tuple(rows))


def seconds(family: str, pages: list[LabelledPage]) -> tuple[float, str]:
    started = time.perf_counter()
    try:
        learn(family, pages)
        outcome = "learned"
    except CannotInduce:
        outcome = "no wrapper"
    return time.perf_counter() - started, outcome


def table(
    title: str, make: Callable[[int, int], LabelledPage], sizes: list[int], pages: int
) -> None:
    print(f"\n{title}")
    print(f"{'characters':>10}", *(f"{family:>19}" for family in CLASSES))
    for size in sizes:
        examples = [make(size, seed) for seed in range(pages)]
        results = (seconds(family, examples) for family in CLASSES)
        cells = [f"{time_:.3f} {outcome:>12}" for time_, outcome in results]
        print(f"{len(examples[0].page.html):>10}", *(f"{cell:>19}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2, help="example pages to learn from")
    parser.add_argument("--sizes", type=int, nargs="+", default=[25, 50, 100, 200, 400])
    options = parser.parse_args()
    for name, plain, hopeless in (
        ("plain head and tail", True, False),
        ("head and tail with text like the records'", False, False),
        ("a tail that looks like a record", False, True),
    ):
        table(
            f"{name}; records as given by --sizes, 5 fields, {options.pages} pages",
            lambda size, seed: page(size, size * 130, seed, plain=plain, hopeless=hopeless),  # noqa: B023
            options.sizes,
            options.pages,
        )


if __name__ == "__main__":
    main()
