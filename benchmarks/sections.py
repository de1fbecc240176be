"""How many correction steps documents of different kinds take: the paper's Table 2, for documents of today.

    python benchmarks/sections.py FOLDER [--only KIND]

FOLDER has a folder of HTML pages for each kind (KINDS below says which and where they are from). What a person
would call a heading is written down for each kind as XPath with levels. Structures are learned without help; then
the corrections that mend most are applied one after the other, as a user would, and counted.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lxml.html

from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.sections import SectionsWrapper, learn
from scrapy_wrapinduce.sections.headings import heading_name
from scrapy_wrapinduce.sections.runs import read
from scrapy_wrapinduce.sections.wrapper import with_paths

PAGES, JUDGED, MOST_STEPS, TRIED = 8, 3, 8, 6
HeadingPaths = Counter[tuple[int, tuple[str, ...]]]


@dataclass(frozen=True)
class Kind:
    """A kind of document: where it is from, its headings from the most to the least important, levels compared,
    whether only the text outside of elements in it is the heading, and the boxes whose headings count inside alone."""

    origin: str
    levels: tuple[str, ...]
    depth: int = 9
    own_text: bool = False
    boxes: str = ""


ROW_LABEL = "//tr[count(th) = 1]/th[not(preceding-sibling::td)]"
BODY = "//div[@class = 'body']"
TERM = f"{BODY}//dl[not(contains(@class, 'footnote'))]/dt"
KINDS = {
    "factbook-2011": Kind(
        "World Factbook 2011",
        ("//td[@class='CollapsiblePanelTab']//span[@class='category']", "//div[@id='field']/a"),
        depth=2,
        own_text=True,
    ),
    "factbook-2020": Kind(
        "World Factbook 2020",
        ("//div[starts-with(@class, 'question')]", "//span[contains(@class, 'definition')]/a"),
        depth=2,
        own_text=True,
    ),
    "man": Kind("manual pages of coreutils, by groff -Thtml", ("//h2",)),
    "git": Kind("git-doc (AsciiDoc)", ("//h2", "//h3", "//dt")),
    "postgres": Kind(
        "postgresql-doc, SQL commands (DocBook)",
        ("//h2", "//h3[not(@class)]", "//h4", "//dt | //h3[@class = 'title']"),
        boxes="//div[@class = 'note' or @class = 'tip' or @class = 'warning' or @class = 'caution']",
    ),
    "apache": Kind("apache2-doc, modules", ("//h2", "//h3", f"{ROW_LABEL} | //dt")),
    "python": Kind(
        "python3-doc, library (Sphinx)",
        (
            f"{BODY}//h2",
            f"{BODY}//h3",
            f"{BODY}//h4",
            f"{TERM}[not(ancestor::div[contains(@class, 'admonition')])]",
            f"{BODY}//p[contains(@class, 'admonition-title')]",
            f"{TERM}[ancestor::div[contains(@class, 'admonition')]]",
        ),
        boxes="//div[contains(@class, 'admonition')] | //dl",
    ),
    "policy": Kind("debian-policy (Sphinx)", (f"{BODY}//h2", f"{BODY}//h3", f"{BODY}//h4", TERM)),
    "npm": Kind("npm's commands (Markdown)", ("//h3", "//h4")),
    "nodejs": Kind("nodejs-doc, API (Markdown)", ("//h3", "//h4", "//h5", "//h6")),
    "rustbook": Kind("rust-doc, the Book (mdBook)", ("//h3", "//h4", "//h5")),
    "sqlite": Kind("sqlite3-doc, SQL", ("//h1", "//h2", "//h3")),
}


def expected(html: str, number: int, kind: Kind) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The paths of a page's headings as a person sees them."""
    root = lxml.html.document_fromstring(
        html.encode(), parser=lxml.html.HTMLParser(encoding="utf-8")
    )
    levels = {
        element: level for level, path in enumerate(kind.levels) for element in root.xpath(path)
    }
    boxes = set(root.xpath(kind.boxes)) if kind.boxes else set()
    path: list[tuple[int, str, set[lxml.html.HtmlElement]]] = []
    for element in root.iter():
        if element not in levels:
            continue
        text = (element.text or "") if kind.own_text else " ".join(element.itertext())
        name = heading_name(" ".join(text.split()))
        if not name:
            continue
        within = boxes.intersection(element.iterancestors())
        while path and (path[-1][0] >= levels[element] or not path[-1][2] <= within):
            path.pop()
        path.append((levels[element], name.lower(), within))
        if len(path) <= kind.depth:
            yield number, tuple(name for _, name, _ in path)


def found(
    wrapper: SectionsWrapper, page: Page, number: int, kind: Kind
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The paths of a page's headings as the wrapper has them."""
    for path, _ in with_paths(wrapper.sections(read(page, wrapper.classes.__contains__))):
        if len(path) <= kind.depth:
            yield number, tuple(name.lower() for name in path)


def likely_corrections(got: HeadingPaths, wanted: HeadingPaths) -> list[str]:
    """What a user would try, the headings with most mistakes first."""
    missing, extra = wanted - got, got - wanted
    names_missing, names_extra = (
        Counter(path[-1] for _, path in some) for some in (missing, extra)
    )
    steps: Counter[str] = Counter()
    for name, count in names_extra.items():
        if name not in names_missing:
            steps.update({f"plain {name}": count, f"delete {name}": count})
    for name, count in names_missing.items():
        if name not in names_extra:
            steps[f"style {name}"] += count
    for _, path in missing:
        if path[-1] in names_extra:
            steps[f"nest {path[-1]} under {'.'.join(path[:-1]) or '.'}"] += 1
    return [step for step, _ in steps.most_common(TRIED)]


def score(got: HeadingPaths, wanted: HeadingPaths) -> float:
    return 2 * sum((got & wanted).values()) / max(1, sum(got.values()) + sum(wanted.values()))


def judge(kind: Kind, folder: Path) -> tuple[float, list[str], float, float]:
    pages = [
        Page(path.read_bytes(), url=path.name) for path in sorted(folder.glob("*.htm*"))[:PAGES]
    ]
    judged = list(enumerate(pages[:JUDGED]))
    wanted = Counter(path for number, page in judged for path in expected(page.html, number, kind))

    def outcome(steps: list[str]) -> HeadingPaths:
        wrapper = learn(pages, steps)
        return Counter(
            path for number, page in judged for path in found(wrapper, page, number, kind)
        )

    begun = time.perf_counter()
    got = outcome([])
    seconds = time.perf_counter() - begun
    first = best = score(got, wanted)
    steps: list[str] = []
    while best < 0.99 and len(steps) < MOST_STEPS:
        tried = []
        for step in likely_corrections(got, wanted):
            try:
                tried.append((score(outcome([*steps, step]), wanted), step))
            except CannotInduce:
                continue
        if not tried or max(tried)[0] <= best + 0.001:
            break
        best, step = max(tried)
        steps.append(step)
        got = outcome(steps)
    return first, steps, best, seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(
        "| kind of document | headings right at once (F) | correction steps | right then (F) | seconds |"
    )
    print("|---|---|---|---|---|")
    for name, kind in KINDS.items():
        folder = options.folder / name
        if not folder.is_dir() or not name.startswith(options.only):
            continue
        first, steps, best, seconds = judge(kind, folder)
        print(
            f"| {kind.origin} | {100 * first:.1f} | {len(steps)} | {100 * best:.1f} | {seconds:.1f} |",
            flush=True,
        )
        for step in steps:
            print(f"    {step}")


if __name__ == "__main__":
    main()
