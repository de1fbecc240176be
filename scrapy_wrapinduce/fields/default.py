"""The default item: which of the candidates a person would want, when nobody says.

Columns that hold data of the page and no template text are ranked by how much they look like a field
(on most pages, labelled or marked up, one value each) and taken from the top, as long as they bring text
that no better column has already and are not another place for a value that is already there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .columns.column import Column
from .sample.flowing import with_whole_texts
from .vocabulary import is_kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..landmark.candidates import Candidate
    from .lists.found import FoundRecords
    from .sample.texts import Sample

MOST_FIELDS = 40
USUAL_FIELDS = 25  # beyond these a column must have a label or a name in the markup
MOST_TEXTS = 25
MOST_PARAGRAPHS = 200
LEAST_COVERAGE = 0.1
SEVERAL_SHARE = 0.3  # of the pages with a value: how many must have more than one
LABEL_COVERAGE = (
    0.5  # of the pages: on how many a text must be to be a label without looking like one
)
OUTSIDE_SHARE = (
    0.3  # of a column's texts: with more of them in the site's frame it is not the page's data
)
# Kinds of values that are known by their looks, how long such a value is, and what share of a field's values must look so.
TELLING_KINDS = ("money", "phone", "date", "email", "isbn", "link")
LONGEST_OF_A_KIND = 40
KIND_SHARE = 0.9
# A value that the pages' titles have is what they are about.
SURELY_IN_TITLE = 0.8
# So long is a value whose repetition elsewhere is no accident, and so many pages show which words always stand around it.
LEAST_TO_REPEAT = 3
LEAST_TO_COMPARE = 3
HEADINGS = {"h1": 1.0, "title": 0.6, "h2": 0.5, "h3": 0.3, "caption": 0.4}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A column and how much it looks like a field."""

    score: float
    column: Column


def choose_fields(
    candidates: Sequence[Candidate], sample: Sample, lists: Sequence[FoundRecords] = ()
) -> list[Column]:
    """The columns of the default item, in the order of the page, without what its lists of records hold."""
    columns = data_columns(with_whole_texts(candidates, sample.flowing), sample)
    if lists:
        columns = [column for column in columns if not any(one.holds(column) for one in lists)]
    scores = _several_first(columns, list(map(likeness, columns)))
    ranked = [Ranked(score, column) for score, column in zip(scores, columns, strict=True)]
    ranked.sort(key=lambda item: -item.score)
    chosen: list[Column] = []
    covered: list[set[int]] = [set() for _ in range(sample.size)]
    values_seen: list[list[tuple[str, ...]]] = []
    telling: list[Column] = []
    for item in ranked:
        if len(chosen) + len(lists) >= MOST_FIELDS:
            break
        column = item.column
        if len(chosen) >= USUAL_FIELDS and not (column.named or _tells_its_kind(column)):
            continue
        if _overlaps(column, covered) or _repeats(column, values_seen):
            continue
        if not column.in_trail and any(_says_again(column, other) for other in telling):
            continue
        chosen.append(column)
        if column.single and all(
            len(value[0]) >= LEAST_TO_REPEAT for value in column.values if value
        ):
            telling.append(column)
        values_seen.append([tuple(value) for value in column.values])
        for page, extent in enumerate(column.candidate.extents):
            if extent is not None:
                covered[page].update(range(extent.first, extent.last))
    return sorted(chosen, key=lambda column: column.position)


def _several_first(columns: Sequence[Column], scores: Sequence[float]) -> list[float]:
    """Scores by which all the values behind a label come before the first of them alone."""
    raised = list(scores)
    labels = {column.label for column in columns if column.surely_labelled}
    singles: dict[str, list[int]] = defaultdict(list)
    for number, column in enumerate(columns):
        if column.single and column.label:
            singles[column.label].append(number)
    for number, column in enumerate(columns):
        if column.single or not column.label or not column.label_is_near or not column.homogeneous:
            continue
        if any(text in labels or text.endswith(":") for value in column.values for text in value):
            continue
        for single in singles[column.label]:
            if scores[single] >= raised[number] and _begins(columns[single], column):
                raised[number] = scores[single] + 0.01
    return raised


def _begins(column: Column, other: Column) -> bool:
    """Whether the values of a column are the first ones of another, of whose values there are often more."""
    more = 0
    for mine, theirs in zip(column.values, other.values, strict=True):
        if mine and mine != theirs[:1]:
            return False
        more += len(theirs) > 1
    return more >= SEVERAL_SHARE * len(column.node_counts)


def data_columns(candidates: Sequence[Candidate], sample: Sample) -> list[Column]:
    """Candidates that hold data: on enough pages, varying, and free of template text."""
    found = []
    for candidate in candidates:
        if len(candidate.pages) < LEAST_COVERAGE * sample.size:
            continue
        column = Column(candidate, sample)
        if column.cut or column.coverage < LEAST_COVERAGE or _is_too_long(column):
            continue
        if column.outside_share > OUTSIDE_SHARE or _is_notice(column):
            continue
        if sample.size > 1:
            if column.commonest_share > 0.92 or column.distinct < 2 or column.shifting:
                continue
            if not column.single and column.template_share > 0.1:
                continue
            if column.commonest_share > 0.5 and column.template_share > 0.5 and not column.named:
                continue
        found.append(column)
    labels = {column.label for column in found if column.surely_labelled}
    labels |= {column.label for column in found if column.by_label and _is_usual(column)}
    kept = [column for column in found if not _holds_labels(column, labels)]
    values = _value_nodes(kept, sample.size)
    return [column for column in kept if not _follows_a_value(column, values)]


def _is_too_long(column: Column) -> bool:
    longest = max(column.node_counts)
    return longest > MOST_TEXTS and not (longest <= MOST_PARAGRAPHS and column.is_text)


def _value_nodes(columns: Sequence[Column], pages: int) -> list[dict[int, float]]:
    """For each page the text nodes that are values of steady columns, and on how many pages those are."""
    nodes: list[dict[int, float]] = [{} for _ in range(pages)]
    for column in columns:
        if not column.single or column.by_label or column.partial or column.drifting:
            continue
        for page, extent in enumerate(column.candidate.extents):
            if extent is not None:
                known = nodes[page].get(extent.first, 0.0)
                nodes[page][extent.first] = max(known, column.coverage)
    return nodes


def _follows_a_value(column: Column, values: Sequence[Mapping[int, float]]) -> bool:
    """Whether it is found by a text that is no label, but a value that recurs: a city, an author."""
    if not column.by_label or column.surely_labelled:
        return False
    hits = 0
    for page in column.candidate.pages:
        extent = column.candidate.extents[page]
        if extent is not None:
            hits += values[page].get(extent.first - 1, 0.0) > column.coverage
    return 2 * hits > len(column.candidate.pages)


def _is_notice(column: Column) -> bool:
    """Whether it says who owns the page."""
    texts = [text for value in column.values for text in value[:1]]
    return bool(texts) and sum(
        text.lstrip().startswith(("©", "Copyright ©", "Copyright (c)")) for text in texts
    ) > 0.5 * len(texts)


def _is_usual(column: Column) -> bool:
    """Whether many pages show its label; what is one of several values is none."""
    shown = column.sample.pages_with[column.label]
    return (
        shown >= LABEL_COVERAGE * column.sample.size
        and column.label not in column.sample.alternatives
    )


def _holds_labels(column: Column, labels: set[str]) -> bool:
    """Whether a column's values stand in front of other columns' values."""
    held = [text for value in column.values for text in value]
    return column.sample.size > 1 and sum(text in labels for text in held) > 0.5 * len(held)


def likeness(column: Column) -> float:
    """How much a column looks like a field that people would want."""
    score = 2 * column.coverage
    if column.label:
        score += 0.9 if column.label.endswith(":") else 0.5
    if column.drifting:
        score -= 1.5
    if column.tags and column.single:
        score += HEADINGS.get(column.tags[0].name, 0.0)
    marked = any(tag.get("itemprop") or tag.get("property") for tag in column.tags)
    if marked:
        score += 0.6
    elif any(tag.get("id") or tag.get("class") for tag in column.tags[:1]):
        score += 0.15
    counts = column.node_counts
    if not column.single:
        mean = sum(counts) / len(counts)
        if not column.homogeneous:
            score -= 1.5
        elif column.is_text:
            score += 0.1
        elif min(counts) == max(counts):
            score += 0.1 if mean > 2 else -1.0
        else:
            score -= 0.1 + 0.04 * mean
    if _tells_its_kind(column):
        score += 0.3
    if column.in_title > SURELY_IN_TITLE and column.distinct > 0.5 * len(column.node_counts):
        score += 1.0
    if column.partial:
        # One paragraph of a text is less than the text.
        score -= 1.4 if column.candidate.flowing else 0.9
    if column.element is not None:
        score += 0.1 if column.single else 0.5
    if not (column.label or marked):
        score -= max(0.0, column.commonest_share - 0.3)
    score += 0.3 * min(1.0, column.distinct / max(1, len(counts)))
    score -= 0.4 * column.position
    return score


def _overlaps(column: Column, covered: list[set[int]]) -> bool:
    held = taken = 0
    for page, extent in enumerate(column.candidate.extents):
        if extent is not None:
            held += extent.last - extent.first
            taken += sum(node in covered[page] for node in range(extent.first, extent.last))
    return taken > 0.1 * held


def _repeats(column: Column, seen: list[list[tuple[str, ...]]]) -> bool:
    """Whether the same values are already there from another place."""
    values = [tuple(value) for value in column.values]
    pages = sum(map(bool, values))
    for other in seen:
        same = sum(
            bool(mine) and mine == theirs for mine, theirs in zip(values, other, strict=True)
        )
        if same >= 0.9 * pages:
            return True
    return False


def _says_again(column: Column, other: Column) -> bool:
    """Whether it is the value of another column with the same words around it: "Statistics of Springfield College"."""
    if not column.single or any(tag.name == "title" for tag in column.tags):
        return False
    around = set()
    for mine, theirs in zip(column.values, other.values, strict=True):
        if mine and (not theirs or theirs[0] not in mine[0]):
            return False
        if mine:
            around.add(mine[0].replace(theirs[0], "", 1))
        if len(around) > 1:
            return False
    return len(column.node_counts) >= LEAST_TO_COMPARE


def _tells_its_kind(column: Column) -> bool:
    """Whether anybody sees what its values are, whatever the page calls them: telephone numbers, prices, dates."""
    if not column.single:
        return False
    texts = [text for value in column.values for text in value]
    return bool(texts) and any(
        sum(len(text) <= LONGEST_OF_A_KIND and is_kind(text, kind) for text in texts)
        >= KIND_SHARE * len(texts)
        for kind in TELLING_KINDS
    )
