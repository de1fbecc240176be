"""Which attributes of a tag count: by their value, by being there, or not at all.

Section 6 of the paper leaves this to the user. The rules here are short words, and later ones win::

    class       its value counts, and whether it is there
    checked?    only whether it is there
    -title      it does not count
    data-*      all that begin so; * alone means every attribute

They change the default, which leaves out presentation (alternating rows differ in it and mean the same). Begin with
``-*`` to start from nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..errors import CannotInduce

VALUE, PRESENCE, NOTHING = "value", "presence", "nothing"
MOST_DECIDED = 4096
_RULE = re.compile(r"(-?)([a-z_:@][a-z0-9_.:@-]*|(?=\*))(\*?)(\??)", re.IGNORECASE)
DEFAULT = tuple(
    "id class itemprop property name rel role for headers scope datatype typeof type action src alt title "
    "href http-equiv aria-label data-* itemscope? checked? selected? disabled? hidden? open?".split()
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What counts of the attributes of a name, or of all names that begin with it."""

    name: str
    prefix: bool
    counts: str

    def covers(self, attribute: str) -> bool:
        return attribute.startswith(self.name) if self.prefix else attribute == self.name


@dataclass(frozen=True, slots=True)
class Counting:
    """Rules in order; the last one that covers an attribute decides, and without one it does not count."""

    rules: tuple[Rule, ...]
    _decided: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, attribute: str) -> str:
        """What counts of an attribute: VALUE, PRESENCE or NOTHING."""
        counts = self._decided.get(attribute)
        if counts is None:
            covering = (rule.counts for rule in reversed(self.rules) if rule.covers(attribute))
            counts = next(covering, NOTHING)
            if len(self._decided) >= MOST_DECIDED:
                self._decided.clear()
            self._decided[attribute] = counts
        return counts


def counting(attributes: str | Iterable[str] | None = None) -> Counting:
    """The default with some rules of a user behind it.

    >>> rules = counting(["-title", "nowrap?"])
    >>> [rules.of(name) for name in ("class", "title", "nowrap", "data-price", "width")]
    ['value', 'nothing', 'presence', 'value', 'nothing']
    >>> counting("-* class").of("id")
    'nothing'
    """
    return Counting(tuple(map(_rule, (*DEFAULT, *rule_words(attributes)))))


def rule_words(attributes: str | Iterable[str] | None) -> tuple[str, ...]:
    """The rules a user gave, checked: a list of words, or words with spaces or commas between them."""
    if attributes is None:
        return ()
    if isinstance(attributes, str):
        attributes = attributes.replace(",", " ").split()
    if not isinstance(attributes, Iterable):
        raise CannotInduce(f"attributes must be a list of names, not {attributes!r}")
    words = tuple(attributes)
    for word in words:
        if (
            not isinstance(word, str)
            or not _RULE.fullmatch(word)
            or (word[0] == "-" and word[-1] == "?")
        ):
            raise CannotInduce(
                f"{word!r} does not say which attribute counts; write name, name?, -name or prefix*"
            )
    return words


def _rule(word: str) -> Rule:
    found = _RULE.fullmatch(word)
    assert found is not None
    counts = NOTHING if found[1] else PRESENCE if found[4] else VALUE
    return Rule(found[2].lower(), bool(found[3]), counts)


EVERYTHING = Counting((Rule("", True, VALUE),))
USUAL = counting()
