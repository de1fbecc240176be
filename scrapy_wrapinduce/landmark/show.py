"""Landmark trees for people: as the grammar of section 3.1 of the paper, and drawn as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tokenizer import VOID_ELEMENTS
from .lattice import TAG
from .tree import LEAF, Options

if TYPE_CHECKING:
    from .lattice import Landmark
    from .tree import Node, Tree

LEFT, INNER, RIGHT = "◁", "△", "▷"


def grammar(tree: Tree) -> str:
    """The productions (a), (b) and (c) that a tree stands for, the axiom first.

    A nonterminal ``A`` bears the path of its node: ◁ left, △ inner, ▷ right. Options nodes, which the paper does
    not have, are written with braces: what is in them may be there or not, in any order.
    """
    lines = ["S → A"]
    pending: list[tuple[int, str]] = [(0 if tree.nodes else LEAF, "")]
    while pending:
        number, path = pending.pop()
        if number == LEAF:
            lines.append(f"A{path} → E{path} | ε")
        else:
            node = tree.nodes[number]
            lines.append(f"A{path} → {_sides(node, path)} | E{path} | ε")
            children = [
                (child, path + step)
                for child, step in zip(node.children, _steps(node), strict=True)
                if step
            ]
            pending += reversed(children)
    lines.append("E… → t E… | t, for every token t")
    return "\n".join(lines)


def draw(tree: Tree, most_lines: int = 400) -> str:
    """The tree, one nonterminal per line, children below their landmark.

    Leaves are shown as the path of what they extract.
    """
    if not tree.nodes:
        return "• the whole page"
    lines: list[str] = []
    pending: list[tuple[int, str, str, str]] = [(0, "", "", "")]
    while pending and len(lines) < most_lines:
        number, indent, step, path = pending.pop()
        if number == LEAF:
            lines.append(f"{indent}{step} • {path}")
            continue
        node = tree.nodes[number]
        marks = " | ".join(map(str, node.landmarks))
        lines.append(
            f"{indent}{step} {marks}".lstrip() if not indent else f"{indent}{step} {marks}"
        )
        below = [
            (child, indent + "  ", step, path)
            for child, step, path in zip(node.children, _steps(node), node.paths, strict=True)
            if step
        ]
        pending += reversed(below)
    if pending:
        lines.append(f"… and more ({len(tree.nodes)} landmarks in all)")
    return "\n".join(lines)


def has_inside(landmark: Landmark) -> bool:
    """Whether a landmark is a pair of tags."""
    return landmark.kind == TAG and landmark.name not in VOID_ELEMENTS


def _steps(node: Node) -> list[str]:
    """The step to each child; empty where a landmark has no inside."""
    if not isinstance(node, Options):
        return [LEFT, INNER if has_inside(node.landmark) else "", RIGHT]
    steps = [LEFT]
    for index, landmark in enumerate(node.landmarks, 1):
        steps += [f"{INNER}{index}" if has_inside(landmark) else "", f"{RIGHT}{index}"]
    return steps


def _sides(node: Node, path: str) -> str:
    """The right-hand side of the production that splits."""
    steps = _steps(node)
    if not isinstance(node, Options):
        return f"A{path}{steps[0]} {_around(node.landmark, path, *steps[1:])}"
    options = [
        _around(landmark, path, *steps[2 * index - 1 : 2 * index + 1])
        for index, landmark in enumerate(node.landmarks, 1)
    ]
    return f"A{path}{steps[0]} {{ {' | '.join(options)} }}"


def _around(landmark: Landmark, path: str, inner: str, right: str) -> str:
    if not inner:
        return f"{landmark} A{path}{right}"
    return f"{landmark} A{path}{inner} </{landmark.name}> A{path}{right}"
