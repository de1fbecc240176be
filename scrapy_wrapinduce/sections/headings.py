"""Find the styles that headings are set in, across several pages of a source.

A heading is what recurs before varying text. Single headings are hard to tell from bold words; a style is judged by
all texts set in it: do they open a line, are they short, do they recur on other pages, does text that does *not*
recur follow them? Heading tags, bold, italics, upper case and trailing colons need less of that evidence than a
class name. (Ashish and Knoblock 1997, section 2.1.1 and Table 1, which judges every text of a single page alone.)
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from statistics import mean
from typing import TYPE_CHECKING

from .document import WHOLE, link_lists
from .extents import Found, extents
from .subfields import labelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .document import Document, Run

COLON = "|:"
HEADING_TAG = 3
MAX_WORDS = 12
MAX_LENGTH = 100
_EMPHASIS = frozenset("b strong i em u big font".split())
_HEADING_TAG = re.compile(r"h[1-6]\b")
_NUMBER = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}\.|[A-Z](?:\.\d{1,3})+\.?|[A-Z]\.)\s+(?=[^\W\d])"
)
_COUNT = re.compile(r"\s*[(\[]\d{1,6}[)\]]\s*$")
_EDGES = re.compile(r"^[\W_]+|[^\w)\]+%]+$")
_NOT_WORD = re.compile(r"\W+")
_TAG = re.compile(r"[\w-]*")
_WINDOW = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be a heading: run ``run`` of its document, or the first ``label`` characters of it."""

    run: int
    name: str
    style: str
    context: str
    label: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against a style being one of headings; all but ``pages`` and ``count`` are fractions."""

    style: str
    pages: int
    count: int
    recurring: float
    leading: float
    short: float
    alone: float
    followed: float
    varying: float
    distinct: float


@lru_cache(maxsize=1 << 14)
def heading_name(text: str) -> str:
    """A heading's text as a name: numbering, counts and punctuation around it left out.

    >>> heading_name("2.1. Debt - external (4):")
    'Debt_external'
    """
    text = _NUMBER.sub("", _EDGES.sub("", text), count=1)
    text = _EDGES.sub("", _COUNT.sub("", text))
    return _NOT_WORD.sub("_", text).strip("_")


def numbering(text: str) -> int:
    """How deep a heading's own number says it is: 2 for "3.1 Scope", 0 without a number."""
    found = _NUMBER.match(text)
    return len([part for part in found[0].strip().split(".") if part]) if found else 0


def candidates(
    document: Document, skip: frozenset[int] | set[int] = frozenset()
) -> Iterator[Candidate]:
    """Every text of a page that could be a heading if its style is one of headings."""
    text_file = document.is_preformatted
    for index, run in enumerate(document.runs):
        if index in skip or (run.preformatted and not text_file):
            continue
        several = ";" in run.text and labelled(run.text)
        if run.label and emphasis(run.style) < 2 and not several:
            name = heading_name(run.text[: run.label])
            yield Candidate(index, name, run.style + COLON, run.context + COLON, run.label)
        colon = (
            COLON
            if run.text.endswith(":") and not set(".>") & set(run.style) and not emphasis(run.style)
            else ""
        )
        yield Candidate(index, heading_name(run.text), run.style + colon, run.context + colon)


def is_short(run: Run) -> bool:
    """Whether a text is short enough for a heading; one that is marked up as such may take two lines."""
    lines = 2 if emphasis(run.style) > 1 else 1
    return len(run.text) <= MAX_LENGTH * lines and len(run.text.split()) <= MAX_WORDS * lines


@lru_cache(maxsize=1 << 12)
def emphasis(style: str) -> int:
    """How loudly a style says that it is one of headings: 3 by heading tags, 2 by bold type, terms of lists, upper
    case or lines set off in a text file, 1 by italics, 0 by nothing."""
    names = [_tag(name) for name in style.removesuffix(COLON).split(">")]
    if _HEADING_TAG.match(names[0]):
        return HEADING_TAG
    if names[0] in WHOLE:
        return 0 if ":head" in style else 2
    set_off = style.endswith(("^", "!")) and names[0] not in ("td", "th")
    if set_off or not _EMPHASIS.isdisjoint(set(names) - {"i", "em"}):
        return 2
    return 1 if {"i", "em"} & set(names) else 0


def _tag(name: str) -> str:
    found = _TAG.match(name)
    return found[0] if found else name


def judge(documents: Sequence[Document]) -> dict[str, Evidence]:
    """The evidence for every style that occurs in the documents."""
    by_style: dict[str, list[list[Candidate]]] = defaultdict(lambda: [[] for _ in documents])
    for number, document in enumerate(documents):
        for candidate in candidates(document, link_lists(document)):
            by_style[candidate.style][number].append(candidate)
    for style in list(by_style):
        if parts := _by_context(by_style[style]):
            del by_style[style]
            by_style.update(parts)
    on_pages = Counter(
        text for document in documents for text in {run.text for run in document.runs}
    )
    rare = max(1, len(documents) // 4)
    return {
        style: _evidence(style, found, documents, on_pages, rare)
        for style, found in by_style.items()
    }


def _by_context(found: list[list[Candidate]]) -> dict[str, list[list[Candidate]]]:
    """The candidates of a style apart by the block around them, if different names stand in each block."""
    parts: dict[str, list[list[Candidate]]] = defaultdict(lambda: [[] for _ in found])
    for number, here in enumerate(found):
        for candidate in here:
            parts[candidate.context][number].append(candidate)
    kinds = Counter(
        name
        for part in parts.values()
        for name in {candidate.name for here in part for candidate in here}
    )
    if len(parts) < 2 or sum(1 for count in kinds.values() if count > 1) > 0.1 * len(kinds):
        return {}
    total = sum(map(len, found))
    common = [part for part in parts.values() if sum(map(len, part)) >= 0.05 * total]
    spread = [_distinct(part) for part in common]
    return dict(parts) if spread and max(spread) - min(spread) > 0.5 else {}


def _distinct(found: list[list[Candidate]]) -> float:
    return mean(len({candidate.name for candidate in here}) / len(here) for here in found if here)


def _evidence(
    style: str,
    found: list[list[Candidate]],
    documents: Sequence[Document],
    on_pages: Counter[str],
    rare: int,
) -> Evidence:
    names = Counter(
        name.lower() for here in found for name in {candidate.name for candidate in here}
    )
    often = max(2, len(documents) // 5)
    colons = sum(
        documents[number].runs[one.run].text.endswith(":")
        for number, here in enumerate(found)
        for one in here
    )
    # A short link before other links is one of a menu; only text shows that a quiet style heads something.
    quiet = emphasis(style) < 2 and 2 * colons < sum(map(len, found))
    leading = short = alone = followed = count = 0
    beside: dict[str, set[str]] = defaultdict(set)
    says_own: list[tuple[str, bool]] = []
    for document, here in zip(documents, found, strict=True):
        reach = extents(
            document, [Found(one.run, one.name, style, label=one.label) for one in here]
        )
        for candidate, (own, around, limit) in zip(here, reach, strict=True):
            run = document.runs[candidate.run]
            end = min(max(own, around), limit, candidate.run + _WINDOW)
            body = document.runs[candidate.run + (not candidate.label) : end]
            alone += run.leads and not candidate.label and not (body and body[0].line == run.line)
            count += 1
            leading += run.leads or (
                bool(emphasis(style) or "." in style) and run.text.endswith(":")
            )
            short += any(map(str.isalpha, candidate.name)) and (
                bool(candidate.label) or is_short(run)
            )
            followed += bool(body)
            on_own = any(
                on_pages[other.text] <= rare and not (quiet and other.linked) for other in body
            )
            name = candidate.name.lower()
            says_own.append((name, on_own))
            if not quiet:
                beside[name].add(
                    " ".join(other.text for other in document.runs[candidate.run + 1 : own])
                )
    return Evidence(
        style,
        sum(map(bool, found)),
        count,
        # By pages, so that one page full of headings of its own does not outweigh the others.
        mean(mean(names[one.name.lower()] >= often for one in here) for here in found if here),
        leading / count,
        short / count,
        alone / count,
        followed / count,
        sum(on_own or len(beside[name]) > 1 for name, on_own in says_own) / count,
        _distinct(found),
    )


def is_heading_style(evidence: Evidence, pages: int) -> bool:
    """Whether a style is one of headings, given the number of pages that were looked at."""
    if evidence.leading < 0.8 or evidence.short < 0.8 or evidence.followed < 0.5:
        return False
    loud = emphasis(evidence.style)
    if pages == 1:
        return loud == HEADING_TAG or (loud >= 1 and evidence.alone >= 0.8 and evidence.count > 1)
    if loud == HEADING_TAG:
        return evidence.varying >= 0.3
    if evidence.varying < 0.5:
        return False
    if loud >= 1:
        set_off = evidence.alone >= 0.8 and loud == 2 and evidence.count >= 2 * evidence.pages
        return evidence.recurring >= 0.5 or set_off
    widespread = evidence.pages >= max(2, pages / 3)
    # What stands once on each page is rather its date or a caption.
    return widespread and evidence.recurring >= 0.7 and evidence.count >= 2 * evidence.pages
