"""How far a verdict can be trusted: alarms on healthy pages, and wrong values that raise none.

    python -m benchmarks.alarms DATA/swde [--sites A,B] [--pages 60]

Wrappers are learned from a site's first pages, with the values of three pages as examples and without any. *Healthy* pages are others
of the same site, unseen and unchanged; with examples, an alarm is false only where every field that it names was read right. *Spoiled* pages are the same with the values of all fields spoiled in one way; a window counts where
the wrapper then reads something else than before. Both are judged in windows of 1, 5 and 20 pages.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.sites import Site, examples_of, fold, load_site
from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.records.tree import tree_of
from scrapy_wrapinduce.tokenizer import trimmed
from scrapy_wrapinduce.upkeep.health import Health, kept_health, read
from scrapy_wrapinduce.upkeep.likeness import likeness
from scrapy_wrapinduce.upkeep.verify import judge
from scrapy_wrapinduce.wrapper import Extraction

WINDOWS = (1, 5, 20)
Spans = dict[str, tuple[int, int]]
Edits = dict[tuple[int, int], str]


def values_of(extraction: Extraction) -> Spans:
    """The places of the single values of a page's record, without values that share a place."""
    found: Spans = {}
    doubled = set()
    for place in extraction.places:
        if place.field in found:
            doubled.add(place.field)
        found[place.field] = (place.start, place.end)
    kept: Spans = {}
    end = -1
    for field, span in sorted(found.items(), key=lambda item: item[1]):
        if field not in doubled and span[0] >= end and span[1] > span[0]:
            kept[field] = span
            end = span[1]
    return kept


def swapped(source: str, spans: Spans, health: Health, stale: str) -> Edits:
    """The two fields that are most alike and have labels change places, with their labels."""
    tree = tree_of(Page(source))

    def label_of(field: str) -> tuple[int, int] | None:
        texts = tree.texts
        before = [t for t in texts if tree.end[t] <= spans[field][0]]
        if not before:
            return None
        start, end = tree.start[before[-1]], tree.end[before[-1]]
        first, last = trimmed(source[start:end])
        label = health.fields[field].profile.annotations().get("before")
        return (
            (start + first, start + last)
            if label and label == " ".join(source[start:end].split())
            else None
        )

    labels = {field: label for field in spans if (label := label_of(field)) is not None}
    pairs = [
        (likeness(health.fields[one].profile, health.fields[two].profile), one, two)
        for one in labels
        for two in labels
        if one < two
        and source[slice(*labels[one])] != source[slice(*labels[two])]
        and health.fields[one].profile.kind == health.fields[two].profile.kind
        and source[slice(*spans[one])] != source[slice(*spans[two])]
    ]
    if not pairs:
        return {}
    _, one, two = max(pairs)
    places = [spans[one], spans[two], labels[one], labels[two]]
    if len({*places}) < 4:
        return {}
    texts = [source[slice(*place)] for place in places]
    return dict(zip(places, (texts[1], texts[0], texts[3], texts[2]), strict=True))


def shifted(source: str, spans: Spans, health: Health, stale: str) -> Edits:
    """Every field shows the value of the next one."""
    places = list(spans.values())
    texts = [source[slice(*place)] for place in places]
    return dict(zip(places, [*texts[1:], *texts[:1]], strict=True))


def truncated(source: str, spans: Spans, health: Health, stale: str) -> Edits:
    """Only the first half of every value is left."""
    return {(a, b): source[a : a + (b - a + 1) // 2] for a, b in spans.values()}


def placeholder(source: str, spans: Spans, health: Health, stale: str) -> Edits:
    """The values are not there yet."""
    return dict.fromkeys(spans.values(), "Loading")


def stuck(source: str, spans: Spans, health: Health, stale: str) -> Edits:
    """Another page's values on every page, as from a cache that went wrong."""
    return {}


SPOILERS: dict[str, Callable[[str, Spans, Health, str], Edits]] = {
    "two like fields swapped": swapped,
    "values shifted": shifted,
    "values cut short": truncated,
    "placeholders": placeholder,
    "one page for all": stuck,
}


def edited(source: str, edits: Edits) -> str:
    parts, at = [], 0
    for (start, end), text in sorted(edits.items()):
        if start < at:
            continue
        parts += [source[at:start], text]
        at = end
    return "".join([*parts, source[at:]])


def windows(count: int, size: int) -> Iterator[range]:
    for start in range(0, count - size + 1, size):
        yield range(start, start + size)


def read_right(site: Site, page: str, field: str, extraction: Extraction) -> bool:
    """Whether a field's value is one of the true ones, or missing where there is none."""
    true = {fold(value) for value in site.truth[page].get(field, ())} - {""}
    got = {fold(place.value) for place in extraction.places if place.field == field}
    return bool(got & true) if true else not got


def reads_otherwise(before: Extraction, after: Extraction) -> bool:
    """Whether a field has another value than before; that it has none is no wrong value."""
    return any(
        value != old.get(name)
        for old, new in zip(before.records, after.records, strict=False)
        for name, value in new.items()
    )


def judge_site(
    name: str, wrapper: Wrapper, site: Site, most: int, rates: dict[str, list[float]], verbose: bool
) -> str:
    labelled = site.fields if name.endswith("examples") else []
    names = [page for page, _ in site.test[:most]]
    pages = [source for _, source in site.test[:most]]
    health = kept_health(wrapper)
    healthy = [read(wrapper, Page(source)) for source in pages]
    said = []
    for size in WINDOWS:
        alarms = []
        for window in windows(len(pages), size):
            verdict = judge(health, [healthy[i] for i in window])
            named = {reason.field for reason in verdict.reasons}.intersection(labelled)
            right = all(
                read_right(site, names[i], field, healthy[i].extraction)
                for i in window
                for field in named
            )
            alarms.append(not verdict.ok and right)
            if verbose and not verdict.ok:
                print(f"  {name} {window} {'FALSE' if right else 'true'}: {verdict}", flush=True)
        rates[f"healthy {size}"] += alarms
        said.append(f"{sum(alarms)}/{len(alarms)}")
    for kind, spoil in SPOILERS.items():
        spoiled = []
        for source, before in zip(pages, healthy, strict=True):
            if kind == "one page for all":
                spoiled.append(read(wrapper, Page(pages[0])))
            else:
                edits = spoil(source, values_of(before.extraction), health, pages[0])
                spoiled.append(read(wrapper, Page(edited(source, edits))) if edits else before)
        wrong = [
            reads_otherwise(a.extraction, b.extraction)
            for a, b in zip(healthy, spoiled, strict=True)
        ]
        for size in WINDOWS:
            quiet = [
                judge(health, [spoiled[i] for i in window]).ok
                for window in windows(len(pages), size)
                if 2 * sum(wrong[i] for i in window) > size
            ]
            rates[f"{kind} {size}"] += quiet
            said.append(f"{sum(quiet)}/{len(quiet)}")
    return " ".join(said)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--sites", default="", help="names with commas between them; default: all")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("-v", "--verbose", action="store_true", help="say why there was an alarm")
    options = parser.parse_args()
    wanted = options.sites.split(",") if options.sites else None
    sites = sorted(p for p in options.data.iterdir() if wanted is None or p.name in wanted)
    rates: dict[str, dict[str, list[float]]] = {
        how: defaultdict(list) for how in ("examples", "default")
    }
    for root in sites[:: options.every]:
        site = load_site(root)
        learned: Mapping[str, Wrapper] = {
            "examples": induce(
                [Page(s) for _, s in site.train], examples=examples_of(site, labelled=3)
            ),
            "default": induce([Page(s) for _, s in site.train]),
        }
        for how, wrapper in learned.items():
            name = f"{root.name} {how}"
            print(
                f"{name:35}",
                judge_site(name, wrapper, site, options.pages, rates[how], options.verbose),
                flush=True,
            )
    sizes = " | ".join(f"{size} pages" if size > 1 else "1 page" for size in WINDOWS)
    for how, found in rates.items():
        print(f"\n{how}, {len(sites[:: options.every])} sites\n| | {sizes} |\n|---|---|---|---|")
        for kind in ("healthy", *SPOILERS):
            row = [found[f"{kind} {size}"] for size in WINDOWS]
            cells = [f"{100 * sum(r) / len(r):.1f}% of {len(r)}" if r else "" for r in row]
            print(f"| {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
