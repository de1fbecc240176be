"""Recognizers: noisy heuristics that find instances of a field in text (Kushmerick 2000, section
7).

A recognizer is any function from a text to the spans of the instances in it. They may miss some and
invent others; corroboration makes labels of what several of them say. Known ones have names;
:func:`register` adds more, and :func:`recognizer` makes one of a regular expression, a word list or
a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import CannotInduce
from ..labels import Span
from ..tokenizer import fold, is_blank, parse_tag, trimmed

if TYPE_CHECKING:
    from ..page import Page

Recognizer = Callable[[str], Iterable[tuple[int, int]]]

_LONGEST_WHOLE_TEXT = 60
# Attributes that hold data a person sees or follows.
DATA_ATTRIBUTES = frozenset(("href", "src", "content", "datetime", "alt", "title", "value"))


def recognizer(hint: Any) -> Recognizer:
    """A recognizer from what users write: a known name, a regular expression, a list of words, or a
    function.

    A function of a text either returns whether the text is an instance, or the instances in it, as
    strings or spans.

    >>> list(recognizer(r"[1-9][0-9]+")("from 242 to 20"))
    [(5, 8), (12, 14)]
    >>> list(recognizer(["Congo", "Egypt"])("The Congo"))
    [(4, 9)]
    """
    if isinstance(hint, str):
        if hint in _KNOWN:
            return _KNOWN[hint]
        try:
            return pattern(re.compile(hint))
        except re.error as error:
            raise CannotInduce(
                f"recognizer {hint!r} is neither one of {', '.join(sorted(_KNOWN))}"
                f" nor a regular expression ({error})"
            ) from error
    if isinstance(hint, re.Pattern):
        return pattern(hint)
    if callable(hint):
        return function(hint)
    if isinstance(hint, Iterable):
        return word_list(hint)
    raise CannotInduce(
        f"{hint!r} is no recognizer: give a name, a regular expression, a list of words or a function"
    )


def register(name: str, hint: Any) -> None:
    """Give a recognizer a name that examples and settings can use."""
    _KNOWN[name] = recognizer(hint)


def known() -> tuple[str, ...]:
    """The names of the recognizers that can be used by name."""
    return tuple(sorted(_KNOWN))


def recognize(page: Page, recognize_text: Recognizer) -> list[Span]:
    """The instances on a page, in page order: in its text and in attributes that hold data."""
    spans: list[Span] = []
    for text, start in _texts(page):
        spans += [Span(start + first, start + last) for first, last in recognize_text(text)]
    return sorted(set(spans))


def _texts(page: Page) -> Iterator[tuple[str, int]]:
    for index, (part, start) in enumerate(zip(page.parts, page.part_offsets, strict=False)):
        if index % 2 == 0:
            if not is_blank(part):
                yield part, start
            continue
        for attribute in parse_tag(part).attributes:
            if attribute.name in DATA_ATTRIBUTES and attribute.end > attribute.start:
                yield part[attribute.start : attribute.end], start + attribute.start


def pattern(compiled: re.Pattern[str], valid: Callable[[str], bool] | None = None) -> Recognizer:
    """All matches of a regular expression that pass a check."""

    def find(text: str) -> Iterator[tuple[int, int]]:
        for match in compiled.finditer(text):
            if match.end() > match.start() and (valid is None or valid(match[0])):
                yield match.span()

    return find


def word_list(words: Iterable[str]) -> Recognizer:
    """Whole words or phrases from a list, in any case."""
    known_words = {fold(word).casefold() for word in words if isinstance(word, str) and fold(word)}
    if not known_words:
        raise CannotInduce("a recognizer's word list holds no words")
    longest = max(len(word.split()) for word in known_words)

    def find(text: str) -> Iterator[tuple[int, int]]:
        tokens = [match.span() for match in re.finditer(r"[\w'’.-]*\w", text)]
        at = 0
        while at < len(tokens):
            for count in range(min(longest, len(tokens) - at), 0, -1):
                start, end = tokens[at][0], tokens[at + count - 1][1]
                if fold(text[start:end]).casefold() in known_words:
                    yield start, end
                    at += count - 1
                    break
            at += 1

    return find


def function(judge: Callable[[str], Any]) -> Recognizer:
    """A user's function: called with each text, white space and entities folded."""

    def find(text: str) -> Iterator[tuple[int, int]]:
        start, end = trimmed(text)
        shown = fold(text)
        answer = judge(shown) if shown else False
        if not answer:
            return
        if isinstance(answer, str):
            answer = [answer]
        if not isinstance(answer, Iterable):
            yield start, end
            return
        at = 0
        for item in answer:
            if not isinstance(item, str):
                first, last = item
                item = shown[first:last]
            found = text.find(item, at)
            if item and found >= 0:
                at = found + len(item)
                yield found, at

    return find


def _whole(judge: Callable[[str], bool]) -> Recognizer:
    """Short texts that are an instance as a whole."""

    def find(text: str) -> Iterator[tuple[int, int]]:
        shown = fold(text)
        if 0 < len(shown) <= _LONGEST_WHOLE_TEXT and judge(shown):
            yield trimmed(text)

    return find


def is_isbn(text: str) -> bool:
    """Whether ten or thirteen digits carry the right check digit.

    >>> is_isbn("978-0-306-40615-7"), is_isbn("0-306-40615-2"), is_isbn("0-306-40615-3")
    (True, True, False)
    """
    digits = [
        10 if sign in "xX" else int(sign) for sign in text if sign.isdecimal() or sign in "xX"
    ]
    if len(digits) == 10:
        return (
            sum(digit * weight for digit, weight in zip(digits, range(10, 0, -1), strict=True)) % 11
            == 0
        )
    if len(digits) == 13 and 10 not in digits:
        return sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0
    return False


@lru_cache(maxsize=1 << 14)
def _price_span(text: str) -> tuple[int, int] | None:
    try:
        from price_parser import Price
    except ImportError as error:
        raise CannotInduce(
            "the recognizer 'price' needs price-parser: pip install scrapy-wrapinduce[types]"
        ) from error
    price = Price.fromstring(text)
    if price.amount is None or not price.currency or not price.amount_text:
        return None
    start = text.find(price.amount_text)
    end = start + len(price.amount_text)
    before = text[:start].rstrip()
    behind = text[end:].lstrip()
    if start < 0:
        return None
    if before.endswith(price.currency):
        start = len(before) - len(price.currency)
    elif behind.startswith(price.currency):
        end = len(text) - len(behind) + len(price.currency)
    return start, end


def _price(text: str) -> Iterator[tuple[int, int]]:
    if len(text) <= 4 * _LONGEST_WHOLE_TEXT and any(sign.isdigit() for sign in text):
        span = _price_span(text)
        if span is not None:
            yield span


@lru_cache(maxsize=1 << 14)
def _is_date(text: str) -> bool:
    if not any(sign.isdigit() for sign in text) or not any(
        sign.isalpha() or sign in "/-." for sign in text
    ):
        return False
    try:
        import dateparser
    except ImportError as error:
        raise CannotInduce(
            "the recognizer 'date' needs dateparser: pip install scrapy-wrapinduce[types]"
        ) from error
    return dateparser.parse(text, settings={"STRICT_PARSING": True}) is not None


def _phone_digits(text: str) -> bool:
    return 7 <= sum(sign.isdigit() for sign in text) <= 15


COUNTRIES = """Afghanistan|Albania|Algeria|Andorra|Angola|Antigua and Barbuda|Argentina|Armenia|Aruba|Australia|Austria|Azerbaijan|Bahamas|The Bahamas
Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bermuda|Bhutan|Bolivia|Bosnia and Herzegovina|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso
Burma|Myanmar|Burundi|Cabo Verde|Cape Verde|Cambodia|Cameroon|Canada|Cayman Islands|Central African Republic|Chad|Chile|China|Colombia|Comoros|Congo
Democratic Republic of the Congo|Republic of the Congo|Cook Islands|Costa Rica|Cote d'Ivoire|Ivory Coast|Croatia|Cuba|Curacao|Cyprus|Czech Republic
Czechia|Denmark|Djibouti|Dominica|Dominican Republic|East Timor|Timor-Leste|Ecuador|Egypt|El Salvador|Equatorial Guinea|Eritrea|Estonia|Eswatini
Swaziland|Ethiopia|Faroe Islands|Fiji|Finland|France|French Polynesia|Gabon|Gambia|The Gambia|Gaza Strip|Georgia|Germany|Ghana|Gibraltar|Greece
Greenland|Grenada|Guam|Guatemala|Guernsey|Guinea|Guinea-Bissau|Guyana|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland
Isle of Man|Israel|Italy|Jamaica|Japan|Jersey|Jordan|Kazakhstan|Kenya|Kiribati|Kosovo|Kuwait|Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|Libya
Liechtenstein|Lithuania|Luxembourg|Macau|Macedonia|North Macedonia|Madagascar|Malawi|Malaysia|Maldives|Mali|Malta|Marshall Islands|Mauritania
Mauritius|Mexico|Micronesia|Moldova|Monaco|Mongolia|Montenegro|Montserrat|Morocco|Mozambique|Namibia|Nauru|Nepal|Netherlands|New Caledonia
New Zealand|Nicaragua|Niger|Nigeria|Niue|North Korea|Norway|Oman|Pakistan|Palau|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland
Portugal|Puerto Rico|Qatar|Romania|Russia|Rwanda|Saint Kitts and Nevis|Saint Lucia|Saint Vincent and the Grenadines|Samoa|American Samoa|San Marino
Sao Tome and Principe|Saudi Arabia|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|Slovenia|Solomon Islands|Somalia|South Africa
South Korea|South Sudan|Spain|Sri Lanka|Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Tonga
Trinidad and Tobago|Tunisia|Turkey|Turkmenistan|Tuvalu|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|Uruguay|Uzbekistan|Vanuatu
Vatican City|Venezuela|Vietnam|Virgin Islands|Wallis and Futuna|West Bank|Western Sahara|Yemen|Zambia|Zimbabwe""".replace(
    "\n", "|"
).split("|")

_KNOWN: dict[str, Recognizer] = {
    "number": pattern(re.compile(r"(?<![\w.,])[-+−]?\d+(?:[.,   ]\d{3})*(?:[.,]\d+)?(?![\w])")),
    "integer": pattern(re.compile(r"(?<![\w.,])[-+−]?\d+(?![\w.,]\d)(?!\w)")),
    "year": pattern(re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")),
    "email": pattern(re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")),
    "url": pattern(re.compile(r"\bhttps?://[^\s<>\"']+|\bwww\.[^\s<>\"']+")),
    "isbn": pattern(re.compile(r"(?<![\w-])(?:97[89][ -]?)?\d(?:[ -]?\d){8}[ -]?[\dXx](?![\w-])"), is_isbn),
    "phone": pattern(re.compile(r"(?<![\w.])\+?\(?\d(?:[\d ()/.-]{5,20})\d(?!\w)"), _phone_digits),
    "price": _price,
    "date": _whole(_is_date),
    "country": word_list(COUNTRIES),
}  # fmt: skip
