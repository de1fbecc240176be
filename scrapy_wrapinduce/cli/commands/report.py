"""Show what wrappers read, as one HTML file.

  wrapinduce report wrapper.json pages/ -o report.html
  wrapinduce report STORE -o report.html
STORE is a crawl's WRAPINDUCE_DIR: the report has all its templates, and how they did in the last crawl and those before.
Without PAGES, those that are kept beside the wrapper are shown. The file runs no script and needs no network.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json|STORE")
    parser.add_argument("pages", nargs="*", metavar="PAGES")
    parser.add_argument("-o", "--output", metavar="report.html", help="default: stdout")
    parser.add_argument(
        "--show", type=int, default=6, metavar="N", help="how many pages are drawn (default: 6)"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ..items import output

    of_store = Path(options.wrapper).is_dir()
    with output(options.output) as file:
        text, said = _of_store(options, console) if of_store else _of_wrapper(options, console)
        file.write(text)
    if options.output:
        console.say(f"{options.output}: {said}")
    return 0


def _of_wrapper(options: argparse.Namespace, console: Console) -> tuple[str, str]:
    from ...report import ReportPage, build_report
    from ...wrapper import load
    from ..sample import pages_of

    wrapper = load(options.wrapper)
    pages = [
        ReportPage(named.name, named.page)
        for named in pages_of(Path(options.wrapper), options.pages, console)
    ]
    console.wait_for("writing the report")
    title = Path(options.wrapper).stem
    return build_report(wrapper, pages, title, max(0, options.show)), f"{len(pages)} pages"


def _of_store(options: argparse.Namespace, console: Console) -> tuple[str, str]:
    from ...report import build_crawl_report
    from ...report.store import is_store, subjects_of
    from ..inputs import InvalidInput

    folder = Path(options.wrapper)
    if not is_store(folder):
        raise InvalidInput(f"{folder}: neither a wrapper nor a crawl's folder of wrappers")
    if options.pages:
        raise InvalidInput(
            f"{folder}: a store brings its own pages; name a wrapper file to use others"
        )
    console.wait_for("reading the store")
    subjects, last = subjects_of(folder, console.say)
    console.wait_for(f"writing the report of {len(subjects)} templates")
    title = last.spider if last is not None and last.spider else folder.resolve().name
    return build_crawl_report(subjects, last, title), f"{len(subjects)} templates"
