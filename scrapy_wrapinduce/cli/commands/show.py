"""Show a wrapper as a person reads it."""

from __future__ import annotations

import argparse

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")


def run(options: argparse.Namespace, console: Console) -> int:
    from ...wrapper import load
    from ..items import output

    description = load(options.wrapper).describe()
    with output(None) as file:
        file.write(description.rstrip("\n") + "\n")
    return 0
