"""Rules for values of many texts: from what stands before them up to what stands after them.

Landmarks divide a page into stretches of texts, whatever elements these are in. A selector does the same
with an element to begin at and one to stop at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from parsel.csstranslator import HTMLTranslator

from .cases import Case
from .dom import Document, Element, Text
from .labels import LONGEST_LABEL, as_xpath_sees, is_wordy
from .rules import Rule, Where
from .wheres import labelled, literal, names

FOLLOWING = "following::text()[not(parent::script or parent::style)]"
INSIDE = "descendant::text()[not(parent::script or parent::style)]"
MOST_STARTS = 6
MOST_STOPS = 6
MOST_LEVELS = 4
LABELS_AFTER = 3
COST = 6
Costed = tuple[str, int]


def labels_after(cases: Sequence[Case]) -> list[str]:
    """Texts that stand right after the value on several pages."""
    seen = Counter(
        as_xpath_sees(after.content) for case in cases if (after := _neighbour(case, 1)) is not None
    )
    usual = [text for text, count in seen.most_common(LABELS_AFTER) if count > 1]
    return [text for text in usual if len(text) <= LONGEST_LABEL and is_wordy(text)]


def stretches(case: Case, before: Sequence[str], after: Sequence[str]) -> Iterator[Rule]:
    """From the text or the element before a value to the text or the element after it."""
    first, last = _neighbour(case, -1), _neighbour(case, 1)
    if last is None:
        return
    stops = sorted(_stops(case, last, after), key=lambda one: one[1])[:MOST_STOPS]
    for where, what, cost in sorted(_starts(case, first, before), key=lambda one: one[2])[
        :MOST_STARTS
    ]:
        axis = "descendant" if what == INSIDE else "following"
        for stop, more in stops:
            yield Rule(where, what, until=f"{axis}::{stop}", cost=COST + cost + more)


def _starts(
    case: Case, text: Text | None, labels: Sequence[str]
) -> Iterator[tuple[Where, str, int]]:
    """Where a stretch may begin: after the text before it, after an element, or inside of one."""
    if text is not None:
        words = as_xpath_sees(text.content)
        if words in labels:
            own = f"text()[normalize-space()={literal(words)}][1]/"
            yield Where(xpath=labelled(text.parent, words)), f"{own}{FOLLOWING}", 0
        for element in _apart(text, case):
            for name, cost in names(element):
                yield Where(css=name), FOLLOWING, cost
    value = case.texts[0]
    for element in [value.parent, *value.parent.iterancestors()][:MOST_LEVELS]:
        if element is case.scope.element or (text is not None and _holds(element, text)):
            return
        for name, cost in names(element):
            yield Where(css=name), INSIDE, cost


def _stops(case: Case, text: Text, labels: Sequence[str]) -> Iterator[Costed]:
    """What may end a stretch, as a step of XPath."""
    words = as_xpath_sees(text.content)
    if words in labels:
        yield labelled(text.parent, words).removeprefix(".//"), 0
    for element in _apart(text, case):
        for name, cost in names(element):
            yield HTMLTranslator().css_to_xpath(name, prefix=""), cost


def _apart(text: Text, case: Case) -> list[Element]:
    """The elements around a text that hold nothing of the value."""
    values = case.texts
    around = {value.parent for value in values}
    around.update(above for value in values for above in value.parent.iterancestors())
    chain = [text.parent, *text.parent.iterancestors()]
    return [element for element in chain[:MOST_LEVELS] if element not in around]


def _holds(element: Element, text: Text) -> bool:
    return element is text.parent or element in text.parent.iterancestors()


def _neighbour(case: Case, step: int) -> Text | None:
    """The text right before a value, or right after it."""
    if not case.texts:
        return None
    document: Document = case.scope.document
    edge = case.texts[-1 if step > 0 else 0]
    number = document.number_of.get((edge.element, edge.is_tail))
    if number is None or not 0 <= number + step < len(document.texts):
        return None
    found = document.texts[number + step]
    inside = case.scope.is_page or _holds(case.scope.element, found)
    return found if inside else None
