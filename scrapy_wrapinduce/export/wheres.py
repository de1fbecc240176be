"""Ways to point at an element that may hold on other pages too, each with a cost.

An element is found by what its author called it (id, class, itemprop), by such a name further up and the
way down from there, by the label before it, or, at the highest cost, by counting from the top.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .dom import MARK, Element
from .rules import Where

MOST_LEVELS = 8
MOST_AFTER = 4
LONGEST_NAME = 40
_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
_DIGITS = re.compile(r"\d")
# What these hold is data or looks, not what an element is for.
_NOT_NAMES = frozenset(
    "id class style href src alt title content value width height datetime action srcset".split()
)
MOST_LABEL_LEVELS = 4


def wheres(element: Element, scope: Element, is_page: bool) -> Iterator[tuple[Where, int]]:
    """Selectors that find ``element`` below ``scope``, most of them first of all elements they find."""
    own = list(names(element))
    if element is scope:
        yield Where(xpath="."), 0
        return
    for name, cost in own:
        yield Where(css=name), cost
    way, below = [step(element)], element
    for level, ancestor in enumerate(element.iterancestors(), 1):
        if ancestor is scope or level > MOST_LEVELS:
            break
        for name, cost in names(ancestor):
            if is_tag_only(name):
                continue
            yield Where(css=" > ".join([name, *way])), cost + 2 * len(way)
            from_end = step_from_end(below)
            if from_end:
                yield Where(css=" > ".join([name, from_end, *way[1:]])), cost + 2 * len(way) + 1
            for own_name, own_cost in own:
                yield Where(css=f"{name} {own_name}"), cost + own_cost + 1
        way.insert(0, step(ancestor))
        below = ancestor
    yield Where(xpath=path(element, scope, is_page)), 25


def names(element: Element) -> Iterator[tuple[str, int]]:
    """What an element is called, as CSS: the surest names first."""
    tag = element.tag
    if not has_plain_tag(element):
        return
    identity = element.get("id") or ""
    if 0 < len(identity) <= LONGEST_NAME:
        plain = f"#{identity}" if _PLAIN_NAME.fullmatch(identity) else f"[id={_quoted(identity)}]"
        yield plain, 1 + _volatility(identity)
    for name, value in element.attrib.items():
        if name in _NOT_NAMES or name == MARK or name.startswith("on"):
            continue
        if _PLAIN_NAME.fullmatch(name) and 0 < len(value) <= LONGEST_NAME:
            yield f"{tag}[{name}={_quoted(value)}]", 2 + _volatility(value)
    tokens = [
        token for token in (element.get("class") or "").split() if _PLAIN_NAME.fullmatch(token)
    ]
    for token in tokens[:4]:
        yield f"{tag}.{token}", 2 + _volatility(token)
    if len(tokens) > 1:
        yield f"{tag}.{'.'.join(tokens[:4])}", 3 + sum(map(_volatility, tokens[:4]))
    yield tag, 7


def step(element: Element) -> str:
    """One step down to an element, as CSS."""
    if not has_plain_tag(element):
        return f":nth-child({_place(element)})"
    index, several = _index(element)
    return f"{element.tag}:nth-of-type({index})" if several else str(element.tag)


def step_from_end(element: Element) -> str:
    """The step to one of the last of several elements: the total of a table is below rows of any number."""
    if not has_plain_tag(element):
        return ""
    after = sum(1 for _ in element.itersiblings(element.tag))
    _, several = _index(element)
    return f"{element.tag}:nth-last-of-type({after + 1})" if several and after < MOST_AFTER else ""


def path(element: Element, scope: Element, is_page: bool) -> str:
    """All steps from a scope down to an element, as XPath."""
    return "".join([f"/{scope.tag}" if is_page else ".", *_down(scope, element)])


def after_label(label: Element, text: str, element: Element) -> tuple[Where, int] | None:
    """The way from the element that holds a label to one that comes after it, or is in it."""
    around = {element, *element.iterancestors()}
    if label is element:
        return None
    if label in around:
        way = _down(label, element)
        return Where(xpath=f"{labelled(label, text)}{''.join(way)}"), 3 + len(way)
    climbed, at = 0, label
    while at.getparent() is not None and at.getparent() not in around:
        at = at.getparent()
        climbed += 1
    if at in around or at.getparent() is None or climbed > MOST_LABEL_LEVELS:
        return None
    above = at.getparent()
    if above is element:
        return None
    below = next(child for child in above if child in around)
    down = _down(below, element)
    between = [sibling for sibling in at.itersiblings() if sibling.tag == below.tag]
    if below not in between or not has_plain_tag(below):
        return None
    ordinal = between.index(below) + 1
    start = labelled(label, text)
    xpath = f"{start}{'/..' * climbed}/following-sibling::{below.tag}[{ordinal}]{''.join(down)}"
    return Where(xpath=xpath), 3 + climbed + 2 * (ordinal - 1) + len(down)


def _down(above: Element, element: Element) -> list[str]:
    """The steps from an element to one in it."""
    steps: list[str] = []
    while element is not above:
        steps.insert(0, f"/{_xpath_step(element)}")
        element = element.getparent()
    return steps


def labelled(label: Element, text: str) -> str:
    """An element by the label in it."""
    whole = label.xpath("normalize-space()") == text
    test = "normalize-space()" if whole else "text()[normalize-space()"
    tag = label.tag if has_plain_tag(label) else "*"
    return f".//{tag}[{test}={literal(text)}{']' if whole else ']]'}"


def literal(text: str) -> str:
    """A string in XPath, which has no escapes.

    >>> literal('say "it\\'s"')
    'concat("say ", \\'"\\', "it\\'s", \\'"\\')'
    """
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    pieces = ", '\"', ".join(f'"{piece}"' for piece in text.split('"'))
    return f"concat({pieces})".replace('"", ', "").replace(', "")', ")")


def has_plain_tag(element: Element) -> bool:
    """Whether selectors can name an element; pages write tags such as ``<o:p>`` that they cannot."""
    return isinstance(element.tag, str) and _PLAIN_NAME.fullmatch(element.tag) is not None


def _xpath_step(element: Element) -> str:
    if not has_plain_tag(element):
        return f"*[{_place(element)}]"
    index, several = _index(element)
    return f"{element.tag}[{index}]" if several else str(element.tag)


def _place(element: Element) -> int:
    """Which of all its siblings an element is; comments do not count."""
    return 1 + sum(1 for _ in element.itersiblings("*", preceding=True))


def _index(element: Element) -> tuple[int, bool]:
    """Which of its siblings of the same name an element is, and whether there are any."""
    before = sum(1 for _ in element.itersiblings(element.tag, preceding=True))
    return before + 1, before > 0 or next(element.itersiblings(element.tag), None) is not None


def is_tag_only(name: str) -> bool:
    """Whether a selector says nothing but the name of a tag."""
    return _PLAIN_NAME.fullmatch(name) is not None


def _volatility(name: str) -> int:
    """Names with many digits in them tend to be numbers of something."""
    return 3 if len(_DIGITS.findall(name)) > 2 else 0


def _quoted(text: str) -> str:
    escaped = re.sub(r'[\\"\n\r\f]', lambda found: f"\\{ord(found[0]):x} ", text)
    return f'"{escaped}"'
