"""The grammar of a source: which sections it has and which are nested in which, as in Figure 3 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .parse import Section

ROOT = "page"


@dataclass(frozen=True, slots=True)
class Rule:
    """A section of the source: its name, on how many pages it was seen, and the sections nested in it, in order."""

    name: str
    pages: int = 0
    children: tuple[Rule, ...] = ()

    def child(self, name: str) -> Rule | None:
        """The section of that name directly in this one; capitals do not matter."""
        wanted = name.lower()
        return next((child for child in self.children if child.name.lower() == wanted), None)

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"name": self.name, "pages": self.pages}
        if self.children:
            data["children"] = [child.to_dict() for child in self.children]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rule:
        return cls(
            str(data["name"]),
            int(data["pages"]),
            tuple(map(cls.from_dict, data.get("children", ()))),
        )


def grammar(pages: Sequence[Sequence[Section]]) -> Rule:
    """The grammar that covers the section trees of some pages; what only one of many pages has is left out."""
    merged = _merge(
        [(number, section) for number, tops in enumerate(pages) for section in tops],
        _least(len(pages)),
    )
    return Rule(ROOT, len(pages), merged)


def _least(pages: int) -> int:
    return 1 if pages < 4 else 2


def _merge(found: list[tuple[int, Section]], least: int) -> tuple[Rule, ...]:
    groups: dict[str, list[tuple[int, Section]]] = {}
    positions: dict[str, list[int]] = {}
    last_page, position = -1, 0
    for page, section in found:
        position = position + 1 if page == last_page else 0
        last_page = page
        key = section.name.lower()
        groups.setdefault(key, []).append((page, section))
        positions.setdefault(key, []).append(position)
    ordered = sorted(groups, key=lambda key: sum(positions[key]) / len(positions[key]))
    rules = []
    for key in ordered:
        here = groups[key]
        pages = len({page for page, _ in here})
        if pages >= least:
            inner = [(page, child) for page, section in here for child in section.children]
            rules.append(Rule(here[0][1].name, pages, _merge(inner, least)))
    return tuple(rules)


def paths(rule: Rule, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Rule]]:
    """Every section of a grammar with its path, outermost name first."""
    for child in rule.children:
        here = (*above, child.name)
        yield here, child
        yield from paths(child, here)


def as_text(rule: Rule) -> str:
    """The grammar as in the paper's Figure 3: one line for each section that has sections."""
    lines = [f"{rule.name} -> {' '.join(child.name for child in rule.children)}"]
    lines += [
        f"{'.'.join(path)} -> {' '.join(child.name for child in inner.children)}"
        for path, inner in paths(rule)
        if inner.children
    ]
    return "\n".join(lines)
