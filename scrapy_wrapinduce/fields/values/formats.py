"""One number or one date, however it is written.

An example may say ``1234.5`` or ``2024-03-05`` where the page says ``$1,234.50`` or ``5 March 2024``. Numbers
are compared by value; a date is spelled in the ways people write dates, and those are looked for.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

_NUMBER = re.compile(r"\d(?:[\d.,'’٬٫ \u00a0\u2009\u202f]{0,24}\d)?")
_PLAIN = re.compile(
    r"[^\w\d]*(?:[A-Za-z]{0,3}[^\w\d]*)?(\d[\d.,'’٬٫ \u00a0\u2009\u202f]*)(?:[^\w\d]*[A-Za-z]{0,3})?[^\w\d]*"
)
DATE_FORMATS = (
    "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y",
    "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y", "%d-%b-%Y", "%d. %B %Y", "%Y%m%d",
)  # fmt: skip
# A day and a year, or eight digits; whatever has less is not worth a parser of all languages.
HAS_DATE = re.compile(r"\d{1,4}\D{1,20}\d{1,4}|\d{8}")


def number_of(text: str) -> Decimal | None:
    """The number a text is, apart from a currency sign or a short unit.

    >>> number_of("$1,234.50"), number_of("1.234,5 €"), number_of("chapter 4")
    (Decimal('1234.5'), Decimal('1234.5'), None)
    """
    match = _PLAIN.fullmatch(text.strip())
    return canonical_number(match[1]) if match else None


def canonical_number(digits: str) -> Decimal | None:
    """Digits with separators of thousands and decimals, as a number."""
    digits = re.sub(r"['’٬ \u00a0\u2009\u202f]", "", digits).rstrip(".,").replace("٫", ".")
    dots, commas = digits.count("."), digits.count(",")
    if dots and commas:
        decimal = "." if digits.rfind(".") > digits.rfind(",") else ","
        digits = digits.replace("," if decimal == "." else ".", "").replace(",", ".")
    elif commas == 1 and len(digits) - digits.index(",") - 1 != 3:
        digits = digits.replace(",", ".")
    else:
        digits = digits.replace(",", "")
        if dots > 1:
            digits = digits.replace(".", "")
    try:
        value = Decimal(digits)
    except InvalidOperation:
        return None
    return value.normalize() if value.is_finite() else None


def numbers_in(text: str) -> list[tuple[Decimal, int, int]]:
    """All numbers of a text with their places."""
    found = []
    for match in _NUMBER.finditer(text):
        value = canonical_number(match[0])
        if value is not None:
            found.append((value, *match.span()))
    return found


def date_of(text: str) -> date | None:
    """The day a text names, or ``None``; uses ``dateparser`` where it is installed."""
    text = text.strip()
    if not 6 <= len(text) <= 60 or not HAS_DATE.search(text):
        return None
    day = plain_date_of(text)
    if day is not None:
        return day
    try:
        import dateparser  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return None
    parsed = dateparser.parse(text, settings={"REQUIRE_PARTS": ["day", "month", "year"]})
    return parsed.date() if parsed else None


def plain_date_of(text: str) -> date | None:
    """The day that a text names in numbers or in English; much faster than to try all languages."""
    text = text.strip()
    if not 6 <= len(text) <= 60 or not HAS_DATE.search(text):
        return None
    for form in DATE_FORMATS:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def spellings(day: date) -> list[str]:
    """The ways in which a page may write a day, the most telling first."""
    d, m, y = day.day, day.month, day.year
    found = [day.isoformat(), f"{y}/{m:02}/{d:02}", f"{y}.{m:02}.{d:02}"]
    for month in (day.strftime("%B"), day.strftime("%b"), day.strftime("%b") + "."):
        for number in (f"{d}", f"{d:02}", f"{d}{_ordinal(d)}", f"{d}."):
            found += [
                f"{month} {number}, {y}", f"{month} {number} {y}", f"{number} {month} {y}",
                f"{number} {month}, {y}", f"{number}-{month}-{y}",
            ]  # fmt: skip
    for a, b in ((d, m), (m, d)):
        for sign in "./-":
            for year in (f"{y}", f"{y % 100:02}"):
                found += [
                    f"{a:02}{sign}{b:02}{sign}{year}",
                    f"{a}{sign}{b}{sign}{year}",
                ]
    return list(dict.fromkeys(found))


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
