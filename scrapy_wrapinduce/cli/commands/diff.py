"""Compare two wrappers, and what they read from pages.

Without PAGES, the wrappers themselves are compared; with PAGES, the values that each of them finds there.
Exit status 1 says that there is a difference.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from itertools import zip_longest
from typing import Any, NamedTuple

from ..console import Console

LONGEST_VALUE = 60
DIFFERENCES_SHOWN = 3


class Difference(NamedTuple):
    """A field of which two wrappers read different values; None where one of them reads nothing."""

    field: str
    page: str
    old: Any
    new: Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="old.json")
    parser.add_argument("new", metavar="new.json")
    parser.add_argument("pages", nargs="*", metavar="PAGES")


def run(options: argparse.Namespace, console: Console) -> int:
    from ...wrapper import load
    from ..items import output
    from ..pages import count_pages, read_pages

    old, new = load(options.old), load(options.new)
    if not options.pages:
        before, after = old.describe().splitlines(), new.describe().splitlines()
        lines = list(unified_diff(before, after, options.old, options.new, lineterm="", n=1))
    else:
        same: Counter[str] = Counter()
        differences: list[Difference] = []
        pages = read_pages(options.pages, console.say)
        for named in console.track(pages, "pages", count_pages(options.pages)):
            records = (old.extract(named.page).records, new.extract(named.page).records)
            equal, found = compare(named.name, *records)
            same.update(equal)
            differences += found
        fields = dict.fromkeys([*old.fields, *new.fields, *same, *(d.field for d in differences)])
        lines = list(summary(fields, same, differences)) if differences else []
    with output(None) as file:
        file.writelines(f"{line}\n" for line in lines)
    return 1 if lines else 0


def compare(
    page: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]
) -> tuple[list[str], list[Difference]]:
    """The fields with equal values, once per record, and the differences; records go by their place.

    >>> compare("a.html", [{"title": "Ink", "price": "5"}], [{"title": "Ink"}])
    (['title'], [Difference(field='price', page='a.html', old='5', new=None)])
    """
    same: list[str] = []
    differences: list[Difference] = []
    nothing: Mapping[str, Any] = {}
    for before, after in zip_longest(old, new, fillvalue=nothing):
        for field in dict.fromkeys([*before, *after]):
            values = before.get(field), after.get(field)
            if values[0] == values[1]:
                same.append(field)
            else:
                differences.append(Difference(field, page, *values))
    return same, differences


def summary(
    fields: Iterable[str], same: Mapping[str, int], differences: Sequence[Difference]
) -> Iterator[str]:
    """One line per field, and the first differences of each."""
    by_field: dict[str, list[Difference]] = {}
    for difference in differences:
        by_field.setdefault(difference.field, []).append(difference)
    for field in fields:
        found = by_field.get(field, [])
        yield f"{field}: {same.get(field, 0)} equal, {len(found)} different"
        for difference in found[:DIFFERENCES_SHOWN]:
            yield f"  {difference.page}: {short(difference.old)} → {short(difference.new)}"
        if len(found) > DIFFERENCES_SHOWN:
            yield f"  and {len(found) - DIFFERENCES_SHOWN} more"


def short(value: object) -> str:
    """A value as it fits in a line."""
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
