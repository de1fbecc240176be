"""A wrapper drawn for a terminal: its fields with what they read, and where on the page they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import InvalidWrapper
from ..landmark.tree import LEAF, Options
from ..landmark.wrapper import LandmarkWrapper
from ..report.figures import texts_of
from ..upkeep.health import kept_health

if TYPE_CHECKING:
    from ..landmark.tree import Node
    from ..page import Page
    from ..wrapper import Wrapper

LONGEST_NAME = 28
LONGEST_VALUE = 56
MOST_LINES = 300
DEEPEST = 24  # deeper levels are not indented further


def fields_table(wrapper: Wrapper, pages: Sequence[Page]) -> str:
    """Every field, on how many records it was, its type, and a value."""
    values: dict[str, str] = {}
    for page in pages:
        for record in wrapper.extract(page).records:
            for name, value in wrapper.clean(record).items():
                values.setdefault(name, " · ".join(texts_of(value)))
    shares = _shares(wrapper)
    names = list(dict.fromkeys([*wrapper.fields, *values]))
    if not names:
        return "no fields"
    width = min(max(map(len, [*names, "field"])), LONGEST_NAME)
    rows = [f"{'field':{width}}  {'on':>4}  {'for example' if values else ''}".rstrip()]
    for name in names:
        share = f"{shares[name]:.0%}" if name in shares else ""
        typed = f"({wrapper.types[name]}) " if name in wrapper.types else ""
        shown = typed + _short(values.get(name, ""), LONGEST_VALUE)
        rows.append(f"{_short(name, width):{width}}  {share:>4}  {shown}".rstrip())
    return "\n".join(rows)


def tree_with_fields(wrapper: LandmarkWrapper) -> str:
    """The landmarks on the way to the fields, each field where it stands."""
    held: dict[tuple[int, int], list[str]] = defaultdict(list)
    for item in wrapper.named:
        held[item.nonterminals[0]].append(item.name)
    for nested in wrapper.lists:
        held[nested.nonterminal].append(f"{nested.name} (a list of records)")
    needed = _on_the_way(wrapper, held)
    lines = ["the page"]
    lines += [f"└─ ● {name}" for name in held.get((LEAF, 0), ())]
    pending: list[tuple[int, str]] = [(0, "")] if 0 in needed else []
    while pending and len(lines) < MOST_LINES:
        number, indent = pending.pop()
        node = wrapper.tree.nodes[number]
        lines.append(f"{indent}└─ {_short(' | '.join(map(str, node.landmarks)), 70)}")
        inner = indent + ("   " if len(indent) < 3 * DEEPEST else "")
        below = []
        for slot, child in enumerate(node.children):
            side = _side(node, slot)
            lines += [f"{inner}{side} ● {name}" for name in held[number, slot]]
            if child in needed:
                below.append((child, inner))
        pending += reversed(below)
    if pending:
        lines.append(f"… and more ({len(wrapper.tree.nodes)} landmarks in all)")
    return "\n".join(lines)


def _on_the_way(wrapper: LandmarkWrapper, held: dict[tuple[int, int], list[str]]) -> set[int]:
    """The nodes that lead to a field; children come after their parents."""
    needed = {number for number, _ in held if number != LEAF}
    for number in range(len(wrapper.tree.nodes) - 1, -1, -1):
        if needed.intersection(wrapper.tree.nodes[number].children):
            needed.add(number)
    return needed


def _side(node: Node, slot: int) -> str:
    """Where a part lies: before, inside or after a landmark."""
    if slot == 0:
        return "before"
    where = "inside" if slot % 2 else "after "
    return f"{where} {node.landmarks[(slot - 1) // 2]}" if isinstance(node, Options) else where


def _shares(wrapper: Wrapper) -> dict[str, float]:
    """On how many records each field was; a list of records as often as any of its fields."""
    try:
        known = kept_health(wrapper).fields
    except InvalidWrapper:
        return {}
    shares = {name: one.share for name, one in known.items()}
    for path, one in known.items():
        for name in wrapper.fields:
            if path.startswith(f"{name}."):
                shares[name] = max(one.share, shares.get(name, 0.0))
    return shares


def _short(text: str, longest: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
