"""What a column is called: the page's own label, else what its markup says, else its part on the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..names import NOT_WORD as _NOT_WORD
from ..names import slug
from .clean import learn_cleaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..tokenizer import Tag
    from .columns import Column

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GENERATED = re.compile(r"^(?:ctl\d|[a-z]{0,3}\d|_)|\d{3}")
# Class and id words that say how something looks or where it stands, not what it is.
_PRESENTATION = frozenset(
    "left right center top bottom middle first last odd even row col column cell box block inner outer "
    "wrap wrapper container content main body text txt small big large medium bold italic red blue "
    "green gray grey black white clear clearfix fix float hidden show active selected current item list "
    "link links label value data info detail details span div table tr td th li ul p a b i font normal "
    "style class section area panel pad padding margin border align lft rgt arial news".split()
)


_TITLES = {"h1": "title", "title": "page_title"}
_PARTS = {
    "h2": "heading",
    "h3": "heading",
    "time": "date",
    "caption": "caption",
    "figcaption": "caption",
    "blockquote": "quote",
    "address": "address",
}


def name_columns(columns: Sequence[Column]) -> list[str]:
    """A name for each column, no two the same."""
    return make_distinct([_wish(column) or "field" for column in columns])


def make_distinct(wishes: Sequence[str]) -> list[str]:
    """The same names with a number behind the second and later ones of a kind.

    >>> make_distinct(["price", "title", "price"])
    ['price', 'title', 'price_2']
    """
    taken: set[str] = set()
    names = []
    for wish in wishes:
        name, number = wish, 1
        while name in taken:
            number += 1
            name = f"{wish}_{number}"
        taken.add(name)
        names.append(name)
    return names


def _wish(column: Column) -> str:
    """The best name there is: what the page calls it, else what the markup says, else its part."""
    tags = column.tags
    label = slug(column.label)
    if label and column.surely_labelled and column.label_is_near:
        return label
    if column.embedded:
        return column.embedded
    for tag in tags:
        marked = tag.get("itemprop") or tag.get("property")
        if marked:
            return slug(marked.split(":")[-1])
    if tags and tags[0].name in _TITLES:
        return _TITLES[tags[0].name]
    for inside in learn_cleaning("", column.values).labels if column.single else ():
        if slug(inside):
            return slug(inside)
    if label and column.label_is_near:
        return label
    around = (column.element, *tags) if column.element is not None else tags
    for tag in around:
        name = meaningful(tag)
        if name:
            return name
    if tags and tags[0].name in _PARTS:
        return _PARTS[tags[0].name]
    return label


def meaningful(tag: Tag) -> str:
    """What an element's id or class says it is, if anything."""
    for attribute in ("class", "id"):
        for word in (tag.get(attribute) or "").split():
            name = meaningful_word(word)
            if name:
                return name
    return ""


def meaningful_word(word: str) -> str:
    """A class or id as a name, without what only says how something looks; nothing if that is all.

    >>> meaningful_word("productTitle"), meaningful_word("left-col"), meaningful_word("ctl00_x17")
    ('product_title', '', '')
    """
    parts = _NOT_WORD.sub(" ", _CAMEL.sub(" ", word)).lower().split()
    kept = [part for part in parts if part not in _PRESENTATION and len(part) > 2]
    return slug(" ".join(kept)) if kept and not _GENERATED.search(word) else ""
