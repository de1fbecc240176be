"""The functions that exported code calls, as source: it carries those it needs and depends on no package of ours.

They do what :mod:`.rules`, :mod:`..fields.clean` and :mod:`..fields.plain` do.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..fields.types import MOST_TEXT, NEGATIVE, NO, YES
from ..fields.values.formats import DATE_FORMATS, HAS_DATE
from ..fields.values.plain import CURRENCY


@dataclass(frozen=True, slots=True)
class Function:
    """The source of a function, what it imports, and the others that it calls."""

    source: str
    imports: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


FUNCTIONS = {
    "strings": Function(
        '''
def strings(found, what, nth, until):
    """The strings of the nth element found (-1: the last, 0: all), up to what ends them."""
    chosen = found[nth - (nth > 0) :][:1] if nth else found
    if until is None:
        return [text for element in chosen for text in element.xpath(what).getall()]
    both = f"{what} | {until}"
    nodes = [node.root for element in chosen for node in element.xpath(both)]
    ends = [place for place, node in enumerate(nodes) if not isinstance(node, str)]
    return nodes[: ends[0]] if ends else []
'''
    ),
    "texts": Function(
        r'''
def texts(found, what=".//text()", nth=1, until=None):
    """These strings folded, those without a word left out; None without any."""
    folded = [
        " ".join(text.replace("\u200b", "").split())
        for text in strings(found, what, nth, until)
    ]
    return [text for text in folded if re.search(r"\w", text)] or None
''',
        ("import re",),
        ("strings",),
    ),
    "text": Function(
        '''
def text(found, what=".//text()", nth=1, until=None):
    """The same texts as one."""
    return " ".join(texts(found, what, nth, until) or ()) or None
''',
        calls=("texts",),
    ),
    "glued": Function(
        r'''
def glued(found, what=".//text()", nth=1, until=None):
    """The strings put together as they stand."""
    whole = "".join(strings(found, what, nth, until))
    return " ".join(whole.replace("\u200b", "").split()) or None
''',
        calls=("strings",),
    ),
    "part": Function(
        '''
def part(text, pattern):
    """The part of a text that an expression marks."""
    match = re.search(pattern, text) if text else None
    return (match[1].strip() or None) if match else None
''',
        ("import re",),
    ),
    "records": Function(
        '''
def records(found, read, required=(), heads=None, make=dict):
    """A record of each of the elements found that has the values required; None without any."""
    records = []
    for row in found:
        record = {name: value for name, value in read(row).items() if value is not None}
        is_head = any(record.get(name) in said for name, said in (heads or {}).items())
        if record and not is_head and all(name in record for name in required):
            records.append(make(**record))
    return records or None
'''
    ),
    "clean": Function(
        '''
def clean(value, labels=(), head="", tail="", glue=None):
    """A value without labels and separators; with glue, several texts as one."""
    if value is None or isinstance(value, str):
        return bare(value or "", labels, head, tail) or None
    if glue is None:
        texts = (bare(part, labels, head, tail) for part in value)
        return [text for text in texts if text] or None
    sign = glue.strip()
    lines = [
        bare(part, labels, head, tail).rstrip(sign + " ") if sign else part
        for part in value
    ]
    return bare(glue.join(line for line in lines if line), labels, head, tail) or None
''',
        calls=("bare",),
    ),
    "bare": Function(
        '''
def bare(text, labels, head, tail):
    """A text without the label it begins with, and without separators at its ends."""
    text = stripped(text.strip(), head, tail)
    for label in labels:
        start, rest = text[: len(label)], text[len(label) :]
        ends_a_word = rest and not (label[-1].isalnum() and rest[0].isalnum())
        if start.casefold() == label.casefold() and ends_a_word:
            text = rest.strip()
            break
    return stripped(text, head, tail)
''',
        calls=("stripped",),
    ),
    "stripped": Function(
        '''
def stripped(text, head, tail):
    """A text without separators at its ends; the sign of a negative number is none."""
    while text and text[0] in head and not (text[0] in "-–—" and text[1:2].isdigit()):
        text = text[1:].lstrip()
    while text and text[-1] in tail:
        text = text[:-1].rstrip()
    return text
'''
    ),
    "typed": Function(
        '''
def typed(read, value):
    """A value, or each of several, as a type; None where nothing is of that type."""
    if isinstance(value, list):
        return [found for part in value if (found := read(part)) is not None] or None
    return None if value is None else read(value)
'''
    ),
    "as_list": Function(
        '''
def as_list(value):
    """A value as a list; records that have one value are that value."""
    several = value if isinstance(value, list) else [] if value is None else [value]
    is_single = [isinstance(part, dict) and len(part) == 1 for part in several]
    return [
        next(iter(part.values())) if one else part
        for part, one in zip(several, is_single)
    ] or None
'''
    ),
    "merged": Function(
        '''
def merged(*values):
    """The values of several fields as one: a list where more than one field has any."""
    there = [value for value in values if value is not None]
    if len(there) < 2:
        return there[0] if there else None
    lists = [value if isinstance(value, list) else [value] for value in there]
    return [part for values in lists for part in values]
'''
    ),
    "number": Function(
        f'''
def number(text):
    """The first number in a text."""
    amount = Price.fromstring(text[:{MOST_TEXT}]).amount
    if amount is None:
        return None
    amount = -abs(amount) if re.match({NEGATIVE.pattern!r}, text) else abs(amount)
    return int(amount) if amount == amount.to_integral_value() else float(amount)
''',
        ("import re", "from price_parser import Price"),
    ),
    "price": Function(
        f'''
def price(text):
    """The amount in a text, and its currency where there is one."""
    amount = number(text)
    if amount is None:
        return None
    currency = re.search({CURRENCY.pattern!r}, text)
    return {{"amount": amount, **({{"currency": currency[0]}} if currency else {{}})}}
''',
        ("import re",),
        ("number",),
    ),
    "date": Function(
        f'''
DATE_FORMATS = (
{"".join(f'    "{form}",{chr(10)}' for form in DATE_FORMATS)})


def date(text):
    """The day that a text names, as in 2021-05-01."""
    text = text.strip()
    if 6 <= len(text) <= 60 and re.search({HAS_DATE.pattern!r}, text):
        for form in DATE_FORMATS:
            try:
                return datetime.strptime(text, form).date().isoformat()
            except ValueError:
                continue
        whole_days = {{"REQUIRE_PARTS": ["day", "month", "year"]}}
        found = dateparser.parse(text, settings=whole_days)
        if found:
            return found.date().isoformat()
    has_digits = any(map(str.isdigit, text))
    found = dateparser.parse(text[:{MOST_TEXT}]) if has_digits else None
    return found.date().isoformat() if found else None
''',
        ("import re", "from datetime import datetime", "import dateparser"),
    ),
    "yes_no": Function(
        f'''
YES = {sorted(YES)}
NO = {sorted(NO)}


def yes_no(text):
    """Whether a text says yes or no; None where it says neither."""
    said = " ".join(text.casefold().split()).strip(" .!").rsplit("/", 1)[-1]
    return True if said in YES else False if said in NO else None
'''
    ),
}
# The packages that exported code imports beside the one it is written for.
PACKAGES = {"import dateparser": "dateparser", "from price_parser import Price": "price-parser"}


def with_calls(names: Collection[str]) -> list[str]:
    """Functions and all that they call, in an order in which they can be written."""
    wanted = set(names)
    pending = list(wanted)
    while pending:
        for name in FUNCTIONS[pending.pop()].calls:
            if name not in wanted:
                wanted.add(name)
                pending.append(name)
    return [name for name in FUNCTIONS if name in wanted]
