"""Seconds to learn each delimiter class, by page length: ``python -m benchmarks.delimiter``.

One table for each kind of page; "(none)" marks classes that cannot read them, where candidates have
to be ruled out.
"""

from __future__ import annotations

import argparse
import random
import time

from scrapy_wrapinduce.delimiter import learn
from scrapy_wrapinduce.delimiter.vector import CLASSES
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import LabelledPage, Record, Span
from scrapy_wrapinduce.page import Page

FIELDS = ("title", "author", "year", "price", "stock")
KINDS = {
    "plain": "nothing else looks like a record: all classes can",
    "bounded": "head and tail look like records: a head and a tail delimiter are needed",
    "opened": "an address stands before each title: records have to be opened",
    "endless": "head and tail look like records and nothing stands between them",
}
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


def page(kind: str, records: int, seed: int) -> LabelledPage:
    """A list page with about 570 characters for each record, a quarter of them around the list."""
    out = Writer(seed)
    # What stands around the list: like a record in all kinds but the first.
    lead = (
        "<div><em>" if kind == "plain" else '<tr class="row"><td class="title"><a href="/x"></a><a>'
    )
    around = records * 130

    def box() -> None:
        out.add(f'<div class="box">{lead}{out.words(6)}</a></div>\n<p>{out.words(12)}</p>')

    out.add(f"<html><head><title>{out.words(4)}</title></head><body><div id=top>")
    while out.length < around * 2 // 3:
        box()
    out.add('</div><table id="results"><tbody>')
    rows = []
    for number in range(records):
        values = {}
        out.add(f'<tr class="row"><td class="title"><a href="/item/{seed}-{number}">')
        if kind != "opened":
            out.add("</a><a>")
        for field in FIELDS:
            if field != "title":
                out.add(f'<td class="{field}"><span>')
            values[field] = out.add(out.words(3))
            out.add("</a></td>" if field == "title" else f"</span><i>{out.words(4)}</i></td>\n")
        out.add("</tr>\n")
        rows.append(Record(values))
    if kind != "endless":
        out.add("</tbody></table>")
    end = out.length + around // 3
    while out.length < end:
        box()
    out.add("</body></html>")
    return LabelledPage(Page("".join(out.pieces)), tuple(rows))


def seconds(family: str, pages: list[LabelledPage]) -> tuple[float, bool]:
    """How long it takes to learn a wrapper, or to find that there is none."""
    started = time.perf_counter()
    try:
        learn(family, pages)
    except CannotInduce:
        return time.perf_counter() - started, False
    return time.perf_counter() - started, True


def table(kind: str, sizes: list[int], pages: int) -> None:
    print(f"\n{KINDS[kind]}; {pages} pages")
    print(f"{'characters':>10}", *(f"{family:>14}" for family in CLASSES))
    for size in sizes:
        examples = [page(kind, size, seed) for seed in range(pages)]
        cells = []
        for family in CLASSES:
            spent, learned = seconds(family, examples)
            cells.append(f"{spent:.3f} {'' if learned else '(none)':>6}")
        print(f"{len(examples[0].page.html):>10}", *(f"{cell:>14}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2, help="example pages to learn from")
    parser.add_argument("--sizes", type=int, nargs="+", default=[25, 50, 100, 200, 400])
    options = parser.parse_args()
    for kind in KINDS:
        table(kind, options.sizes, options.pages)


if __name__ == "__main__":
    main()
