"""From raw values to clean ones: what stands in a value's text and is not part of the value.

A page may keep a label and its value in one text (``Publisher: Knopf``), or leave a separator at a value's
end (``$34,020 |``). What to take off is learned per field from the sample, where the same label or sign
comes back on many pages, and kept with the field. Reading a page gives the raw text all the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import InvalidWrapper
from ..vocabulary import TOPICS, phrases_for, words_of

LABEL_LENGTH = 40
LABEL_SHARE = 0.9  # of the values: how many must begin with a label
SIGN_SHARE = 0.1  # of the values: how many must have a separator at the end
MOST_LABELS = 3
COLONS = ":："
SIGNS = COLONS + "|•·»«,;–—-、，"
DASHES = "-–—"
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What to take off a field's values: labels in front, separators at the head and the tail.

    With a ``glue``, several texts are lines of one value and are joined by it.
    """

    labels: tuple[str, ...] = ()
    head: str = ""
    tail: str = ""
    glue: str | None = None

    def __bool__(self) -> bool:
        return bool(self.labels or self.head or self.tail or self.glue is not None)

    def apply(self, value: Any) -> Any:
        """A value as it should be in an item; None where nothing is left of it.

        >>> Cleaning(labels=("Publisher:",), tail="|").apply("Publisher: Knopf |")
        'Knopf'
        >>> Cleaning(glue=", ").apply(["1 Main St,", "Springfield"])
        '1 Main St, Springfield'
        """
        if isinstance(value, str):
            return self._text(value) or None
        if not isinstance(value, list) or any(not isinstance(part, str) for part in value):
            return value
        if self.glue is None:
            return [text for text in map(self._text, value) if text] or None
        sign = self.glue.strip()
        lines = [self._text(part).rstrip(sign + " ") if sign else part for part in value]
        return self._text(self.glue.join(filter(None, lines))) or None

    def _text(self, text: str) -> str:
        text = _strip(text.strip(), self.head, self.tail)
        for label in self.labels:
            rest = text[len(label) :]
            if text[: len(label)].casefold() == label.casefold() and _ends_a_word(label, rest):
                text = rest.strip()
                break
        return _strip(text, self.head, self.tail)

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.labels:
            data["labels"] = list(self.labels)
        data |= {key: sign for key in ("head", "tail") if (sign := getattr(self, key))}
        return data if self.glue is None else {**data, "glue": self.glue}

    @classmethod
    def from_dict(cls, data: Any) -> Cleaning:
        if not isinstance(data, Mapping):
            raise InvalidWrapper(f"what to clean is not an object: {data!r}")
        labels, glue = data.get("labels", []), data.get("glue")
        head, tail = data.get("head", ""), data.get("tail", "")
        texts = [*labels, head, tail, "" if glue is None else glue]
        if not isinstance(labels, list) or any(not isinstance(text, str) for text in texts):
            raise InvalidWrapper(f"what to clean is not made of texts: {data!r}")
        return cls(tuple(labels), head, tail, glue)


NOTHING = Cleaning()


def learn_cleaning(name: str, values: Sequence[Sequence[str]], glue: str | None = None) -> Cleaning:
    """What to take off, from the values that a field has on the pages of a sample."""
    texts = [text for value in values for text in (value[:1] if glue is not None else value)]
    head = _signs(text[0] for text in texts if text)
    bare = [_strip(text, head, "") for text in texts]
    labels = _labels(name, [text for text in bare if text])
    head = head or _signs(rest[0] for text in bare if (rest := _without(text, labels)))
    tails = [text for value in values for text in (value[-1:] if glue is not None else value)]
    return Cleaning(labels, head, _signs(text[-1] for text in tails if text), glue)


def _signs(ends: Iterable[str]) -> str:
    """The separators among the characters at one end of the values."""
    seen = Counter(ends)
    least = max(1.0, SIGN_SHARE * seen.total())
    return "".join(sign for sign in SIGNS if seen[sign] >= least)


def _labels(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The labels that the values begin with: the same on almost all pages, or words for the field."""
    seen: Counter[str] = Counter()
    # What a page is about may well begin with the word "Title".
    topic = "_".join(words_of(name)) in TOPICS
    phrases = [] if topic else [phrase for phrase in phrases_for(name) if phrase]
    for text in texts:
        label = label_in(text)
        if label or (label := _said(text, phrases)):
            seen[label] += 1
    sure = [label for label, count in seen.items() if count > 1 or words_of(label) in phrases]
    if not sure or sum(seen[label] for label in sure) < LABEL_SHARE * len(texts):
        return ()
    if len(sure) > MOST_LABELS or len(set(texts)) < min(2, len(texts)):
        return ()
    return tuple(sorted(sure, key=lambda label: (-len(label), label)))


def label_in(text: str) -> str:
    """The label that a text begins with, colon included, or nothing.

    >>> label_in("Publisher: Knopf"), label_in("12:30"), label_in("http://a.example/")
    ('Publisher:', '', '')
    """
    places = [place for colon in COLONS if (place := text.find(colon)) > 0]
    place = min(places, default=0)
    label, rest = text[:place], text[place + 1 :]
    if not place or place > LABEL_LENGTH or not _WORD.search(rest) or not _LETTER.search(label):
        return ""
    return "" if rest.startswith("//") else text[: place + 1]


def _said(text: str, phrases: Sequence[tuple[str, ...]]) -> str:
    """The words a text begins with, where they say the name of its field: ``by Ann``, ``ISBN 978``."""
    parts = text.split()
    for phrase in phrases:
        if len(parts) > len(phrase) and words_of(" ".join(parts[: len(phrase)])) == phrase:
            return text[: text.find(parts[len(phrase) - 1]) + len(parts[len(phrase) - 1])]
    return ""


def _without(text: str, labels: Sequence[str]) -> str:
    return next((text[len(label) :].strip() for label in labels if text.startswith(label)), "")


def _strip(text: str, head: str, tail: str) -> str:
    """A text without separators at its ends; the sign of a negative number is none."""
    while text and text[0] in head and not (text[0] in DASHES and text[1:2].isdigit()):
        text = text[1:].lstrip()
    while text and text[-1] in tail:
        text = text[:-1].rstrip()
    return text


def _ends_a_word(label: str, rest: str) -> bool:
    return bool(rest) and (not label[-1].isalnum() or not rest[0].isalnum())
