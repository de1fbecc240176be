"""What speaks for a column being a field of a given name.

Does its label or its markup say the name or a word for the same? Do its values look like what the name promises?
Is it what the page's title is about? A label far away says little, a value that is the same on all
pages is hardly data, and a word such as *invoice* makes a price another price.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .default import likeness
from .sample.texts import plain_words
from .vocabulary import TOPICS, is_kind, kind_of, other_words, phrases_for, words_of

if TYPE_CHECKING:
    from .columns.column import Column

FAR_LABEL = 0.5  # what a label counts that does not stand next to the value
FAR_SURE_LABEL = 0.75  # the same, if it can be nothing but a label
LABELLED = (
    0.6  # how clearly a label must say the name to be believed against the look of the values
)
CONSTANT = 0.92  # share of the commonest value, from which on a column hardly is data
IN_SO_MANY_WORDS = 0.8  # markup that says the name, and titles of pages that have the value
SURELY_IN_TITLE = 0.8
MISSING = 0.55  # against a column that no page has: what is asked for by name is on most pages
_MARKUP = ("itemprop", "property", "class", "id", "rel")


def evidence(name: str, column: Column) -> float:
    """How much speaks for a column being the field; about 0 for nothing, 1 for all one could wish."""
    phrases, others = phrases_for(name), other_words(name)
    words = words_of(column.label)
    label = said(phrases, words) * _nearness(column)
    markup = _in_markup(phrases, column)
    score = 0.6 * max(label, 0.9 * markup) + 0.2 * min(label, markup)
    if not column.label:
        score = max(score, 0.55 * _inside(phrases, column))
    called = words if column.label_is_near else words_of(_label_inside(column))
    if others.intersection(called) or others.intersection(_own_markup(column)):
        score -= 0.3
    if not label and column.surely_labelled and column.label_is_near:
        score -= 0.35
    score += _by_kind(kind_of(name), column, labelled=label > LABELLED)
    topic = is_topic(column)
    if topic and markup >= IN_SO_MANY_WORDS and column.in_title > SURELY_IN_TITLE:
        topic = max(topic, markup)
    if "_".join(words_of(name)) in TOPICS:
        score = 0.3 * score + 0.6 * topic
    elif topic > 0.8:
        score -= 0.3
    if column.sample.size > 2 and column.commonest_share > CONSTANT:
        score -= 0.35
    if column.drifting:
        score -= 0.25
    score -= MISSING * (1.0 - column.coverage) + 0.08 * column.position
    return score + 0.06 * likeness(column)


def said(phrases: Sequence[tuple[str, ...]], words: tuple[str, ...]) -> float:
    """How clearly words say a name: the name itself counts more than another word for it."""
    if not words:
        return 0.0
    best = 0.0
    for rank, phrase in enumerate(phrases):
        shared = len(set(phrase) & set(words))
        if shared:
            closeness = 2 * shared / (len(set(phrase)) + len(set(words)))
            if shared < len(set(phrase)):
                closeness *= 0.6
            best = max(best, closeness * (1.0 if rank == 0 else 0.8))
    return best


def _in_markup(phrases: Sequence[tuple[str, ...]], column: Column) -> float:
    found = said(phrases, words_of(column.embedded))
    for depth, tag in enumerate(column.tags):
        for attribute in _MARKUP:
            one = said(phrases, words_of((tag.get(attribute) or "").split(":")[-1]))
            found = max(found, one * (1.0 if depth == 0 else 0.8))
    return found


def _own_markup(column: Column) -> set[str]:
    """The words that the value's own element has in its markup."""
    return {
        word
        for tag in column.tags[:1]
        for attribute in _MARKUP
        for word in words_of(tag.get(attribute) or "")
    }


def _nearness(column: Column) -> float:
    if column.label_is_near:
        return 1.0
    return FAR_SURE_LABEL if column.surely_labelled else FAR_LABEL


def _inside(phrases: Sequence[tuple[str, ...]], column: Column) -> float:
    """A label that stands in the value's own text: ``Phone: 334-222-6591``."""
    return said(phrases, words_of(_label_inside(column)))


def _label_inside(column: Column) -> str:
    before = [value[0].partition(":")[0] for value in column.values if value and ":" in value[0]]
    if len(before) < 0.6 * len(column.node_counts) or len(set(before)) > 2:
        return ""
    return before[0] if len(before[0]) < 40 else ""


def _by_kind(kind: str, column: Column, *, labelled: bool) -> float:
    """What the look of the values says: much for the kind that the name promises, more against any other."""
    if not kind:
        return 0.0
    texts = [text for value in column.values for text in value[:3]]
    fitting = sum(is_kind(text, kind) for text in texts) / len(texts)
    score = 0.45 * fitting - (0.5 if fitting < 0.3 and not labelled else 0.0)
    return score if column.single or kind == "address" else score - 0.25


def is_topic(column: Column) -> float:
    """Whether a column says what the page is about, from 0 to 1: a heading that the page's title repeats.

    Where all pages have the same title, it is a heading, or what comes first of all that differs on every page.
    """
    counts = column.node_counts
    if not column.single or column.distinct < 0.5 * len(counts):
        return 0.0
    names = {tag.name for tag in column.tags}
    if "title" in names:
        return 0.4 * column.coverage
    unique = column.distinct / len(counts)
    heading = 1.0 if "h1" in names else 0.6 if "h2" in names else 0.3
    lengths = [len(value[0]) for value in column.values if value]
    mean = sum(lengths) / len(lengths)
    if not any(column.sample.title_words):
        fitting = 0.5 if unique > 0.9 and 3 < mean < 100 and not column.label_is_near else 0.0
        first = fitting * (1.0 - column.position)
        return column.coverage * _own_words(column) * (first + 0.35 * heading)
    long_enough = min(1.0, mean / 10)
    return column.coverage * unique * (0.7 * _as_title(column) * long_enough + 0.3 * heading)


def _own_words(column: Column) -> float:
    """The share of the values' words that are not in most of them: "Bookmark PITT GRILL" has a word too many."""
    values = [set(plain_words(value[0])) for value in column.values if value]
    seen = Counter(word for words in values for word in words)
    if len(values) < 3:
        return 1.0
    own = sum(count for count in seen.values() if 2 * count <= len(values))
    return own / max(1, seen.total())


def _as_title(column: Column) -> float:
    """How much the values agree with what is particular in the pages' titles; what comes first there counts most."""
    total = 0.0
    judged = 0
    for value, title in zip(column.values, column.sample.title_words, strict=True):
        if not value or not title:
            continue
        judged += 1
        words = plain_words(value[0])[:60]
        places = [place for place, word in enumerate(title) if word in words]
        shared = len(set(title) & set(words))
        if shared:
            agreement = 2 * shared / (len(set(title)) + len(set(words)))
            total += agreement * (1.0 - 0.5 * places[0] / len(title))
    return total / judged if judged else 0.0
