"""Look at pages in a browser and correct by clicking what is read from them.

Opens a local web page: click a value to make or fix a field, rename and drop fields, and see at once what all pages
give. Every correction is saved as an example, in a file that "learn --examples" and spiders use.
"""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pages", nargs="+", metavar="PAGES", help="pages of one template")
    parser.add_argument(
        "--examples",
        default="examples.json",
        metavar="FILE",
        help="where examples are read from and saved (default: examples.json)",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="wrapper.json",
        metavar="wrapper.json",
        help="where the wrapper is saved (default: wrapper.json)",
    )
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument(
        "--most", type=int, default=20, metavar="N", help="how many pages are taken (default: 20)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options: argparse.Namespace, console: Console) -> int:
    from itertools import islice

    from ...studio.project import Project, StudioPage
    from ...studio.server import Studio
    from ..inputs import InvalidInput, match_examples, read_examples
    from ..pages import read_pages

    pages = [
        StudioPage(named.name, named.page)
        for named in islice(read_pages(options.pages, console.say), max(1, options.most))
    ]
    project = Project(pages, Path(options.examples), Path(options.output))
    if project.examples_path.exists():
        given = read_examples(options.examples)
        if isinstance(given, list):
            raise InvalidInput(f"{options.examples}: must map the names of pages to their records")
        matched, missing = match_examples(given, [named.name for named in pages])
        if missing:
            raise InvalidInput(
                f"{options.examples}: has an example for {missing[0]!r}, which is not among the pages; "
                "give that page too, or another file with --examples"
            )
        project.examples = {
            named.name: example
            for named, example in zip(pages, matched, strict=True)
            if example is not None
        }
    console.wait_for(f"learning from {len(pages)} pages")
    project.learn()
    with Studio(project, options.port) as studio:
        console.say(f"open {studio.address} (stop with Ctrl+C)")
        if not options.no_browser:
            webbrowser.open(studio.address)
        studio.serve_forever()
    return 0
