"""Carry a wrapper over to pages that have changed.

The new wrapper has the same fields. It is written only when every field is sure and it reads the pages better than the old one (with
--leave-out, when most are; the others are named and left out); a wrapper that still fits is written as it is. What changed is said field by field. Where new.json exists already, what it held is kept
in new.versions/ ("wrapinduce wrappers history new.json", "… rollback new.json").
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import Console

if TYPE_CHECKING:
    from ...page import Page
    from ...upkeep import Repair
    from ...wrapper import Wrapper

PAGES_COMPARED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("pages", nargs="+", metavar="PAGES")
    parser.add_argument("-o", "--output", metavar="new.json", help="default: stdout")
    parser.add_argument(
        "--leave-out",
        action="store_true",
        help="leave out fields that are not sure, as long as the pages are about the same things",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...stores.versions import Versions
    from ...upkeep import repair
    from ...wrapper import dump, load
    from ..items import output
    from ..pages import count_pages, read_pages

    wrapper = load(options.wrapper)
    pages = read_pages(options.pages, console.say)
    tracked = console.track(pages, "pages read", count_pages(options.pages))
    changed = [named.page for named in tracked]
    console.wait_for(f"repairing from {len(changed)} pages")
    repaired = repair(wrapper, changed, every_field=not options.leave_out)
    text = dump(repaired.wrapper.with_types(wrapper.types))
    if not options.output:
        with output(None) as file:
            file.write(text)
        return 0
    versions = Versions(Path(options.output))
    kept = versions.replace(text)
    if repaired.wrapper is wrapper:
        console.say(f"{options.output}: still fits and is kept")
        return 0
    console.say(f"{options.output}: repaired, {len(repaired.confidence)} fields")
    lost = [name for name in wrapper.fields if name not in repaired.wrapper.fields]
    if lost:
        console.say(f"  left out, as they are not sure: {', '.join(lost)}")
    for line in what_changed(wrapper, repaired, changed):
        console.say(f"  {line}")
    if kept:
        console.say(
            f"what {options.output} held before is kept as {versions.path(versions.number - 1)}"
        )
    return 0


def what_changed(old: Wrapper, repaired: Repair, pages: Sequence[Page]) -> Iterator[str]:
    """Per field how sure it is, and what it reads where the old wrapper read something else."""
    from .diff import compare, short

    found = []
    for page in pages[:PAGES_COMPARED]:
        found += compare("", old.extract(page).records, repaired.wrapper.extract(page).records)[1]
    for field, sure in repaired.confidence.items():
        example = next((d for d in found if d.field == field), None)
        reads = "reads the same as before"
        if example is not None:
            reads = f"reads {short(example.new)} where the old one reads {short(example.old)}"
        yield f"{field} (sure {sure:.0%}) {reads}"
    for reason in repaired.verdict.reasons:
        yield f"not as it was: {reason}"
