"""Redesigns made on purpose: F before and after repair by kind and strength of change, beside adaptive selectors.

    python -m benchmarks.mutations DATA/swde [--sites A,B] [--strengths 0.3,0.7] [--kinds A,B] [--seed 1] [--results FILE] [--docs docs]

A wrapper is learned from a site's first pages as they are, with the values of three of them as examples. Other pages are changed; six of them are
shown to ``verify`` and ``repair``, and F is measured on eight more. Scrapling's adaptive selectors, where the package is installed, remember an
element per field from the same three pages and look for it on the same eight. A run that is stopped goes on from its results file;
``--docs`` writes the charts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.adaptive import Adaptive
from benchmarks.changes import CHANGES, change, labels_of
from benchmarks.charts import lines
from benchmarks.sites import Site, examples_of, flat, fold, load_site
from scrapy_wrapinduce import CannotRepair, Page, Wrapper, induce

LABELLED, REPAIR_PAGES, TEST_PAGES = 3, 6, 8
UNCHANGED, TOGETHER = "unchanged", "all together"
KINDS: dict[str, list[str]] = {name: [name] for name in CHANGES} | {TOGETHER: list(CHANGES)}
Row = dict[str, float]
Results = dict[str, Row]
Case = tuple[str, float]


def measure(site: Site, wanted: Sequence[Case], seed: int, results: Results, save: Any) -> None:
    """All changes of one site, each result saved as soon as it is there."""
    cases = {f"{site.name} | {kind} | {strength:g}": (kind, strength) for kind, strength in wanted}
    cases = {key: case for key, case in cases.items() if key not in results}
    if not cases:
        return
    examples = examples_of(site, LABELLED)
    values = {fold(v) for page in site.truth.values() for vs in page.values() for v in vs}
    labels = labels_of([source for _, source in site.train], values)
    # Written anew as the changed pages are, or a parser's repairs would be a change of their own.
    sources = [change(source, (), seed, 0.0, labels) for _, source in site.train]
    wrapper = induce([Page(source) for source in sources], examples=examples)
    adaptive = remembered(sources, examples)
    test = site.test[: REPAIR_PAGES + TEST_PAGES]
    for key, (kind, strength) in cases.items():
        names = KINDS.get(kind, ())
        pages = [Page(change(source, names, seed, strength, labels)) for _, source in test]
        results[key] = measure_change(site, wrapper, adaptive, pages, [name for name, _ in test])
        save()
        said = "  ".join(f"{name} {100 * value:5.1f}" for name, value in results[key].items())
        print(f"{key:55} {said}", flush=True)


def measure_change(
    site: Site,
    wrapper: Wrapper,
    adaptive: Adaptive | None,
    pages: Sequence[Page],
    names: Sequence[str],
) -> Row:
    shown, others, truths = pages[:REPAIR_PAGES], pages[REPAIR_PAGES:], names[REPAIR_PAGES:]

    def score(one: Wrapper) -> float:
        return score_of(site, truths, [one.extract(page).records for page in others])

    row = {"before": score(wrapper), "noticed": float(not wrapper.verify(shown).ok)}
    try:
        row["after"], row["refused"] = score(wrapper.repair(shown)), 0.0
    except CannotRepair:
        row["after"], row["refused"] = 0.0, 1.0
    if adaptive is not None:
        found = adaptive.read([page.html for page in others])
        row["adaptive"] = score_of(site, truths, [[record] for record in found])
    return row


def remembered(
    sources: Sequence[str], examples: Sequence[Mapping[str, str] | None]
) -> Adaptive | None:
    """The elements of the labelled pages; None without Scrapling."""
    labelled = [
        (source, {name: fold(value) for name, value in example.items()})
        for source, example in zip(sources, examples, strict=True)
        if example
    ]
    try:
        return Adaptive(labelled)
    except ImportError:
        return None


def score_of(
    site: Site, names: Sequence[str], records: Sequence[Sequence[Mapping[str, Any]]]
) -> float:
    """The mean F of the fields; of several wordings of a value any one counts."""
    by_field = []
    for field in site.fields:
        hits = found = wanted = 0
        for read, name in zip(records, names, strict=True):
            got = {text for record in read for text in flat(record.get(field))}
            true = {fold(v) for v in site.truth[name].get(field, ()) if fold(v)}
            hits += bool(got & true)
            found += bool(got)
            wanted += bool(true)
        if wanted:
            by_field.append(2 * hits / (found + wanted))
    return mean(by_field)


def table(results: Results, strengths: Sequence[float]) -> str:
    """Means over the sites, as the docs have them."""
    columns = ("before", "noticed", "after", "refused", "adaptive")
    heads = "F before | noticed | F after repair | refused | F adaptive selectors"
    rows = [f"| change | strength | {heads} |", "|---|---|" + "---|" * len(columns)]
    for kind, strength in cases_of(list(KINDS), strengths):
        found = cells(results, kind, strength)
        if found:
            means = [mean(row.get(c, math.nan) for row in found) for c in columns]
            said = " | ".join(
                f"{100 * m:.0f}%" if c in ("noticed", "refused") else f"{100 * m:.1f}"
                for c, m in zip(columns, means, strict=True)
            )
            rows.append(f"| {kind} | {strength:g} | {said} |")
    return "\n".join(rows)


def cases_of(kinds: Sequence[str], strengths: Sequence[float]) -> list[Case]:
    return [(UNCHANGED, 0.0), *((kind, strength) for kind in kinds for strength in strengths)]


def cells(results: Results, kind: str, strength: float) -> list[Row]:
    return [row for key, row in results.items() if key.endswith(f"| {kind} | {strength:g}")]


def draw(results: Results, strengths: Sequence[float], docs: Path) -> None:
    """One chart of all changes together, one of the single kinds after repair."""

    def curve(kind: str, column: str) -> list[tuple[float, float]]:
        points = [(0.0, UNCHANGED), *((s, kind) for s in strengths)]
        return [
            (strength, 100 * mean(row[column] for row in found))
            for strength, name in points
            if (found := cells(results, name, strength)) and column in found[0]
        ]

    names = {"before": "before repair", "after": "after repair", "adaptive": "adaptive selectors"}
    together = {said: curve(TOGETHER, column) for column, said in names.items()}
    chart = lines("All changes together", "strength of the change", "F", together, 0.0)
    (docs / "img/upkeep-together.svg").write_text(chart)
    single = {kind: curve(kind, "after") for kind in list(KINDS)[:6]}
    chart = lines("After repair, one kind at a time", "strength of the change", "F", single, 50.0)
    (docs / "img/upkeep-kinds.svg").write_text(chart)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--sites", default="", help="names with commas between them; default: all")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--strengths", default="0.3,0.7")
    parser.add_argument("--kinds", default=",".join(KINDS), help="of changes; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, help="a file to go on from")
    parser.add_argument("--docs", type=Path, help="where to draw the charts")
    options = parser.parse_args()
    strengths = [float(text) for text in options.strengths.split(",")]
    cases = cases_of(options.kinds.split(","), strengths)
    wanted = options.sites.split(",") if options.sites else None
    roots = sorted(p for p in options.data.iterdir() if wanted is None or p.name in wanted)
    results: Results = {}
    if options.results and options.results.exists():
        results = json.loads(options.results.read_text())

    def save() -> None:
        if options.results:
            options.results.write_text(json.dumps(results, indent=1))

    for root in roots[:: options.every]:
        measure(load_site(root), cases, options.seed, results, save)
    sites = len({key.split(" | ")[0] for key in results})
    print(f"\n{sites} sites, seed {options.seed}\n{table(results, strengths)}")
    if options.docs:
        draw(results, strengths, options.docs)


if __name__ == "__main__":
    main()
