"""Dynamic tokenization: which landmarks a tag or a text could be.

A tag can be seen as ``<div>``, as ``<div class~=price>``, as ``<div id=main>``…: the candidates of one
element name form a lattice, ordered by what they match. Which of them a template really uses is decided
by the search, not by the tokenizer (section 6 of the landmark-grammars paper).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .counting import EVERYTHING, NOTHING, PRESENCE, USUAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..tokenizer import Tag
    from .counting import Counting

TAG, TEXT, WORD = "tag", "text", "word"
PHRASE_WORDS = 12
PHRASE_LENGTH = 80
VALUE_LENGTH = 120

# Attributes that say what an element is; the others only tell template from data.
ROLES = frozenset(("id", "class", "class~", "itemprop", "property", "name", "rel", "headers"))
_DIGITS = re.compile(r"\d+")
_SHORTEST_VOLATILE = 5
_VOLATILE = re.compile(r"\d{5}|[0-9a-f]{12}|(?=(?:[a-zA-Z]{0,9}\d){3})[0-9a-zA-Z]{20}")


class Landmark(NamedTuple):
    """A pattern that matches some tags, or some texts.

    ``attribute`` may be empty (any tag of that name), the name of an attribute, a name with ``?`` behind it (it is there,
    whatever its value), ``class~`` (one of the class's words) or ``id#`` (digits of the value do not count).
    """

    kind: str
    name: str
    attribute: str = ""
    value: str = ""

    def __str__(self) -> str:
        if self.kind == TEXT:
            return f"“{self.name}”"
        if self.kind == WORD:
            return f"‘{self.name}’"
        if not self.attribute:
            return f"<{self.name}>"
        if self.attribute == "class~":
            return f"<{self.name}.{self.value}>"
        if self.attribute.endswith("?"):
            return f"<{self.name} {self.attribute[:-1]}>"
        if self.attribute == "id":
            return f"<{self.name}#{self.value}>"
        return f'<{self.name} {self.attribute}="{self.value}">'


def tag_landmarks(tag: Tag, counting: Counting = USUAL) -> tuple[Landmark, ...]:
    """Every landmark that a start or empty tag may be taken for, the most general first."""
    return tuple(mark for mark in matching(tag, counting) if not volatile(mark.value))


def matching(tag: Tag, counting: Counting = EVERYTHING) -> Iterator[Landmark]:
    """Every landmark that matches a start or empty tag, also by values that are made for one page."""
    name = tag.name
    yield Landmark(TAG, name)
    for attribute in tag.attributes:
        key, value = attribute.name, attribute.value.strip()
        counts = counting.of(key)
        if counts == NOTHING:
            continue
        yield Landmark(TAG, name, f"{key}?")
        if counts == PRESENCE or not value or len(value) > VALUE_LENGTH:
            continue
        if key == "class":
            words = value.split()
            for word in words:
                yield Landmark(TAG, name, "class~", word)
            if len(words) > 1:
                yield Landmark(TAG, name, "class", " ".join(words))
            continue
        yield Landmark(TAG, name, key, value)
        if key == "id" and _DIGITS.search(value):
            yield Landmark(TAG, name, "id#", _DIGITS.sub("0", value))


def matches(mark: Landmark, tag: Tag) -> bool:
    """Whether a landmark is among those that :func:`matching` gives for a start or empty tag."""
    if mark.name != tag.name:
        return False
    key = mark.attribute
    if not key:
        return True
    if key[-1] == "?" and not mark.value:
        return tag.get(key[:-1]) is not None
    attribute = {"class~": "class", "id#": "id"}.get(key, key)
    value = (tag.get(attribute) or "").strip()
    if not value or len(value) > VALUE_LENGTH:
        return False
    if key == "class~":
        return mark.value in value.split()
    if key == "class":
        words = value.split()
        return len(words) > 1 and mark.value == " ".join(words)
    if key == "id#":
        return _DIGITS.search(value) is not None and mark.value == _DIGITS.sub("0", value)
    return mark.value == value


def volatile(value: str) -> bool:
    """Whether a value looks made for one page or one visit: long numbers, hashes, session keys.

    >>> [volatile(value) for value in ("item-48213377", "e3b0c44298fc1c149afb", "x7Kq2LmW9pRt4VbN8sYd")]
    [True, True, True]
    >>> [volatile(value) for value in ("col2", "ctl00_MainContentPlaceholder_lblPhone")]
    [False, False]
    """
    return len(value) >= _SHORTEST_VOLATILE and _VOLATILE.search(value) is not None


def is_phrase(text: str) -> bool:
    """Whether a whole text node can be a landmark: short, and more than a number."""
    return (
        len(text) <= PHRASE_LENGTH
        and text.count(" ") < PHRASE_WORDS
        and not volatile(text)
        and any(map(str.isalpha, text))
    )


def is_word(word: str) -> bool:
    """Whether a word can be a landmark: numbers and lone signs are data or chance."""
    return len(word) > 1 and any(map(str.isalpha, word)) and not volatile(word)


def preference(landmark: Landmark) -> tuple[int, int]:
    """Texts before tags, longer texts first; then tags that say what they are. Lower is better."""
    if landmark.kind == TEXT:
        return 0, -len(landmark.name)
    if landmark.kind == WORD:
        return 4, -len(landmark.name)
    if landmark.attribute in ROLES:
        return 1, 0
    if landmark.attribute.endswith("?"):
        return 3, 1
    return (2, 0) if landmark.attribute else (3, 0)
