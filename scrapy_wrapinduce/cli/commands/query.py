"""Ask pages in SQL.

Every source is a table: pages read by a wrapper, one row for each record, or items of a crawl.
  wrapinduce query "SELECT page, Geography.Area.total FROM f" --source f=factbook.json:pages/
  wrapinduce query "SELECT country, Economy.Debt_external FROM factbook" --sources sources.json
Functions that give texts types: quantity(text) → amount, currency, unit, year; pairs(text) → name, value.
"""

from __future__ import annotations

import argparse
from typing import Any

from ..console import Console

CELL = 60
FORMATS = ("table", "csv", "json", "jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sql", metavar="SQL")
    parser.add_argument(
        "-s", "--sources", metavar="FILE", help="a JSON or YAML file that describes the sources"
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="NAME=WHAT",
        help="wrapper.json:PAGES, wrapper.json:http://…{page}… or items.jsonl; may be repeated",
    )
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="default: table, or by the output's suffix"
    )
    parser.add_argument("-o", "--output", metavar="answer.csv|.json|.jsonl")
    parser.add_argument(
        "--cache", metavar="FOLDER", help="where pages fetched for queries are kept"
    )
    parser.add_argument(
        "--keep-for",
        type=int,
        default=24 * 3600,
        metavar="SECONDS",
        help="fetch a page again when it is older (default: a day)",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ...query import query
    from ..items import WRITERS, output, writer_for
    from ..sources import parse_source, read_sources

    wanted = options.format or (None if options.output else "table")
    write = WRITERS[f".{wanted}"] if wanted in FORMATS[1:] else writer_for(options.output)
    more = (console.say, options.cache, options.keep_for)
    sources = read_sources(options.sources, *more) if options.sources else []
    sources += [parse_source(text, *more) for text in options.source]
    console.wait_for("reading")
    answer = query(options.sql, sources)
    for warning in answer.warnings:
        console.say(warning)
    with output(options.output, newline="") as file:
        if wanted == "table":
            file.write(as_table(answer.columns, answer.rows))
        else:
            write(answer.dicts(), file)
    return 0


def as_table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """Rows for people: long texts are cut, and of a section with sections its text is shown.

    >>> print(as_table(("country", "debt"), [("Austria", {"text": "$21.5 billion", "rank": "3"})]), end="")
    country  debt
    -------  -------------
    Austria  $21.5 billion
    """
    cells = [list(columns), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)
    return "".join(f"{line}\n" for line in lines)


def _cell(value: Any) -> str:
    from ..items import as_json

    if isinstance(value, dict) and value.get("text"):
        value = value["text"]
    if value is None:
        return ""
    text = " ".join((value if isinstance(value, str) else as_json(value)).split())
    return text if len(text) <= CELL else f"{text[: CELL - 1]}…"
