"""Learn a source's section structure from several of its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import CannotInduce
from .corrections import parse_corrections
from .document import classes
from .extents import extents
from .grammar import ROOT, Rule, grammar
from .headings import COLON, candidates, is_heading_style, judge
from .hierarchy import rank_styles
from .parse import HeadingStyle, find, own_text
from .runs import read
from .subfields import labelled, recurring_labels
from .wrapper import SectionsWrapper, with_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..page import Page
    from .corrections import Correction
    from .document import Document, Kinds
    from .extents import Found
    from .headings import Evidence
    from .parse import Section

_COMMON_CLASS = 0.4
_MOST_STYLES = 40


def known_classes(pages: Sequence[Page]) -> frozenset[str]:
    """The class names that belong to the template: those many pages use, and not for the page as a whole.

    A class that all elements of a kind have on some pages and none has on others, as the colour of a region, says
    something of the page and nothing of the element.
    """
    kinds = [classes(page) for page in pages]
    counts = Counter(
        name for here in kinds for name in {name for _, names in here for name in names}
    )
    always = {name for name, count in counts.items() if count == len(pages)}
    sometimes = {
        name
        for name, count in counts.items()
        if name not in always and count >= _COMMON_CLASS * len(pages)
    }
    return frozenset(always | {name for name in sometimes if not _of_pages(name, kinds, always)})


def _of_pages(name: str, kinds: Sequence[Kinds], always: set[str]) -> bool:
    bases = {(tag, names & always) for here in kinds for tag, names in here if name in names}
    for tag, common in bases:
        if not common:
            continue
        uses = [
            {name in names for t, names in here if t == tag and names & always == common}
            for here in kinds
        ]
        if all(len(use) == 1 for use in uses) and {True, False} == set().union(*uses):
            return True
    return False


def template_styles(
    documents: Sequence[Document], headings: Sequence[Sequence[Found]]
) -> frozenset[str]:
    """Styles of text that says nothing about the page: the same under a heading on every page, as in a tooltip, the
    same under every heading of a page, as the page's name repeated, or the same wherever it stands."""
    under: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    page_texts: dict[str, list[list[str]]] = defaultdict(list)
    for document, here in zip(documents, headings, strict=True):
        names = {heading.run: heading.name for heading in here}
        name = ""
        texts: dict[str, list[str]] = defaultdict(list)
        for index, run in enumerate(document.runs):
            if index in names:
                name = names[index]
            elif name:
                under[run.style][name].append(run.text)
                texts[run.style].append(run.text)
        for style, found in texts.items():
            page_texts[style].append(found)
    ignored = set()
    for style, by_name in under.items():
        repeated = [texts for texts in by_name.values() if len(texts) > 1]
        same = sum(max(Counter(texts).values()) for texts in repeated)
        if len(repeated) > 2 and same >= 0.9 * sum(map(len, repeated)):
            ignored.add(style)
        if (
            len(page_texts[style]) > 2
            and len({text for page in page_texts[style] for text in page}) == 1
        ):
            ignored.add(style)
        several = [texts for texts in page_texts[style] if len(texts) > 2]
        if len(several) > 0.5 * len(documents) and all(len(set(texts)) == 1 for texts in several):
            ignored.add(style)
    return frozenset(ignored)


def _closed(
    documents: Sequence[Document],
    headings: Sequence[Sequence[Found]],
    ignored: frozenset[str],
) -> set[str]:
    """The styles whose sections end with the heading's own line or element."""
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for document, here in zip(documents, headings, strict=True):
        starts = {heading.run for heading in here}
        for heading, (own, around, limit) in zip(here, extents(document, here), strict=True):
            total[heading.style] += 1
            says = [
                index not in starts and run.style not in ignored
                for index, run in enumerate(
                    document.runs[heading.run + 1 : min(around, limit)], heading.run + 1
                )
            ]
            kept = own - heading.run - 1
            inside[heading.style] += bool(heading.label) or any(says[:kept])
            outside[heading.style] += any(says[kept:])
    return {
        style
        for style, count in total.items()
        if inside[style] >= 0.8 * count and outside[style] < 0.5 * count
    }


def structure(
    documents: Sequence[Document], corrections: Sequence[Correction] = ()
) -> tuple[dict[str, HeadingStyle], frozenset[str], frozenset[str]]:
    """The heading styles of some documents, the styles of template text and those of the page's title."""
    judged = judge(documents)
    forced = _styles_of(documents, corrections, "style") & set(judged)
    plain = _styles_of(documents, corrections, "plain")
    evidence = {
        style: found
        for style, found in judged.items()
        if style in forced or (style not in plain and is_heading_style(found, len(documents)))
    }
    # Styles are compared by pairs; no document for people has more than a few dozen.
    evidence = dict(sorted(evidence.items(), key=lambda item: -item[1].count)[:_MOST_STYLES])
    once = {style: found for style, found in evidence.items() if _is_title(found)}
    # The same on every page, it is not the page's title; and it does not divide the page either.
    titles = frozenset(
        style for style, found in once.items() if len(documents) == 1 or found.recurring < 0.5
    )
    evidence = {style: found for style, found in evidence.items() if style not in once}
    flat = {style: HeadingStyle(style, 0) for style in evidence}
    headings = [find(document, flat) for document in documents]
    ignored = template_styles(documents, headings) - set(evidence)
    ranks = rank_styles(evidence, documents, headings, ignored)
    vocabulary = _vocabulary(headings)
    styles = {
        style: HeadingStyle(
            style,
            ranks[style],
            names=vocabulary.get(style, frozenset()) if _closed_list(found, judged) else None,
        )
        for style, found in evidence.items()
    }
    headings = [find(document, styles) for document in documents]
    used = {heading.style for here in headings for heading in here}
    closed = _closed(documents, headings, ignored)
    styles = {
        style: HeadingStyle(style, known.rank, style in closed, known.names)
        for style, known in styles.items()
        if style in used
    }
    return styles, ignored, titles


def _styles_of(
    documents: Sequence[Document], corrections: Sequence[Correction], kind: str
) -> set[str]:
    """The styles that texts named in corrections are set in; of several, the one they most often are."""
    styles: set[str] = set()
    for name in [
        correction.path[-1].lower() for correction in corrections if correction.kind == kind
    ]:
        found = Counter(
            style
            for document in documents
            for candidate in candidates(document)
            if candidate.name.lower() == name
            for style in (candidate.style, candidate.context)
        )
        if not found:
            raise CannotInduce(
                f"a correction says {kind} {name}, but no page has a text of that name"
            )
        most = max(found.values())
        styles.update(style for style, count in found.items() if count == most)
    return styles


def _is_title(evidence: Evidence) -> bool:
    return evidence.style[:2] in ("h1", "h2") and evidence.count <= 1.05 * evidence.pages


def _closed_list(evidence: Evidence, judged: Mapping[str, Evidence]) -> bool:
    """Whether only names seen before are headings: where "label:" opens some lines of a style that others have too."""
    style = evidence.style
    if not style.endswith(COLON):
        return False
    base = judged.get(style.removesuffix(COLON))
    return evidence.recurring < 0.9 or (base is not None and evidence.count < 0.8 * base.count)


def _vocabulary(headings: Sequence[Sequence[Found]]) -> Mapping[str, frozenset[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for here in headings:
        for style, name in {(heading.style, heading.name.lower()) for heading in here}:
            counts[style][name] += 1
    return {
        style: frozenset(name for name, count in names.items() if count > 1)
        for style, names in counts.items()
    }


def learn(pages: Sequence[Page], corrections: str | Iterable[str] | None = None) -> SectionsWrapper:
    """The section structure that some pages of a source share, headings and nesting.

    ``corrections`` is the text or the lines of a corrections file. Raises :class:`CannotInduce` where nothing on
    the pages is a heading.
    """
    if not pages:
        raise CannotInduce("no pages to learn sections from: give at least one")
    steps = parse_corrections(corrections or ())
    known = known_classes(pages)
    documents = read_all(pages, known)
    styles, ignored, titles = structure(documents, steps)
    if not styles:
        raise no_headings(pages)
    wrapper = SectionsWrapper(
        tuple(styles.values()), Rule(ROOT), known, ignored, titles, corrections=steps
    )
    tops = [wrapper.sections(document) for document in documents]
    return replace(wrapper, grammar=grammar(tops), labels=_labels(tops, ignored))


def _labels(
    pages: Sequence[Sequence[Section]], ignored: frozenset[str]
) -> dict[str, frozenset[str]]:
    """By path, the labels that split the text of a section on most of the pages that have it."""
    texts: dict[str, list[str]] = defaultdict(list)
    for tops in pages:
        for path, section in with_paths(tops):
            if text := own_text(section, ignored):
                texts[".".join(path).lower()].append(text)
    labels = {}
    for place, found in texts.items():
        names = recurring_labels(found)
        if names and 2 * sum(bool(labelled(text, names)) for text in found) >= len(found):
            labels[place] = names
    return labels


def read_all(pages: Sequence[Page], known: frozenset[str]) -> list[Document]:
    return [read(page, known.__contains__) for page in pages]


def no_headings(pages: Sequence[Page]) -> CannotInduce:
    where = pages[0].url or "the page" if len(pages) == 1 else f"any of the {len(pages)} pages"
    return CannotInduce(
        f"no headings found on {where}: nothing there is a short text that opens a section"
    )
