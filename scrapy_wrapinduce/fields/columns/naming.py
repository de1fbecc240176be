"""What a column is called: the page's own label, else what its markup says, else its part on the page."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING

from ...names import name_of_property, slug
from ..values.clean import learn_cleaning
from ..vocabulary import is_kind
from .markup import STRUCK, kind_name, markup_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .column import Column

# Headings that say no more than that there are facts below.
_GENERAL = frozenset(
    "about additional at attributes basic data details description fact facts features full general glance "
    "information info key more overview product profile properties quick specification specifications specs "
    "summary technical the a an of and for item statistics stats details daten eigenschaften technische "
    "produktdetails informationen fiche caractéristiques détails informations características detalles "
    "ficha técnica datos dettagli caratteristiche характеристики описание 基本情報 商品情報 规格 详情".split()
)
LEAST_OF_GROUP = 2  # labelled facts under a heading
SHORT = 60
KIND_SHARE = 0.8  # of the values
_KINDS = {"link": "website", "phone": "phone"}
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
    described = with_description(wishes, [column.is_prose for column in columns])
    return make_distinct(_qualified(columns, described))


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


def _qualified(columns: Sequence[Column], wishes: Sequence[str]) -> list[str]:
    """Names with the heading they stand under, where the page divides its facts into headed groups.

    ``Full-Time`` under *Undergrad Student Body* is ``undergrad_student_body_full_time``; with one such group only,
    its heading says no more than what the page is about.
    """
    headings = [_group(column) for column in columns]
    facts: dict[str, set[str]] = defaultdict(set)
    for heading, column in zip(headings, columns, strict=True):
        if heading and column.label and column.label_is_near and not column.drifting:
            facts[heading] |= {column.label} | column.sample.labels_under[column.heading]
    groups = {
        heading for heading, labels in facts.items() if len(labels - {heading}) >= LEAST_OF_GROUP
    }
    divided = len(groups) > 1
    repeated = {wish for wish, count in Counter(wishes).items() if count > 1}
    return [
        f"{heading}_{wish}"
        if heading
        and wish != heading
        and ((divided and heading in groups) or (wish in repeated and column.label_is_near))
        else wish
        for heading, wish, column in zip(headings, wishes, columns, strict=True)
    ]


def _group(column: Column) -> str:
    """The heading over a labelled fact as a name, unless it could stand over anything or holds data itself."""
    words = slug(column.heading).split("_")
    # A label over several values is a heading itself.
    if not column.single or not (column.label or _kind(column)):
        return ""
    if all(word in _GENERAL for word in words) or any(map(str.isdigit, column.heading)):
        return ""
    return "_".join(words)


def _kind(column: Column) -> str:
    """What values are by the look of them, where that can be nothing else: a phone number, an e-mail address."""
    texts = [text for value in column.values for text in value]
    if name := kind_name(texts):
        return name
    if not column.single or not texts or any(len(text) >= SHORT for text in texts):
        return ""
    least = KIND_SHARE * len(texts)
    fitting = (
        name for kind, name in _KINDS.items() if sum(is_kind(text, kind) for text in texts) > least
    )
    return next(fitting, "")


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
    if column.in_trail:
        return "breadcrumb"
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
    if label and column.label_is_near and (column.heads_a_text or not column.is_prose):
        return label
    around = (column.element, *tags) if column.element is not None else tags
    for tag in around:
        called = tag.get("id") or ""
        # An id that one page alone has says what that page is about.
        called = called if called and column.sample.is_usual(called) else ""
        name = markup_name(tag.get("class") or "") or markup_name(called)
        if name:
            return name
    said = _part(column) or label or _said_first(column) or _kind(column)
    is_text = column.is_prose or (column.is_text and not column.single)
    return said or ("text" if is_text else "")


def _said_first(column: Column) -> str:
    """The words that all values begin with: ``Ad no. 86428``."""
    texts = [text.split() for value in column.values for text in value[:1]]
    same = takewhile(lambda words: len(set(words)) == 1, zip(*texts, strict=False))
    shared = [words[0] for words in same if not any(map(str.isdigit, words[0]))]
    begins = [text[: len(shared)] == shared for text in texts]
    return slug(" ".join(shared)) if len(texts) > 2 and all(begins) else ""


def _part(column: Column) -> str:
    """What a column is by its element and its values."""
    names = [tag.name for tag in column.tags[:1]]
    kind = kind_name([text for value in column.values for text in value])
    if kind == "price" and not STRUCK.isdisjoint(names):
        return "old_price"
    return kind or next((_PARTS[name] for name in names if name in _PARTS), "")
