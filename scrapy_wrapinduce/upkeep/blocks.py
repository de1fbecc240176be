"""Semantic blocks: which recovered items make one record (Meng, Hu, Li 2003, section 3.3).

An element *over-matches* when it holds a field twice, matches *fully* when it holds every field, else *partially*.
Going down from the page, the highest elements that do not over-match are blocks; partial blocks that follow each other
under one parent are merged as long as the result does not over-match.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..records.tree import Tree
    from .candidates import Candidate

Block = dict[str, list["Candidate"]]


@dataclass(frozen=True)
class Blocks:
    """The blocks of a page in order, and how well they match the schema, from 0 to 1."""

    records: tuple[Block, ...]
    fullness: float


def configure(
    tree: Tree,
    items: Mapping[str, Sequence[Candidate]],
    many: Collection[str] = (),
    optional: Collection[str] = (),
) -> Blocks:
    """Group the items of fields into records."""
    places = {field: sorted(found, key=lambda c: c.span) for field, found in items.items() if found}
    starts = {field: [c.span.start for c in found] for field, found in places.items()}
    single = [field for field in places if field not in many]

    def held(element: int) -> Block:
        low, high = tree.start[element], tree.end[element]
        block = {}
        for field, found in places.items():
            first, stop = bisect_left(starts[field], low), bisect_left(starts[field], high)
            if stop > first:
                block[field] = found[first:stop]
        return block

    records: list[Block] = []
    merging: dict[int, int] = {}
    waiting = list(reversed(tree.children(-1)))
    while waiting:
        element = waiting.pop()
        block = held(element)
        if not block:
            continue
        if (
            any(len(block.get(field, ())) > 1 for field in single)
            and tree.stop[element] > element + 1
        ):
            waiting.extend(reversed(tree.children(element)))
            own = {
                f: [c for c in found if c.item == element and c.kind != "text"]
                for f, found in block.items()
            }
            _add(records, merging, {f: c[:1] for f, c in own.items() if c}, element, single)
            continue
        block = {f: found if f in many else found[:1] for f, found in block.items()}
        _add(records, merging, block, tree.parent[element], single)
    needed = [field for field in places if field not in optional] or list(places)
    full = [record for record in records if all(field in record for field in needed)]
    return Blocks(tuple(records), _fullness(places, full))


def _fullness(places: Mapping[str, Sequence[Candidate]], full: Sequence[Block]) -> float:
    """The share of items that are in full matches: of all items, and field by field, in equal parts.

    A field that stands on the page more often than the records do must not hide that all others match.
    """
    if not full:
        return 0.0
    held = {field: sum(len(record.get(field, ())) for record in full) for field in places}
    of_all = sum(held.values()) / sum(map(len, places.values()))
    by_field = sum(held[field] / len(found) for field, found in places.items()) / len(places)
    return (of_all + by_field) / 2


def _add(
    records: list[Block],
    merging: dict[int, int],
    block: Block,
    parent: int,
    single: Sequence[str],
) -> None:
    """Append a block, or merge it into the last one under the same parent."""
    if not block:
        return
    last = merging.get(parent, -1)
    if last == len(records) - 1 and last >= 0:
        record = records[last]
        if not any(field in record and field in block for field in single):
            for field, found in block.items():
                record.setdefault(field, []).extend(found)
            return
    records.append(block)
    merging[parent] = len(records) - 1
