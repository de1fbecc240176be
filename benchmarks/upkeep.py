"""How well redesigns are noticed and repaired.

    python benchmarks/upkeep.py ranks DATA/ranks              rankings of 2011, repaired on the page of 2020
    python benchmarks/upkeep.py countries DATA/sections       country pages of 2011, repaired on those of 2020
    python benchmarks/upkeep.py changes DATA/swde [--sites A,B] [--strength 0.5] [--seed 1]

``changes`` learns on the pages as they are and repairs on changed ones: noticed, F before and after the repair on other changed pages,
by kind of change; beside it, where Scrapling is installed, its adaptive selectors on the same pages.
"""

from __future__ import annotations

import argparse
import html
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.adaptive import Adaptive
from benchmarks.changes import CHANGES, change, labels_of
from scrapy_wrapinduce import CannotRepair, Page, Wrapper, induce

SITES = "auto-aol,book-abebooks,movie-allmovie,nbaplayer-espn"
REPAIR_PAGES, TEST_PAGES = 6, 20
Truth = Mapping[str, Mapping[str, Sequence[str]]]


def fold(value: object) -> str:
    return " ".join(html.unescape(str(value)).replace("\xa0", " ").split())


def flat(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in flat(part)]
    if isinstance(value, (list, tuple)):
        return [text for part in value for text in flat(part)]
    return [fold(value)] if value is not None and fold(value) else []


def f_of(got: Sequence[str], true: Sequence[str]) -> float:
    hits = sum((Counter(got) & Counter(true)).values())
    return 2 * hits / (len(got) + len(true)) if got or true else 1.0


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def ranks(data: Path) -> None:
    scores, noticed = [], []
    for root in sorted(p for p in data.iterdir() if p.is_dir()):
        truth = json.loads((root / "truth.json").read_text())
        old, new = (Page(read(root / f"{year}.htm")) for year in ("2011", "2020"))
        wrapper = induce([old], examples=[truth["2011"]])
        noticed.append(not wrapper.verify(new).ok)
        try:
            records = wrapper.repair(new).extract(new).records
        except CannotRepair as error:
            print(f"{root.name}: {error}")
            records = []
        score = mean(
            f_of(
                [x for r in records for x in flat(r.get(c))],
                [fold(r[c]) for r in truth["2020"] if c in r],
            )
            for c in ("country", "value")
        )
        scores.append(score)
        print(f"{root.name:45} {100 * score:6.1f}")
    print(f"rankings 2011 → 2020: noticed {mean(noticed):.0%}, F {100 * mean(scores):.1f}")


def leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            name = "_".join("".join(c if c.isalnum() else " " for c in key.lower()).split())
            yield from leaves(value, path if name == "text" else (*path, name))
    else:
        yield from ((path[-1] if path else "", text) for text in flat(node))


def countries(data: Path) -> None:
    old, new = data / "2011", data / "2020"
    truth = json.loads((new / "truth.json").read_text())
    codes = sorted(truth)
    wrapper = induce(
        [Page(read(old / f"{c}.htm")) for c in codes[:10] if (old / f"{c}.htm").exists()],
        family="sections",
    )
    changed = [Page(read(new / f"{c}.htm")) for c in codes[:10]]
    print("noticed:", not wrapper.verify(changed).ok)
    repaired = wrapper.repair(changed)
    scores = []
    for code in codes[10:40]:
        records = repaired.extract(Page(read(new / f"{code}.htm"))).records
        got = [f"{name} {text}" for record in records for name, text in leaves(record)]
        scores.append(f_of(got, [f"{name} {text}" for name, text in leaves(truth[code])]))
    print(f"country pages 2011 → 2020: F of values {100 * mean(scores):.1f}")


def changes(data: Path, sites: Sequence[str], strength: float, seed: int) -> None:
    kinds: dict[str, list[str]] = {name: [name] for name in CHANGES} | {
        "all together": list(CHANGES)
    }
    rows: dict[str, list[tuple[float, float, float, float]]] = {kind: [] for kind in kinds}
    for site in sites:
        truth: Truth = json.loads((data / site / "truth.json").read_text())
        train = sorted((data / site / "train").glob("*.htm"))
        test = sorted((data / site / "test").glob("*.htm"))[: REPAIR_PAGES + TEST_PAGES]
        sources = [read(path) for path in train]
        values = {fold(v) for p in truth.values() for vs in p.values() for v in vs}
        labels = labels_of(sources, values)
        fields = sorted({name for path in train for name, v in truth[path.stem].items() if v})
        examples = [
            {f: truth[p.stem][f][0] for f in fields if truth[p.stem].get(f)} if n < 3 else None
            for n, p in enumerate(train)
        ]
        wrapper = induce([Page(s) for s in sources], examples=examples)
        adaptive = remembered(sources, examples)
        for kind, names in kinds.items():
            pages = [Page(change(read(path), names, seed, strength, labels)) for path in test]
            shown, others = pages[:REPAIR_PAGES], pages[REPAIR_PAGES:]
            names_of = [path.stem for path in test[REPAIR_PAGES:]]
            before = score(wrapper, others, names_of, truth, fields)
            beside = adaptive_score(adaptive, others, names_of, truth, fields)
            noticed = not wrapper.verify(shown).ok
            try:
                after = score(wrapper.repair(shown), others, names_of, truth, fields)
            except CannotRepair as error:
                print(f"  {site}, {kind}: {error}")
                after = 0.0
            rows[kind].append((before, float(noticed), after, beside))
            print(
                f"{site:22} {kind:18} before {100 * before:5.1f}  noticed {noticed!s:5}  after {100 * after:5.1f}",
                flush=True,
            )
    print(f"\n{len(sites)} sites, strength {strength}, seed {seed}")
    print("| change | F before | noticed | F after | F adaptive |\n|---|---|---|---|---|")
    for kind, found in rows.items():
        before, share, after, beside = (mean(column) for column in zip(*found, strict=True))
        print(
            f"| {kind} | {100 * before:.1f} | {share:.0%} | {100 * after:.1f} | {100 * beside:.1f} |"
        )


def remembered(
    sources: Sequence[str], examples: Sequence[Mapping[str, str] | None]
) -> Adaptive | None:
    """The elements of the first learned page; None without Scrapling."""
    try:
        return Adaptive(sources[0], {k: fold(v) for k, v in (examples[0] or {}).items()})
    except ImportError:
        return None


def adaptive_score(
    adaptive: Adaptive | None,
    pages: Sequence[Page],
    names: Sequence[str],
    truth: Truth,
    fields: Sequence[str],
) -> float:
    if adaptive is None:
        return float("nan")
    return score_of([[r] for r in adaptive.read([p.html for p in pages])], names, truth, fields)


def score(
    wrapper: Wrapper,
    pages: Sequence[Page],
    names: Sequence[str],
    truth: Truth,
    fields: Sequence[str],
) -> float:
    return score_of([wrapper.extract(page).records for page in pages], names, truth, fields)


def score_of(
    records: Sequence[Sequence[Mapping[str, Any]]],
    names: Sequence[str],
    truth: Truth,
    fields: Sequence[str],
) -> float:
    """F over fields and pages; of several wordings of a value any one counts."""
    by_field = []
    for field in fields:
        hits = found = wanted = 0
        for read_, name in zip(records, names, strict=True):
            got = {text for record in read_ for text in flat(record.get(field))}
            true = {fold(v) for v in truth[name].get(field, ()) if fold(v)}
            hits += bool(got & true)
            found += bool(got)
            wanted += bool(true)
        if wanted:
            by_field.append(2 * hits / (found + wanted) if found + wanted else 0.0)
    return mean(by_field)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("ranks", "countries", "changes"))
    parser.add_argument("data", type=Path)
    parser.add_argument("--sites", default=SITES)
    parser.add_argument("--strength", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.task == "changes":
        changes(options.data, options.sites.split(","), options.strength, options.seed)
    else:
        {"ranks": ranks, "countries": countries}[options.task](options.data)


if __name__ == "__main__":
    main()
