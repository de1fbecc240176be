"""A landmark tree as nested, collapsible HTML; other families as the text they describe themselves with."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

from ..landmark.tree import LEAF, Options
from ..landmark.wrapper import LandmarkWrapper
from .highlight import Hues, hue_of

if TYPE_CHECKING:
    from ..landmark.tree import Node
    from ..wrapper import Wrapper

OPEN_LEVELS = 3
DEEPEST = 100  # browsers stop nesting elements at some depth
_SIDES = ("before", "inside", "after")


def structure(wrapper: Wrapper, colours: Hues, most_nodes: int) -> str:
    """How a wrapper reads a page."""
    if isinstance(wrapper, LandmarkWrapper) and wrapper.tree.nodes:
        return f'<div class="tree">{_tree(wrapper, colours, most_nodes)}</div>'
    return f'<pre tabindex="0">{escape(wrapper.describe())}</pre>'


def _tree(wrapper: LandmarkWrapper, colours: Hues, most_nodes: int) -> str:
    held: dict[tuple[int, int], list[str]] = defaultdict(list)
    for item in wrapper.named:
        held[item.nonterminals[0]].append(item.name)
    needed = _with_fields(wrapper, set(held))
    pieces: list[str] = []
    pending: list[tuple[str, int, int]] = [("", 0, 0)]
    shown = 0
    while pending:
        text, number, depth = pending.pop()
        if text:
            pieces.append(text)
            continue
        if shown >= most_nodes:
            continue
        shown += 1
        node = wrapper.tree.nodes[number]
        flat = depth >= DEEPEST
        marks = " | ".join(f"<code>{escape(str(mark))}</code>" for mark in node.landmarks)
        opened = " open" if depth < OPEN_LEVELS else ""
        pieces.append(
            f"<p>{marks}</p>"
            if flat
            else f"<details class=node{opened}><summary>{marks}</summary><ul>"
        )
        inner: list[tuple[str, int, int]] = []
        for slot, child in enumerate(node.children):
            chips = "".join(_chip(name, colours) for name in held[number, slot])
            if not chips and child not in needed:
                continue
            inner.append((f"<li><span class=side>{_side(node, slot)}</span> {chips}", 0, 0))
            if child in needed:
                inner.append(("", child, depth + 1))
            inner.append(("</li>", 0, 0))
        if not flat:
            inner.append(("</ul></details>", 0, 0))
        pending += reversed(inner)
    return "".join(pieces)


def _with_fields(wrapper: LandmarkWrapper, held: set[tuple[int, int]]) -> set[int]:
    """The nodes below which there is a field; children come after their parents."""
    needed = {number for number, _ in held}
    for number in range(len(wrapper.tree.nodes) - 1, -1, -1):
        if any(child in needed for child in wrapper.tree.nodes[number].children if child != LEAF):
            needed.add(number)
    return needed


def _side(node: Node, slot: int) -> str:
    if not isinstance(node, Options):
        return _SIDES[slot]
    if slot == 0:
        return "first"
    return f"{'inside' if slot % 2 else 'after'} {(slot + 1) // 2}"


def _chip(name: str, colours: Hues) -> str:
    return f'<span class=chip style="--hue:{hue_of(name, colours)}">{escape(name)}</span> '
