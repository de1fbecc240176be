"""Say whether a wrapper still fits its pages.

What it reads now is compared with what it read when it was learned, over all PAGES together. Exit status 1 says that it
no longer fits; the reasons name the fields and the evidence.
"""

from __future__ import annotations

import argparse

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("pages", nargs="+", metavar="PAGES")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the exit status")


def run(options: argparse.Namespace, console: Console) -> int:
    from ...upkeep.health import kept_health, read
    from ...upkeep.verify import judge
    from ...wrapper import load
    from ..items import output
    from ..pages import count_pages, read_pages

    wrapper = load(options.wrapper)
    health = kept_health(wrapper)
    pages = read_pages(options.pages, console.say)
    readings = [
        read(wrapper, named.page)
        for named in console.track(pages, "pages", count_pages(options.pages))
    ]
    verdict = judge(health, readings)
    if not options.quiet:
        with output(None) as file:
            fits = "fits" if verdict.ok else "no longer fits"
            file.write(
                f"{options.wrapper} {fits} {len(readings)} pages (score {verdict.score:.2f})\n"
            )
            file.writelines(f"  {reason}\n" for reason in verdict.reasons)
    return 0 if verdict.ok else 1
