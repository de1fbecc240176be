"""Structure inside a section's text, which the paper leaves as an open problem (its section 5).

``labelled`` splits "label: value; label: value"; ``pairs`` splits "Andorra 60 km, Belgium 620 km". Both are strict:
a text that is not made of such parts from end to end stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

_LABEL = re.compile(r"([^\W\d_][^:;()]{0,60}):\s+(?=\S)")
_PAIR = re.compile(
    r"(?P<name>[^\W\d_][^\d$€£¥]{0,80}?)\s+(?P<value>(?:[-+~<>≈]|about )?\s?[$€£¥]?\d.*)", re.DOTALL
)
_MOST = 0.8
_LINE = " / "
_OPENING, _CLOSING = "([{", ")]}"


def parts(text: str, separators: str) -> list[str]:
    """A text cut at separators that stand before a space and outside of brackets; "1,234" stays whole.

    >>> parts("a 1,234 km, b (x, y) 2 km", ",")
    ['a 1,234 km', 'b (x, y) 2 km']
    """
    found: list[str] = []
    depth = begin = 0
    for index, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif character in separators and depth == 0 and text[index + 1 : index + 2] in ("", " "):
            found.append(text[begin:index].strip())
            begin = index + 1
    found.append(text[begin:].strip())
    return [part for part in found if part]


def labelled(text: str, known: frozenset[str] | None = None) -> dict[str, str]:
    """The values of "label: value; label: value" by their labels; empty unless every part has one.

    Parts end at semicolons or at ends of lines. A part without a label of its own continues the one before. With
    ``known``, only labels in it (in lower case) count.

    >>> labelled("highest: 3,798 m; lowest: 115 m; at a lake")
    {'highest': '3,798 m', 'lowest': '115 m; at a lake'}
    >>> labelled("mountains; coast: none")
    {}
    """
    result: dict[str, str] = {}
    label = ""
    for part, separator in _cut(text):
        found = _LABEL.match(part)
        if found and (known is None or found[1].lower() in known) and found[1] not in result:
            label = found[1]
            result[label] = part[found.end() :]
        elif label:
            result[label] += f"{separator}{part}"
        else:
            return {}
    return result if len(result) > 1 else {}


def _cut(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split(_LINE):
        separator = _LINE
        for part in parts(line, ";"):
            yield part, separator
            separator = "; "


def recurring_labels(texts: Iterable[str]) -> frozenset[str]:
    """The labels, in lower case, that split at least two of some texts."""
    counts = Counter(label for text in texts for label in {name.lower() for name in labelled(text)})
    return frozenset(label for label, count in counts.items() if count > 1)


def pairs(text: str) -> list[tuple[str, str]]:
    """The names and amounts of a list such as that of land boundaries; empty unless nearly all parts are such.

    >>> pairs("total 2,892.4 km, Andorra 60 km, Belgium 620 km")
    [('total', '2,892.4 km'), ('Andorra', '60 km'), ('Belgium', '620 km')]
    >>> pairs("temperate, with 2 rainy seasons")
    []
    """
    pieces = [piece for line in text.split(_LINE) for piece in parts(line, ",;")]
    found = [
        match for piece in pieces if (match := _PAIR.fullmatch(piece)) and _balanced(match["name"])
    ]
    if len(found) < 2 or len(found) < _MOST * len(pieces):
        return []
    return [(match["name"].strip(" :-–"), match["value"]) for match in found]


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")
