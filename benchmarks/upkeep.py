"""How well redesigns are noticed and repaired.

    python benchmarks/upkeep.py ranks DATA/ranks              rankings of 2011, repaired on the page of 2020
    python benchmarks/upkeep.py countries DATA/sections       country pages of 2011, repaired on those of 2020

Pages changed on purpose are in ``benchmarks/mutations.py``, how far a verdict can be trusted in ``benchmarks/alarms.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.sites import flat, fold
from scrapy_wrapinduce import CannotRepair, Page, induce


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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("ranks", "countries"))
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    {"ranks": ranks, "countries": countries}[options.task](options.data)


if __name__ == "__main__":
    main()
