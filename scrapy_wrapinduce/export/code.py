"""What the exported spider and page object share: selectors as Python expressions, and the functions they call."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence

from .compare import Share, overall
from .rules import ALL_TEXT, EVERY, SPACED, FieldRules, Plan, Rule, Where

LINE = 100

_TEXTS = r'''
def texts(found, what=".//text()", nth=1):
    """The texts of the nth element found (-1: the last, 0: of all), folded; None without any."""
    chosen = found[nth - (nth > 0) :][:1] if nth else found
    strings = [text for element in chosen for text in element.xpath(what).getall()]
    folded = [" ".join(text.replace("\u200b", "").split()) for text in strings]
    return [text for text in folded if re.search(r"\w", text)] or None
'''
_TEXT = '''
def text(found, what=".//text()", nth=1):
    """The same texts as one."""
    return " ".join(texts(found, what, nth) or ()) or None
'''
_GLUED = r'''
def glued(found, what=".//text()", nth=1):
    """The texts of the nth of the elements found, put together as they stand."""
    strings = [text for element in found[nth - (nth > 0) :][:1] for text in element.xpath(what).getall()]
    return " ".join("".join(strings).replace("\u200b", "").split()) or None
'''
_PART = '''
def part(text, pattern):
    """The part of a text that an expression marks."""
    match = re.search(pattern, text) if text else None
    return (match[1].strip() or None) if match else None
'''


def functions(plan: Plan) -> str:
    """The functions that the plan's expressions call."""
    rules = [rule for item in plan.fields for rule in item.rules]
    used = {rule.how for rule in rules}
    code = []
    if used & {SPACED, EVERY}:
        code.append(_TEXTS)
    if SPACED in used:
        code.append(_TEXT)
    if used - {SPACED, EVERY}:
        code.append(_GLUED)
    if any(rule.pattern for rule in rules):
        code.append(_PART)
    return "\n".join(code)


def needs_re(plan: Plan) -> bool:
    return "re." in functions(plan)


def field_expression(item: FieldRules, scope: str, indent: str) -> str:
    """The expression that reads a field, broken into lines where it is long."""
    calls = [rule_expression(rule, scope) for rule in item.rules]
    line = " or ".join(calls)
    if len(calls) == 1 or len(indent) + len(line) <= LINE - 20:
        return line
    inner = f"\n{indent}    or ".join(calls)
    return f"(\n{indent}    {inner}\n{indent})"


def rule_expression(rule: Rule, scope: str) -> str:
    """
    >>> rule_expression(Rule(Where(css="#price"), nth=2), "response")
    'text(response.css("#price"), nth=2)'
    """
    arguments = [where_expression(rule.where, scope)]
    if rule.what != ALL_TEXT:
        arguments.append(quoted(rule.what))
    if rule.nth != 1:
        arguments.append(f"nth={rule.nth}")
    call = f"{rule.how}({', '.join(arguments)})"
    return f"part({call}, {_raw(rule.pattern)})" if rule.pattern else call


def where_expression(where: Where, scope: str) -> str:
    """The elements found, below a variable that holds a page or a record."""
    if where.css:
        return f"{scope}.css({quoted(where.css)})"
    # Below a whole page both mean the same, and this is how people write it.
    xpath = where.xpath.removeprefix(".") if scope in ("response", "self") else where.xpath
    return f"{scope}.xpath({quoted(xpath or '.')})"


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Names as Python names, all different.

    >>> identifiers(["List price", "class", "2nd"])
    {'List price': 'list_price', 'class': 'class_', '2nd': 'field_2nd'}
    """
    used = set(taken)
    found: dict[str, str] = {}
    for name in names:
        plain = name if name.isidentifier() else re.sub(r"\W+", "_", name.lower()).strip("_")
        plain = plain if plain.isidentifier() else f"field_{plain}".rstrip("_")
        while plain in used or keyword.iskeyword(plain) or plain.startswith("__"):
            plain = f"field{plain}" if plain.startswith("__") else f"{plain}_"
        used.add(plain)
        found[name] = plain
    return found


def honest_words(plan: Plan, shares: Mapping[str, Share], pages: int) -> list[str]:
    """What the selectors do not read as the wrapper does, line by line."""
    lines = [f"On {pages} sample pages {overall(shares)} to what the wrapper reads."]
    for item in plan.fields:
        share = shares.get(item.name)
        if share is not None and share.equal < share.total:
            lines.append(f"{item.name}: {share}")
    lines += [f"{name}: left out, {reason}" for name, reason in plan.unexpressed]
    return lines


def docstring(first: str, lines: Sequence[str]) -> str:
    """A docstring of hostile words: nothing in it can end it early."""
    body = "\n".join([first, "", *lines]) if lines else first
    safe = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{safe}\n"""\n'


def quoted(text: str) -> str:
    """A string as Python writes it, in double quotes where that needs no escapes.

    >>> print(quoted("it's"), quoted("a"))
    "it's" "a"
    """
    return repr(text) if '"' in text or "'" in text else f'"{repr(text)[1:-1]}"'


def _raw(pattern: str) -> str:
    """A regular expression as people write it, where a raw string can hold it."""
    if '"' in pattern or "\n" in pattern or pattern.endswith("\\") or not pattern.isprintable():
        return repr(pattern)
    return f'r"{pattern}"'
