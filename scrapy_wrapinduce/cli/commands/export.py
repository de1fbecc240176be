"""Turn a wrapper into selectors: a plain spider, a page object or JSON.

The selectors are derived from what the wrapper reads on sample PAGES, and checked against it there; without PAGES on those
that "learn" and crawls keep beside a wrapper:
  wrapinduce export wrapper.json --as parsel -o spider.py
  wrapinduce export wrapper.json pages/ --as page-object -o book_pages.py --fixtures fixtures/
Fields that selectors cannot express are named on stderr and in the code.
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..console import Console

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...export import Plan, Share
    from ..pages import NamedPage

FORMS = ("parsel", "page-object", "json")
START_URLS = 20


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
    from ...export import compare, make_plan
    from ...export.code import honest_words
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
    with output(options.output) as file:
        console.wait_for("deriving selectors")
        plan = make_plan(wrapper, [named.page for named in pages])
        shares = compare(wrapper, plan, [named.page for named in pages])
        words = honest_words(plan, shares, len(pages))
        name = _name(options.name or Path(options.wrapper).stem)
        file.write(_text(options.form, plan, shares, name, pages, words))
    for line in words:
        console.say(line)
    if options.fixtures:
        from ...export.page_object import save_fixtures

        samples = {named.name: named.page for named in pages}
        saved = save_fixtures(
            Path(options.fixtures), Path(options.output).stem, wrapper, plan, name, samples
        )
        console.say(f"{options.fixtures}: {len(saved)} fixtures")
    return 0


def _text(
    form: str,
    plan: Plan,
    shares: Mapping[str, Share],
    name: str,
    pages: Sequence[NamedPage],
    words: Sequence[str],
) -> str:
    """The export, in the form asked for."""
    if form == "json":
        import json

        from ...export.data import plan_data

        return json.dumps(plan_data(plan, shares), ensure_ascii=False, indent=1) + "\n"
    urls = [_address(named) for named in pages]
    if form == "parsel":
        from ...export.spider import spider_code

        return spider_code(plan, name, urls[:START_URLS], words)
    from ...export.page_object import page_object_code

    hosts = sorted({urlsplit(url).netloc for url in urls if url.startswith("http")})
    return page_object_code(plan, name, hosts[:3], words)


def _address(named: NamedPage) -> str:
    """Where a spider can get a page."""
    url = named.page.url
    if url and re.match(r"(https?|file)://", url):
        return url
    return Path(os.path.abspath(named.name)).as_uri()


def _name(text: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "item"
    return plain if plain.isidentifier() else f"item_{plain}"
