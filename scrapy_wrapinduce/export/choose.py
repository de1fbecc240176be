"""Choose the rules of a field: those that say what the wrapper says, and of these the most robust.

Every page suggests rules; the ones that several pages suggest are tried on all pages. Where the best rule
finds nothing though there is a value, a second and a third rule may follow it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from .candidates import candidates, common_labels
from .cases import Case
from .counting import counted
from .rules import EVERY, GLUED, FieldRules, Rule
from .stretches import labels_after, stretches

PAGES_ASKED = 10
RULES_TRIED = 60
STRETCHES_TRIED = 40
MOST_RULES = 3
LONGEST_CONTEXT = 24


def choose(name: str, cases: Sequence[Case]) -> FieldRules:
    """The rules of one field; none where no selector finds any of its values."""
    labels = common_labels(cases)
    rules: list[Rule] = []
    given: list[object] = [None] * len(cases)
    while len(rules) < MOST_RULES:
        open_cases = [number for number, value in enumerate(given) if value is None]
        wanting = [number for number in open_cases if cases[number].value is not None]
        if not wanting:
            break
        least = max(2, len(cases) // 10) if rules else 1
        best = _best([cases[number] for number in open_cases], labels, least)
        if best is None:
            break
        rules.append(best)
        for number in open_cases:
            given[number] = read(best, cases[number])
    values = [case.value for case in cases]
    equal = sum(
        a == b for a, b in zip(given, values, strict=True) if a is not None or b is not None
    )
    total = sum(a is not None or b is not None for a, b in zip(given, values, strict=True))
    return FieldRules(name, tuple(rules), equal, total)


def read(rule: Rule, case: Case) -> str | list[str] | None:
    """What a rule gives in a case."""
    return rule.value(rule.strings(case.scope.find(rule.where)))


def _best(cases: Sequence[Case], labels: Sequence[str], least: int) -> Rule | None:
    """The rule that is right most often and seldom wrong; None where every rule does more harm than good."""
    best: Rule | None = None
    best_rank: tuple[int, int] = (0, 0)
    target = sum(1 for case in cases if case.value is not None)
    for rule in _suggested(cases, labels):
        if best is not None and best_rank[0] == target and rule.cost >= best.cost:
            continue
        for variant in _variants(rule, cases):
            rank = (_gain(variant, cases, best_rank[0]), -variant.cost)
            if rank > best_rank and rank[0] >= least:
                best, best_rank = variant, rank
    return best


def _suggested(cases: Sequence[Case], labels: Sequence[str]) -> list[Rule]:
    """Rules suggested by some of the pages, the commonest and cheapest first."""
    asked = [case for case in cases if case.value is not None and case.nodes]
    step = max(1, len(asked) // PAGES_ASKED)
    after = labels_after(asked)
    votes: Counter[Rule] = Counter()
    cheapest: dict[Rule, Rule] = {}
    for case in asked[::step][:PAGES_ASKED]:
        own: dict[Rule, Rule] = {}
        suggested = (
            candidates(case, labels),
            counted(case, labels, after),
            stretches(case, labels, after),
        )
        for rule in chain.from_iterable(suggested):
            if rule not in own or rule.cost < own[rule].cost:
                own[rule] = rule
        votes.update(own.keys())
        for rule in own.values():
            if rule not in cheapest or rule.cost < cheapest[rule].cost:
                cheapest[rule] = rule
    ranked = sorted(cheapest.values(), key=lambda rule: (-votes[rule], rule.cost))
    simple = [rule for rule in ranked if not rule.until]
    return simple[:RULES_TRIED] + [rule for rule in ranked if rule.until][:STRETCHES_TRIED]


def _variants(rule: Rule, cases: Sequence[Case]) -> list[Rule]:
    """The ways to make a value of a rule's strings that fit the values."""
    values = [case.value for case in cases if case.value is not None]
    if any(isinstance(value, list) for value in values):
        return [replace(rule, how=EVERY)]
    pairs = []
    for case in cases:
        if isinstance(case.value, str):
            found = rule.strings(case.scope.find(rule.where))
            pairs.append((rule.value(found), "".join(found), case.value))
    spaced = sum(text == value for text, _, value in pairs)
    if spaced == len(pairs):
        return [rule]
    variants = [rule, replace(rule, how=GLUED, cost=rule.cost + 1)]
    pattern = pattern_for([(str(text), value) for text, _, value in pairs if text])
    if pattern:
        variants.append(replace(rule, pattern=pattern, cost=rule.cost + 2))
    return variants


def _gain(rule: Rule, cases: Sequence[Case], least: int) -> int:
    """Right values less wrong ones; gives up when ``least`` is out of reach."""
    gain, left = 0, len(cases)
    for case in cases:
        left -= 1
        found = read(rule, case)
        if found is not None:
            gain += 1 if found == case.value else -1
        if gain + left < least:
            return -1
    return gain


def pattern_for(pairs: Sequence[tuple[str, str]]) -> str:
    """An expression whose group is the value in each of the texts, by what stands before and after it.

    >>> pattern_for([("Price: 3 EUR", "3"), ("Price: 14 EUR", "14")])
    '^Price:\\\\ (.*?)\\\\ EUR$'
    """
    contexts = []
    for text, value in pairs:
        at = text.find(value)
        if at >= 0:
            contexts.append((text[:at], text[at + len(value) :]))
    if 2 * len(contexts) <= len(pairs) or not any(a or b for a, b in contexts):
        return ""
    before = _common_end([left for left, _ in contexts])
    after = _common_end([right[::-1] for _, right in contexts])[::-1]
    start = "^" if all(left == before for left, _ in contexts) else ""
    end = "$" if all(right == after for _, right in contexts) else ""
    if not (before or start) or not (after or end):
        return ""
    return (
        f"{start}{re.escape(before)}({'.*' if end and not after else '.*?'}){re.escape(after)}{end}"
    )


def _common_end(texts: Sequence[str]) -> str:
    shared = texts[0][-LONGEST_CONTEXT:]
    for text in texts[1:]:
        while not text.endswith(shared):
            shared = shared[1:]
    return shared
