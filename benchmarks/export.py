"""How well exported selectors stand in for the wrapper they were derived from.

    export.py DATA [--only PREFIX] [--every N] [-v]

DATA is a folder of unpacked SWDE sites. The wrapper and its selectors are learned from a site's train pages;
the values both read on its test pages, which neither has seen, are compared. Goal: 95% equal.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.export.compare import Share, compare, overall
from scrapy_wrapinduce.export.plan import make_plan


def pages(folder: Path) -> list[Page]:
    return [Page(path.read_bytes()) for path in sorted(folder.glob("*.htm"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", default="", metavar="PREFIX")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    everything: dict[str, Share] = {}
    sites = sorted(path for path in options.data.glob(f"{options.only}*") if path.is_dir())
    for site in sites[:: options.every]:
        train, test = pages(site / "train"), pages(site / "test")
        wrapper = induce(train)
        begun = time.perf_counter()
        plan = make_plan(wrapper, train)
        took = time.perf_counter() - begun
        shares = compare(wrapper, plan, test)
        everything[site.name] = overall(shares)
        print(
            f"{site.name:28} {wrapper.family:9} {everything[site.name]}, "
            f"{len(plan.unexpressed)} of {len(wrapper.fields)} fields left out, {took:.1f} s",
            flush=True,
        )
        if options.verbose:
            for item in plan.fields:
                if shares.get(item.name, Share(0, 0)).share < 0.95:
                    print(f"    {item.name}: {shares[item.name]}")
                    for rule in getattr(item, "rules", (item,)):
                        print(f"        {rule}")
            for name, reason in plan.unexpressed:
                print(f"    {name}: {reason}; {shares.get(name)}")
    mean = sum(item.share for item in everything.values()) / max(1, len(everything))
    print(f"{'all':28} {overall(everything)}, mean over sites {100 * mean:.1f}%")


if __name__ == "__main__":
    main()
