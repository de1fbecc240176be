"""Find the elements that hold one record each, and a selector for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..wrapper import Extraction
from .cases import Nodes, Row, Scope, holder, nodes_of
from .dom import Document, Element, common_ancestor
from .rules import Where, elements, is_valid
from .wheres import names

MOST_LEVELS = 5
PAGES_ASKED = 10
SELECTORS_TRIED = 200
LEAST_SHARE = 0.5


def find_container(
    documents: Sequence[Document], extractions: Sequence[Extraction]
) -> tuple[Where, list[Row]] | None:
    """A selector that finds one element for each record, and the records by their elements."""
    nodes = [nodes_of(*pair) for pair in zip(documents, extractions, strict=True)]
    votes: Counter[Where] = Counter()
    costs: dict[Where, int] = {}
    several = [page for page in nodes if len(page) > 1]
    for records in several[:PAGES_ASKED]:
        own: dict[Where, int] = {}
        for level, group in enumerate(_levels(records)):
            for where, cost in _selectors(group):
                own[where] = min(cost + level, own.get(where, 1000))
        votes.update(own.keys())
        for where, cost in own.items():
            costs[where] = min(cost, costs.get(where, 1000))
    ranked = sorted(
        filter(is_valid, costs), key=lambda where: (-votes[where], costs[where], str(where))
    )
    best: Where | None = None
    best_rank = (LEAST_SHARE, -1000.0)
    for where in ranked[:SELECTORS_TRIED]:
        rank = (_share(where, documents, nodes), -float(costs[where]))
        if rank > best_rank:
            best, best_rank = where, rank
    if best is None:
        return None
    return best, _rows(best, documents, extractions, nodes)


def _levels(records: Sequence[dict[str, Nodes]]) -> list[list[Element]]:
    """Elements that hold all of one record and nothing of another: the outermost first."""
    around = [_around(record) for record in records]
    users = Counter(element for chain in around for element in chain)
    chains = [[element for element in chain if users[element] == 1] for chain in around]
    chains = [chain[::-1][:MOST_LEVELS] for chain in chains if chain]
    if not chains:
        return []
    return [
        [chain[level] for chain in chains if len(chain) > level]
        for level in range(max(map(len, chains)))
    ]


def _around(record: dict[str, Nodes]) -> list[Element]:
    held = [holder(node) for nodes in record.values() for node in nodes]
    if not held:
        return []
    inner = common_ancestor(held)
    return [inner, *inner.iterancestors()]


def _selectors(group: Sequence[Element]) -> list[tuple[Where, int]]:
    """Selectors that find most of the elements of a group."""
    seen = Counter(name for element in group for name in set(names(element)))
    common = [pair for pair, count in seen.items() if 2 * count > len(group)]
    found = [(Where(css=name), cost) for name, cost in common]
    parents = Counter(element.getparent() for element in group)
    (parent, count), *_ = parents.most_common(1)
    if parent is None or 2 * count <= len(group):
        return found
    upper, between = parent, " > "
    for level in range(MOST_LEVELS):
        if upper is None:
            break
        for name, cost in names(upper):
            for own, own_cost in common:
                found.append((Where(css=f"{name}{between}{own}"), cost + own_cost + 1 + level))
        upper, between = upper.getparent(), " "
    return found


def _share(
    where: Where, documents: Sequence[Document], nodes: Sequence[Sequence[dict[str, Nodes]]]
) -> float:
    """How many of the records have exactly one of the elements, less elements that hold no record."""
    right = total = 0
    for document, records in zip(documents, nodes, strict=True):
        found = elements(document.root, where)
        matched = _match(found, records)
        right += len(matched)
        total += max(len(records), (len(found) + len(records)) // 2)
    return right / total if total else 0.0


def _match(found: Sequence[Element], records: Sequence[dict[str, Nodes]]) -> dict[int, Element]:
    """The element of each record that has one to itself."""
    known = {element: number for number, element in enumerate(found)}
    holders: dict[int, Element] = {}
    used: Counter[Element] = Counter()
    for number, record in enumerate(records):
        hits = [element for element in _around(record) if element in known]
        if hits:
            holders[number] = hits[0]
            used.update(hits)
    return {number: element for number, element in holders.items() if used[element] == 1}


def _rows(
    where: Where,
    documents: Sequence[Document],
    extractions: Sequence[Extraction],
    nodes: Sequence[Sequence[dict[str, Nodes]]],
) -> list[Row]:
    rows = []
    for document, extraction, records in zip(documents, extractions, nodes, strict=True):
        for number, element in _match(elements(document.root, where), records).items():
            scope = Scope(document, element, is_page=False)
            rows.append(Row(scope, extraction.records[number], records[number]))
    return rows
