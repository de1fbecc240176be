"""What a user says where the structure found is wrong: a few lines of text.

    add Area comparison under Geography       a heading that was missed
    delete Caption                            no heading: its text belongs to the section around it
    nest Energy.Electricity under Economy     a heading that belongs elsewhere; ``under .`` is the page itself
    style Summary                             every text set like this one is a heading
    plain Read more                           no text set like this one is

The first three redo only what they name. The last two are about a style and need the pages again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import WrapinduceError
from .grammar import Rule
from .headings import heading_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .parse import Section

ABOUT_STYLES = ("style", "plain")
_KINDS = ("add", "delete", "nest", *ABOUT_STYLES)
PathNames = tuple[str, ...]


class InvalidCorrection(WrapinduceError):
    """A line of a corrections file cannot be understood; the message names the line."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction step, in the paper's sense: ``path`` ends with the heading's name."""

    kind: str
    path: PathNames
    under: PathNames | None = None

    def __str__(self) -> str:
        text = f"{self.kind} {'.'.join(self.path)}"
        return text if self.under is None else f"{text} under {'.'.join(self.under) or '.'}"


def parse_corrections(text: str | Iterable[str]) -> tuple[Correction, ...]:
    """The corrections in a file's text or in lines; empty lines and lines that start with ``#`` say nothing."""
    lines = text.splitlines() if isinstance(text, str) else list(text)
    return tuple(
        _parse_line(line.strip(), number)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    )


def _parse_line(line: str, number: int) -> Correction:
    kind, _, rest = line.partition(" ")
    if kind not in _KINDS:
        raise InvalidCorrection(f"line {number}: {kind!r} is not one of {', '.join(_KINDS)}")
    what, says_where, where = rest.partition(" under ")
    path = _path(what)
    if not path:
        raise InvalidCorrection(f"line {number}: {kind} needs the text of a heading")
    if kind == "nest" and not says_where:
        raise InvalidCorrection(f"line {number}: nest needs 'under' and the section it belongs in")
    if says_where and kind not in ("add", "nest"):
        raise InvalidCorrection(f"line {number}: {kind} takes no 'under'")
    return Correction(kind, path, _path(where) if says_where else None)


def _path(text: str) -> PathNames:
    return tuple(name for name in map(heading_name, text.split(".")) if name)


def correct_sections(tops: list[Section], corrections: Sequence[Correction]) -> list[Section]:
    """A page's sections with the corrections applied."""
    for correction in corrections:
        if correction.kind == "delete":
            _dissolve(tops, correction.path)
        elif correction.kind == "nest" and correction.under is not None:
            tops = _move(tops, correction.path, correction.under)
    return tops


def _walk(tops: list[Section]) -> list[tuple[PathNames, Section | None, Section]]:
    """All sections in page order, each with its path in lower case and the section around it."""
    found: list[tuple[PathNames, Section | None, Section]] = []
    waiting: list[tuple[PathNames, Section | None, Section]] = [
        ((), None, top) for top in reversed(tops)
    ]
    while waiting:
        above, parent, section = waiting.pop()
        path = (*above, section.name.lower())
        found.append((path, parent, section))
        waiting.extend((path, section, child) for child in reversed(section.children))
    return found


def _ends_with(path: PathNames, names: PathNames) -> bool:
    return path[-len(names) :] == tuple(name.lower() for name in names)


def _dissolve(tops: list[Section], names: PathNames) -> None:
    # Inside out, so that a section dissolved into another that is dissolved goes all the way up.
    for path, parent, section in reversed(_walk(tops)):
        if not _ends_with(path, names):
            continue
        siblings = parent.children if parent else tops
        place = siblings.index(section)
        siblings[place : place + 1] = section.children
        if parent:
            parent.lines = sorted(
                [*parent.lines, section.heading, *section.lines], key=lambda run: run.start
            )


def _move(tops: list[Section], names: PathNames, under: PathNames) -> list[Section]:
    targets: list[Section] = []
    for path, parent, section in _walk(tops):
        if under and _ends_with(path, under):
            targets.append(section)
        if not _ends_with(path, names) or section in targets:
            continue
        siblings = parent.children if parent else tops
        if not under:
            if parent:
                siblings.remove(section)
                tops = sorted([*tops, section], key=lambda top: top.run)
        elif targets and targets[-1] is not parent:
            siblings.remove(section)
            targets[-1].children.append(section)
    return tops


def correct_grammar(rule: Rule, corrections: Sequence[Correction]) -> Rule:
    """The grammar with the corrections applied."""
    for correction in corrections:
        if correction.kind == "delete":
            rule = _without(rule, correction.path, (), keep_children=True)
        elif correction.under is not None or correction.kind == "add":
            moved = _find(rule, correction.path, ())
            if moved is None:
                moved = Rule(correction.path[-1])
            elif correction.kind == "nest":
                rule = _without(rule, correction.path, (), keep_children=False)
            rule = _with(rule, moved, correction.under or ())
    return rule


def _find(rule: Rule, names: PathNames, above: PathNames) -> Rule | None:
    for child in rule.children:
        path = (*above, child.name.lower())
        if _ends_with(path, names):
            return child
        if found := _find(child, names, path):
            return found
    return None


def _without(rule: Rule, names: PathNames, above: PathNames, *, keep_children: bool) -> Rule:
    children: list[Rule] = []
    for child in rule.children:
        path = (*above, child.name.lower())
        inner = _without(child, names, path, keep_children=keep_children)
        if not _ends_with(path, names):
            children.append(inner)
        elif keep_children:
            children.extend(inner.children)
    return replace(rule, children=tuple(children))


def _with(rule: Rule, new: Rule, under: PathNames, above: PathNames = ()) -> Rule:
    if not under or (above and _ends_with(above, under)):
        return rule if rule.child(new.name) else replace(rule, children=(*rule.children, new))
    children = tuple(
        _with(child, new, under, (*above, child.name.lower())) for child in rule.children
    )
    return replace(rule, children=children)
