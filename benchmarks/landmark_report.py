"""The tables and charts of the landmark benchmark, beside the figures of the paper."""

from __future__ import annotations

import re
from math import log
from pathlib import Path
from statistics import linear_regression, mean, median
from typing import TYPE_CHECKING, Any

from benchmarks.charts import bars, lines, points

if TYPE_CHECKING:
    from collections.abc import Sequence

Results = dict[str, dict[str, Any]]
# Table 3 of the paper: precision and recall on SWDE with 20 pages per site.
PAPER = {
    "astar": ("93.9", "93.3"),
    "greedy-inf": ("92.4", "90.9"),
    "greedy-rnd": ("91.3", "90.6"),
    "random": ("77", "34"),
}
HEAD = """# Landmark trees: benchmarks

`python -m benchmarks.landmark DATA` runs all of this and writes this page. Each site gives 20 pages to learn from,
without any labels, and others to read; for each attribute the nonterminal with the best F counts, as in the paper.
The fewer pages are read, the easier it is for some nonterminal to look right: `--test 100` is the strict figure. Seconds are CPU time of one core for tokenizing and learning.
"""


def write_report(results: Results, docs: Path, test_pages: int) -> None:
    """Write the sections of ``landmark-benchmarks.md`` that there are results for, and their charts; others stay."""
    images = docs / "img"
    images.mkdir(parents=True, exist_ok=True)
    file = docs / "landmark-benchmarks.md"
    sections = _sections(file.read_text()) if file.exists() else {}
    searches = {search: _of(results, search) for search in PAPER}
    fresh = [
        _search_table(searches, test_pages),
        _by_site(searches["astar"], images),
        _reach(results),
        _learning(results, images),
        _curve(results, images, "pages", "F by number of pages"),
        _curve(results, images, "k", "F by k"),
        _damage(results, images),
    ]
    sections |= _sections("\n".join(fresh))
    file.write_text("\n".join([HEAD, *sections.values()]).rstrip() + "\n")


def _sections(text: str) -> dict[str, str]:
    """The sections of a page by their headings; what comes before the first one is left out."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return {part.splitlines()[0]: part.rstrip() + "\n" for part in parts if part.startswith("## ")}


def _by_site(best: Results, images: Path) -> str:
    if not best:
        return ""
    by_site = {site: 100 * _f(run) for site, run in sorted(best.items())}
    lowest = 10 * (min(by_site.values(), default=90) // 10)
    (images / "landmark-f-by-site.svg").write_text(
        bars("F by site, A*, 20 pages", by_site, min(lowest, 80))
    )
    return "## F by site\n\n![F by site](img/landmark-f-by-site.svg)\n"


def _learning(results: Results, images: Path) -> str:
    clouds = {}
    for search in ("greedy-inf", "astar"):
        runs = [run for key, run in results.items() if key.split()[1] == search and "k=" not in key]
        clouds[search] = [
            (run["tokens"] / 1000, run["seconds"]) for run in runs if "seconds" in run
        ]
    if not any(clouds.values()):
        return ""
    (images / "landmark-time-by-tokens.svg").write_text(
        points("Learning time by size of the sample", "thousand tokens", "seconds", clouds)
    )
    return (
        "## Learning time\n\nOne point per site and number of pages. Fitted to the points, time grows with the tokens to the power of "
        f"{' and '.join(f'{_power(cloud):.2f} ({search})' for search, cloud in clouds.items() if len(cloud) > 1)}; 1 is linear.\n\n"
        "![Learning time by tokens](img/landmark-time-by-tokens.svg)\n\n" + _growth(results)
    )


def _power(cloud: Sequence[tuple[float, float]]) -> float:
    """How time grows with size: the slope of the line through the logarithms of both."""
    sizes, times = ([log(point[at]) for point in cloud] for at in (0, 1))
    return linear_regression(sizes, times).slope


def _reach(results: Results) -> str:
    """Time of everything that learning does, of reading, and memory."""
    whole = [run for run in results.values() if "induce" in run]
    large = [run for run in results.values() if "large_peak" in run]
    rows = ["| | goal | measured |", "|---|---|---|"]
    if whole:
        seconds = [run["induce"] for run in whole]
        size = mean(run["bytes"] for run in whole) / 20480
        rows += [
            f"| `induce` from 20 pages ({size:.0f} KB each), median of {len(whole)} sites | 1 s | {median(seconds):.2f} s |",
            f"| the same, worst site | 10 s | {max(seconds):.2f} s |",
            _ratio_row(
                "the fields that one page shows: best of three passes",
                whole,
                "shown",
                "best_pass",
                "1.5",
            ),
            _ratio_row(
                "the same fields: each page for the first time", whole, "shown", "first_pass"
            ),
            _ratio_row(
                "the default item, lists too: best of three passes", whole, "default", "best_pass"
            ),
            _ratio_row(
                "the same item: each page for the first time", whole, "default", "first_pass"
            ),
        ]
    if large:
        peaks, seconds = ([run[key] for run in large] for key in ("large_peak", "large_seconds"))
        rows += [
            f"| peak memory of learning from 20 pages of 1 MB, worst of {len(large)} sites | 1024 MB | {max(peaks):.0f} MB |",
            f"| time of that, median (worst) | | {median(seconds):.1f} s ({max(seconds):.1f} s) |",
        ]
    if len(rows) < 3:
        return ""
    note = (
        'The whole of `induce(pages, family="landmark")`: tree, candidates, fields, lists, picture, health. Processor time of one core. The pages of 1 MB are'
        " real ones, each repeated as numbered parts until it is large enough; memory is that of the whole process, with the pages."
    )
    if whole:
        note += (
            f" Up to {max(run['read'] for run in whole)} pages of each site are read, three times; the best of the three counts, or"
            " the first, for which every page is new. `python -m benchmarks.landmark DATA --tasks induce,memory` measures all of this."
        )
    return "## Time and memory\n\n" + note + "\n\n" + "\n".join(rows) + "\n"


def _ratio_row(what: str, runs: Sequence[Any], fields: str, which: str, goal: str = "") -> str:
    ratios = [run[fields][which] for run in runs]
    figures = f"{mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    return f"| reading {what}, ÷ lxml's parse, mean (range) | {goal} | {figures} |"


def _damage(results: Results, images: Path) -> str:
    """F by the share of landmarks that are missing or doubled."""
    held: dict[str, dict[float, list[float]]] = {}
    sites = set()
    for key, run in results.items():
        if key.endswith(" damage"):
            site, search, _ = key.split()
            sites.add(site)
            for share, scores in run["by_damage"].items():
                held.setdefault(search, {}).setdefault(100 * float(share), []).extend(scores)
    if not held:
        return ""
    series = {
        search: [(share, 100 * mean(scores)) for share, scores in sorted(by_share.items())]
        for search, by_share in held.items()
    }
    (images / "landmark-f-by-damage.svg").write_text(
        lines("F by damage", "% of landmarks missing or doubled", "F", series)
    )
    rows = ["| landmarks hit | " + " | ".join(series) + " |", "|---" * (len(series) + 1) + "|"]
    for at, (share, _) in enumerate(next(iter(series.values()))):
        cells = " | ".join(f"{points[at][1]:.1f}" for points in series.values())
        rows.append(f"| {share:.0f} % | {cells} |")
    return (
        f"## F by damage\n\n{len(sites)} sites, 20 test pages each. Tags and texts that stand once on the page and on most of the sample are taken"
        " away or doubled at random (seeded), whether a wrapper uses them or not; the nonterminal of an attribute is chosen on the"
        " undamaged pages.\n\n![F by damage](img/landmark-f-by-damage.svg)\n\n"
        + "\n".join(rows)
        + "\n"
    )


def _of(results: Results, search: str) -> Results:
    return {key.split()[0]: run for key, run in results.items() if key.split()[1:] == [search]}


def _f(run: dict[str, Any]) -> float:
    return mean(score[2] for score in run["scores"].values()) if run["scores"] else 0.0


def _search_table(searches: dict[str, Results], test_pages: int) -> str:
    if not searches["astar"]:
        return ""
    rows = [
        f"## By search\n\nUp to {test_pages} test pages per site.\n",
        "| search | sites | P | R | F | P, R of the paper | seconds, median (worst) | splits | tokens left as data |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for search, runs in searches.items():
        if not runs:
            continue
        scores = [score for run in runs.values() for score in run["scores"].values()]
        p, r, f = (100 * mean(score[at] for score in scores) for at in range(3))
        seconds = [run["seconds"] for run in runs.values()]
        left = sum(run["extracted"] for run in runs.values()) / sum(
            run["tokens"] for run in runs.values()
        )
        rows.append(
            f"| {search} | {len(runs)} | {p:.1f} | {r:.1f} | {f:.1f} | {', '.join(PAPER[search])}"
            f" | {median(seconds):.2f} ({max(seconds):.2f})"
            f" | {mean(run['splits'] for run in runs.values()):.0f} | {left:.1%} |"
        )
    proven = [run["proven"] for run in searches["astar"].values()]
    share = sum(p for p, _ in proven) / max(1, sum(n for _, n in proven))
    rows.append(
        f"\nA* proves the optimum of {share:.0%} of the region sets; the larger ones are grown greedily. The paper scores extracting nonterminals only and all 80 sites of SWDE; here every"
        " nonterminal, and the first and last text nodes in it, may be a field.\n"
    )
    return "\n".join(rows)


def _growth(results: Results) -> str:
    """Seconds per thousand tokens by number of pages: near constant is near linear."""
    rows = ["| pages | greedy-inf | astar |", "|---|---|---|"]
    counts = sorted({int(key.split("pages=")[1]) for key in results if "pages=" in key})
    for pages in counts:
        cells = []
        for search in ("greedy-inf", "astar"):
            runs = [run for key, run in results.items() if key.endswith(f"{search} pages={pages}")]
            tokens = sum(run["tokens"] for run in runs)
            cells.append(
                f"{1e6 * sum(run['seconds'] for run in runs) / tokens:.1f}" if tokens else ""
            )
        rows.append(f"| {pages} | {' | '.join(cells)} |")
    return "Microseconds per token by number of pages:\n\n" + "\n".join(rows) + "\n"


def _curve(results: Results, images: Path, what: str, title: str) -> str:
    series: dict[str, list[tuple[float, float]]] = {}
    found: dict[str, dict[int, list[float]]] = {}
    for key, run in results.items():
        if f" {what}=" in key:
            search, value = key.split()[1], int(key.split(f"{what}=")[1])
            found.setdefault(search, {}).setdefault(value, []).append(100 * _f(run))
    for search, by_value in found.items():
        series[search] = [(value, mean(scores)) for value, scores in sorted(by_value.items())]
    if not series:
        return ""
    name = f"landmark-f-by-{what}.svg"
    (images / name).write_text(lines(title, what, "F", series))
    values = sorted({int(x) for held in series.values() for x, _ in held})
    rows = [f"| {what} | " + " | ".join(series) + " |", "|---" * (len(series) + 1) + "|"]
    for value in values:
        cells = [f"{dict(held).get(value, float('nan')):.1f}" for held in series.values()]
        rows.append(f"| {value} | {' | '.join(cells)} |")
    table = "\n".join(rows)
    sites = {key.split()[0] for key in results if f" {what}=" in key}
    note = (
        f"{len(sites)} sites with expanded truth (the harder, open attributes; all values of an attribute must be found), "
        "20 test pages each."
    )
    return f"## {title}\n\n{note}\n\n![{title}](img/{name})\n\n{table}\n"
