"""Records that are almost regular: how each family of wrappers bears damage.

    python -m benchmarks.fuzzy DATA [--json curves.json] [--plot docs/fuzzy-curves.svg] [--only PREFIX] [--every N]

DATA holds the unpacked ``lists`` and ``ranks`` folders. Every learner is given one damaged page and reads other
pages of the site, damaged at the same rate; a tuple is right when all its values are. A learner that finds
no wrapper for a page scores nothing there. Of long lists some records in the middle are left out. Seeded: two runs give the same figures.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.charts import Series, lines
from benchmarks.damage import damaged, records_of
from scrapy_wrapinduce import fuzzy
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import LabelledPage, Record, Span
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import fold, parse_tag, split_markup

RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
EXACT = ("lr", "hlrt", "oclr", "hoclrt", "nlr", "nhlrt")
Learner = Callable[[Sequence[LabelledPage]], Any]
Tuple = frozenset[tuple[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Case:
    """A page to learn from and pages to read, all labelled and not yet damaged."""

    name: str
    train: LabelledPage
    tests: tuple[LabelledPage, ...]


def learners() -> dict[str, Learner]:
    """What is compared: fuzzy masks, the exact delimiter classes, the reading record by record, and what
    ``induce`` makes of them all."""
    from scrapy_wrapinduce import delimiter, records
    from scrapy_wrapinduce.records.choice import choose

    exact = {
        family: lambda pages, family=family: delimiter.learn(family, pages) for family in EXACT
    }
    return {"fuzzy": fuzzy.learn, **exact, "records": records.learn, "induce": choose}


def cases(data: Path) -> Iterator[Case]:
    """One case per list site, and one per ranking and year, which is read on the next ranking."""
    for root in sorted((data / "lists").iterdir()):
        truth = json.loads((root / "truth.json").read_text())
        pages = [labelled(root / f"{number}.htm", truth[number]) for number in range(3)]
        yield from _case(root.name, pages)
    rankings = sorted((data / "ranks").iterdir())
    for root, following in zip(rankings, rankings[1:] + rankings[:1], strict=True):
        for year in ("2011", "2020"):
            pages = [
                labelled(each / f"{year}.htm", json.loads((each / "truth.json").read_text())[year])
                for each in (root, following)
            ]
            yield from _case(f"{root.name} {year}", pages)


def labelled(path: Path, truth: Sequence[dict[str, str]]) -> LabelledPage:
    from scrapy_wrapinduce.fields.examples.locate import locate_records

    html = path.read_bytes().decode("utf-8", "replace")
    return locate_records(Page(html, url=f"{path.parent.name}/{path.name}"), truth)


def _case(name: str, pages: Sequence[LabelledPage]) -> Iterator[Case]:
    """The case, without the pages on which a column of the truth is another field than on the first.

    Some sources number their columns page by page; that is no damage, and no reader could follow it.
    """
    train, *rest = pages
    tests = tuple(
        page for page in rest if _in_order(page) and _surroundings(page) == _surroundings(train)
    )
    if tests and _in_order(train):
        yield Case(name, train, tests)


def _in_order(page: LabelledPage) -> bool:
    """Whether every record's values stand after those of the record before: else a label is wrong."""
    ends = [
        (
            min(span.start for spans in record.values() for span in spans),
            max(span.end for spans in record.values() for span in spans),
        )
        for record in records_of(page)
    ]
    return all(before[1] <= after[0] for before, after in pairwise(ends))


def _surroundings(page: LabelledPage) -> dict[str, str]:
    """For each field, the tag that its values most often stand right behind."""
    behind: dict[str, Counter[str]] = {}
    for record in records_of(page):
        for name, spans in record.items():
            tags = split_markup(page.page.html[max(0, spans[0].start - 400) : spans[0].start])[1::2]
            tag = parse_tag(tags[-1]) if tags else None
            look = "" if tag is None else f"{tag.kind} {tag.name} {tag.get('class')}"
            behind.setdefault(name, Counter())[look] += 1
    return {name: seen.most_common(1)[0][0] for name, seen in behind.items()}


def shortened(page: LabelledPage, most: int) -> LabelledPage:
    """A long list without the records between the first ones and the last, cut from value to value."""
    if len(page.records) <= most:
        return page
    begins = [
        min((spans[0].start, name) for name, spans in each.items()) for each in records_of(page)
    ]
    at, name = begins[most - 1]
    last = max(number for number, begin in enumerate(begins) if begin[1] == name)
    gone = begins[last][0] - at
    kept = [*page.records[: most - 1], *page.records[last:]]
    moved = [
        Record(
            {
                name: tuple(
                    span if span.start < at else Span(span.start - gone, span.end - gone)
                    for span in ((spans,) if isinstance(spans, Span) else spans)
                )
                for name, spans in record.values.items()
            }
        )
        for record in kept
    ]
    html = page.page.html
    return LabelledPage(Page(html[:at] + html[at + gone :], page.page.url), tuple(moved))


Points = dict[tuple[str, float], list[tuple[float, float, bool]]]


def points_of(case: Case, rates: Sequence[float], most: int, names: Sequence[str]) -> Points:
    """For each learner and rate: precision and recall of tuples, and whether it learned anything."""
    points: Points = {}
    first, *others = (shortened(page, most) for page in (case.train, *case.tests))
    for rate in rates:
        train = damaged(first, rate, seed(case.name, rate, 0))
        tests = [
            damaged(page, rate, seed(case.name, rate, number + 1))
            for number, page in enumerate(others)
        ]
        for name in names:
            points[name, rate] = _scores(learners()[name], train, tests)
    return points


def curves(
    all_cases: Sequence[Case], rates: Sequence[float], most: int, names: Sequence[str], jobs: int
) -> dict[str, dict[str, list[float]]]:
    """For each learner and rate: precision and recall of tuples, and how often it learned nothing."""
    points: Points = {}
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(points_of, case, rates, most, names) for case in all_cases]
        for case, one in zip(all_cases, waiting, strict=True):
            for key, scores in one.result().items():
                points.setdefault(key, []).extend(scores)
            got = {name: [f"{p:.2f}/{r:.2f}" for p, r, _ in scores] for (name, rate), scores in one.result().items() if rate == rates[len(rates) // 2] and name in ("fuzzy", "records", "induce")}  # fmt: skip
            print(case.name, got, flush=True)
    return {
        name: {
            "precision": [mean(p for p, _, _ in points[name, rate]) for rate in rates],
            "recall": [mean(r for _, r, _ in points[name, rate]) for rate in rates],
            "learned": [mean(ok for _, _, ok in points[name, rate]) for rate in rates],
        }
        for name in names
    }


def seed(name: str, rate: float, page: int) -> int:
    return zlib.crc32(f"{name} {rate:.2f} {page}".encode())


def _scores(
    learn: Learner, train: LabelledPage, tests: Sequence[LabelledPage]
) -> list[tuple[float, float, bool]]:
    try:
        wrapper = learn([train])
    except CannotInduce:
        return [(0.0, 0.0, False)] * len(tests)
    return [(*score(wrapper.extract(page.page).records, page), True) for page in tests]


def score(found: Sequence[dict[str, Any]], page: LabelledPage) -> tuple[float, float]:
    """Precision and recall of whole tuples."""
    read, true = tuples_read(found), tuples_true(page)
    right = (read & true).total()
    return right / max(1, read.total()), right / max(1, true.total())


def tuples_read(found: Sequence[dict[str, Any]]) -> Counter[Tuple]:
    return Counter(
        frozenset((name, _texts(value)) for name, value in each.items()) for each in found
    )


def tuples_true(page: LabelledPage) -> Counter[Tuple]:
    return Counter(
        frozenset(
            (name, tuple(_text(page.page.html[span.start : span.end]) for span in spans))
            for name, spans in record.items()
        )
        for record in records_of(page)
    )


def examples_of(page: LabelledPage) -> list[dict[str, Any]]:
    """The records as a user writes them."""
    return [
        {
            name: texts[0] if len(texts) == 1 else texts
            for name, spans in record.items()
            if (texts := [_text(page.page.html[span.start : span.end]) for span in spans])
        }
        for record in records_of(page)
    ]


def _texts(value: Any) -> tuple[str, ...]:
    """A field's values; those of delimiter classes may hold tags, which are not held against them."""
    return tuple(_text(each) for each in (value if isinstance(value, list) else [value]))


def _text(source: str) -> str:
    return fold("".join(split_markup(source)[::2]))


def plot(
    found: dict[str, dict[str, list[float]]], path: Path, rates: Sequence[float] = RATES
) -> None:
    """Recall as a chart at ``path``, precision beside it."""
    for measure, place in (
        ("recall", path),
        ("precision", path.with_name(f"{path.stem}-precision{path.suffix}")),
    ):
        series: Series = {
            name: [(100 * x, 100 * y) for x, y in zip(rates, line[measure], strict=True)]
            for name, line in found.items()
        }
        title = f"{measure.title()} of tuples, %"
        place.write_text(lines(title, "damaged records, %", measure, series, 0.0))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--only", default="", help="cases whose name starts so")
    parser.add_argument("--every", type=int, default=1, help="every Nth case")
    parser.add_argument("--rates", default=",".join(map(str, RATES)), help="shares of damage")
    parser.add_argument("--most", type=int, default=60, help="records of a page that are kept")
    parser.add_argument("--learners", default=",".join(learners()), help="which are compared")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    rates = [float(rate) for rate in options.rates.split(",")]
    chosen = [case for case in cases(options.data) if case.name.startswith(options.only)]
    found = curves(
        chosen[:: options.every], rates, options.most, options.learners.split(","), options.jobs
    )
    print("rate".ljust(9), *(f"{100 * rate:.0f}%".center(20) for rate in rates))
    for name, line in found.items():
        cells = (
            f"P {100 * p:5.1f} R {100 * r:5.1f} ({100 * ok:3.0f})"
            for p, r, ok in zip(line["precision"], line["recall"], line["learned"], strict=True)
        )
        print(name.ljust(9), *cells)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    if options.plot:
        plot(found, options.plot, rates)


if __name__ == "__main__":
    main()
