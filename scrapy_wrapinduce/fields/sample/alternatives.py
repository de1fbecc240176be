"""Values that recur, told from labels.

Both stand on several pages of a sample. But a page shows all of its labels, and one of a field's values: the
texts that pages show in the same place are values where no page shows two of them ("Full-time" or
"Part-time"), and labels where pages show several ("Price", "Mileage", one row lower where a row is missing).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...texts import Texts

PLACE_SHARE = 0.5  # of the pages: how many must have something in the place
RECURRING_SHARE = 0.6  # of those: how many must show a text that recurs
TOGETHER_SHARE = 0.1  # of a text's pages: how many may show another one too
MOST_TEXTS = 30

Slot = tuple[str, int]


def alternatives(pages: Sequence[Texts], pages_with: Mapping[str, int]) -> frozenset[str]:
    """The texts that exclude each other in some place of the pages."""
    in_slot: dict[Slot, list[str]] = defaultdict(list)
    for page in pages:
        for slot, text in _slots(page):
            in_slot[slot].append(text)
    shown = [frozenset(page.folded) for page in pages]
    found: set[str] = set()
    for texts in in_slot.values():
        recurring = {text for text in texts if 1 < pages_with[text] < len(pages)}
        count = sum(text in recurring for text in texts)
        if len(texts) < PLACE_SHARE * len(pages) or count < RECURRING_SHARE * len(texts):
            continue
        if 1 < len(recurring) <= MOST_TEXTS and _exclusive(recurring, shown):
            found |= recurring
    return frozenset(found)


def _slots(page: Texts) -> list[tuple[Slot, str]]:
    """The texts of a page by the tag in front of them, and which one of its kind it is."""
    seen: Counter[str] = Counter()
    found = []
    for node, text in enumerate(page.folded):
        tag = page.page.tags[(page.parts[node] - 1) >> 1] if page.parts[node] else None
        kind = f"{tag.kind} {tag.name} {tag.get('class')}" if tag else ""
        found.append(((kind, seen[kind]), text))
        seen[kind] += 1
    return found


def _exclusive(texts: set[str], shown: Sequence[frozenset[str]]) -> bool:
    """Whether hardly any page shows two of the texts."""
    counts = [len(texts & page) for page in shown]
    several = sum(count > 1 for count in counts)
    return several <= TOGETHER_SHARE * sum(map(bool, counts))
