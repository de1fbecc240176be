"""One template of a report: what it gave, its fields, pages, items and structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ..wrapper import Extraction
from .figures import FieldFigures, texts_of
from .highlight import Hues, View, hue_of, hues, rendered, source
from .landmarks import landmark_starts
from .plots import line, strip
from .subject import Figures, ReportPage, Subject, figures_of
from .tree import structure

LONGEST_CELL = 160


@dataclass(frozen=True)
class Limits:
    """How much of every template is shown, so that the whole stays quick."""

    pages: int = 6
    characters: int = 400_000  # of a page as it looks
    source: int = 400_000  # characters of its source
    rows: int = 300
    nodes: int = 3000


@dataclass(frozen=True)
class Section:
    """A template, ready to be written."""

    key: str
    subject: Subject
    figures: Figures
    html: str


def make_section(key: str, subject: Subject, limits: Limits) -> Section:
    """Everything about one template."""
    if subject.run is not None:
        # The crawl has counted: only what is shown has to be read again.
        subject = replace(subject, pages=subject.pages[: limits.pages])
    extractions = [subject.wrapper.extract(named.page) for named in subject.pages]
    figures = figures_of(subject, extractions)
    colours = hues([item.name for item in figures.fields])
    parts = [
        ("fields", "Fields", _fields(figures, colours)),
        ("pages", "Pages", _pages(key, subject, extractions, colours, limits)),
        ("items", "Items", _items(subject, figures, limits.rows)),
        ("structure", "How it reads", structure(subject.wrapper, colours, limits.nodes)),
        ("failures", "What did not match", _failures(figures, limits.rows)),
    ]
    links = "".join(f'<li><a href="#{key}-{part}">{label}</a></li>' for part, label, _ in parts)
    body = "".join(
        f'<section id="{key}-{part}" aria-labelledby="{key}-{part}-title">'
        f'<h3 id="{key}-{part}-title">{label}</h3>{content}</section>'
        for part, label, content in parts
    )
    html = (
        f'<nav class="parts" aria-label="Parts of {escape(subject.name)}"><ul>{links}</ul></nav>'
        f"{_notes(figures)}{_cards(subject, figures)}{_over_time(figures)}{body}"
    )
    return Section(key, subject, figures, html)


def cards(numbers: Sequence[tuple[str, str]]) -> str:
    """Numbers with their labels."""
    return (
        '<dl class="cards">'
        + "".join(
            f"<div><dt>{label}</dt><dd>{escape(value)}</dd></div>" for label, value in numbers
        )
        + "</dl>"
    )


def learned_words(subject: Subject) -> str:
    """What a wrapper was learned from, and in how long."""
    stored = subject.stored
    if stored is None or not stored.pages:
        return ""
    took = f" in {stored.seconds:.1f} s" if stored.seconds else ""
    when = f", {stored.learned[:10]}" if stored.learned else ""
    return f"{count(stored.pages, 'page')}{took}{when}"


def _notes(figures: Figures) -> str:
    return "".join(f'<p class="note">{escape(str(note))}</p>' for note in figures.notes)


def _cards(subject: Subject, figures: Figures) -> str:
    learned = learned_words(subject)
    return cards(
        [
            ("family", subject.wrapper.family),
            ("fields", str(len(figures.fields))),
            ("pages", f"{figures.pages:,}"),
            ("items", f"{figures.records:,}"),
            ("coverage", f"{100 * figures.coverage:.0f}%"),
            ("not found", f"{sum(number for _, _, number in figures.failures):,}"),
        ]
    ) + (f'<p class="learned">Learned from {escape(learned)}.</p>' if learned else "")


def _over_time(figures: Figures) -> str:
    history = [float(run.get("coverage", 0.0)) for run in figures.history]
    days = [str(run.get("ended", ""))[:16].replace("T", " ") for run in figures.history]
    label = "Coverage over the run" if figures.history else "Coverage, page by page"
    plots = [f"<figure><figcaption>{label}</figcaption>{strip(figures.over, label)}</figure>"]
    if len(history) > 1:
        said = f"Coverage over the last {len(history)} runs"
        plots.append(
            f"<figure><figcaption>{said}</figcaption>{line(history, said)}"
            f'<p class="ends"><span>{escape(days[0])}</span><span>{escape(days[-1])}</span></p></figure>'
        )
    return f'<div class="plots">{"".join(plots)}</div>'


def _fields(figures: Figures, colours: Hues) -> str:
    with_history = len(figures.history) > 1
    rows = "".join(_field(item, colours, with_history) for item in figures.fields)
    labels = ["field", "coverage", "distinct", "over the pages", "values", "not found"]
    if with_history:
        labels.insert(4, "over the runs")
    head = "".join(f'<th scope="col">{label}</th>' for label in labels)
    if not rows:
        return '<p class="empty">This wrapper has no fields.</p>'
    return _wide("fields", f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>", "fields")


def _field(item: FieldFigures, colours: Hues, with_history: bool) -> str:
    samples = "".join(f"<li>{escape(short(text))}</li>" for text in item.samples)
    reasons = "".join(
        f"<li>{escape(short(reason))} ×{number}</li>" for reason, number in item.reasons
    )
    over = strip(item.by_page, f"{item.name}: share of records, page by page", item.coverage)
    history = (
        f"<td>{strip(item.history, f'{item.name}: share of records, run by run', max(item.history, default=1.0))}</td>"
        if with_history
        else ""
    )
    return (
        f'<tr><th scope="row"><span class="chip" style="--hue:{colours[item.name]}">'
        f"{escape(item.name)}</span></th>"
        f'<td class="number">{100 * item.coverage:.0f}%'
        f'<span class="bar" aria-hidden="true"><span style="width:{100 * item.coverage:.0f}%"></span></span></td>'
        f'<td class="number">{item.distinct:,}</td><td>{over}</td>{history}'
        f'<td class="text"><ul>{samples}</ul></td>'
        f'<td class="text">{f"<ul>{reasons}</ul>" if reasons else ""}</td></tr>'
    )


def _pages(
    key: str, subject: Subject, extractions: Sequence[Extraction], colours: Hues, limits: Limits
) -> str:
    shown = list(zip(subject.pages, extractions, strict=True))[: limits.pages]
    pieces = [
        _page(f"{key}-page-{number}", subject, named, extraction, colours, limits, not number)
        for number, (named, extraction) in enumerate(shown)
    ]
    if subject.changed and limits.pages > 1:
        pieces.append("<h4>Pages that were read worst</h4>")
        pieces += [
            _page(f"{key}-changed-{number}", subject, named, subject.wrapper.extract(named.page),
                  colours, limits, False)
            for number, named in enumerate(subject.changed[: max(1, limits.pages // 2)])
        ]  # fmt: skip
    return "".join(pieces) or '<p class="empty">No pages of this template were kept.</p>'


def _page(
    key: str,
    subject: Subject,
    named: ReportPage,
    extraction: Extraction,
    colours: Hues,
    limits: Limits,
    is_open: bool,
) -> str:
    places = extraction.places
    landmarks = landmark_starts(subject.wrapper, named.page)
    view = View(colours, landmarks=landmarks, longest=limits.characters)
    source_view = View(colours, longest=limits.source)
    found = list(dict.fromkeys(place.field for place in places))
    chips = "".join(
        f'<li class="chip" style="--hue:{hue_of(name, colours)}">{escape(name)}</li>'
        for name in found
    )
    # In an attribute only these two characters mean something.
    frame = rendered(named.page, places, view).replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<details class="page" id="{key}"{" open" if is_open else ""}>'
        f"<summary><span>{escape(named.name)}</span> <small>{count(len(extraction.records), 'record')}, "
        f"{100 * extraction.coverage:.0f}% coverage</small></summary>"
        f'<ul class="chips" aria-label="Fields on this page">{chips}</ul>'
        f'<iframe sandbox loading="lazy" title="{escape(named.name)} as it looks" srcdoc="{frame}">'
        f"</iframe><details><summary>Source</summary>"
        f'<pre class="source" tabindex="0" role="region" aria-label="Source of {escape(named.name)}">'
        f"{source(named.page, places, source_view)}</pre></details></details>"
    )


def _items(subject: Subject, figures: Figures, most: int) -> str:
    if not figures.items:
        return '<p class="empty">No items.</p>'
    items = [(page, subject.wrapper.item(record, page)) for page, record in figures.items[:most]]
    names = list(dict.fromkeys(name for _, item in items for name in item))
    rows = []
    for page, item in items:
        cells = "".join(f"<td>{escape(_cell(item.get(name)))}</td>" for name in names)
        rows.append(f'<tr><th scope="row">{escape(short(page))}</th>{cells}</tr>')
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ["page", *names])
    table = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return _wide("items", table, "items") + _more(figures.records - len(rows))


def _failures(figures: Figures, most: int) -> str:
    rows = [
        f"<li>{escape(short(text))}{f' ×{number:,}' if number > 1 else ''} "
        f"<small>{escape(short(where))}</small></li>"
        for text, where, number in figures.failures
    ]
    if not rows:
        return '<p class="empty">Everything found its place.</p>'
    return f'<ul class="failures">{"".join(rows[:most])}</ul>{_more(len(rows) - most)}'


def _more(number: int) -> str:
    return f'<p class="more">{number:,} more are not shown.</p>' if number > 0 else ""


def _wide(label: str, table: str, kind: str) -> str:
    """A table that scrolls by itself, also with the keyboard."""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="Table of {label}">'
        f'<table class="{kind}">{table}</table></div>'
    )


def count(number: int, word: str) -> str:
    """
    >>> count(1, "record"), count(2, "record")
    ('1 record', '2 records')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _cell(value: Any) -> str:
    return short(" · ".join(texts_of(value)))


def short(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
