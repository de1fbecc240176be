"""Undamaged lists by family, and how a fuzzy mask's time grows: ``python -m benchmarks.list_families DATA``.

DATA is the unpacked ``lists`` folder. Every family learns from the first page of a site and reads the two others; F is
the mean over columns and whole tuples, 0 where the family learns nothing. The second table is of made-up pages.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.delimiter import page as made_up
from scrapy_wrapinduce import delimiter, fuzzy, records
from scrapy_wrapinduce.delimiter.vector import CLASSES
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.fields.examples.locate import locate_records
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.records.choice import choose
from scrapy_wrapinduce.tokenizer import fold

FAMILIES: dict[str, Callable[[Sequence[Any]], Any]] = {
    **{name: (lambda pages, name=name: delimiter.learn(name, pages)) for name in CLASSES},
    "simplest delimiter class": delimiter.choose,
    "fuzzy": fuzzy.learn,
    "records": records.learn,
    "as induce chooses": choose,
}


def site_scores(folder: Path) -> dict[str, float]:
    """F of each family on one site."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    pages = [
        Page((folder / f"{n}.htm").read_bytes().decode("utf-8", "replace"), url=f"http://{folder.name}/{n}")
        for n in range(len(truth))
    ]  # fmt: skip
    labelled = [locate_records(pages[0], truth[0])]
    scores = {}
    for name, learn in FAMILIES.items():
        try:
            wrapper = learn(labelled)
        except CannotInduce:
            scores[name] = 0.0
            continue
        scores[name] = mean(
            mean(columns(wrapper.extract(page).records, true))
            for page, true in zip(pages[1:], truth[1:], strict=True)
        )
    return scores


def columns(found: Sequence[dict[str, Any]], true: Sequence[dict[str, str]]) -> Iterable[float]:
    """F of each column, and of whole tuples."""
    names = sorted({name for record in true for name in record})
    for name in names:
        read = [text for record in found for text in _texts(record.get(name))]
        yield f_score(read, [fold(record[name]) for record in true if name in record])
    yield f_score(
        [tuple(" ".join(_texts(record.get(name))) for name in names) for record in found],
        [tuple(fold(record.get(name, "")) for name in names) for record in true],
    )


def _texts(value: Any) -> list[str]:
    found = value if isinstance(value, list) else [value]
    return [folded for text in found if text and (folded := fold(str(text)))]


def f_score(read: Iterable[Any], true: Iterable[Any]) -> float:
    one, other = Counter(read), Counter(true)
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def growth(sizes: Sequence[int]) -> None:
    print("| records | characters | learn, CPU s | read, CPU s | read, ms per KB |")
    print("|---|---|---|---|---|")
    for size in sizes:
        first, other = made_up("plain", size, 1), made_up("plain", size, 2)
        started = time.process_time()
        wrapper = fuzzy.learn([first])
        learned = time.process_time()
        found = wrapper.extract(other.page)
        spent = time.process_time() - learned
        length = len(other.page.html)
        assert len(found.records) == size, len(found.records)
        cells = f"{learned - started:.2f} | {spent:.2f} | {1e6 * spent / length:.2f}"
        print(f"| {size} | {length} | {cells} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", type=int, nargs="*", default=[25, 50, 100, 200, 400])
    options = parser.parse_args()
    growth(options.sizes)
    sites = {}
    for folder in sorted(path for path in options.data.iterdir() if path.is_dir()):
        sites[folder.name] = site_scores(folder)
        print(
            folder.name, {name: round(f, 3) for name, f in sites[folder.name].items()}, flush=True
        )
    print("\n| family | F |\n|---|---|")
    for name in FAMILIES:
        print(f"| {name} | {100 * mean(scores[name] for scores in sites.values()):.1f} |")


if __name__ == "__main__":
    main()
