"""What a report is about: templates with their wrappers, some pages of each, and what is known of their crawls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..page import Page
from ..stores.stored import StoredWrapper
from ..wrapper import Extraction, Wrapper
from .figures import FieldFigures, all_fields, cleaned, field_figures, texts_of

Item = tuple[str, Mapping[str, Any]]  # the page it is from, and its fields
_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page and the name it goes by."""

    name: str
    page: Page


@dataclass(frozen=True)
class Subject:
    """A template: its wrapper, pages to show, and, where it comes from a crawl, how that went."""

    name: str
    wrapper: Wrapper
    pages: Sequence[ReportPage]
    changed: Sequence[ReportPage] = ()
    stored: StoredWrapper | None = None
    run: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Figures:
    """The numbers of a template: counted by its crawl, else on the pages at hand."""

    pages: int
    records: int
    coverage: float
    over: Sequence[float]  # coverage page by page, or window by window
    fields: Sequence[FieldFigures]
    items: Sequence[Item]
    failures: Sequence[tuple[str, str, int]]  # what did not match, where first, how often
    history: Sequence[Mapping[str, Any]] = ()
    notes: Sequence[str] = field(default_factory=list)


def figures_of(subject: Subject, extractions: Sequence[Extraction]) -> Figures:
    """The numbers of a template."""
    if subject.run is not None:
        return _of_run(subject, subject.run, extractions)
    read, extractions = extractions, cleaned(subject.wrapper, extractions)
    names = all_fields(subject.wrapper.fields, extractions)
    failures = [
        (str(failure), named.name, 1)
        for named, extraction in zip(subject.pages, extractions, strict=True)
        for failure in extraction.failures
    ]
    items = [
        (named.name, record)
        for named, extraction in zip(subject.pages, read, strict=True)
        for record in extraction.records
    ]
    shares = [extraction.coverage for extraction in extractions]
    history = subject.stored.runs if subject.stored is not None else ()
    return Figures(
        len(extractions),
        len(items),
        sum(shares) / max(1, len(shares)),
        shares,
        _with_history(field_figures(names, extractions), history),
        items,
        failures,
        history,
    )


def _of_run(subject: Subject, run: Mapping[str, Any], extractions: Sequence[Extraction]) -> Figures:
    windows = run.get("windows", [])
    items = [(str(url), record) for url, record in run.get("items", []) if isinstance(record, dict)]
    named = all_fields(subject.wrapper.fields, [Extraction([record for _, record in items])])
    distinct = run.get("distinct", {})
    failed: dict[str, list[tuple[str, int]]] = {}
    for what, reason, count, _ in run.get("failures", []):
        failed.setdefault(what, []).append((reason, count))
    shown = [subject.wrapper.clean(record) for _, record in items]
    total = sum(window["records"] for window in windows)
    fields = []
    for name in dict.fromkeys([*named, *distinct]):
        shares = [window["fields"].get(name, 0.0) for window in windows]
        having = sum(s * window["records"] for s, window in zip(shares, windows, strict=True))
        values = dict.fromkeys(text for record in shown for text in texts_of(record.get(name)))
        reasons = failed.get(name, [])
        fields.append(
            FieldFigures(
                name,
                round(having),
                total,
                distinct.get(name, 0),
                tuple(values)[:_SAMPLES],
                sum(count for _, count in reasons),
                tuple(reasons[:_SAMPLES]),
                tuple(shares),
            )
        )
    history = subject.stored.runs if subject.stored is not None else ()
    return Figures(
        run.get("pages", 0),
        run.get("records", 0),
        run.get("coverage", 0.0),
        [window["coverage"] for window in windows],
        _with_history(fields, history),
        items,
        [(f"{what}: {why}", url, count) for what, why, count, url in run.get("failures", [])],
        history,
        run.get("notes", []),
    )


def _with_history(
    fields: Sequence[FieldFigures], history: Sequence[Mapping[str, Any]]
) -> list[FieldFigures]:
    return [
        replace(item, history=tuple(run.get("fields", {}).get(item.name, 0.0) for run in history))
        for item in fields
    ]
