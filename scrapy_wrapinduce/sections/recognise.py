"""Tell documents of sections from other pages.

A sectioned document is mostly one row of sections: at least four long ones, or six of the same names on several pages,
hold most of its text under one element. Detail pages keep their few headed boxes apart and are half links; in a list of
results, the headings lead elsewhere.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..errors import CannotInduce
from .runs import read
from .structure import learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..page import Page
    from .document import Document, Run
    from .parse import Section

_PAGES = 4
_LEAST_SECTIONS = 4
_LEAST_RECURRING = 6  # the boxes of a product, such as its facts and reviews, are fewer
_MOST_TEXT = 0.7
_FEW_LINKS = 0.3
_LEAST_TEXT = 500
_SOME_RECUR = 0.3
_CHAPTER = 600
_MEAN_RUN = 15  # of characters: the cells of tables are shorter, text is longer


def looks_sectioned(pages: Sequence[Page]) -> bool:
    """Whether pages are documents of headed sections, which the family "sections" reads best.

    >>> from scrapy_wrapinduce.page import Page
    >>> looks_sectioned([Page("<h1>A kettle</h1><p>Boils water.</p>")])
    False
    """
    pages = pages[:_PAGES]
    try:
        wrapper = learn(pages)
    except CannotInduce:
        return False
    documents = [read(page, wrapper.classes.__contains__) for page in pages]
    tops = [wrapper.sections(document) for document in documents]
    names = Counter(name for page in tops for name in {section.name for section in page})
    recurring = {name for name, count in names.items() if count > 1}
    sectioned = sum(_is_sectioned(*page, recurring) for page in zip(documents, tops, strict=True))
    return 2 * sectioned > len(pages)


def _is_sectioned(document: Document, tops: list[Section], recurring: set[str]) -> bool:
    everything = sum(len(run.text) for run in document.runs)
    said = _length(document.runs)
    if everything < _LEAST_TEXT or everything - said > _FEW_LINKS * everything:
        return False
    if said < _MEAN_RUN * sum(not run.linked for run in document.runs):
        return False
    rows: dict[int, list[Section]] = {}
    for section in tops:
        rows.setdefault(_around(document, section), []).append(section)
    for row in rows.values():
        leading_away = sum(section.heading.leads_away for section in row)
        held = sum(_length(document.runs[section.run : section.end]) for section in row)
        if len(row) < _LEAST_SECTIONS or held < _MOST_TEXT * said or 2 * leading_away >= len(row):
            continue
        # Names of their own on every page are those of chapters, or of the results in a list.
        known = sum(section.name in recurring for section in row)
        recur = known >= _SOME_RECUR * len(row) and len(row) >= _LEAST_RECURRING
        if recur or held >= _CHAPTER * len(row):
            return True
    return False


def _length(runs: Sequence[Run]) -> int:
    """The length of text that is not a link."""
    return sum(len(run.text) for run in runs if not run.linked)


def _around(document: Document, section: Section) -> int:
    """The element that a section is one part of, as opposed to the element that is the section."""
    elements = document.elements
    at = section.heading.element
    while (
        elements[at].parent >= 0
        and elements[at].first >= section.run
        and elements[at].last <= section.end
    ):
        at = elements[at].parent
    return at
