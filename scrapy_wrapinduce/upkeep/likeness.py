"""How alike two profiles are, and how well one value fits a profile.

Each feature gives a likeness from 0 to 1; features that say nothing about a pair are left out of the mean. Values weigh
most: annotations and names are the first to be reworded in a redesign (Meng, Hu, Li 2003, section 4.3), and add to
what the values say rather than veto it.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from .patterns import matches
from .values import syntax

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from .features import Profile, Shares

_WEIGHTS = {
    "shapes": 2.0,
    "exact": 1.5,
    "patterns": 1.0,
    "pairs": 3.0,
    "edges": 2.0,
    "length": 1.5,
    "mix": 2.0,
    "words": 2.0,
    "linked": 1.0,
    "annotation": 2.0,
    "names": 1.5,
    "companions": 1.5,
    "distinct": 1.0,
    "known": 4.0,
}
_ENOUGH_TO_REPEAT = 10
_ENOUGH_TO_DIFFER = 3
_DIFFERING = 0.25
_DIFFERENT = 0.5
_SURELY_TEMPLATE = 5
_ALL_DIFFERENT = 0.9
_CAPTION = 0.6
_RECURRING = 0.8
_NAMELESS = 0.4  # a label that is gone says less than another label, and more than nothing
_WORD = re.compile(r"[^\W\d_]+")


def likeness(healthy: Profile, other: Profile) -> float:
    """How alike the values of two profiles are, from 0 to 1; 0 where one is of attributes and the other not."""
    if (healthy.kind == "text") != (other.kind == "text"):
        return 0.0
    parts = aspects(healthy, other)
    weight = sum(_WEIGHTS[name] for name in parts)
    alike = sum(_WEIGHTS[name] * part for name, part in parts.items()) / weight
    if not _is_caption(healthy, other):
        return alike
    surely = other.count >= _SURELY_TEMPLATE and healthy.distinct > _DIFFERENT
    return 0.0 if surely else _CAPTION * alike


def _is_caption(healthy: Profile, other: Profile) -> bool:
    """Whether values never differ that used to: then they belong to the template."""
    enough = 2 if healthy.distinct >= _ALL_DIFFERENT else _ENOUGH_TO_DIFFER
    constant = other.count >= enough and len(other.known) == 1
    return constant and other.distinct * other.count < 1.5 and healthy.distinct > _DIFFERING


def aspects(healthy: Profile, other: Profile) -> dict[str, float]:
    """The likeness of two profiles, feature by feature; without features that say nothing here."""
    is_text = healthy.kind == "text"
    parts = {
        "pairs": cosine(healthy.pairs, other.pairs),
        "edges": (overlap(healthy.firsts, other.firsts) + overlap(healthy.lasts, other.lasts)) / 2,
        "length": _closeness(healthy.length, other.length),
        "mix": max(0.0, 1.0 - 2.5 * math.dist(healthy.mix, other.mix)),
    }
    if min(healthy.count, other.count) >= _ENOUGH_TO_REPEAT:
        parts["distinct"] = 1.0 - abs(healthy.distinct - other.distinct)
    if sum(healthy.shapes.values()) > 0.5:
        parts["shapes"] = overlap(healthy.shapes, other.shapes)
    if healthy.rigid:
        parts["exact"] = overlap(healthy.exact, other.exact)
        follow = sum(matches(healthy.patterns, value) for value in other.known)
        # Other shapes have spoken against it already.
        if follow:
            parts["patterns"] = follow / len(other.known)
    if sum(healthy.words.values()) > 0.3 or sum(other.words.values()) > 0.3:
        parts["words"] = cosine(healthy.words, other.words)
    if is_text:
        parts["linked"] = 1.0 - abs(healthy.linked - other.linked)
    elif healthy.companions or other.companions:
        parts["companions"] = cosine(healthy.companions, other.companions)
    labels, others = healthy.annotations(), other.annotations()
    if not set(labels.values()).isdisjoint(other.annotations(least=1).values()):
        parts["annotation"] = 1.0
    elif labels and others:
        parts["annotation"] = max(
            words_alike(a, b) for a in labels.values() for b in others.values()
        )
    elif labels:
        parts["annotation"] = _NAMELESS
    if healthy.names and other.names:
        parts["names"] = cosine(healthy.names, other.names)
    known = set(healthy.known).intersection(other.known)
    if known:
        parts["known"] = min(
            1.0, 2.0 * len(known) / max(1, min(len(healthy.known), len(other.known)))
        )
    elif healthy.recurring >= _RECURRING and other.count >= _ENOUGH_TO_DIFFER:
        parts["known"] = 0.0
    return parts


def fit(healthy: Profile, value: str) -> float:
    """How well one value fits a profile, from 0 to 1: near 1 for its usual shapes and words."""
    return 1.0 if value in healthy.known else fit_of_shape(healthy, value)


def fit_of_shape(healthy: Profile, value: str) -> float:
    """How well a value fits a profile that has never seen it."""
    fact = syntax(value)
    top = max(healthy.exact.values(), default=0.0)
    exact = healthy.exact.get(fact.exact, 0.0) / top if top else 0.0
    top = max(healthy.shapes.values(), default=0.0)
    shape = healthy.shapes.get(fact.shape, 0.0) / top if top else 0.0
    pairs = {pair: fact.pairs.count(pair) / len(fact.pairs) for pair in set(fact.pairs)}
    mix = (fact.digits, fact.capitals, fact.letters, fact.signs)
    parts = [
        (2.0, max(min(1.0, 3 * exact), 0.9 * min(1.0, 3 * shape))),
        (2.0, min(1.0, 1.4 * cosine(healthy.pairs, pairs))),
        (1.5, max(0.0, 1.0 - 2.5 * math.dist(healthy.mix, mix))),
        (1.0, _closeness(healthy.length, (math.log1p(fact.length), 0.0))),
    ]
    return sum(weight * part for weight, part in parts) / sum(weight for weight, _ in parts)


def called(name: str, other: Profile) -> float:
    """Whether a page calls values about as a field is called, from 0 to 1."""
    words = name.lower().replace(".", "_").split("_")
    bags = [text.lower().split() for text in other.annotations().values()]
    bags.append([key for key, share in other.names.items() if share > 0.5])
    return max(bags_alike(words, bag) for bag in bags)


def named_as_rival(rivals: Collection[str], healthy: Profile, other: Profile) -> bool:
    """Whether a page calls values as it called others that only looked like the field's."""
    now = set(other.annotations(least=1).values())
    return not now.isdisjoint(rivals) and now.isdisjoint(healthy.annotations().values())


def are_labels(values: Collection[str], labels: Collection[str], healthy: Profile) -> bool:
    """Whether values are mostly what pages call fields, and a field never had such values."""
    said = {value for value in values if value in labels}
    return 2 * sum(value in said for value in values) > len(values) and not said <= set(
        healthy.known
    )


def overlap(one: Shares, other: Shares) -> float:
    """The share that two distributions have in common."""
    return sum(min(share, other.get(key, 0.0)) for key, share in one.items())


def cosine(one: Shares, other: Shares) -> float:
    """The cosine of two bags of features."""
    sizes = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    return sum(v * other.get(k, 0.0) for k, v in one.items()) / sizes if sizes else 0.0


def words_alike(one: str, other: str) -> float:
    """How alike two names are: shared words, and words that begin alike.

    >>> words_alike("Docket Number", "docket_numbers"), words_alike("Our Price", "Buy New")
    (1.0, 0.0)
    """
    return bags_alike(_WORD.findall(one.lower()), _WORD.findall(other.lower()))


def bags_alike(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of words that two bags have in common; a word's beginning counts as the word."""
    left, right = list(one), list(other)
    if not left or not right:
        return 0.0
    small, large = sorted((left, right), key=len)
    hits = sum(any(_same_word(a, b) for b in large) for a in small)
    return 2.0 * hits / (len(left) + len(right))


def _same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short[: max(2, len(short) - 1)]) if len(short) > 1 else one == other


def _closeness(one: tuple[float, float], other: tuple[float, float]) -> float:
    width = max(one[1], other[1], 0.15)
    return math.exp(-(((one[0] - other[0]) / (1.5 * width)) ** 2) / 2)
