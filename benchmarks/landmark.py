"""Landmark trees on detail pages: F by search, site, number of pages, k and damage; learning time by tokens; memory.

    python -m benchmarks.landmark DATA [--results FILE] [--docs docs] [--test N] [--every N] [--only PREFIX]

DATA holds one folder per site: ``train/*.htm``, ``test/*.htm`` and ``truth.json`` ({page: {attribute: [values]}}). For each
attribute the nonterminal with the best F counts, as in the paper. Curves are drawn from the sites that have
``truth_expanded.json`` too, the harder attributes. Results are kept in FILE, so that a run that was stopped goes on where it was;
the sections of ``docs/landmark-benchmarks.md`` for which there are results, and their charts, are written at the end.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lxml.html

from benchmarks.landmark_damage import damaged, template_of
from benchmarks.landmark_report import write_report
from scrapy_wrapinduce.induce import induce
from scrapy_wrapinduce.landmark.candidates import Candidate, learn_candidates, locate
from scrapy_wrapinduce.landmark.learn import SEARCHES, learn
from scrapy_wrapinduce.landmark.parse import extracted_tokens
from scrapy_wrapinduce.landmark.read import Reader
from scrapy_wrapinduce.landmark.tokens import tokenize
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.texts import Extent, node_texts
from scrapy_wrapinduce.tokenizer import fold
from scrapy_wrapinduce.wrapper import Wrapper

PAGE_COUNTS = (2, 3, 5, 8, 12, 20)
K_VALUES = (2, 5, 8, 12, 15, 18, 20)
DAMAGES = (0.0, 0.05, 0.1, 0.2, 0.4)
DAMAGED_SITES = 4  # every fourth site
CURVE_TEST_PAGES = 20
LARGE = 1 << 20  # characters of each page on which the memory is measured
LARGE_SITES = 10  # every tenth site
TASKS = ("searches", "induce", "memory", "curves", "damage")
MOST_TEXTS = 60
_WORD = re.compile(r"\w")
LEAST_PAGES = 5  # test pages that must have an attribute for it to count


@dataclass(frozen=True)
class Site:
    """Pages to learn from, pages to read, and what they say."""

    name: str
    train: list[Page]
    train_names: list[str]
    test: list[tuple[str, Page]]
    truth: dict[str, dict[str, list[str]]]
    every: bool = False  # whether all values of an attribute must be found, or any of them

    def attributes(self) -> list[str]:
        names = sorted({name for pid, _ in self.test for name in self.truth.get(pid, {})})
        pages = {
            name: sum(bool(self.truth.get(pid, {}).get(name)) for pid, _ in self.test)
            for name in names
        }
        return [name for name in names if pages[name] >= min(LEAST_PAGES, len(self.test))]


def load_site(root: Path, test_pages: int, expanded: bool = False) -> Site:
    def pages(part: str) -> list[tuple[str, Page]]:
        return [
            (file.stem, Page(file.read_bytes())) for file in sorted((root / part).glob("*.htm"))
        ]

    truth = json.loads((root / ("truth_expanded.json" if expanded else "truth.json")).read_text())
    names, train = map(list, zip(*pages("train"), strict=True))
    return Site(root.name, train, names, pages("test")[:test_pages], truth, expanded)


def run(site: Site, search: str, pages: int, k: int | None, seed: int = 0) -> dict[str, Any]:
    """Learn from the first pages, read the test pages, and score the best nonterminal per attribute."""
    sample = site.train[:pages]
    started = time.process_time()
    tokenized = [tokenize(page) for page in sample]
    learned = learn(tokenized, search, k, seed=seed)
    seconds = time.process_time() - started
    candidates = learn_candidates(learned.tree, sample).candidates
    read = _read(site.test, Reader(learned.tree), candidates)
    scores = {name: found for name, (found, _) in _scores(site, read).items()}
    return {
        "tokens": learned.report.tokens,
        "splits": learned.report.splits,
        "seconds": seconds,
        "extracted": extracted_tokens(tokenized, learned.tree),
        "nodes": len(learned.tree.nodes),
        "proven": [learned.report.proven_sets, learned.report.region_sets],
        "scores": scores,
    }


def run_damaged(site: Site, search: str) -> dict[str, Any]:
    """F by the share of landmarks that are hit; the nonterminals are chosen on the undamaged pages."""
    tree = learn([tokenize(page) for page in site.train], search).tree
    candidates = learn_candidates(tree, site.train).candidates
    reader = Reader(tree)
    chosen = _scores(site, _read(site.test, reader, candidates))
    template = template_of(site.train)
    found: dict[str, list[float]] = {}
    for share in DAMAGES:
        pages = []
        for pid, page in site.test:
            values = {_plain(v) for held in site.truth.get(pid, {}).values() for v in held}
            pages.append(
                (pid, damaged(page, template, values, share, f"{site.name} {pid} {share}"))
            )
        read = _read(pages, reader, candidates)
        found[str(share)] = [
            _score(read[at], _true(site, name), site.every)[2] for name, (_, at) in chosen.items()
        ]
    return {"by_damage": found}


def run_induce(site: Site) -> dict[str, Any]:
    """Seconds of everything that ``induce`` does, by processor time, and of reading a page for the first time and again."""
    wrapper: Wrapper | None = None
    seconds = []
    for _ in range(2):
        sample = [Page(page.html) for page in site.train]
        gc.collect()
        started = time.process_time()
        wrapper = induce(sample, family="landmark")
        seconds.append(time.process_time() - started)
    assert wrapper is not None
    sources = [page.html for _, page in site.test]
    return {
        "induce": min(seconds),
        "bytes": sum(len(page.html) for page in site.train),
        "read": len(sources),
        "default": _ratios(wrapper, sources),
        "shown": _ratios(_shown(site), sources),
    }


def _shown(site: Site) -> Wrapper:
    """What reads the attributes of which one page shows the values."""
    values = site.truth[site.train_names[0]]
    example = {name: values[name] for name in site.attributes() if values.get(name)}
    return induce(site.train, examples=[example, *[None] * (len(site.train) - 1)])


def _ratios(wrapper: Wrapper, sources: Sequence[str]) -> dict[str, float]:
    """Reading as a share of lxml's parse: each page for the first time, and the best of three passes."""
    passes, parses = [], []
    for _ in range(3):
        started = time.process_time()
        for html in sources:
            wrapper.extract(Page(html))
        passes.append(time.process_time() - started)
        started = time.process_time()
        for html in sources:
            lxml.html.fromstring(html.encode())
        parses.append(time.process_time() - started)
    return {"first_pass": passes[0] / min(parses), "best_pass": min(passes) / min(parses)}


def run_large(root: Path) -> dict[str, Any]:
    """The memory that learning from 20 pages of 1 MB takes, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.landmark", str(root), "--large"]
    found: dict[str, Any] = json.loads(subprocess.check_output(command, text=True))
    return found


def measure_large(root: Path) -> dict[str, Any]:
    """Learn from the pages of a site, each in so many numbered parts that it is large; the peak is in MB."""
    sample = []
    for file in sorted((root / "train").glob("*.htm")):
        html = Page(file.read_bytes()).html
        parts = range(1 + LARGE // max(1, len(html)))
        sample.append(Page("".join(f'<div id="part-{n}">{html}</div>' for n in parts)[:LARGE]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    induce(sample, family="landmark")
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"large_peak": peak / 1024, "large_before": before / 1024, "large_seconds": seconds}


def _read(
    pages: Sequence[tuple[str, Page]], reader: Reader, candidates: Sequence[Candidate]
) -> list[dict[str, set[str]]]:
    """What each candidate, read as one value or as several, gives on each page."""
    whole: list[dict[str, set[str]]] = [{} for _ in candidates]
    several: list[dict[str, set[str]]] = [{} for _ in candidates]
    for pid, page in pages:
        texts = page.texts
        reading = reader.read(page)
        # Many ways lead to the same texts.
        known: dict[Extent, list[str]] = {}
        for index, candidate in enumerate(candidates):
            place = locate(lambda _, texts=texts: texts, reading, candidate.locators)  # type: ignore[misc]
            if place is None:
                continue
            nodes = known.get(place[1])
            if nodes is None:
                nodes = known[place[1]] = [_plain(t) for t in node_texts(*place)[:MOST_TEXTS]]
            if nodes:
                whole[index][pid] = {" ".join(nodes)}
                several[index][pid] = {text for text in nodes if _WORD.search(text)}
    return whole + several


def _plain(text: str) -> str:
    """Text without entities, also where the site or the truth has escaped them twice."""
    return fold(fold(text))


def _scores(
    site: Site, candidates: list[dict[str, set[str]]]
) -> dict[str, tuple[tuple[float, float, float], int]]:
    """For each attribute the best score of a candidate, and which candidate that is."""
    found = {}
    for attribute in site.attributes():
        true = _true(site, attribute)
        scored = ((_score(held, true, site.every), at) for at, held in enumerate(candidates))
        found[attribute] = max(scored, key=lambda pair: pair[0][2], default=((0.0, 0.0, 0.0), 0))
    return found


def _true(site: Site, attribute: str) -> dict[str, set[str]]:
    return {
        pid: {_plain(value) for value in site.truth.get(pid, {}).get(attribute, [])}
        for pid, _ in site.test
    }


def _score(
    held: dict[str, set[str]], true: dict[str, set[str]], every: bool
) -> tuple[float, float, float]:
    hit = read = recalled = wanted = 0.0
    for pid, values in true.items():
        got = held.get(pid, set())
        if got:
            hit += len(got & values) / len(got)
            read += 1
        if values:
            recalled += len(got & values) / len(values) if every else bool(got & values)
            wanted += 1
    precision, recall = hit / read if read else 0.0, recalled / wanted if wanted else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


@dataclass(frozen=True)
class Run:
    """One line of the results: its key, the site, and what to do."""

    key: str
    root: Path
    search: str
    pages: int = 20
    k: int | None = None
    curve: bool = False
    damage: bool = False
    whole: bool = False
    large: bool = False


def runs(sites: Sequence[Path], tasks: Sequence[str], searches: Sequence[str]) -> Iterator[Run]:
    for root in sites if "searches" in tasks else ():
        for search in searches:
            yield Run(f"{root.name} {search}", root, search)
    for root in sites if "induce" in tasks else ():
        yield Run(f"{root.name} whole", root, "astar", whole=True)
    for root in sites[::LARGE_SITES] if "memory" in tasks else ():
        yield Run(f"{root.name} large", root, "astar", large=True)
    for root in sites[::DAMAGED_SITES] if "damage" in tasks else ():
        for search in ("astar", "greedy-inf"):
            yield Run(f"{root.name} {search} damage", root, search, damage=True)
    for root in sites if "curves" in tasks else ():
        if not (root / "truth_expanded.json").exists():
            continue
        for search in ("astar", "greedy-inf", "greedy-rnd"):
            for pages in PAGE_COUNTS:
                yield Run(f"{root.name} {search} pages={pages}", root, search, pages, curve=True)
        for k in K_VALUES:
            yield Run(f"{root.name} astar k={k}", root, "astar", k=k, curve=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--results", type=Path, default=Path("landmark-benchmarks.json"))
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    parser.add_argument("--test", type=int, default=100, help="test pages per site")
    parser.add_argument("--tasks", default=",".join(TASKS), help=f"some of {','.join(TASKS)}")
    parser.add_argument("--searches", default=",".join(SEARCHES), help="of the task searches")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="only write the report")
    parser.add_argument(
        "--large", action="store_true", help="only the memory for one site's folder"
    )
    args = parser.parse_args()
    if args.large:
        print(json.dumps(measure_large(args.data)))
        return
    results: dict[str, Any] = json.loads(args.results.read_text()) if args.results.exists() else {}
    sites = sorted(d for d in args.data.iterdir() if d.is_dir() and d.name.startswith(args.only))
    loaded: tuple[tuple[Path, int, bool], Site] | None = None
    wanted_runs = runs(sites[:: args.every], args.tasks.split(","), args.searches.split(","))
    for one in [] if args.report else wanted_runs:
        if one.key in results:
            continue
        short = one.curve or one.damage
        test_pages = min(args.test, CURVE_TEST_PAGES) if short else args.test
        wanted = one.root, test_pages, one.curve
        if loaded is None or loaded[0] != wanted:
            loaded = wanted, load_site(*wanted)
        if one.large:
            results[one.key] = run_large(one.root)
        elif one.whole:
            results[one.key] = run_induce(loaded[1])
        elif one.damage:
            results[one.key] = run_damaged(loaded[1], one.search)
        else:
            results[one.key] = run(loaded[1], one.search, one.pages, one.k)
        args.results.write_text(json.dumps(results))
        print(one.key, flush=True)
    write_report(results, args.docs, args.test)


if __name__ == "__main__":
    main()
