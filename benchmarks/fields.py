"""Fields on detail pages: the default item, examples, names alone, labels with values, and steady names, by site.

    python -m benchmarks.fields DATA [--docs docs] [--test N] [--every N] [--only PREFIX] [--labelled N]

DATA holds one folder per site: ``train/*.htm``, ``test/*.htm``, ``truth.json`` ({page: {attribute: [values]}}) and perhaps
``truth_expanded.json`` with all labelled facts. Only the public API is used. With ``--docs`` the tables and the ten
worst cases are written to ``fields-benchmarks.md`` there.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks.landmark import Site, load_site
from scrapy_wrapinduce import CannotInduce, Wrapper, induce

TASKS = ("default", "examples", "schema", "open", "stable")
WORST = 10


@dataclass(frozen=True)
class Case:
    """One attribute of one site under one task, and what mostly went wrong."""

    site: str
    task: str
    attribute: str
    score: float
    fault: str


def norm(text: object) -> str:
    return " ".join(
        unescape(unescape(str(text))).replace("\xa0", " ").replace("\u200b", "").split()
    )


def flat(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in flat(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in flat(part)]
    return [norm(value)] if norm(value) else []


def f_score(pairs: Iterable[tuple[list[str], list[str]]]) -> float:
    """F over pages; the truth lists every wording of a value, so any of them is a hit."""
    hit = extracted = recalled = true = 0.0
    for got, wanted in ((set(a), set(b)) for a, b in pairs):
        if got:
            hit += len(got & wanted) / len(got)
            extracted += 1
        if wanted:
            recalled += bool(got & wanted)
            true += 1
    precision, recall = hit / max(extracted, 1), recalled / max(true, 1)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def read(site: Site, wrapper: Wrapper) -> dict[str, dict[str, list[str]]]:
    """Field to page to values."""
    found: dict[str, dict[str, list[str]]] = {}
    for pid, page in site.test:
        for record in wrapper.extract(page).records:
            for name, value in record.items():
                found.setdefault(name, {}).setdefault(pid, []).extend(flat(value))
    return found


def compare(
    site: Site, task: str, attribute: str, held: Mapping[str, list[str]], truth: Mapping[str, Any]
) -> Case:
    pairs = [(held.get(pid, []), flat(truth.get(pid, {}).get(attribute))) for pid, _ in site.test]
    faults = Counter(fault(got, want) for got, want in pairs)
    del faults[""]
    said = ", ".join(f"{what} on {count} of {len(pairs)}" for what, count in faults.most_common(2))
    return Case(site.name, task, attribute, f_score(pairs), said)


def fault(got: list[str], wanted: list[str]) -> str:
    """What is wrong with a page's values."""
    if set(got) & set(wanted) or not (got or wanted):
        return "more than the value" if set(got) - set(wanted) else ""
    if not wanted:
        return "a value where there is none"
    if not got:
        return "nothing"
    whole = " ".join(got)
    if any(text in whole for text in wanted):
        return "the value with text around it"
    return "part of the value" if any(whole in text for text in wanted) else "another text"


def learn(
    site: Site, truth: Mapping[str, Any], ids: list[str], task: str, labelled: int
) -> Wrapper:
    names = site.attributes()
    if task == "schema":
        return induce(site.train, schema=names)
    if task != "examples":
        return induce(site.train)
    shown = [{name: flat(truth.get(pid, {}).get(name)) for name in names} for pid in ids]
    shown = [{name: texts for name, texts in one.items() if texts} for one in shown]
    fullest = sorted(range(len(ids)), key=lambda index: -len(shown[index]))[:labelled]
    return induce(
        site.train, examples=[shown[n] if n in fullest else None for n in range(len(ids))]
    )


def open_score(site: Site, held: Mapping[str, Mapping[str, list[str]]], truth: Any) -> Case:
    """Pairs of a label and a value, of all pages; values outside the truth's scope are not judged."""

    def label(text: str) -> str:
        return re.sub(r"[^a-z0-9]+", "_", norm(text).lower()).strip("_")

    hit = extracted = true = 0
    known = {label(name) for facts in truth.values() for name in facts}
    for pid, _ in site.test:
        facts = truth.get(pid, {}).items()
        wanted = {(label(n), v) for n, vs in facts if n != "topic_entity_name" for v in flat(vs)}
        values = {value for _, value in wanted}
        got = {(label(name), value) for name, pages in held.items() for value in pages.get(pid, [])}
        got = {pair for pair in got if pair[0] in known or pair[1] in values}
        hit, extracted, true = hit + len(got & wanted), extracted + len(got), true + len(wanted)
    precision, recall = hit / max(extracted, 1), hit / max(true, 1)
    score = 2 * precision * recall / (precision + recall) if hit else 0.0
    return Case(site.name, "open", "all", score, "")


def run(root: Path, test_pages: int, labelled: int) -> tuple[list[Case], int]:
    """All cases of a site, and the number of fields of its default item."""
    site = load_site(root, test_pages)
    ids = [file.stem for file in sorted((root / "train").glob("*.htm"))]
    cases, size = [], 0
    for task in ("default", "examples", "schema"):
        try:
            held = read(site, learn(site, site.truth, ids, task, labelled))
        except CannotInduce as error:
            print(f"{site.name}: {task}: {error}")
            held = {}
        if task == "default":
            size = len(held)
        for name in site.attributes():
            places = held.values() if task == "default" else [held.get(name, {})]
            found = [compare(site, task, name, place, site.truth) for place in places]
            cases.append(
                max(
                    found,
                    key=lambda case: case.score,
                    default=compare(site, task, name, {}, site.truth),
                )
            )
        expanded = root / "truth_expanded.json"
        if task == "default" and expanded.exists():
            cases.append(open_score(site, held, json.loads(expanded.read_text())))
    cases.append(stability(site))
    return cases, size


def stability(site: Site) -> Case:
    """Learned from one half of the training pages and from the other: the share of the values of other pages that
    both items have and have under the same name.

    Names inside the records of a list count with the list's: ``cast.name``.
    """
    halves = [site.train[half::2] for half in (0, 1)]
    try:
        items = [_named_values(site, induce(half)) for half in halves]
    except CannotInduce as error:
        return Case(site.name, "stable", "all", 0.0, str(error))
    shared = same = 0
    moved: Counter[str] = Counter()
    for one, other in zip(*items, strict=True):
        by_value: dict[str, set[str]] = {}
        for name, value in other:
            by_value.setdefault(value, set()).add(name)
        for name, value in one:
            if value in by_value:
                shared += 1
                same += name in by_value[value]
                if name not in by_value[value]:
                    moved[f"{name} → {min(by_value[value])}"] += 1
    said = ", ".join(name for name, _ in moved.most_common(2))
    return Case(site.name, "stable", "all", same / max(1, shared), said)


def _named_values(site: Site, wrapper: Wrapper) -> list[set[tuple[str, str]]]:
    """For each page the names and values of its items."""
    return [
        {pair for item in wrapper.items(page) for pair in _pairs(item, "")} for _, page in site.test
    ]


def _pairs(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _pairs(part, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for part in value:
            yield from _pairs(part, name)
    else:
        yield name, norm(value)


def table(cases: list[Case], sizes: Mapping[str, int]) -> list[str]:
    lines = [
        "| site | fields | default | examples | schema | open | stable |",
        "|---|---|---|---|---|---|---|",
    ]
    for site, size in sizes.items():
        cells = [
            _cell(case.score for case in cases if case.site == site and case.task == task)
            for task in TASKS
        ]
        lines.append(f"| {site} | {size} | {' | '.join(cells)} |")
    cells = [_cell(case.score for case in cases if case.task == task) for task in TASKS]
    return [*lines, f"| **all** | {median(sizes.values()):g} | {' | '.join(cells)} |"]


def worst(cases: list[Case]) -> list[str]:
    lines = ["| site | task | attribute | F | read instead |", "|---|---|---|---|---|"]
    judged = [case for case in cases if case.task not in ("open", "stable")]
    for case in sorted(judged, key=lambda case: case.score)[:WORST]:
        score = f"{100 * case.score:.0f}"
        lines.append(f"| {case.site} | {case.task} | {case.attribute} | {score} | {case.fault} |")
    return lines


def _cell(scores: Iterable[float]) -> str:
    held = list(scores)
    return f"{100 * mean(held):.1f}" if held else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--test", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--labelled", type=int, default=1)
    options = parser.parse_args()
    roots = sorted(
        root for root in options.data.glob(f"{options.only}*") if (root / "train").is_dir()
    )
    cases: list[Case] = []
    sizes: dict[str, int] = {}
    for root in roots[:: options.every]:
        found, size = run(root, options.test, options.labelled)
        cases += found
        sizes[root.name] = size
        print(table(found, {root.name: size})[2], flush=True)
    about = (
        f"Learned from the training pages of each site, read on up to {options.test} others; F in percent, mean over "
        f"the attributes. *fields*: fields of the default item; *examples*: with the values of {options.labelled} "
        "page; *schema*: with names alone; *open*: labels and values; *stable*: of the values that the default items "
        "learned from two halves of the training pages share, how many have the same name. Made by "
        f"`python -m benchmarks.fields DATA --test {options.test}`."
    )
    lines = ["# Fields: figures", "", about, "", *table(cases, sizes), ""]
    lines += ["## The ten worst cases", "", *worst(cases), ""]
    if options.docs:
        (options.docs / "fields-benchmarks.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines[-WORST - 8 :]))


if __name__ == "__main__":
    main()
