"""Names from markup: what a class, an id or the look of the values says that something is.

Class names are written for style sheets, and today mostly by tools: hashes (``css-1x2k9``), utilities
(``text-gray-500``), blocks with elements (``card__price--sale``). What is left after those are taken off is a
word that a person chose for the thing, or nothing. Where nothing is left, values that are all prices, dates
or addresses say what they are by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...names import NOT_WORD, slug
from ..vocabulary import is_kind

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# An id that a server made, a number of a row.
_GENERATED = re.compile(r"^(?:ctl\d|[a-z]{0,3}\d|_)|\d{3}")
# The local name of a style module, and the hash that its build put behind it.
_MODULE = re.compile(r"^(?P<local>[A-Za-z][\w-]*?)_{1,2}(?=[\w-]*[\dA-Z])(?P<hash>[\w-]{4,10})$")
_NO_VOWEL = re.compile(r"[^aeiouy]+", re.ASCII)
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6}")
# Class and id words that say how something looks or where it stands, not what it is.
_PRESENTATION = frozenset(
    "left right center top bottom middle first last odd even row col column cell box block inner outer "
    "wrap wrapper container content main body text txt small big large medium bold italic red blue "
    "green gray grey black white clear clearfix fix float hidden show active selected current item list "
    "link links label value data info detail details span div table tr td th li ul p a b i font normal "
    "style class section area panel pad padding margin border align lft rgt arial news "
    # What utilities are made of.
    "flex grid inline gap items justify self rounded shadow leading tracking divide ring opacity overflow "
    "cursor transition duration absolute relative fixed sticky truncate uppercase lowercase capitalize "
    "whitespace nowrap semibold thin light dark tight snug relaxed loose wide wider full auto none screen "
    "start end between around primary secondary muted danger success warning slate zinc neutral orange "
    "yellow amber lime teal cyan sky indigo violet purple pink rose transparent underline hover focus "
    "group visible invisible xsmall xlarge sized fluid desktop mobile tablet btn button root typography color colour "
    # What tools call what they make.
    "css sc jss jsx mui svelte emotion styled makestyles astro ember".split()
)
# As the name of a block's element these say what it is: ``article__body``.
_HALF_TELLING = frozenset(
    ("body", "content", "details", "info", "label", "section", "text", "value")
)
# What values of a kind are called when nothing else says it.
_KIND_NAMES = {"money": "price", "email": "email", "isbn": "isbn"}
_PRICE_LENGTH = 24
# A price in one of these is no longer asked for.
STRUCK = frozenset(("s", "del", "strike"))
KIND_SHARE = 0.8
PROSE_WORDS = 8


def markup_name(words: str) -> str:
    """What the value of a ``class`` or ``id`` attribute says that an element is, or nothing.

    >>> markup_name("productPrice"), markup_name("card__price--sale"), markup_name("Card_price__3xY2z")
    ('product_price', 'price', 'price')
    >>> markup_name("css-1h2k9"), markup_name("sc-bdVaJa"), markup_name("text-gray-500 mt-4 font-bold")
    ('', '', '')
    >>> markup_name("css-price-now")
    'price_now'
    """
    for word in words.split():
        if name := _word_name(word):
            return name
    return ""


def _word_name(word: str) -> str:
    module = _MODULE.match(word)
    if module is not None and _is_hash(module["hash"]):
        word = module["local"].rsplit("_", 1)[-1]
    elif _GENERATED.search(word):
        return ""
    block, _, element = word.split("--", 1)[0].partition("__")
    if element in _HALF_TELLING:
        return element
    return _telling(element) or _telling(block)


def _telling(word: str) -> str:
    parts = NOT_WORD.sub(" ", _CAMEL.sub(" ", word)).lower().split()
    return slug(" ".join(part for part in parts if _is_word(part)))


def _is_word(part: str) -> bool:
    if part in _PRESENTATION or len(part) < 3 or any(map(str.isdigit, part)):
        return False
    return not part.isascii() or not (_NO_VOWEL.fullmatch(part) or _CONSONANTS.search(part))


def _is_hash(text: str) -> bool:
    """Whether it is made of digits, or of capitals in the middle, as no word is."""
    return any(map(str.isdigit, text)) or not (text.islower() or text.isupper() or text.istitle())


def kind_name(texts: Sequence[str]) -> str:
    """What values say that they are by themselves, or nothing.

    >>> kind_name(["€12.50", "€8.00"]), kind_name(["ann@shop.example"]), kind_name(["Oak", "Ash"])
    ('price', 'email', '')
    """
    filled = [text for text in texts if text]
    for kind, name in _KIND_NAMES.items():
        alike = sum(len(text) <= _PRICE_LENGTH and is_kind(text, kind) for text in filled)
        if filled and alike >= KIND_SHARE * len(filled):
            return name
    return ""


def is_prose(texts: Sequence[str]) -> bool:
    """Whether values are sentences rather than names and numbers."""
    filled = [text for text in texts if text]
    return bool(filled) and 2 * sum(len(t.split()) >= PROSE_WORDS for t in filled) > len(filled)


def mostly_sentences(texts: Sequence[str]) -> bool:
    """Whether most words of some texts stand in sentences, as those of an article do.

    >>> mostly_sentences(["Rain", "Notes", "It rained for nine days, and then it rained again."])
    True
    """
    lengths = [len(text.split()) for text in texts]
    return 2 * sum(length for length in lengths if length >= PROSE_WORDS) > sum(lengths)
