"""How much of what a crawl gave equals the site's database.

Two shares are reported. *Any field*: a value of the database counts as right when some field of the
page's item equals it. *By name*: each field of the database is matched, over all pages of a
template, to the one item field that equals it most often, and only that field counts.

``python -m shop_site.compare items.jsonl`` prints both.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .database import build
from .site import Site
from .truth import PageTruth

Item = Mapping[str, Any]
EXCERPT_ROWS = 4
EXCERPT_COLUMNS = 5
CELL_WIDTH = 24


@dataclass(frozen=True)
class FieldScore:
    """One field of the database, and the item field that stands for it."""

    field: str
    item_field: str | None
    values: int
    right_by_name: int
    right_anywhere: int


@dataclass(frozen=True)
class KindScore:
    """The pages of one template: how many gave one item, none or several, and their values."""

    kind: str
    pages: int
    once: int
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    fields: tuple[FieldScore, ...]

    @property
    def values(self) -> int:
        return sum(score.values for score in self.fields)

    @property
    def by_name(self) -> float:
        return _share(sum(score.right_by_name for score in self.fields), self.values)

    @property
    def anywhere(self) -> float:
        return _share(sum(score.right_anywhere for score in self.fields), self.values)


@dataclass(frozen=True)
class Comparison:
    """A crawl against the database; pages that break their template are only counted."""

    kinds: tuple[KindScore, ...]
    broken: int
    broken_with_item: int

    @property
    def values(self) -> int:
        return sum(kind.values for kind in self.kinds)

    @property
    def by_name(self) -> float:
        return _share(sum(f.right_by_name for k in self.kinds for f in k.fields), self.values)

    @property
    def anywhere(self) -> float:
        return _share(sum(f.right_anywhere for k in self.kinds for f in k.fields), self.values)

    def kind(self, name: str) -> KindScore:
        return next(score for score in self.kinds if score.kind == name)


def compare(
    items: Iterable[Item],
    truth: Mapping[str, PageTruth],
    kinds: Sequence[str] = ("product", "article", "brand", "author"),
) -> Comparison:
    """Hold items, which name their page in ``url``, against the truth of a site."""
    by_path = group_by_path(items)
    scores = []
    for kind in kinds:
        pages = {p: page for p, page in truth.items() if page.kind == kind and page.conforms}
        if pages:
            scores.append(_kind_score(kind, pages, by_path))
    broken = [path for path, page in truth.items() if page.kind in kinds and not page.conforms]
    return Comparison(tuple(scores), len(broken), sum(path in by_path for path in broken))


def group_by_path(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Items by the path and query of their page."""
    by_path: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        parts = urlsplit(str(item.get("url", "")))
        path = parts.path or "/"
        by_path[f"{path}?{parts.query}" if parts.query else path].append(item)
    return dict(by_path)


def _kind_score(
    kind: str, pages: Mapping[str, PageTruth], by_path: Mapping[str, Sequence[Item]]
) -> KindScore:
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    anywhere: Counter[str] = Counter()
    for path, page in pages.items():
        # Of several items for one page the first counts; the others are reported as doubled.
        readings = _readings(by_path[path][0]) if path in by_path else []
        for name, value in page.fields.items():
            wanted = fold(value)
            totals[name] += 1
            equal = {field for field, text in readings if text == wanted}
            anywhere[name] += bool(equal)
            # Fields inside repeated records may hold several values: they have no one reading.
            votes[name].update(field for field in equal if "." not in field)
    fields = []
    for name, values in totals.items():
        best = min(votes[name].items(), key=lambda vote: (-vote[1], vote[0]), default=(None, 0))
        fields.append(FieldScore(name, best[0], values, best[1], anywhere[name]))
    counts = {path: len(by_path.get(path, ())) for path in pages}
    return KindScore(
        kind,
        len(pages),
        sum(count == 1 for count in counts.values()),
        tuple(path for path, count in counts.items() if count == 0),
        tuple(path for path, count in counts.items() if count > 1),
        tuple(fields),
    )


def _readings(item: Item) -> list[tuple[str, str]]:
    """Every field of the item as one text; fields of records inside it under ``field.inner``."""
    found: list[tuple[str, str]] = []
    pending: list[tuple[str, Any]] = [(name, value) for name, value in item.items()]
    while pending:
        name, value = pending.pop()
        found.append((name, fold(value)))
        records = value if isinstance(value, list | tuple) else [value]
        for record in records:
            if isinstance(record, dict):
                pending.extend((f"{name}.{inner}", part) for inner, part in record.items())
    return found


def fold(value: object) -> str:
    """A value as one text: its parts joined, entities decoded, white space folded."""
    return " ".join(unescape(" ".join(_parts(value))).split())


def _parts(value: object) -> Iterator[str]:
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            pending.extend(reversed(list(part.values())))
        elif isinstance(part, list | tuple):
            pending.extend(reversed(part))
        elif part is not None:
            yield str(part)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def report(comparison: Comparison) -> str:
    """The comparison as a person reads it."""
    rows = [
        (k.kind, str(k.pages), str(k.once), str(k.values), f"{k.anywhere:.1%}", f"{k.by_name:.1%}")
        for k in comparison.kinds
    ]
    total = f"{comparison.anywhere:.1%}", f"{comparison.by_name:.1%}"
    rows.append(("all", "", "", str(comparison.values), *total))
    lines = [table(("template", "pages", "once", "values", "any field", "by name"), rows)]
    for kind in comparison.kinds:
        for what, paths in (("no item", kind.missing), ("several items", kind.doubled)):
            if paths:
                more = ", …" if len(paths) > 3 else ""
                lines.append(f"{kind.kind}: {what} for {len(paths)}: {', '.join(paths[:3])}{more}")
    lines.append(
        f"{comparison.broken} more pages break their template (left out above); "
        f"{comparison.broken_with_item} of them gave an item."
    )
    fields = [
        (k.kind, f.field, f.item_field or "-", f"{f.right_by_name}/{f.values}")
        for k in comparison.kinds
        for f in k.fields
    ]
    lines += ["", table(("template", "database", "item field", "right"), fields)]
    return "\n".join(lines)


def excerpt(items: Iterable[Item], truth: Mapping[str, PageTruth], comparison: Comparison) -> str:
    """A few items of every template as a table, under the names that the crawl gave."""
    by_path = group_by_path(items)
    blocks = []
    for kind in comparison.kinds:
        columns = [score.item_field for score in kind.fields if score.item_field]
        columns = list(dict.fromkeys(columns))[:EXCERPT_COLUMNS]
        pages = [path for path, page in truth.items() if page.kind == kind.kind and page.conforms]
        shown = [path for path in pages if path in by_path]
        if not shown or not columns:
            blocks.append(f"{kind.kind}: no items")
            continue
        rows = [
            [path, *(fold(by_path[path][0].get(column)) for column in columns)]
            for path in shown[:: max(1, len(shown) // EXCERPT_ROWS)][:EXCERPT_ROWS]
        ]
        blocks.append(f"{kind.kind}: {len(shown)} items\n{table(['url', *columns], rows)}")
    return "\n\n".join(blocks)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text, long cells cut."""
    cells = [[_cut(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _cut(cell: str) -> str:
    return cell if len(cell) <= CELL_WIDTH else f"{cell[: CELL_WIDTH - 1]}…"


def read_items(path: Path) -> list[dict[str, Any]]:
    """Items of a JSON-lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare crawled items with the site's database.")
    parser.add_argument("items", type=Path, help="a JSON-lines file")
    parser.add_argument(
        "--seed", type=int, default=1, help="the seed that the site was served with"
    )
    options = parser.parse_args(arguments)
    try:
        items = read_items(options.items)
    except (OSError, ValueError) as error:
        print(f"compare: cannot read {options.items}: {error}", file=sys.stderr)
        return 2
    truth = Site(build(options.seed)).truth
    comparison = compare(items, truth)
    print(f"{excerpt(items, truth, comparison)}\n\n{report(comparison)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
