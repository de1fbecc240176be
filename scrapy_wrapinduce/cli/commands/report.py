"""Show what a wrapper reads, as one HTML file.

The file has sample pages with their fields marked in place, the table of items, figures for every field, and how the wrapper
reads. It runs no script and needs no network.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("pages", nargs="+", metavar="PAGES")
    parser.add_argument("-o", "--output", metavar="report.html", help="default: stdout")
    parser.add_argument(
        "--show", type=int, default=6, metavar="N", help="how many pages are drawn (default: 6)"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...report import ReportPage, build_report
    from ...wrapper import load
    from ..items import output
    from ..pages import count_pages, read_pages

    wrapper = load(options.wrapper)
    pages = [
        ReportPage(named.name, named.page)
        for named in console.track(
            read_pages(options.pages, console.say), "pages read", count_pages(options.pages)
        )
    ]
    with output(options.output) as file:
        console.wait_for("writing the report")
        file.write(build_report(wrapper, pages, Path(options.wrapper).stem, max(0, options.show)))
    if options.output:
        console.say(f"{options.output}: {len(pages)} pages")
    return 0
