"""What a page looks like to the section learner: runs of text in styles, and the elements that hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..page import Page
    from ..tokenizer import Tag

WHOLE = frozenset("h1 h2 h3 h4 h5 h6 dt th caption legend summary".split())
_LISTS = frozenset("ul ol dl table nav menu".split())
_LINK_LIST = 5


@dataclass(slots=True)
class Element:
    """An element with the runs it holds: ``first`` up to ``last``."""

    tag: Tag
    parent: int
    first: int
    last: int = -1
    unseen: bool = False
    cell: int = 0
    cells: int = 0
    heads: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one style. ``label`` is the length of a leading "label:" in the text, or 0.

    ``context`` is the style with the block around it, for where one style serves two purposes.
    """

    text: str
    start: int
    end: int
    element: int
    line: int
    style: str
    leads: bool
    label: int = 0
    linked: bool = False
    leads_away: bool = False
    preformatted: bool = False
    context: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """The runs of a page and the elements they stand in."""

    runs: tuple[Run, ...]
    elements: tuple[Element, ...]

    @property
    def is_preformatted(self) -> bool:
        """Whether the page is a plain text file shown as such."""
        preformatted = sum(len(run.text) for run in self.runs if run.preformatted)
        return preformatted > 0.6 * sum(len(run.text) for run in self.runs)


Kinds = set[tuple[str, frozenset[str]]]


def classes(page: Page) -> Kinds:
    """The kinds of elements of a page: tags with the class names they have."""
    return {
        (node.tag.name, frozenset(names))
        for node in page.nodes
        if node.tag is not None
        and node.tag.attributes
        and (names := (node.tag.get("class") or "").split())
    }


def link_lists(document: Document) -> set[int]:
    """The runs that stand in lists of links, as menus and indexes are."""
    found: set[int] = set()
    runs = document.runs
    linked = [0]
    for run in runs:
        linked.append(linked[-1] + run.linked)
    covered = 0
    for element in document.elements:
        size = element.last - element.first
        if element.last <= covered or size < _LINK_LIST or element.tag.name not in _LISTS:
            continue
        if linked[element.last] - linked[element.first] >= 0.9 * size:
            found.update(range(element.first, element.last))
            covered = element.last
    return found
