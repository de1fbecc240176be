"""Redesign pages on purpose: changes of a template that are the same on all its pages.

What is changed is drawn by a hash of a seed and of the element's place in the template (its path of names and classes), so that
all pages of a site change alike. ``strength`` is the share of places that are hit. Values are never touched, so the
truth of a page stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b

from lxml import html
from lxml.html import HtmlElement

Change = Callable[[HtmlElement, "Dice", frozenset[str]], None]
_SKIPPED = frozenset(("html", "head", "body", "script", "style", "title", "meta", "link", "base"))
_WORDS = re.compile(r"[A-Za-z]{3,}")
_TABLES = {"table": "div", "tbody": "div", "tr": "div", "td": "span", "th": "span"}


class Dice:
    """Throws that depend on the seed and on what they are for, and on nothing else."""

    def __init__(self, seed: int, strength: float) -> None:
        self.seed = seed
        self.strength = strength

    def number(self, what: str) -> int:
        return int.from_bytes(
            blake2b(f"{self.seed} {what}".encode(), digest_size=6).digest(), "big"
        )

    def hits(self, what: str) -> bool:
        return self.number(what) / 2**48 < self.strength

    def word(self, what: str) -> str:
        number, letters = self.number(what), ""
        for _ in range(4):
            number, rest = divmod(number, 70)
            letters += "bcdfglmnprstvz"[rest % 14] + "aeiou"[rest // 14]
        return letters


def place(element: HtmlElement) -> str:
    """An element's place in its template."""
    steps = []
    at: HtmlElement | None = element
    while at is not None and len(steps) < 6:
        steps.append(f"{at.tag}.{at.get('class', '')}")
        at = at.getparent()
    return "/".join(steps)


def _elements(root: HtmlElement) -> list[HtmlElement]:
    return [e for e in root.iter() if isinstance(e.tag, str) and e.tag not in _SKIPPED]


def rename(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """Other names for classes and ids."""
    for element in _elements(root):
        for name in ("class", "id"):
            words = (element.get(name) or "").split()
            if words:
                new = [dice.word(w) if dice.hits(f"rename {w}") else w for w in words]
                element.set(name, " ".join(new))


def wrap(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """An element more around some."""
    for element in [
        e
        for e in _elements(root)
        if e.tag in ("div", "p", "ul", "table", "h1", "h2", "span", "b", "a")
    ]:
        where, parent = place(element), element.getparent()
        if parent is None or not dice.hits(f"wrap {where}"):
            continue
        inline = element.tag in ("span", "b", "a")
        around = html.Element("span" if inline else "div", {"class": dice.word(where)})
        around.tail, element.tail = element.tail, None
        parent.replace(element, around)
        around.append(element)


def unwrap(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """Some elements that only hold others are gone."""
    for element in [
        e for e in _elements(root) if e.tag in ("div", "span", "b", "strong", "font", "em", "i")
    ]:
        if element.getparent() is not None and dice.hits(f"unwrap {place(element)}"):
            element.drop_tag()


def swap(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """Neighbouring blocks change places."""
    for element in _elements(root):
        children = [
            c
            for c in element
            if isinstance(c.tag, str)
            and c.tag in ("div", "p", "table", "ul", "tr", "li", "dl", "section")
        ]
        if 2 <= len(children) <= 12 and dice.hits(f"swap {place(element)}"):
            first = dice.number(place(element)) % (len(children) - 1)
            one, other = children[first], children[first + 1]
            one.tail, other.tail = other.tail, one.tail
            other.addnext(one)


def _without_tail(element: HtmlElement) -> None:
    """Leave the text after an element where it is when the element goes."""
    before, parent = element.getprevious(), element.getparent()
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    element.tail = None


def move(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """Some blocks stand elsewhere: at the end of the element around their own."""
    for element in [
        e for e in _elements(root) if e.tag in ("div", "p", "table", "ul", "dl", "h1", "h2", "h3")
    ]:
        parent = element.getparent()
        around = parent.getparent() if parent is not None else None
        if around is None or parent.tag in _SKIPPED or around.tag in (*_SKIPPED, "table", "tr"):
            continue
        if dice.hits(f"move {place(element)}"):
            _without_tail(element)
            around.append(element)


def reword(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """Other words on the labels."""
    for element in _elements(root):
        for side in ("text", "tail"):
            text = getattr(element, side) or ""
            label = " ".join(text.split())
            if label in labels and dice.hits(f"reword {label}"):
                setattr(element, side, _WORDS.sub(lambda m: dice.word(m[0]).title(), text))


def untable(root: HtmlElement, dice: Dice, labels: frozenset[str]) -> None:
    """Some tables become divs, with their rows and cells."""
    tables = [e for e in _elements(root) if e.tag == "table"]
    hit = {table for table in tables if dice.hits(f"untable {place(table)}")}
    parts = [
        (e, next((a for a in e.iterancestors("table")), None))
        for e in _elements(root)
        if e.tag in _TABLES and e.tag != "table"
    ]
    for element in [*(e for e, table in parts if table in hit), *hit]:
        element.set("class", f"{element.get('class', '')} {dice.word(element.tag)}".strip())
        element.tag = _TABLES[element.tag]


CHANGES: dict[str, Change] = {
    "renamed classes": rename,
    "wrapped": wrap,
    "unwrapped": unwrap,
    "moved blocks": move,
    "swapped blocks": swap,
    "reworded labels": reword,
    "tables to divs": untable,
}


def labels_of(pages: Sequence[str], values: Collection[str]) -> frozenset[str]:
    """Short texts that most pages share and that are no values: the labels of a template."""
    counts: dict[str, int] = {}
    for source in pages:
        seen = {" ".join(text.split()) for text in html.fromstring(source).itertext()}
        for text in seen:
            if 2 < len(text) <= 40:
                counts[text] = counts.get(text, 0) + 1
    return frozenset(t for t, n in counts.items() if 2 * n > len(pages) and t not in values)


def change(
    source: str, names: Sequence[str], seed: int, strength: float, labels: frozenset[str]
) -> str:
    """A page as it looks after a redesign."""
    root = html.document_fromstring(source)
    dice = Dice(seed, strength)
    for name in names:
        CHANGES[name](root, dice, labels)
    return str(html.tostring(root, encoding="unicode"))
