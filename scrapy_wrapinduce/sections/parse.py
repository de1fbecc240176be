"""Read a page by its heading styles: find the headings, nest their sections, put the text where it belongs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .document import link_lists
from .extents import Found, extents
from .headings import HEADING_TAG, candidates, emphasis, heading_name, is_short
from .subfields import labelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .document import Document, Run

MAX_DEPTH = 12
TEXT = "text"
ADDED = "(added)"
_PROSE = re.compile(r"(?:p|pre)\b")


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """What is known of the headings set in one style.

    ``closed`` is for styles whose sections end with their line or element, as "label: value" does; the others'
    go on to the next heading of the same rank. ``names`` lists the only names allowed, if any name is not.
    """

    style: str
    rank: int
    closed: bool = False
    names: frozenset[str] | None = None


@dataclass(slots=True)
class Section:
    """A heading's part of the page: runs ``run`` up to ``end``, and the sections in it."""

    name: str
    rank: int
    run: int
    end: int
    heading: Run
    label: int = 0
    children: list[Section] = field(default_factory=list)
    lines: list[Run] = field(default_factory=list)


def find(
    document: Document, styles: Mapping[str, HeadingStyle], added: Mapping[str, int] | None = None
) -> list[Found]:
    """The headings of a page, in order. ``added`` gives ranks to names that are headings whatever their style."""
    found: list[Found] = []
    skip = link_lists(document)
    taken = -1
    for candidate in candidates(document, skip):
        if candidate.run == taken or not candidate.name:
            continue
        if added and candidate.name.lower() in added and document.runs[candidate.run].leads:
            taken = candidate.run
            rank = added[candidate.name.lower()]
            found.append(Found(candidate.run, candidate.name, ADDED, rank, candidate.label))
            continue
        known = styles.get(candidate.context) or styles.get(candidate.style)
        if known is None or (known.names is not None and candidate.name.lower() not in known.names):
            continue
        run = document.runs[candidate.run]
        if not (candidate.label or is_short(run)) or not (run.leads or run.text.endswith(":")):
            continue
        taken = candidate.run
        found.append(Found(candidate.run, candidate.name, known.style, known.rank, candidate.label))
    return found


def sections(
    document: Document, headings: Sequence[Found], styles: Mapping[str, HeadingStyle]
) -> list[Section]:
    """The page's top sections (Figure 2 of the paper), each with the text directly under its heading."""
    top: list[Section] = []
    path: list[Section] = []
    places = extents(document, headings)
    starts: dict[int, Section] = {}
    ranks = {heading.run: heading.rank for heading in headings}
    for heading, (own, around, limit) in zip(headings, places, strict=True):
        while path and (path[-1].rank >= heading.rank or path[-1].end <= heading.run):
            path.pop()
        nothing_beside = own == heading.run + 1 and not heading.label
        if heading.style == ADDED:
            closed = not nothing_beside
        else:
            # "Area:" alone on its line, then "total area: 547,030 sq km": the lines below belong to it.
            below = ranks.get(own, heading.rank) > heading.rank
            opens = nothing_beside and (below or emphasis(heading.style) == HEADING_TAG)
            closed = styles[heading.style].closed and not opens
        end = own if closed else min(around, limit)
        if path:
            end = min(end, path[-1].end)
        section = Section(
            heading.name, heading.rank, heading.run, end, document.runs[heading.run], heading.label
        )
        if len(path) < MAX_DEPTH:
            (path[-1].children if path else top).append(section)
            path.append(section)
        starts[heading.run] = section
    _place_text(document, starts)
    return top


def _place_text(document: Document, starts: Mapping[int, Section]) -> None:
    path: list[Section] = []
    for index, run in enumerate(document.runs):
        while path and path[-1].end <= index:
            path.pop()
        if (section := starts.get(index)) is not None:
            while path and path[-1].rank >= section.rank:
                path.pop()
            path.append(section)
            if section.label:
                section.lines.append(run)
        elif path:
            path[-1].lines.append(run)


def record(
    tops: Sequence[Section],
    ignored: frozenset[str] = frozenset(),
    labels: Mapping[str, frozenset[str]] = MappingProxyType({}),
    above: str = "",
) -> dict[str, Any]:
    """Sections as a nested record; a heading that is repeated gives a list, one without text or sections nothing.

    ``labels`` has, by path, the labels that split a section's text into sub-fields.
    """
    result: dict[str, Any] = {}
    for section in tops:
        path = f"{above}{section.name.lower()}"
        value: Any = record(section.children, ignored, labels, f"{path}.")
        text = own_text(section, ignored)
        if text and path in labels and (split := labelled(text, labels[path])):
            value = {**{heading_name(name): inner for name, inner in split.items()}, **value}
        elif text:
            value = {TEXT: text, **value} if value else text
        if value:
            _put(result, section.name, value)
    return result


def _put(result: dict[str, Any], name: str, value: Any) -> None:
    if name not in result:
        result[name] = value
    elif isinstance(result[name], list):
        result[name].append(value)
    else:
        result[name] = [result[name], value]


def own_text(section: Section, ignored: frozenset[str] = frozenset()) -> str:
    """The text directly under a heading: words of one line and paragraphs joined by a space, other lines by " / "."""
    parts: list[str] = []
    line = -1
    was_prose = False
    for run in section.lines:
        if run.style in ignored:
            continue
        text = run.text[section.label :].strip() if not parts and section.label else run.text
        is_prose = _PROSE.match(run.context) is not None
        if parts:
            same_block = run.line == line or (was_prose and is_prose)
            parts.append(" " if same_block else " / ")
        was_prose = is_prose
        parts.append(text)
        line = run.line
    return "".join(parts).strip()
