"""Learn a wrapper from pages of one template.

PAGES are HTML files, folders, archives (.zip, .tar, .tar.gz, …) or web archives (.warc, .warc.gz).
Nothing else is needed; --examples and --schema say which fields are wanted.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import Console

if TYPE_CHECKING:
    from ..inputs import Example

FIELDS_NAMED = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pages", nargs="+", metavar="PAGES")
    parser.add_argument("-o", "--output", metavar="wrapper.json", help="default: stdout")
    parser.add_argument(
        "--family",
        metavar="F",
        help="the kind of wrapper: landmark, lr, hlrt, oclr, hoclrt, nlr, nhlrt, fuzzy or sections "
        "(default: the one that fits)",
    )
    parser.add_argument(
        "--search",
        default="astar",
        choices=("astar", "greedy-inf", "greedy-rnd", "random"),
        help="how a landmark wrapper is searched for (default: astar)",
    )
    parser.add_argument("-k", type=int, metavar="K", help="the k of k-SEP, for landmark wrappers")
    parser.add_argument(
        "--attributes",
        metavar="RULES",
        help="which attributes of tags can be landmarks, beside the usual ones: name (its value), name? (only that it "
        "is there), -name (not at all), with * for any ending and commas between them, as in --attributes=-title,nowrap?",
    )
    parser.add_argument(
        "--examples",
        metavar="FILE",
        help="JSON (or YAML) that maps the name of a page to its record, or to the list of its records",
    )
    parser.add_argument(
        "--no-sample",
        action="store_true",
        help="keep no sample of the pages beside the wrapper; report, studio and export then need PAGES",
    )
    parser.add_argument(
        "--schema",
        metavar="FILE|module:Class|names",
        help="the fields wanted: an item class, a file with their names or a JSON Schema, "
        "or the names with commas between them",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...induce import induce
    from ...landmark.wrapper import LandmarkWrapper
    from ...wrapper import dump
    from ..inputs import read_schema
    from ..items import output
    from ..pages import count_pages, read_pages
    from ..sample import keep_pages

    schema = read_schema(options.schema) if options.schema else None
    pages = list(
        console.track(
            read_pages(options.pages, console.say), "pages read", count_pages(options.pages)
        )
    )
    labels, types = _labels(options.examples, [page.name for page in pages], console)
    # Opened first: hearing after a long search that the folder is missing would be a pity.
    with output(options.output) as file:
        console.wait_for(f"learning from {len(pages)} pages")
        wrapper = induce(
            [page.page for page in pages],
            family=options.family,
            search=options.search,
            k=options.k,
            examples=labels,
            schema=schema,
            attributes=options.attributes,
            types=types,
        )
        file.write(dump(wrapper))
    if options.output:
        if not options.no_sample:
            keep_pages(Path(options.output), pages)
        fields = [
            *wrapper.fields[:FIELDS_NAMED],
            *(["…"] if len(wrapper.fields) > FIELDS_NAMED else []),
        ]
        console.say(
            f"{options.output}: a {wrapper.family} wrapper from {len(pages)} pages, "
            f"{len(wrapper.fields)} fields: {', '.join(fields)}"
        )
        if isinstance(wrapper, LandmarkWrapper) and wrapper.report is not None:
            console.say(str(wrapper.report))
        for note in getattr(wrapper, "notes", ()):
            console.say(note)
    return 0


def _labels(
    path: str | None, names: list[str], console: Console
) -> tuple[list[Example | None] | None, dict[str, str]]:
    """The examples of a file, one entry per page, and the types it gives to fields."""
    from ..inputs import InvalidInput, match_examples, read_examples

    if path is None:
        return None, {}
    saved = read_examples(path)
    examples = saved.examples
    if isinstance(examples, list):
        if len(examples) != len(names):
            raise InvalidInput(
                f"{path}: {len(examples)} examples for {len(names)} pages; give one for each, or null"
            )
        return examples, saved.types
    if not examples:
        return None, saved.types
    labels, missing = match_examples(examples, names)
    if missing and len(missing) == len(examples):
        raise InvalidInput(
            f"{path}: none of its examples names one of the pages; "
            f"the first is for {missing[0]!r}, the first page is {names[0]!r}"
        )
    if missing:
        console.say(
            f"{path}: {len(missing)} of {len(examples)} examples are for pages "
            f"that were not given, the first for {missing[0]!r}"
        )
    return labels, saved.types
