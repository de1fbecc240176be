"""Correct the structure that a wrapper of sections has.

A file of corrections has a line for each:
  add Area comparison under Geography     a heading that was missed
  delete Caption                          no heading: its text belongs to the section around it
  nest Energy.Electricity under Economy   a heading that belongs elsewhere; "under ." is the page itself
  style Summary                           every text set like this one is a heading
  plain Read more                         no text set like this one is
The first three redo only what they name; the last two are about a style and need the pages again.
"""

from __future__ import annotations

import argparse

from ..console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wrapper", metavar="wrapper.json")
    parser.add_argument("corrections", metavar="corrections.txt")
    parser.add_argument("-o", "--output", required=True, metavar="corrected.json")
    parser.add_argument(
        "--pages", nargs="+", default=[], metavar="PAGES", help="to learn from again, corrected"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from pathlib import Path

    from ...sections import InvalidCorrection, SectionsWrapper, learn
    from ...wrapper import load
    from ..inputs import InvalidInput
    from ..pages import read_pages

    wrapper = load(options.wrapper)
    if not isinstance(wrapper, SectionsWrapper):
        raise InvalidInput(f"{options.wrapper}: only a wrapper of sections has headings to correct")
    try:
        lines = Path(options.corrections).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{options.corrections}: not UTF-8 text ({error.reason})") from error
    try:
        if options.pages:
            pages = [named.page for named in read_pages(options.pages, console.say)]
            corrected = learn(pages, [*map(str, wrapper.corrections), *lines])
        else:
            corrected = wrapper.corrected(lines)
    except InvalidCorrection as error:
        raise InvalidInput(f"{options.corrections}: {error}") from error
    corrected.save(options.output)
    console.say(f"{options.output}: {len(corrected.corrections)} corrections")
    return 0
