"""The wrapper of a source of sectioned documents: heading styles with their ranks, and the grammar they make."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import InvalidWrapper
from ..wrapper import Extraction, Failure, Place, Wrapper
from .corrections import (
    ABOUT_STYLES,
    Correction,
    InvalidCorrection,
    correct_grammar,
    correct_sections,
    parse_corrections,
)
from .grammar import Rule, as_text, paths
from .parse import HeadingStyle, find, own_text, record, sections
from .runs import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..page import Page
    from .document import Document
    from .parse import Section

_EXPECTED = 0.8


@dataclass(frozen=True)
class SectionsWrapper(Wrapper):
    """Reads a page as one nested record of its sections.

    ``classes`` are the class names that tell styles apart, ``ignored`` the styles of text that says nothing about a
    page, ``titles`` the styles of its title, ``labels`` by path the labels that split a section's text.
    """

    family = "sections"

    styles: tuple[HeadingStyle, ...]
    grammar: Rule
    classes: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        names = dict.fromkeys(rule.name for rule in self.grammar.children)
        return tuple(dict.fromkeys(("title", *names)) if self.titles else names)

    def extract(self, page: Page) -> Extraction:
        document = read(page, self.classes.__contains__)
        tops = self.sections(document)
        result = record(tops, self.ignored, self.labels)
        if (title := self._title(document)) and result:
            result = {"title": title, **result}
        found = set(_section_paths(tops))
        wanted = [
            path
            for path, rule in paths(self.grammar)
            if rule.pages >= _EXPECTED * self.grammar.pages
        ]
        missing = [path for path in wanted if tuple(name.lower() for name in path) not in found]
        failures = [Failure(".".join(path), "no such heading on the page") for path in missing]
        if not tops:
            failures = [Failure("page", "none of the source's headings is on it")]
        coverage = 1 - len(missing) / len(wanted) if wanted else float(bool(tops))
        return Extraction(
            [result] if result else [],
            coverage if tops else 0.0,
            failures,
            list(self._places(tops)),
        )

    def sections(self, document: Document) -> list[Section]:
        """The sections of a page, corrections applied."""
        styles = {style.style: style for style in self.styles}
        found = find(document, styles, self._added())
        return correct_sections(sections(document, found, styles), self.corrections)

    def corrected(self, corrections: str | Iterable[str]) -> SectionsWrapper:
        """This wrapper with more corrections; nothing is learned again.

        Corrections of a whole style need the pages: give those to :func:`learn`.
        """
        more = parse_corrections(corrections)
        for correction in more:
            if correction.kind in ABOUT_STYLES:
                raise InvalidCorrection(f"{correction}: corrections of a style need the pages")
        grammar = correct_grammar(self.grammar, more)
        return replace(self, grammar=grammar, corrections=(*self.corrections, *more))

    def describe(self) -> str:
        lines = [as_text(self.grammar), "", "Headings, the most important first:"]
        for style in sorted(self.styles, key=lambda style: style.rank):
            ends = (
                "ends with its line or element"
                if style.closed
                else "goes on to the next of its rank"
            )
            only = f"; only {', '.join(sorted(style.names))}" if style.names is not None else ""
            lines.append(f"  {style.rank + 1}. {style.style} ({ends}{only})")
        if self.ignored:
            lines.append(f"Template text, left out: {', '.join(sorted(self.ignored))}")
        for path, names in self.labels.items():
            lines.append(f"Text of {path} is split at: {', '.join(sorted(names))}")
        lines += [f"Corrected: {correction}" for correction in self.corrections]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "styles": [
                {
                    "style": style.style,
                    "rank": style.rank,
                    "closed": style.closed,
                    **({} if style.names is None else {"names": sorted(style.names)}),
                }
                for style in self.styles
            ],
            "ignored": sorted(self.ignored),
            "titles": sorted(self.titles),
            "labels": {path: sorted(names) for path, names in self.labels.items()},
            "corrections": list(map(str, self.corrections)),
            "grammar": self.grammar.to_dict(),
            "classes": sorted(self.classes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SectionsWrapper:
        styles = tuple(
            HeadingStyle(
                str(style["style"]),
                int(style["rank"]),
                bool(style["closed"]),
                _names(style["names"]) if "names" in style else None,
            )
            for style in data["styles"]
        )
        if not styles:
            raise InvalidWrapper("broken sections wrapper: it has no heading styles")
        return cls(
            styles,
            Rule.from_dict(data["grammar"]),
            _names(data["classes"]),
            _names(data["ignored"]),
            _names(data["titles"]),
            {str(path): _names(names) for path, names in data["labels"].items()},
            parse_corrections(data["corrections"]),
        )

    def _added(self) -> dict[str, int]:
        """The rank of each added heading: one below the section it was added to."""
        ranks = {}
        for correction in self.corrections:
            if correction.kind == "add":
                depth = len(correction.under or ())
                levels = sorted({style.rank for style in self.styles})
                ranks[correction.path[-1].lower()] = (
                    levels[depth] if depth < len(levels) else levels[-1] + depth - len(levels) + 1
                )
        return ranks

    def _title(self, document: Document) -> str:
        return next((run.text for run in document.runs if run.style in self.titles), "")

    def _places(self, tops: list[Section]) -> Iterator[Place]:
        for path, section in with_paths(tops):
            kept = [run for run in section.lines if run.style not in self.ignored]
            if kept and (text := own_text(section, self.ignored)):
                yield Place(0, ".".join(path), text, kept[0].start, kept[-1].end)


def _names(data: Any) -> frozenset[str]:
    if not isinstance(data, list) or not all(isinstance(name, str) for name in data):
        raise InvalidWrapper(f"broken sections wrapper: not a list of texts: {data!r}")
    return frozenset(data)


def with_paths(tops: Sequence[Section]) -> Iterator[tuple[tuple[str, ...], Section]]:
    waiting: list[tuple[tuple[str, ...], Section]] = [((top.name,), top) for top in reversed(tops)]
    while waiting:
        path, section = waiting.pop()
        yield path, section
        waiting.extend(((*path, child.name), child) for child in reversed(section.children))


def _section_paths(tops: list[Section]) -> Iterator[tuple[str, ...]]:
    for path, _ in with_paths(tops):
        yield tuple(name.lower() for name in path)
