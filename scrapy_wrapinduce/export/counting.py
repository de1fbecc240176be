"""Rules that count texts: the second after a label, the third before an element, the last but one inside of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .cases import Case
from .dom import Element, Text
from .labels import as_xpath_sees
from .rules import Rule, Where
from .wheres import MOST_LEVELS, is_tag_only, labelled, literal, names

# What a wrapper counts as texts: those that are shown and have a word in them.
SHOWN = '[re:test(., "\\w") and not(parent::script or parent::style)]'
MOST_NEIGHBOURS = 4
MOST_INSIDE = 40
COST = 8


def counted(case: Case, before: Sequence[str], after: Sequence[str]) -> Iterator[Rule]:
    """Rules that count from the texts and elements around a value; the value's texts stand side by side."""
    texts = case.scope.document.worded
    found = [case.scope.document.word_number(text) for text in case.texts]
    numbers = [number for number in found if number is not None]
    if not numbers or len(numbers) < len(found):
        return
    first, last = numbers[0], numbers[-1]
    if last - first + 1 != len(numbers):
        return
    for distance in range(1, MOST_NEIGHBOURS + 1):
        which = _which(distance, len(numbers))
        if first - distance >= 0:
            yield from _from(
                case, texts[first - distance], before, f"following::text(){SHOWN}{which}", distance
            )
        if last + distance < len(texts):
            yield from _from(
                case, texts[last + distance], after, f"preceding::text(){SHOWN}{which}", distance
            )
    yield from _inside(case, first, last)


def _which(distance: int, wanted: int) -> str:
    if wanted == 1:
        return f"[{distance}]"
    return f"[position()>={distance} and position()<={distance + wanted - 1}]"


def _from(case: Case, text: Text, labels: Sequence[str], way: str, distance: int) -> Iterator[Rule]:
    """From a text by what it says, or by the name of an element that it is alone in."""
    if not _holds(case.scope.element, text.parent):
        return
    words = as_xpath_sees(text.content)
    if words in labels:
        own = f"text()[normalize-space()={literal(words)}][1]/"
        yield Rule(
            Where(xpath=labelled(text.parent, words)), f"{own}{way}", cost=COST + 2 * distance
        )
    for name, cost in names(text.parent):
        if not is_tag_only(name) and len(text.parent) == 0:
            yield Rule(Where(css=name), way, cost=COST + 2 * distance + cost)


def _inside(case: Case, first: int, last: int) -> Iterator[Rule]:
    """From the first text of an element around the value, or from its last."""
    document = case.scope.document
    at: Element = case.base
    for level in range(MOST_LEVELS):
        if at is case.scope.element or at.getparent() is None:
            return
        at = at.getparent()
        called = [(name, cost) for name, cost in names(at) if not is_tag_only(name)]
        if not called:
            continue
        begin, end = document.word_range(at)
        head, tail = first - begin + 1, end - 1 - last
        for name, cost in called:
            if 0 < head <= MOST_INSIDE:
                what = f"descendant::text(){SHOWN}{_which(head, last - first + 1)}"
                yield Rule(Where(css=name), what, cost=COST + cost + level + head)
            if 0 <= tail <= MOST_INSIDE and first == last:
                what = f"descendant::text(){SHOWN}[last()-{tail}]"
                yield Rule(Where(css=name), what, cost=COST + cost + level + tail + 1)


def _holds(element: Element, inner: Element) -> bool:
    return element is inner or element in inner.iterancestors()
