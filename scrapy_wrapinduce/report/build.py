"""Put a report together: one HTML file, without scripts and without the network.

Of several templates one is looked at at a time, the one whose name is in the address (``#t3``): browsers lay out no
more than that and draw no other page, so that a hundred templates are as quick as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from ..wrapper import Wrapper
from .highlight import POLICY
from .plots import strip
from .run import Run
from .section import Limits, Section, cards, count, learned_words, make_section
from .subject import ReportPage, Subject

PAGES_SHOWN = 6
# Characters of pages in a whole report, and the least that is shown of a page.
ALL_PAGES = 12_000_000
LEAST_OF_A_PAGE = 60_000
FEW_TEMPLATES = 8


def build_report(
    wrapper: Wrapper, pages: Sequence[ReportPage], title: str = "wrapper", shown: int = PAGES_SHOWN
) -> str:
    """The report of what a wrapper reads on pages; the first ``shown`` of them are drawn."""
    section = make_section("t0", Subject(title, wrapper, pages), Limits(pages=shown))
    body = f'<article class="template alone" id="t0" aria-label="{escape(title)}">{section.html}</article>'
    return _document(title, "", body)


def build_crawl_report(subjects: Sequence[Subject], run: Run | None, title: str) -> str:
    """The report of a crawl: all its templates, and an index of them."""
    limits = _limits(len(subjects))
    sections = [make_section(f"t{n}", subject, limits) for n, subject in enumerate(subjects)]
    articles = "".join(
        f'<article class="template" id="{section.key}" aria-labelledby="{section.key}-title">'
        f'<p class="back"><a href="#index">← All templates</a></p>'
        f'<h2 id="{section.key}-title">{escape(section.subject.name)}</h2>{section.html}</article>'
        for section in sections
    )
    index = f'<section id="index" aria-labelledby="index-title">{_summary(sections, run)}{_index(sections)}</section>'
    return _document(title, _subtitle(run), index + articles)


def _limits(templates: int) -> Limits:
    """Less of each template where there are many."""
    if templates <= FEW_TEMPLATES:
        return Limits(pages=4, characters=300_000, source=300_000, rows=100, nodes=1500)
    pages = 2 if templates <= 3 * FEW_TEMPLATES else 1
    characters = max(LEAST_OF_A_PAGE, ALL_PAGES // (2 * pages * templates))
    characters = min(characters, 300_000)
    return Limits(pages, characters, characters // 3, rows=12, nodes=120)


def _document(title: str, subtitle: str, body: str) -> str:
    style = files(__package__).joinpath("assets/report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)} – wrapinduce report</title><style>{style}</style></head><body>"
        '<a class="skip" href="#main">Skip to the report</a>'
        f'<header><p class="brand">wrapinduce report</p><h1>{escape(title)}</h1>{subtitle}</header>'
        f'<main id="main" tabindex="-1">{body}</main></body></html>\n'
    )


def _subtitle(run: Run | None) -> str:
    if run is None:
        return ""
    begun = run.begun[:16].replace("T", " ")
    how = f", {run.reason}" if run.reason and run.reason != "finished" else ""
    return f'<p class="when">{escape(begun)} UTC, {run.seconds:,.0f} s{escape(how)}</p>'


def _summary(sections: Sequence[Section], run: Run | None) -> str:
    pages = sum(section.figures.pages for section in sections)
    coverage = sum(section.figures.coverage * section.figures.pages for section in sections)
    taught = sum(section.subject.stored.pages for section in sections if section.subject.stored)
    seconds = sum(section.subject.stored.seconds for section in sections if section.subject.stored)
    numbers = [
        ("templates", f"{len(sections):,}"),
        ("pages read", f"{pages:,}"),
        ("items", f"{sum(section.figures.records for section in sections):,}"),
        ("coverage", f"{100 * coverage / max(1, pages):.0f}%"),
        ("learned from", count(taught, "page")),
        ("learning took", f"{seconds:.1f} s"),
    ]
    return cards(numbers) + _verdict(run)


def _verdict(run: Run | None) -> str:
    if run is None:
        return ""
    unlearned = "".join(
        f"<li>Nothing was learned from {escape(text)}</li>" for text in run.unlearned
    )
    wrong = "".join(f"<li>{escape(text)}</li>" for text in run.verdict) + unlearned
    if not wrong:
        return '<p class="verdict good">This run is as good as it has to be.</p>'
    return f'<div class="verdict bad"><p>This run is not as good as it has to be:</p><ul>{wrong}</ul></div>'


def _index(sections: Sequence[Section]) -> str:
    title = '<h2 id="index-title">Templates</h2>'
    if not sections:
        return f'{title}<p class="empty">Nothing was learned.</p>'
    with_history = any(len(section.figures.history) > 1 for section in sections)
    labels = ["template", "pages", "items", "fields", "coverage", "over the run"]
    labels += ["over the runs"] if with_history else []
    head = "".join(f'<th scope="col">{label}</th>' for label in [*labels, "learned from"])
    rows = "".join(_row(section, with_history) for section in sections)
    return (
        f'{title}<div class="wide" tabindex="0" role="region" aria-label="Table of templates">'
        f'<table class="index"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(section: Section, with_history: bool) -> str:
    figures, name = section.figures, section.subject.name
    past = [float(run.get("coverage", 0.0)) for run in figures.history]
    history = f"<td>{strip(past, f'{name}: coverage run by run')}</td>" if with_history else ""
    note = f'<small class="flag">{escape(str(figures.notes[0]))}</small>' if figures.notes else ""
    return (
        f'<tr><th scope="row"><a href="#{section.key}">{_named(name)}</a>{note}</th>'
        f'<td class="number">{figures.pages:,}</td><td class="number">{figures.records:,}</td>'
        f'<td class="number">{len(figures.fields)}</td>'
        f'<td class="number">{100 * figures.coverage:.0f}%'
        f'<span class="bar" aria-hidden="true"><span style="width:{100 * figures.coverage:.0f}%"></span></span></td>'
        f"<td>{strip(figures.over, f'{name}: coverage over the run')}</td>{history}"
        f'<td class="text"><small>{escape(learned_words(section.subject))}</small></td></tr>'
    )


def _named(name: str) -> str:
    """A template's name; what it says of the site is the same for many."""
    site, slash, own = name.partition("/")
    return f"<small>{escape(site)}/</small>{escape(own)}" if slash and own else escape(name)
