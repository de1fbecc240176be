"""Carry a wrapper over to pages that have changed.

The new wrapper has the same fields. It is written only when every field is sure; a wrapper that still fits is written as
it is.
"""

from __future__ import annotations

import argparse

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("pages", nargs="+", metavar="PAGES")
    parser.add_argument("-o", "--output", metavar="new.json", help="default: stdout")


def run(options: argparse.Namespace, console: Console) -> int:
    from ...upkeep import repair
    from ...wrapper import dump, load
    from ..items import output
    from ..pages import count_pages, read_pages

    wrapper = load(options.wrapper)
    pages = read_pages(options.pages, console.say)
    tracked = console.track(pages, "pages read", count_pages(options.pages))
    changed = [named.page for named in tracked]
    with output(options.output) as file:
        console.wait_for(f"repairing from {len(changed)} pages")
        repaired = repair(wrapper, changed)
        file.write(dump(repaired.wrapper.with_types(wrapper.types)))
    if options.output:
        sure = ", ".join(f"{name} {share:.0%}" for name, share in repaired.confidence.items())
        what = "still fits and is kept" if repaired.wrapper is wrapper else f"repaired: {sure}"
        console.say(f"{options.output}: {what}")
    return 0
