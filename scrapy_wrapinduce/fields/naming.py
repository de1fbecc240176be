"""What a column is called: the page's own label, else what its markup says, else its part on the page."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from ..names import name_of_property, slug
from .clean import learn_cleaning
from .markup import STRUCK, kind_name, markup_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .columns import Column

_TITLES = {"h1": "title", "title": "page_title"}
_PARTS = {
    "h2": "heading",
    "h3": "heading",
    "time": "date",
    "caption": "caption",
    "figcaption": "caption",
    "blockquote": "quote",
    "address": "address",
    "cite": "author",
    "em": "text",
    "p": "text",
    "li": "text",
}


def name_columns(columns: Sequence[Column]) -> list[str]:
    """A name for each column, no two the same."""
    wishes = [_wish(column) or "field" for column in columns]
    return make_distinct(with_description(wishes, [column.is_prose for column in columns]))


def with_description(names: Sequence[str], prose: Sequence[bool]) -> list[str]:
    """The same names; where nothing is a description, the first prose without a name of its own is it.

    >>> with_description(["title", "text", "text"], [False, False, True])
    ['title', 'text', 'description']
    """
    described = list(names)
    nameless = [name == "text" and long for name, long in zip(names, prose, strict=True)]
    if "description" not in names and any(nameless):
        described[nameless.index(True)] = "description"
    return described


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
            return name_of_property(marked.split(":")[-1])
    if tags and tags[0].name in _TITLES:
        return _TITLES[tags[0].name]
    for inside in learn_cleaning("", column.values).labels if column.single else ():
        if slug(inside):
            return slug(inside)
    if label and column.label_is_near:
        return label
    around = (column.element, *tags) if column.element is not None else tags
    for tag in around:
        name = markup_name(tag.get("class") or "") or markup_name(tag.get("id") or "")
        if name:
            return name
    return _part(column) or label or _said_first(column) or ("text" if column.is_prose else "")


def _said_first(column: Column) -> str:
    """The words that all values begin with: ``Ad no. 86428``."""
    texts = [text.split() for value in column.values for text in value[:1]]
    same = takewhile(lambda words: len(set(words)) == 1, zip(*texts, strict=False))
    shared = [words[0] for words in same if not any(map(str.isdigit, words[0]))]
    begins = [text[: len(shared)] == shared for text in texts]
    return slug(" ".join(shared)) if len(texts) > 2 and all(begins) else ""


def _part(column: Column) -> str:
    """What a column is by its element and its values."""
    if column.in_trail:
        return "breadcrumb"
    names = [tag.name for tag in column.tags[:1]]
    kind = kind_name([text for value in column.values for text in value])
    if kind == "price" and not STRUCK.isdisjoint(names):
        return "old_price"
    return kind or next((_PARTS[name] for name in names if name in _PARTS), "")
