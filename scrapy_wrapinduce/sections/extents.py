"""How far a heading reaches: its own line and element, the element around, the next heading of its rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .document import Document


@dataclass(frozen=True, slots=True)
class Found:
    """A heading on a page: the run it is in, its name and the rank of its style (0 is the most important)."""

    run: int
    name: str
    style: str
    rank: int = 0
    label: int = 0


def extents(document: Document, headings: Sequence[Found]) -> list[tuple[int, int, int]]:
    """For each heading: where its own line or element ends, where the element around that ends, and where the next
    heading of at least its rank stands; all as run numbers."""
    runs, elements = document.runs, document.elements
    following = [len(runs)] * len(headings)
    waiting: list[int] = []
    for index, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].rank >= heading.rank:
            following[waiting.pop()] = heading.run
        waiting.append(index)
    result = []
    for index, heading in enumerate(headings):
        limit = following[index]
        at = runs[heading.run].element
        while (above := elements[at].parent) >= 0 and elements[above].first == heading.run:
            if elements[above].last > limit:
                break
            at = above
        line_end = heading.run + 1
        stop = headings[index + 1].run if index + 1 < len(headings) else len(runs)
        while line_end < stop and runs[line_end].line == runs[heading.run].line:
            line_end += 1
        own = max(elements[at].last, line_end)
        above = elements[at].parent
        # Around a heading that is alone in its element, as in a header, look one further out.
        while own == heading.run + 1 and above >= 0 and elements[above].last == own:
            above = elements[above].parent
        around = elements[above].last if above >= 0 else len(runs)
        result.append((min(own, limit), max(around, line_end), limit))
    return result
