"""Data features of a field: what its values have in common (Meng, Hu, Li 2003, section 3.1).

A *profile* sums up sightings: shares of shapes, beginnings, ends, words, annotations and element names, the
lengths, hyperlinks. The same profile is made of what a wrapper extracted while it was healthy, of what it extracts now, and of
what stands in a column of a new page, so that all three can be compared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import MISSING, asdict, dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from .patterns import learn_patterns
from .values import Syntax, is_rigid, syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .sightings import Sighting

Shares = dict[str, float]

_MOST_KEPT = 16
_MOST_WORDS = 80
_MOST_KNOWN = 250
_LONGEST_KNOWN = 120
_SIGHTINGS_LOOKED_AT = 400
_CONSTANT = 0.98
_TO_SEE_A_CONSTANT = 8
_PLACES = 4  # digits kept of a share: enough to compare, short to read


@dataclass(frozen=True, slots=True)
class Profile:
    """What the values of a field have in common. Shares are of its values, from 0 to 1."""

    count: int
    distinct: float
    linked: float
    kinds: Shares
    shapes: Shares
    exact: Shares
    pairs: Shares
    firsts: Shares
    lasts: Shares
    words: Shares
    within: Shares
    before: Shares
    heads: Shares
    names: Shares
    companions: Shares
    length: tuple[float, float]
    tokens: tuple[float, float]
    mix: tuple[float, float, float, float]
    known: tuple[str, ...]
    # The share of values that occur more than once: few of the values to come will be new ones.
    recurring: float = 0.0
    patterns: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What the values are: ``text`` or an attribute such as ``@href``."""
        return max(self.kinds, key=lambda kind: self.kinds[kind], default="text")

    @property
    def rigid(self) -> bool:
        """Whether the values follow few shapes with numbers in them."""
        return is_rigid(self.shapes)

    @property
    def constant_start(self) -> str:
        """The word that all values begin with; empty without one, or with too few values to tell."""
        return _constant(self.firsts, self.count)

    @property
    def constant_end(self) -> str:
        """The word that all values end with."""
        return _constant(self.lasts, self.count)

    def annotations(self, least: int = 2) -> dict[str, str]:
        """How the page calls the field: relation to the text that most values have there.

        What stands before fewer than ``least`` values may be another value as well as a name.
        """
        found = {}
        for relation, shares in (
            ("within", self.within),
            ("before", self.before),
            ("head", self.heads),
        ):
            text, share = max(shares.items(), key=lambda pair: pair[1], default=("", 0.0))
            if text and share > 0.5 and (self.count >= least or relation != "before"):
                found[relation] = text
        return found

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Profile:
        values: dict[str, Any] = {}
        for field in fields(cls):
            if field.name not in data and field.default is not MISSING:
                continue
            try:
                values[field.name] = _READ[str(field.type)](data[field.name])
            except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
                raise ValueError(f"{field.name!r}: {error}") from None
        return cls(**values)


def count_of(data: Any) -> int:
    """A number of things that were counted; raises :class:`ValueError` where it is none."""
    number = int(data)
    if not 0 <= number < 1 << 53:
        raise ValueError("not a number of things that can be counted")
    return number


def share_of(data: Any) -> float:
    """A share, from 0 to 1; raises :class:`ValueError` where it is none."""
    share = float(data)
    if not 0 <= share <= 1.001:
        raise ValueError("not a share from 0 to 1")
    return share


def _read_shares(data: Any) -> Shares:
    return {str(key): share_of(share) for key, share in data.items()}


def _read_numbers(data: Any, count: int) -> tuple[float, ...]:
    numbers = tuple(map(float, data))
    if len(numbers) != count:
        raise ValueError(f"{count} numbers were expected")
    return numbers


def _read_texts(data: Any) -> tuple[str, ...]:
    if not isinstance(data, (list, tuple)) or not all(isinstance(text, str) for text in data):
        raise TypeError("a list of texts was expected")
    return tuple(data)


# How each part of a profile is read back, by its type.
_READ: dict[str, Callable[[Any], Any]] = {
    "int": count_of,
    "float": share_of,
    "Shares": _read_shares,
    "tuple[float, float]": partial(_read_numbers, count=2),
    "tuple[float, float, float, float]": partial(_read_numbers, count=4),
    "tuple[str, ...]": _read_texts,
}


def profile(sightings: Sequence[Sighting]) -> Profile:
    """The profile of a field's sightings; of many, of a sample spread over all of them."""
    step = max(1, len(sightings) // _SIGHTINGS_LOOKED_AT)
    seen = sightings[::step]
    facts = [syntax(sighting.value) for sighting in seen]
    values = Counter(sighting.value for sighting in seen)
    return Profile(
        count=len(sightings),
        distinct=_round(len(values) / max(1, len(seen))),
        linked=_round(sum(s.linked for s in seen) / max(1, len(seen))),
        kinds=_shares(s.kind for s in seen),
        shapes=_shares(f.shape for f in facts),
        exact=_shares(f.exact for f in facts),
        pairs=_pair_shares(facts),
        firsts=_shares(f.first_word for f in facts),
        lasts=_shares(f.last_word for f in facts),
        words=_shares_of_sets((set(f.words) for f in facts), _MOST_WORDS, least=2),
        within=_shares(s.within for s in seen),
        before=_shares(s.before for s in seen),
        heads=_shares(s.head for s in seen),
        names=_shares_of_sets((s.names for s in seen), 2 * _MOST_KEPT),
        companions=_pair_shares([syntax(s.companion) for s in seen if s.companion]),
        length=spread([math.log1p(f.length) for f in facts]),
        tokens=spread([math.log1p(len(f.words)) for f in facts]),
        mix=_mix(facts),
        known=tuple(v for v, _ in _commonest(values, _MOST_KNOWN) if 0 < len(v) <= _LONGEST_KNOWN),
        patterns=learn_patterns(sighting.value for sighting in seen),
        recurring=_round(sum(n for n in values.values() if n > 1) / max(1, len(seen))),
    )


def _constant(shares: Shares, count: int) -> str:
    word, share = max(shares.items(), key=lambda pair: pair[1], default=("", 0.0))
    return word if count >= _TO_SEE_A_CONSTANT and share >= _CONSTANT and word.isalpha() else ""


def _commonest(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """The commonest keys, ties in the order of the alphabet: the same sample gives the same file."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]


def _shares(keys: Iterable[str], most: int = _MOST_KEPT) -> Shares:
    counts = Counter(keys)
    total = sum(counts.values())
    return {key: _round(count / total) for key, count in _commonest(counts, most)}


def _shares_of_sets(sets: Iterable[Iterable[str]], most: int, least: int = 1) -> Shares:
    counts: Counter[str] = Counter()
    total = 0
    for one in sets:
        counts.update(one)
        total += 1
    least = least if total > least else 1
    return {key: _round(count / total) for key, count in _commonest(counts, most) if count >= least}


def _pair_shares(facts: Sequence[Syntax]) -> Shares:
    weights: dict[str, float] = {}
    for fact in facts:
        for pair in fact.pairs:
            weights[pair] = weights.get(pair, 0.0) + 1 / len(fact.pairs)
    total = max(1, len(facts))
    ranked = sorted(weights.items(), key=lambda item: -item[1])[: 2 * _MOST_KEPT]
    return {key: _round(weight / total) for key, weight in ranked}


def spread(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation; zeros for nothing."""
    if not numbers:
        return (0.0, 0.0)
    mean = math.fsum(numbers) / len(numbers)
    variance = math.fsum((n - mean) ** 2 for n in numbers) / len(numbers)
    return (_round(mean), _round(math.sqrt(variance)))


def _mix(facts: Sequence[Syntax]) -> tuple[float, float, float, float]:
    size = max(1, len(facts))
    return (
        _round(math.fsum(f.digits for f in facts) / size),
        _round(math.fsum(f.capitals for f in facts) / size),
        _round(math.fsum(f.letters for f in facts) / size),
        _round(math.fsum(f.signs for f in facts) / size),
    )


def _round(number: float) -> float:
    return round(number, _PLACES)
