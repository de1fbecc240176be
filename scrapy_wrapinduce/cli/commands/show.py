"""Show a wrapper as a person reads it: its fields with an example of each, and where on the page they stand.

Examples come from the pages that "learn" and crawls keep beside a wrapper. --rules adds the exact way to every field, --tree
and --grammar the whole landmark grammar.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..console import Console

PAGES_READ = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("--rules", action="store_true", help="write how every field is found")
    parser.add_argument("--tree", action="store_true", help="draw the whole landmark tree as well")
    parser.add_argument(
        "--grammar",
        action="store_true",
        help="write the productions of the landmark grammar as well",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...landmark.show import draw, grammar
    from ...landmark.wrapper import LandmarkWrapper
    from ...stores.sample import read_sample, sample_path
    from ...wrapper import load
    from ..drawing import fields_table, tree_with_fields
    from ..inputs import InvalidInput
    from ..items import output

    wrapper = load(options.wrapper)
    pages = read_sample(sample_path(Path(options.wrapper)), PAGES_READ)
    fields = len(wrapper.fields)
    parts = [
        f"{wrapper.family} wrapper with {fields} field{'s'[: fields != 1]}",
        fields_table(wrapper, pages),
    ]
    is_landmark = isinstance(wrapper, LandmarkWrapper)
    if isinstance(wrapper, LandmarkWrapper) and wrapper.tree.nodes:
        parts.append("where they stand\n" + tree_with_fields(wrapper))
    if options.rules or not is_landmark:
        parts.append("how they are found\n" + wrapper.describe())
    if options.tree or options.grammar:
        if not isinstance(wrapper, LandmarkWrapper):
            raise InvalidInput(
                f"{options.wrapper}: a wrapper of the {wrapper.family} family has no landmark tree"
            )
        parts += [draw(wrapper.tree)] if options.tree else []
        parts += [grammar(wrapper.tree)] if options.grammar else []
    with output(None) as file:
        file.write("\n\n".join(part.rstrip("\n") for part in parts) + "\n")
    return 0
