"""Show a wrapper as a person reads it."""

from __future__ import annotations

import argparse

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("--tree", action="store_true", help="draw the landmark tree as well")
    parser.add_argument(
        "--grammar",
        action="store_true",
        help="write the productions of the landmark grammar as well",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...landmark.show import draw, grammar
    from ...landmark.wrapper import LandmarkWrapper
    from ...wrapper import load
    from ..inputs import InvalidInput
    from ..items import output

    wrapper = load(options.wrapper)
    parts = [wrapper.describe()]
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
