"""Find the elements that hold one record each, and a selector for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from .cases import Located, Row, Scope
from .dom import Element, common_ancestor
from .rules import Where, is_valid
from .wheres import MOST_LABEL_LEVELS, after_label, has_plain_tag, names, wheres

MOST_LEVELS = 5
SCOPES_ASKED = 6
SELECTORS_TRIED = 200
FINALISTS = 10
LEAST_SHARE = 0.5
HIGH = 1000


@dataclass(frozen=True)
class Listing:
    """Records that stand in one scope: those of a page, or a list in one of its records."""

    scope: Scope
    records: Sequence[Located]

    @cached_property
    def chains(self) -> list[list[Element]]:
        """For each record the elements around all of it, the innermost first."""
        return list(map(_around, self.records))


def find_container(
    listings: Sequence[Listing], labels: Sequence[str] = ()
) -> tuple[Where, list[Row]] | None:
    """A selector that finds one element for each record, and the records by their elements."""
    votes: Counter[Where] = Counter()
    costs: dict[Where, int] = {}
    several = [listing for listing in listings if len(listing.records) > 1] or listings
    for listing in several[:SCOPES_ASKED]:
        own: dict[Where, int] = {}
        for level, group in enumerate(_levels(listing)):
            for where, cost in _selectors(group, listing.scope, labels):
                own[where] = min(cost + level, own.get(where, HIGH))
        votes.update(own.keys())
        for where, cost in own.items():
            costs[where] = min(cost, costs.get(where, HIGH))
    ranked = sorted(
        filter(is_valid, costs), key=lambda where: (-votes[where], costs[where], str(where))
    )
    some = several[:: max(1, len(several) // SCOPES_ASKED)]
    tried = sorted(
        ((_share(where, some), -costs[where], where) for where in ranked[:SELECTORS_TRIED]),
        key=lambda one: one[:2],
        reverse=True,
    )
    final = [(_share(where, listings), cost, where) for _, cost, where in tried[:FINALISTS]]
    share, _, best = max(final, key=lambda one: one[:2], default=(0.0, 0, None))
    if best is None or share <= LEAST_SHARE:
        return None
    return best, [row for listing in listings for row in rows_at(best, listing)]


def rows_at(where: Where, listing: Listing) -> list[Row]:
    """The records of a listing that have an element to themselves."""
    matched = _match(listing.scope.find(where), listing)
    document = listing.scope.document
    return [
        Row(Scope(document, element, is_page=False), listing.records[number])
        for number, element in matched.items()
    ]


def _levels(listing: Listing) -> list[list[Element]]:
    """Elements that hold all of one record and nothing of another: the outermost first."""
    users = Counter(element for chain in listing.chains for element in chain)
    above = {listing.scope.element, *listing.scope.element.iterancestors()}
    chains = [
        [element for element in chain if users[element] == 1 and element not in above]
        for chain in listing.chains
    ]
    chains = [chain[::-1][:MOST_LEVELS] for chain in chains if chain]
    if not chains:
        return []
    return [
        [chain[level] for chain in chains if len(chain) > level]
        for level in range(max(map(len, chains)))
    ]


def _around(record: Located) -> list[Element]:
    held = record.held()
    if not held:
        return []
    inner = common_ancestor(held)
    return [inner, *inner.iterancestors()]


def _selectors(
    group: Sequence[Element], scope: Scope, labels: Sequence[str]
) -> Iterator[tuple[Where, int]]:
    """Selectors that find most of the elements of a group."""
    seen = Counter(name for element in group for name in set(names(element)))
    common = [pair for pair, count in seen.items() if 2 * count > len(group)]
    for name, cost in common:
        yield Where(css=name), cost
    parents = Counter(element.getparent() for element in group)
    (parent, count), *_ = parents.most_common(1)
    if parent is None or 2 * count <= len(group):
        return
    inside = [element for element in group if element.getparent() is parent]
    common += [(f"{name}{part}", cost + 2) for name, cost in common for part in _skipping(inside)]
    upper, between = parent, " > "
    for level in range(MOST_LEVELS):
        if upper is None:
            break
        for name, cost in names(upper):
            for own, own_cost in common:
                yield Where(css=f"{name}{between}{own}"), cost + own_cost + 1 + level
        upper, between = upper.getparent(), " "
    if parent is scope.element:
        return
    for where, cost in wheres(parent, scope.element, scope.is_page):
        if where.css:
            for own, own_cost in common:
                yield Where(css=f"{where.css} > {own}"), cost + own_cost + 1
    if not has_plain_tag(inside[0]):
        return
    first = min(_place(element) for element in inside)
    step = f"/{inside[0].tag}" + (f"[position()>={first}]" if first > 1 else "")
    for label, words in _labels_before(parent, labels):
        way = after_label(label, words, parent)
        if way is not None:
            yield Where(xpath=way[0].xpath + step), way[1] + 3


def _skipping(inside: Sequence[Element]) -> list[str]:
    """Without the first elements of their kind, or the last: heads of columns, and totals."""
    first = min(map(_place, inside))
    after = min(1 + sum(1 for _ in one.itersiblings(one.tag)) for one in inside)
    parts = [f":nth-of-type(n+{first})"] if first > 1 else []
    if after > 1:
        parts += [f"{part}:nth-last-of-type(n+{after})" for part in (*parts, "")]
    return parts


def _place(element: Element) -> int:
    return 1 + sum(1 for _ in element.itersiblings(element.tag, preceding=True))


def _labels_before(element: Element, labels: Sequence[str]) -> Iterator[tuple[Element, str]]:
    """Elements before a list, near it, whose text is one of the labels."""
    at = element
    for _ in range(MOST_LABEL_LEVELS):
        for sibling in at.itersiblings("*", preceding=True):
            for holder in sibling.iter("*"):
                words = holder.xpath("normalize-space()")
                if words in labels:
                    yield holder, words
        at = at.getparent()
        if at is None:
            return


def _share(where: Where, listings: Sequence[Listing]) -> float:
    """How many of the records have exactly one of the elements, less elements that hold no record."""
    right = total = 0
    for listing in listings:
        found = listing.scope.find(where)
        right += len(_match(found, listing))
        total += max(len(listing.records), (len(found) + len(listing.records)) // 2)
    return right / total if total else 0.0


def _match(found: Sequence[Element], listing: Listing) -> dict[int, Element]:
    """The element of each record that has one to itself."""
    known = set(found)
    holders: dict[int, Element] = {}
    used: Counter[Element] = Counter()
    for number, chain in enumerate(listing.chains):
        hits = [element for element in chain if element in known]
        if hits:
            holders[number] = hits[0]
            used.update(hits)
    return {number: element for number, element in holders.items() if used[element] == 1}
