"""Read pages with a wrapper.

Every record of every page becomes an item with its fields, and with the page it is from in "url".
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("pages", nargs="+", metavar="PAGES")
    parser.add_argument(
        "-o",
        "--output",
        metavar="items.jsonl|.json|.csv",
        help="the suffix chooses the format (default: JSON lines on stdout)",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="say what was not found, and on which page"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...wrapper import load
    from ..items import output, writer_for
    from ..pages import count_pages, read_pages

    wrapper = load(options.wrapper)
    write = writer_for(options.output)
    counts = {"pages": 0, "items": 0}
    without: list[str] = []

    def items() -> Iterator[dict[str, Any]]:
        pages = read_pages(options.pages, console.say)
        for named in console.track(pages, "pages", count_pages(options.pages)):
            extraction = wrapper.extract(named.page)
            counts["pages"] += 1
            counts["items"] += len(extraction.records)
            if not extraction.records:
                without.append(named.name)
            if options.verbose:
                for failure in extraction.failures:
                    console.say(f"{named.name}: {failure}")
            for record in extraction.records:
                yield {"url": named.page.url, **wrapper.item(record, named.page.url)}

    with output(options.output, newline="") as file:
        write(items(), file)
    if without:
        more = f" and {len(without) - 3} more" if len(without) > 3 else ""
        console.say(f"no record on {', '.join(without[:3])}{more}")
    if options.output:
        console.say(f"{options.output}: {counts['items']} items from {counts['pages']} pages")
    return 0
