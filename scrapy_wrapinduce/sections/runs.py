"""A page as runs of text, each with the style that a reader sees it in.

Headings are told from text by how they look and where they stand. A run is a stretch of text in one style on one
line; its style names the innermost elements around it, as in ``span.label`` or ``div.entry>b``. Lines end where
blocks end, at ``<br>`` and, in preformatted text, at line feeds; there the indentation is part of the style.
(Ashish and Knoblock 1997, section 2.1.1, where LEX looks for bold, italic, upper case and colons.)
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..tokenizer import CLOSE, EMPTY, INLINE, OPEN, Tag, fold
from .document import WHOLE, Document, Element, Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..page import Page
    from ..tokenizer import Node

UNSEEN = frozenset("head nav select option noscript template textarea button datalist svg".split())
# What an element whose end tag was left out is ended by.
_ENDED_BY = {
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "tr": {"tr", "tbody", "tfoot"},
    "td": {"td", "th", "tr", "tbody", "tfoot"},
    "th": {"td", "th", "tr", "tbody", "tfoot"},
    "option": {"option"},
}
_STYLE_DEPTH = 5
_LABEL = re.compile(r"\s*([^:;.,!?<>]{1,60}):(?=\s|$)")
_NO_DISPLAY = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_FONT_SIZE = re.compile(r"font-size\s*:\s*([\d.]{1,6}\s*(?:px|pt|em|rem|%))", re.IGNORECASE)
_MARGIN = 8
_ROOT = Tag(OPEN, "")


def read(page: Page, known_class: Callable[[str], bool]) -> Document:
    """The runs of a page; only class names that are known tell styles apart."""
    return _Reader(page, known_class).document()


class _Reader:
    def __init__(self, page: Page, known_class: Callable[[str], bool]) -> None:
        self._page = page
        self._known_class = known_class
        self._elements: list[Element] = [Element(_ROOT, -1, 0)]
        self._open: list[int] = [0]
        self._by_node: dict[int, int] = {}
        self._runs: list[Run] = []
        self._line = 0
        self._line_used = False
        self._styles: dict[int, tuple[str, str]] = {}
        self._whole = -1
        self._pieces: list[tuple[Node, bool]] = []

    def document(self) -> Document:
        for index, node in enumerate(self._page.nodes):
            tag = node.tag
            if tag is None:
                self._text(node)
            elif tag.kind == OPEN:
                self._start(index, node, tag)
            elif tag.kind == CLOSE:
                self._end(index, node, tag)
            elif tag.kind == EMPTY and tag.name in ("br", "hr"):
                self._break()
        while self._open:
            self._pop()
        return Document(tuple(map(self._styled, self._runs)), tuple(self._elements))

    def _start(self, index: int, node: Node, tag: Tag) -> None:
        while len(self._open) > 1 and tag.name in _ENDED_BY.get(self._top().tag.name, ()):
            self._pop()
        if tag.name not in INLINE:
            self._break()
            if node.partner < 0 and tag.name not in _ENDED_BY:
                # Without an end tag a block only ends the line: an old page's <p>.
                return
        elif node.partner < 0:
            return
        parent = self._top()
        element = Element(
            tag, self._open[-1], len(self._runs), unseen=parent.unseen or _hidden(tag)
        )
        if tag.name in ("td", "th"):
            parent.cells += 1
            parent.heads += tag.name == "th"
            element.cell = parent.cells
        self._elements.append(element)
        self._open.append(len(self._elements) - 1)
        if node.partner >= 0:
            self._by_node[index] = len(self._elements) - 1
            if self._whole < 0 and tag.name in WHOLE and not element.unseen:
                self._whole = len(self._elements) - 1

    def _end(self, index: int, node: Node, tag: Tag) -> None:
        if tag.name not in INLINE:
            self._break()
        element = self._by_node.get(node.partner)
        if element is None or self._elements[element].last >= 0:
            return
        while self._open[-1] != element:
            self._pop()
        self._pop()

    def _pop(self) -> None:
        index = self._open.pop()
        if index == self._whole:
            self._flush_whole()
        self._elements[index].last = len(self._runs)

    def _top(self) -> Element:
        return self._elements[self._open[-1]]

    def _break(self) -> None:
        if self._line_used and self._whole < 0:
            self._line += 1
            self._line_used = False

    def _text(self, node: Node) -> None:
        if self._top().unseen:
            return
        if self._whole >= 0:
            self._pieces.append((node, self._linked(elsewhere=True)))
            return
        source = self._page.html[node.start : node.end]
        if self._preformatted():
            self._preformatted_text(node.start, source)
        else:
            self._add(fold(source), node.start, node.end, self._open[-1])

    def _flush_whole(self) -> None:
        element, pieces = self._whole, self._pieces
        self._whole, self._pieces = -1, []
        texts = [fold(self._page.html[piece.start : piece.end]) for piece, _ in pieces]
        if pieces:
            self._break()
            away = all(leads_away for _, leads_away in pieces)
            text = " ".join(filter(None, texts))
            self._add(text, pieces[0][0].start, pieces[-1][0].end, element, leads_away=away)
            self._break()

    def _preformatted(self) -> bool:
        return any(
            self._elements[index].tag.name in ("pre", "listing", "xmp", "plaintext")
            for index in self._open[-_STYLE_DEPTH:]
        )

    def _preformatted_text(self, start: int, source: str) -> None:
        place = start
        lines = source.split("\n")
        for number, line in enumerate(lines):
            if number:
                self._break()
            indent = len(line) - len(line.lstrip())
            # A line between empty lines: in a text file that is how headings are set off.
            lone = (
                0 < number < len(lines) - 1
                and not lines[number - 1].strip()
                and not lines[number + 1].strip()
            )
            margin = str(indent) if indent <= _MARGIN else "centre"
            suffix = "@" if self._line_used else f"@{margin}{'!' * lone}"
            self._add(fold(line), place, place + len(line), self._open[-1], suffix)
            place += len(line) + 1

    def _linked(self, *, elsewhere: bool = False) -> bool:
        """Whether a link is open; with ``elsewhere``, one that leads away from the page."""
        tags = (self._elements[index].tag for index in self._open[-_STYLE_DEPTH:])
        return any(
            tag.name == "a" and not (elsewhere and (tag.get("href") or "#").startswith("#"))
            for tag in tags
        )

    def _add(
        self,
        text: str,
        start: int,
        end: int,
        element: int,
        suffix: str = "",
        *,
        leads_away: bool | None = None,
    ) -> None:
        if not any(map(str.isalnum, text)):
            return
        leads = not self._line_used
        label = 0
        if leads and (found := _LABEL.match(text)) and found.end() < len(text):
            label = found.end() if len(found[1].split()) <= 8 else 0
        away = self._linked(elsewhere=True) if leads_away is None else leads_away
        linked = away or self._linked()
        self._runs.append(
            Run(
                text,
                start,
                end,
                element,
                self._line,
                suffix,
                leads,
                label,
                linked,
                away,
                suffix != "",
            )
        )
        self._line_used = True

    def _styled(self, run: Run) -> Run:
        # Only at the end of the page is it known how many heads a table's row has.
        style, context = self._style(run.element)
        suffix = run.style
        if run.leads and _plain(style) and run.text.isupper() and len(run.text) > 2:
            suffix += "^"
        return replace(run, style=style + suffix, context=context + suffix)

    def _style(self, element: int) -> tuple[str, str]:
        if element not in self._styles:
            names: list[str] = []
            style_length = 0
            at = element
            while at > 0 and len(names) < _STYLE_DEPTH:
                here = self._elements[at]
                if here.tag.name in ("body", "html"):
                    break
                known = self._known(here.tag)
                names.append(
                    ".".join([here.tag.name, *known]) + _size(here.tag) + self._place(here)
                )
                if known and not style_length:
                    style_length = len(names)
                if here.tag.name not in INLINE:
                    break
                at = here.parent
            style = ">".join(reversed(names[: style_length or len(names)]))
            self._styles[element] = style, ">".join(reversed(names))
        return self._styles[element]

    def _place(self, element: Element) -> str:
        """A cell's column, for the first column of a table holds labels more often than the second."""
        if not element.cell:
            return ""
        heads = self._elements[element.parent].heads
        return ":head" if element.tag.name == "th" and heads > 1 else f":{element.cell}"

    def _known(self, tag: Tag) -> list[str]:
        names = (tag.get("class") or "").split() if tag.attributes else []
        return [name for name in dict.fromkeys(names) if self._known_class(name)][:4]


def _hidden(tag: Tag) -> bool:
    if tag.name in UNSEEN:
        return True
    if not tag.attributes:
        return False
    return (
        tag.get("hidden") is not None
        or (tag.get("role") or "").lower() in ("dialog", "navigation", "alert")
        or _NO_DISPLAY.search(tag.get("style") or "") is not None
    )


def _size(tag: Tag) -> str:
    if tag.name == "font" and (size := tag.get("size")):
        return f"[{size.strip()[:4]}]"
    found = _FONT_SIZE.search(tag.get("style") or "") if tag.attributes else None
    return f"[{found[1].lower()}]" if found else ""


def _plain(style: str) -> bool:
    return (
        "." not in style
        and ">" not in style
        and style.split("@", maxsplit=1)[0].split(":", maxsplit=1)[0] not in WHOLE
    )
