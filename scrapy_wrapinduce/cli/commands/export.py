"""Turn a wrapper into selectors: a plain spider, a page object or JSON.

The selectors are derived from what the wrapper reads on sample PAGES, and checked against it there; without PAGES on those
that "learn" and crawls keep beside a wrapper:
  wrapinduce export wrapper.json --as parsel -o spider.py
  wrapinduce export wrapper.json pages/ --as page-object -o book_pages.py --fixtures fixtures/
Fields that selectors cannot express are named on stderr and in the code.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..console import Console

FORMS = ("parsel", "page-object", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("pages", nargs="*", metavar="PAGES", help="sample pages of its template")
    parser.add_argument(
        "--as",
        dest="form",
        choices=FORMS,
        default="parsel",
        help="a Scrapy spider, a web-poet page object, or the selectors as JSON (default: parsel)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="default: stdout")
    parser.add_argument(
        "--name", metavar="NAME", help="what an item is called (default: the wrapper file's name)"
    )
    parser.add_argument(
        "--fixtures",
        metavar="FOLDER",
        help="for page objects: write test fixtures of sample pages there (needs -o)",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...export.forms import address, item_name, make_export
    from ...wrapper import load
    from ..inputs import InvalidInput
    from ..items import output
    from ..sample import pages_of

    if options.fixtures and (options.form != "page-object" or not options.output):
        raise InvalidInput(
            "--fixtures is for page objects in a file: give --as page-object and -o too"
        )
    wrapper = load(options.wrapper)
    pages = pages_of(Path(options.wrapper), options.pages, console)
    name = item_name(options.name or Path(options.wrapper).stem)
    with output(options.output) as file:
        console.wait_for("deriving selectors")
        export = make_export(wrapper, [named.page for named in pages])
        addresses = [address(named.name, named.page) for named in pages]
        file.write(export.text(options.form, name, addresses))
    for line in export.words:
        console.say(line)
    if options.fixtures:
        from ...export.page_object import save_fixtures

        samples = {named.name: named.page for named in pages}
        saved = save_fixtures(
            Path(options.fixtures), Path(options.output).stem, wrapper, export.plan, name, samples
        )
        console.say(f"{options.fixtures}: {len(saved)} fixtures")
    return 0
