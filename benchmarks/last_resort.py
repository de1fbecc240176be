"""What the reader of last resort saves and what it costs: ``python -m benchmarks.last_resort DATA``.

DATA holds the unpacked ``lists`` and ``ranks`` folders. Wrappers are learned by ``induce`` from one page as it is and
read other pages of the site with a share of their records damaged, once with and once without their last
resort. Printed are precision and recall of tuples, the tuples that only one of the two reads right, and CPU seconds.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from statistics import mean

from benchmarks.damage import damaged
from benchmarks.fuzzy import RATES, cases, score, seed, tuples_read, tuples_true
from scrapy_wrapinduce import induce
from scrapy_wrapinduce.labels import LabelledPage
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.wrapper import Wrapper


def learned(page: LabelledPage) -> Wrapper:
    """What a user gets who gives the records of one page."""
    from benchmarks.fuzzy import examples_of

    return induce([page.page], examples=[examples_of(page)])


def right(wrapper: Wrapper, page: LabelledPage) -> tuple[Counter[object], float]:
    """The tuples that a wrapper reads right, and the CPU seconds it takes on a page it has not seen."""
    fresh = Page(page.page.html, page.page.url)
    started = time.process_time()
    records = wrapper.extract(fresh).records
    return tuples_read(records) & tuples_true(page), time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", default="", help="cases whose name starts so")
    parser.add_argument("--every", type=int, default=1, help="every Nth case")
    parser.add_argument("--rates", default=",".join(map(str, RATES)), help="shares of damage")
    options = parser.parse_args()
    rates = [float(rate) for rate in options.rates.split(",")]
    chosen = [case for case in cases(options.data) if case.name.startswith(options.only)]
    rows: dict[float, list[tuple[float, ...]]] = {rate: [] for rate in rates}
    have = 0
    for case in chosen[:: options.every]:
        wrapper = learned(case.train)
        have += wrapper.last_resort is not None
        strict = wrapper.with_last_resort(None)
        for rate in rates:
            for number, whole in enumerate(case.tests):
                page = damaged(whole, rate, seed(case.name, rate, number + 1))
                before, seconds_before = right(strict, page)
                after, seconds_after = right(wrapper, page)
                precision_before, recall_before = score(strict.extract(page.page).records, page)
                precision, recall = score(wrapper.extract(page.page).records, page)
                won, lost = (after - before).total(), (before - after).total()
                rows[rate].append(
                    (precision_before, recall_before, precision, recall, won, lost, seconds_before, seconds_after)
                )  # fmt: skip
                if won or lost:
                    print(f"  {case.name} {rate:.0%}: {won} more, {lost} fewer right", flush=True)
    print(f"{have} of {len(chosen[:: options.every])} wrappers have a last resort")
    print("| damaged | strict P / R | with last resort P / R | more right | fewer right | CPU s |")
    print("|---|---|---|---|---|---|")
    for rate, held in rows.items():
        columns = list(zip(*held, strict=True))
        shares = [f"{100 * mean(column):.1f}" for column in columns[:4]]
        print(
            f"| {rate:.0%} | {shares[0]} / {shares[1]} | {shares[2]} / {shares[3]} | {sum(columns[4])} "
            f"| {sum(columns[5])} | {sum(columns[6]):.2f} → {sum(columns[7]):.2f} |"
        )


if __name__ == "__main__":
    main()
