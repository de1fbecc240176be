"""The tables and charts of the landmark benchmark, beside the figures of the paper."""

from __future__ import annotations

from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks.charts import bars, lines, points

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
without any labels, and up to {test_pages} others to read; for each attribute the nonterminal with the best F counts, as in the paper.
The fewer pages are read, the easier it is for some nonterminal to look right: `--test 100` is the strict figure. Seconds are CPU time of one core for tokenizing and learning.
"""


def write_report(results: Results, docs: Path, test_pages: int) -> None:
    """Write ``landmark-benchmarks.md`` and its charts."""
    images = docs / "img"
    images.mkdir(parents=True, exist_ok=True)
    searches = {search: _of(results, search) for search in PAPER}
    parts = [HEAD.format(test_pages=test_pages), _search_table(searches)]
    best = searches["astar"]
    by_site = {site: 100 * _f(run) for site, run in sorted(best.items())}
    lowest = 10 * (min(by_site.values(), default=90) // 10)
    (images / "landmark-f-by-site.svg").write_text(
        bars("F by site, A*, 20 pages", by_site, min(lowest, 80))
    )
    parts.append("## F by site\n\n![F by site](img/landmark-f-by-site.svg)\n")
    clouds = {}
    for search in ("greedy-inf", "astar"):
        runs = [run for key, run in results.items() if key.split()[1] == search and "k=" not in key]
        clouds[search] = [(run["tokens"] / 1000, run["seconds"]) for run in runs]
    (images / "landmark-time-by-tokens.svg").write_text(
        points("Learning time by size of the sample", "thousand tokens", "seconds", clouds)
    )
    parts.append(
        "## Learning time\n\nOne point per site and number of pages: time grows with the tokens.\n\n"
        "![Learning time by tokens](img/landmark-time-by-tokens.svg)\n\n" + _growth(results)
    )
    parts.append(_curve(results, images, "pages", "F by number of pages"))
    parts.append(_curve(results, images, "k", "F by k"))
    (docs / "landmark-benchmarks.md").write_text("\n".join(parts))


def _of(results: Results, search: str) -> Results:
    return {key.split()[0]: run for key, run in results.items() if key.split()[1:] == [search]}


def _f(run: dict[str, Any]) -> float:
    return mean(score[2] for score in run["scores"].values()) if run["scores"] else 0.0


def _search_table(searches: dict[str, Results]) -> str:
    rows = [
        "## By search\n",
        "| search | P | R | F | P, R of the paper | seconds, median (worst) | splits | tokens left as data |",
        "|---|---|---|---|---|---|---|---|",
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
            f"| {search} | {p:.1f} | {r:.1f} | {f:.1f} | {', '.join(PAPER[search])}"
            f" | {median(seconds):.2f} ({max(seconds):.2f})"
            f" | {mean(run['splits'] for run in runs.values()):.0f} | {left:.1%} |"
        )
    sites = len(searches["astar"])
    rows.append(
        f"\n{sites} sites. The paper scores extracting nonterminals only and all 80 sites of SWDE; here every"
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
    note = "Every eighth site, ten test pages each."
    return f"## {title}\n\n{note}\n\n![{title}](img/{name})\n\n{table}\n"
