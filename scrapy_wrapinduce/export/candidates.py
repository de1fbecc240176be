"""All the rules that one value's place suggests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from ..tokenizer import INLINE
from .cases import Case, holder
from .containers import Listing
from .counting import SHOWN
from .dom import HIDDEN, Element, Text, Value, common_ancestor, fold_text
from .labels import LONGEST_LABEL, as_xpath_sees, is_wordy
from .rules import ALL_TEXT, SEEN_TEXT, WHOLE_TEXT, Rule, Where, is_valid
from .wheres import MOST_LEVELS, after_label, has_plain_tag, labelled, literal, names, wheres

LABELS_BEFORE = 4
MOST_LABELS = 12
MOST_LIFTED = 3
MOST_WHERES = 60  # ways to one element; finding out which of the elements found it is takes time
MOST_COUNTED = 40
MOST_FOR_COUNTING = 12  # of the cost
_WORD = re.compile(r"\w")


def candidates(case: Case, labels: Sequence[str]) -> Iterator[Rule]:
    """Rules that read this case's value, or the text that it is a part of."""
    if not case.nodes:
        return
    base = case.base
    for lifted, element in enumerate(_bases(case, base)):
        reads = list(_whats(case, element))
        points = list(wheres(element, case.scope.element, case.scope.is_page))
        points += _labelled_wheres(case, element, labels)
        for where, cost in sorted(points, key=lambda point: point[1])[:MOST_WHERES]:
            for nth, counting in _ordinals(case, where, element):
                for what, more in reads:
                    yield Rule(where, what, nth, cost=cost + more + lifted + counting)
    yield from _until_next_label(case, labels)
    if isinstance(case.value, list):
        yield from _all_of_a_kind(case)
    yield from _starting_with_label(case)


def common_labels(cases: Sequence[Case]) -> list[str]:
    """Texts that stand shortly before the value on most of the pages that have it."""
    seen = Counter(
        text
        for case in cases
        for text in {as_xpath_sees(t.content) for t in _texts_before(case)}
        if len(text) <= LONGEST_LABEL and is_wordy(text)
    )
    least = max(1, sum(1 for case in cases if case.nodes) // 2)
    return [text for text, count in seen.most_common(LABELS_BEFORE) if count >= least]


def labels_above(listings: Sequence[Listing]) -> list[str]:
    """Texts that stand shortly before a list, or its first record, on most of the pages that have it."""
    seen: Counter[str] = Counter()
    for listing in listings:
        around = [chain[0] for chain in listing.chains if chain]
        if not around:
            continue
        places = (around[0], common_ancestor(around))
        firsts = (
            next((t for t in _descendants(one) if fold_text(t.content)), None) for one in places
        )
        cases = (Case(listing.scope, None, [text]) for text in firsts if text is not None)
        words = {as_xpath_sees(text.content) for case in cases for text in _texts_before(case)}
        seen.update(one for one in words if len(one) <= LONGEST_LABEL and is_wordy(one))
    return [text for text, count in seen.most_common(MOST_LABELS) if 2 * count > len(listings)]


def _bases(case: Case, base: Element) -> Iterator[Element]:
    """The element around the value, and those around it that show nothing else."""
    yield base
    wanted = len([text for text in case.texts if _WORD.search(text.content)])
    for _ in range(MOST_LIFTED):
        above = base.getparent()
        if not wanted or base is case.scope.element or above is None:
            return
        if len([text for text in _shown(above) if _WORD.search(text)]) != wanted:
            return
        base = above
        yield base


def _whats(case: Case, element: Element) -> Iterator[tuple[str, int]]:
    """Ways to take the value from an element around it."""
    node = case.nodes[0]
    if isinstance(node, Value):
        if node.element is element:
            yield f"@{node.name}", 0
        return
    wanted = case.texts
    inside = [
        text
        for text in _descendants(element)
        if _WORD.search(text.content) and text.parent.tag not in ("script", "style")
    ]
    keys = {(text.element, text.is_tail) for text in wanted}
    places = [
        number for number, text in enumerate(inside, 1) if (text.element, text.is_tail) in keys
    ]
    if not places:
        return
    first, last = places[0], places[-1]
    others = [text for text in inside if (text.element, text.is_tail) not in keys]
    if not any(_WORD.search(text.content) for text in others):
        yield ALL_TEXT, 0
    elif not any(_WORD.search(t.content) for t in others if t.parent.tag not in HIDDEN):
        yield SEEN_TEXT, 1
    own = [text for text in inside if text.parent is element]
    if all(text.parent is element for text in wanted):
        if len(own) == len(wanted):
            yield "./text()", 1
        elif len(wanted) == 1:
            keyed = [(text.element, text.is_tail) in keys for text in own]
            yield f"./text(){SHOWN}[{keyed.index(True) + 1}]", 3
    tags = {text.parent.tag for text in wanted}
    if len(tags) == 1 and all(
        text.parent is not element and has_plain_tag(text.parent) for text in wanted
    ):
        yield f".//{tags.pop()}/text()", 2
    if first == last:
        yield f"descendant::text(){SHOWN}[{first}]", 4
        yield f"descendant::text(){SHOWN}[last()-{len(inside) - first}]", 5
    else:
        upper = f" and position()<=last()-{len(inside) - last}" if last < len(inside) else ""
        yield f"descendant::text(){SHOWN}[position()>={first}{upper}]", 5


def _ordinals(case: Case, where: Where, element: Element) -> list[tuple[int, int]]:
    """Which of the elements found is the one meant, with the cost of counting up to it."""
    found = case.scope.find(where) if is_valid(where) else []
    number = next((n for n, one in enumerate(found[:MOST_COUNTED], 1) if one is element), 0)
    ordinals = [(number, min(2 * (number - 1), MOST_FOR_COUNTING))] if number else []
    if len(found) > 1 and found[-1] is element:
        ordinals.append((-1, 2))
    return ordinals


def _labelled_wheres(
    case: Case, element: Element, labels: Sequence[str]
) -> list[tuple[Where, int]]:
    found = []
    for text in _texts_before(case):
        words = as_xpath_sees(text.content)
        if words in labels:
            way = after_label(text.parent, words, element)
            if way is not None:
                found.append(way)
    return found


def _until_next_label(case: Case, labels: Sequence[str]) -> Iterator[Rule]:
    """All that follows a label among its siblings, up to the next element of the label's kind."""
    for text in _texts_before(case):
        words = as_xpath_sees(text.content)
        label = text.parent
        if words not in labels or not has_plain_tag(label):
            continue
        if label.xpath("normalize-space()") == words and label.getparent() is not None:
            near = f"preceding-sibling::{label.tag}[1][normalize-space()={literal(words)}]"
            what = f"following-sibling::node()[not(self::{label.tag})][{near}]/descendant-or-self::text()"
            yield Rule(Where(xpath=labelled(label, words)), what, cost=6)


def _all_of_a_kind(case: Case) -> Iterator[Rule]:
    """Several values, each in an element of its own: all elements of their name."""
    holders = list(dict.fromkeys(map(holder, case.nodes)))
    node = case.nodes[0]
    reads = [(f"@{node.name}", 0)] if isinstance(node, Value) else [("./text()", 1), (ALL_TEXT, 0)]
    yield from _found_together(case, holders, reads)
    paragraphs = list(dict.fromkeys(map(_paragraph, holders)))
    if paragraphs != holders:
        yield from _found_together(case, paragraphs, [(WHOLE_TEXT, 0)])


def _paragraph(element: Element) -> Element:
    """The element whose text goes on through an inline element."""
    while element.tag in INLINE and element.getparent() is not None:
        element = element.getparent()
    return element


def _found_together(
    case: Case, holders: Sequence[Element], reads: Sequence[tuple[str, int]]
) -> Iterator[Rule]:
    """Rules that find these elements and no others."""
    scope = case.scope.element
    if any(element is scope for element in holders):
        return
    shared = set.intersection(*(set(names(element)) for element in holders))
    points = [(Where(css=name), cost) for name, cost in shared]
    for ancestor in islice(holders[0].iterancestors(), MOST_LEVELS):
        if ancestor is scope:
            break
        between = " > " if all(element.getparent() is ancestor for element in holders) else " "
        for name, cost in names(ancestor):
            points += [(Where(css=f"{name}{between}{own}"), cost + more) for own, more in shared]
    for where, cost in sorted(points, key=lambda point: point[1])[:MOST_WHERES]:
        if is_valid(where) and case.scope.find(where) == holders:
            for what, more in reads:
                yield Rule(where, what, 0, cost=cost + more + 1)


def _starting_with_label(case: Case) -> Iterator[Rule]:
    """A text that begins with its own label, as in "Author: A. Nonymous"."""
    if len(case.texts) != 1 or not isinstance(case.value, str):
        return
    text = case.texts[0]
    if not has_plain_tag(text.parent):
        return
    before, found, _ = as_xpath_sees(text.content).partition(case.value)
    if not found or not is_wordy(before) or len(before) > LONGEST_LABEL:
        return
    test = f"text()[starts-with(normalize-space(), {literal(before.rstrip())})]"
    yield Rule(Where(xpath=f".//{text.parent.tag}[{test}]"), f"./{test}", cost=4)


def _texts_before(case: Case) -> list[Text]:
    """The texts before the value, nearest first."""
    if not case.nodes:
        return []
    document = case.scope.document
    node = case.nodes[0]
    if isinstance(node, Value):
        return []
    number = document.number_of.get((node.element, node.is_tail), 0)
    return document.texts[max(0, number - LABELS_BEFORE) : number][::-1]


def _descendants(element: Element) -> Iterator[Text]:
    """The text nodes below an element, in document order; scripts too, as XPath counts them."""
    stack: list[tuple[Element, bool]] = [(element, False)]
    while stack:
        at, is_tail = stack.pop()
        if is_tail:
            if at.tail:
                yield Text(at, True)
            continue
        if at is not element:
            stack.append((at, True))
        if not isinstance(at.tag, str):
            continue
        if at.text:
            yield Text(at, False)
        stack += [(child, False) for child in reversed(at)]


def _shown(element: Element) -> list[str]:
    texts = (text for text in _descendants(element) if text.parent.tag not in HIDDEN)
    return [text for text in (fold_text(text.content) for text in texts) if text]
