"""Put a report together: one HTML file, without scripts and without the network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

from ..page import Page
from ..wrapper import Extraction, Wrapper
from .figures import FieldFigures, all_fields, field_figures, texts_of
from .highlight import POLICY, Hues, hues, rendered, source
from .tree import structure

MOST_ROWS = 300
LONGEST_CELL = 160
PAGES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page and the name it goes by."""

    name: str
    page: Page


def build_report(
    wrapper: Wrapper, pages: Sequence[ReportPage], title: str = "wrapper", shown: int = PAGES_SHOWN
) -> str:
    """The report of what a wrapper reads on pages; the first ``shown`` of them are drawn."""
    extractions = [wrapper.extract(named.page) for named in pages]
    names = all_fields(wrapper.fields, extractions)
    colours = hues(names)
    figures = field_figures(names, extractions)
    sections = [
        ("summary", "Summary", _summary(wrapper, extractions, figures)),
        ("fields", "Fields", _fields(figures, colours)),
        ("pages", "Pages", _pages(pages[:shown], extractions, colours)),
        ("items", "Items", _items(pages, extractions, names)),
        ("structure", "How it reads", structure(wrapper, colours)),
        ("failures", "What did not match", _failures(pages, extractions)),
    ]
    links = "".join(f'<a href="#{key}">{label}</a>' for key, label, _ in sections)
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-title">'
        f'<h2 id="{key}-title">{label}</h2>{content}</section>'
        for key, label, content in sections
    )
    style = files(__package__).joinpath("assets/report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} – wrapinduce report</title><style>{style}</style></head><body>"
        '<a class="skip" href="#summary">Skip to the report</a>'
        f"<header><h1>{escape(title)}</h1><nav aria-label='Sections'>{links}</nav></header>"
        f"<main>{body}</main></body></html>\n"
    )


def _summary(
    wrapper: Wrapper, extractions: Sequence[Extraction], figures: Sequence[FieldFigures]
) -> str:
    records = sum(len(extraction.records) for extraction in extractions)
    coverage = sum(extraction.coverage for extraction in extractions) / max(1, len(extractions))
    numbers = [
        ("family", wrapper.family),
        ("fields", str(len(figures))),
        ("pages", str(len(extractions))),
        ("items", str(records)),
        ("coverage", f"{100 * coverage:.0f}%"),
        ("failures", str(sum(len(extraction.failures) for extraction in extractions))),
    ]
    cards = "".join(
        f"<div><dt>{label}</dt><dd>{escape(value)}</dd></div>" for label, value in numbers
    )
    bars = _strip([extraction.coverage for extraction in extractions], "coverage, page by page")
    return f'<dl class="cards">{cards}</dl>{bars}'


def _fields(figures: Sequence[FieldFigures], colours: Hues) -> str:
    rows = []
    for item in figures:
        samples = "<br>".join(escape(_short(text)) for text in item.samples)
        reasons = "<br>".join(f"{escape(reason)} ×{count}" for reason, count in item.reasons)
        rows.append(
            f'<tr><th scope="row"><span class="chip" style="--hue:{colours[item.name]}">'
            f"{escape(item.name)}</span></th>"
            f'<td class="number">{100 * item.coverage:.0f}%'
            f'<meter min="0" max="1" value="{item.coverage:.3f}">{item.coverage:.2f}</meter></td>'
            f'<td class="number">{item.distinct}</td>'
            f"<td>{_strip(item.by_page, f'{item.name}: share of records, page by page')}</td>"
            f"<td>{samples}</td><td>{item.failures or ''} {reasons}</td></tr>"
        )
    head = "".join(
        f'<th scope="col">{label}</th>'
        for label in ("field", "coverage", "distinct", "over the pages", "values", "failures")
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _pages(pages: Sequence[ReportPage], extractions: Sequence[Extraction], colours: Hues) -> str:
    if not pages:
        return "<p>none</p>"
    pieces = []
    for number, (named, extraction) in enumerate(zip(pages, extractions, strict=False)):
        places = extraction.places
        found = list(dict.fromkeys(place.field for place in places))
        chips = "".join(
            f'<span class="chip" style="--hue:{colours.get(name, 0)}">{escape(name)}</span> '
            for name in found
        )
        frame = escape(rendered(named.page, places, colours))
        pieces.append(
            f'<details class="page"{" open" if not number else ""} id="page-{number}">'
            f"<summary>{escape(named.name)} <small>{_count(len(extraction.records), 'record')}, "
            f"{100 * extraction.coverage:.0f}% coverage</small></summary><p>{chips}</p>"
            f'<iframe sandbox loading="lazy" title="{escape(named.name)} as it looks" srcdoc="{frame}">'
            f"</iframe><details><summary>source</summary>"
            f'<pre class="source" tabindex="0">{source(named.page, places, colours)}</pre>'
            "</details></details>"
        )
    return "".join(pieces)


def _items(
    pages: Sequence[ReportPage], extractions: Sequence[Extraction], names: Sequence[str]
) -> str:
    rows = []
    for named, extraction in zip(pages, extractions, strict=True):
        for record in extraction.records:
            cells = "".join(f"<td>{escape(_cell(record.get(name)))}</td>" for name in names)
            rows.append(f'<tr><th scope="row">{escape(named.name)}</th>{cells}</tr>')
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ["page", *names])
    more = f"<p>{len(rows) - MOST_ROWS} more are not shown.</p>" if len(rows) > MOST_ROWS else ""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="Items"><table><thead><tr>{head}</tr>'
        f"</thead><tbody>{''.join(rows[:MOST_ROWS])}</tbody></table></div>{more}"
    )


def _failures(pages: Sequence[ReportPage], extractions: Sequence[Extraction]) -> str:
    rows = [
        f"<li>{escape(named.name)}: {escape(str(failure))}</li>"
        for named, extraction in zip(pages, extractions, strict=True)
        for failure in extraction.failures
    ]
    if not rows:
        return "<p>Everything found its place.</p>"
    more = f"<p>{len(rows) - MOST_ROWS} more are not shown.</p>" if len(rows) > MOST_ROWS else ""
    return f"<ul>{''.join(rows[:MOST_ROWS])}</ul>{more}"


def _strip(shares: Sequence[float], label: str) -> str:
    """A small plot: one bar per page."""
    width = max(1, len(shares))
    bars = "".join(
        f'<rect x="{index}" y="{1 - share:.3f}" width=".85" height="{max(share, 0.03):.3f}"/>'
        for index, share in enumerate(shares)
    )
    return (
        f'<svg class="strip" role="img" aria-label="{escape(label)}" viewBox="0 0 {width} 1" '
        f'preserveAspectRatio="none"><title>{escape(label)}</title>{bars}</svg>'
    )


def _count(number: int, word: str) -> str:
    """
    >>> _count(1, "record"), _count(2, "record")
    ('1 record', '2 records')
    """
    return f"{number} {word}{'' if number == 1 else 's'}"


def _cell(value: Any) -> str:
    return _short(" · ".join(texts_of(value)))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
