"""Long lines of exported code, broken as ruff and black break them.

A line is broken at its last brackets: what is in them goes on a line of its own, or, where it does not fit there, one part on
each; each of these lines may be broken again.
"""

from __future__ import annotations

from collections.abc import Iterator

LINE = 88
_STEP = "    "


def laid_out(indent: str, before: str, expression: str, after: str = "") -> str:
    """The lines of an expression, with what stands before and after it on the same line.

    >>> print(laid_out("", "price = ", f'clean(text(page.css("{60 * "a"}")), labels=["Price:"])'), end="")
    price = clean(
        text(page.css("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
        labels=["Price:"],
    )
    """
    return "".join(f"{line}\n" for line in _lines(indent, before, expression, after))


def _lines(indent: str, before: str, expression: str, after: str) -> Iterator[str]:
    line = f"{indent}{before}{expression}{after}"
    if len(line) <= LINE:
        yield line
        return
    inner = indent + _STEP
    choices = _parts(expression, " or ")
    if len(choices) > 1:
        yield f"{indent}{before}("
        for number, choice in enumerate(choices):
            yield from _lines(inner, "or " if number else "", choice, "")
        yield f"{indent}){after}"
        return
    opening = _last_opening(expression)
    within = expression[opening + 1 : -1]
    if opening < 0 or not within:
        yield line
        return
    parts = _parts(within, ", ")
    is_call = expression[opening] == "("
    yield f"{indent}{before}{expression[: opening + 1]}"
    if is_call and (len(parts) == 1 or len(inner + within) <= LINE):
        yield from _lines(inner, "", within, "")
    else:
        for part in parts:
            yield from _lines(inner, "", part, ",")
    yield f"{indent}{expression[-1]}{after}"


def _parts(text: str, separator: str) -> list[str]:
    """
    >>> _parts('f(a, b), "c, d", [e, f]', ", ")
    ['f(a, b)', '"c, d"', '[e, f]']
    """
    found, begun = [], 0
    for at, depth in _depths(text):
        if depth == 0 and at >= begun and text.startswith(separator, at):
            found.append(text[begun:at])
            begun = at + len(separator)
    return [*found, text[begun:]]


def _last_opening(text: str) -> int:
    """Where the brackets open that a text ends with; -1 where it ends otherwise."""
    if text[-1:] not in {")", "]", "}"}:
        return -1
    opened = [at for at, depth in _depths(text) if depth == 0 and text[at] in "([{"]
    return opened[-1] if opened else -1


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """The places that are in no string, with the number of brackets around each."""
    depth, quote, is_escaped = 0, "", False
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and not is_escaped else quote
            is_escaped = sign == "\\" and not is_escaped
            continue
        if sign in "\"'":
            quote = sign
            continue
        depth -= sign in ")]}"
        yield at, depth
        depth += sign in "([{"
