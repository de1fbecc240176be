"""Landmark trees on detail pages: F by search, site, number of pages and k; learning time by tokens.

    python -m benchmarks.landmark DATA [--results FILE] [--docs docs] [--test N] [--every N] [--only PREFIX]

DATA holds one folder per site: ``train/*.htm``, ``test/*.htm`` and ``truth.json`` ({page: {attribute: [values]}}). For each
attribute the nonterminal with the best F counts, as in the paper. Results are kept in FILE, so that a run that was
stopped goes on where it was; ``docs/landmark-benchmarks.md`` and its charts are written at the end.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.landmark_report import write_report
from scrapy_wrapinduce.landmark.candidates import Texts, learn_candidates, locate, node_texts
from scrapy_wrapinduce.landmark.learn import SEARCHES, learn
from scrapy_wrapinduce.landmark.parse import extracted_tokens
from scrapy_wrapinduce.landmark.read import Reader
from scrapy_wrapinduce.landmark.tokens import tokenize
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.tokenizer import fold

PAGE_COUNTS = (2, 3, 5, 8, 12, 20)
K_VALUES = (2, 5, 8, 12, 15, 18, 20)
CURVE_SITES = 8  # curves are drawn from every eighth site
CURVE_TEST_PAGES = 10
MOST_TEXTS = 60
LEAST_PAGES = 5  # test pages that must have an attribute for it to count


@dataclass(frozen=True)
class Site:
    """Pages to learn from, pages to read, and what they say."""

    name: str
    train: list[Page]
    test: list[tuple[str, Page]]
    truth: dict[str, dict[str, list[str]]]

    def attributes(self) -> list[str]:
        names = sorted({name for pid, _ in self.test for name in self.truth.get(pid, {})})
        pages = {
            name: sum(bool(self.truth.get(pid, {}).get(name)) for pid, _ in self.test)
            for name in names
        }
        return [name for name in names if pages[name] >= min(LEAST_PAGES, len(self.test))]


def load_site(root: Path, test_pages: int) -> Site:
    def pages(part: str) -> list[tuple[str, Page]]:
        return [
            (file.stem, Page(file.read_bytes())) for file in sorted((root / part).glob("*.htm"))
        ]

    truth = json.loads((root / "truth.json").read_text())
    return Site(root.name, [page for _, page in pages("train")], pages("test")[:test_pages], truth)


def run(site: Site, search: str, pages: int, k: int | None, seed: int = 0) -> dict[str, Any]:
    """Learn from the first pages, read the test pages, and score the best nonterminal per attribute."""
    sample = site.train[:pages]
    started = time.process_time()
    tokenized = [tokenize(page) for page in sample]
    learned = learn(tokenized, search, k, seed=seed)
    seconds = time.process_time() - started
    scores = _scores(site, _read(site, learned.tree, sample))
    return {
        "tokens": learned.report.tokens,
        "splits": learned.report.splits,
        "seconds": seconds,
        "extracted": extracted_tokens(tokenized, learned.tree),
        "nodes": len(learned.tree.nodes),
        "proven": [learned.report.proven_sets, learned.report.searched_sets],
        "scores": scores,
    }


def _read(site: Site, tree: Any, sample: Sequence[Page]) -> list[dict[str, set[str]]]:
    """What each candidate, read as one value or as several, gives on each test page."""
    candidates, _ = learn_candidates(tree, sample)
    reader = Reader(tree)
    whole: list[dict[str, set[str]]] = [{} for _ in candidates]
    several: list[dict[str, set[str]]] = [{} for _ in candidates]
    for pid, page in site.test:
        reading, texts = reader.read(page), Texts(page)
        for index, candidate in enumerate(candidates):
            extent = locate(texts, reading, candidate.locators)
            found = node_texts(texts, extent)[:MOST_TEXTS] if extent is not None else []
            nodes = [_plain(text) for text in found]
            if nodes:
                whole[index][pid] = {" ".join(nodes)}
                several[index][pid] = {text for text in nodes if re.search(r"\w", text)}
    return whole + several


def _plain(text: str) -> str:
    """Text without entities, also where the site or the truth has escaped them twice."""
    return fold(fold(text))


def _scores(site: Site, candidates: list[dict[str, set[str]]]) -> dict[str, list[float]]:
    found = {}
    for attribute in site.attributes():
        true = {
            pid: {_plain(value) for value in site.truth.get(pid, {}).get(attribute, [])}
            for pid, _ in site.test
        }
        best = max(
            (_score(held, true) for held in candidates), key=lambda score: score[2], default=None
        )
        found[attribute] = list(best or (0.0, 0.0, 0.0))
    return found


def _score(held: dict[str, set[str]], true: dict[str, set[str]]) -> tuple[float, float, float]:
    hit = read = recalled = wanted = 0.0
    for pid, values in true.items():
        got = held.get(pid, set())
        if got:
            hit += len(got & values) / len(got)
            read += 1
        if values:
            recalled += bool(got & values)
            wanted += 1
    precision, recall = hit / read if read else 0.0, recalled / wanted if wanted else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def tasks(sites: Sequence[Path]) -> Iterator[tuple[str, Path, str, int, int | None, bool]]:
    """Every run: its key, the site, search, pages, k, and whether it belongs to a curve."""
    for root in sites:
        for search in SEARCHES:
            yield f"{root.name} {search}", root, search, 20, None, False
    for root in sites[::CURVE_SITES]:
        for search in ("astar", "greedy-inf", "greedy-rnd"):
            for pages in PAGE_COUNTS:
                yield f"{root.name} {search} pages={pages}", root, search, pages, None, True
        for k in K_VALUES:
            yield f"{root.name} astar k={k}", root, "astar", 20, k, True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--results", type=Path, default=Path("landmark-benchmarks.json"))
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    parser.add_argument("--test", type=int, default=100, help="test pages per site")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="only write the report")
    args = parser.parse_args()
    results: dict[str, Any] = json.loads(args.results.read_text()) if args.results.exists() else {}
    sites = sorted(d for d in args.data.iterdir() if d.is_dir() and d.name.startswith(args.only))
    loaded: tuple[tuple[Path, int], Site] | None = None
    for key, root, search, pages, k, curve in [] if args.report else tasks(sites[:: args.every]):
        if key in results:
            continue
        test_pages = min(args.test, CURVE_TEST_PAGES) if curve else args.test
        if loaded is None or loaded[0] != (root, test_pages):
            loaded = (root, test_pages), load_site(root, test_pages)
        results[key] = run(loaded[1], search, pages, k)
        args.results.write_text(json.dumps(results))
        print(key, round(results[key]["seconds"], 2), flush=True)
    write_report(results, args.docs, args.test)


if __name__ == "__main__":
    main()
