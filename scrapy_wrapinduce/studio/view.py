"""What the studio shows: the state of a project as data, and its pages with values to click on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..fields.values.plain import TYPES
from ..report.figures import cleaned, field_figures, texts_of
from ..report.highlight import View, hues, rendered
from ..report.landmarks import landmark_starts

if TYPE_CHECKING:
    from ..wrapper import Extraction, Wrapper
    from .moment import StudioPage
    from .project import Project
    from .workspace import Design, Workspace

MOST_RECORDS = 50
VALUES_SHOWN = 3


def state(workspace: Workspace, name: str) -> dict[str, Any]:
    """Everything about a template but its pages themselves."""
    project = workspace.project(name)
    names = project.fields()
    colours = hues(names)
    shown = cleaned(project.wrapper, project.extractions) if project.wrapper else ()
    figures = field_figures(names, shown)
    return {
        "template": name,
        "templates": [
            {"name": one.name, "pages": one.pages, "note": one.note}
            for one in workspace.templates.values()
        ],
        "family": project.wrapper.family if project.wrapper else None,
        "document": project.now.is_document,
        "types": list(TYPES),
        "fields": [
            {
                "name": item.name,
                "hue": colours[item.name],
                "coverage": item.coverage,
                "distinct": item.distinct,
                "sample": item.samples[0] if item.samples else "",
                "type": project.now.types.get(item.name, "text"),
                "inner": _inner(item.name, shown),
            }
            for item in figures
        ],
        "pages": [
            {
                "name": named.name,
                "records": _items(project, number),
                "count": len(project.extractions[number].records),
                "coverage": project.extractions[number].coverage,
                "example": named.name in project.examples,
            }
            for number, named in enumerate(project.pages)
        ],
        "canUndo": project.can_undo,
        "canRedo": project.can_redo,
        "saved": project.is_saved,
        "files": [str(project.examples_path), str(project.wrapper_path)],
        "redesign": workspace.design(name) is not None,
    }


def _inner(name: str, extractions: Sequence[Extraction]) -> list[str]:
    """The fields of a list of records."""
    lists = (record.get(name) for extraction in extractions for record in extraction.records)
    records = (part for value in lists if isinstance(value, list) for part in value)
    names = (key for record in records if isinstance(record, dict) for key in record)
    return list(dict.fromkeys(names))


def _items(project: Project, number: int) -> list[dict[str, Any]]:
    """The first items of a page; a value that is not of its type shows what it is instead."""
    wrapper, page = project.wrapper, project.pages[number].page
    found = []
    for record in project.extractions[number].records[:MOST_RECORDS]:
        item = wrapper.item(record, page.url) if wrapper else record
        clean = wrapper.clean(record) if wrapper else record
        wrong = {key: {"untyped": value} for key, value in clean.items() if key not in item}
        found.append({**item, **wrong})
    return found


def page_html(project: Project, number: int) -> str:
    """A page for the frame: fields marked, and every text with its place in the source."""
    now = project.now
    return _rendered(
        now.wrapper, now.pages[number], View(hues(now.fields()), True, cleaned=now.cleaned)
    )


def redesign(design: Design) -> dict[str, Any]:
    """Both designs, and how sure the repair is of each field."""
    design.propose()
    names = _design_fields(design)
    colours = hues(names)
    proposed = design.proposed
    fields = [
        {
            "name": name,
            "hue": colours[name],
            "confidence": proposed.confidence.get(name) if proposed else None,
            "old": _values(design.old_wrapper, design.old_pages, name),
            "new": _values(proposed.wrapper, design.new_pages, name) if proposed else [],
        }
        for name in names
    ]
    return {
        "reason": design.reason,
        "fields": fields,
        "old": [named.name for named in design.old_pages],
        "new": [named.name for named in design.new_pages],
    }


def design_html(design: Design, side: str, number: int) -> str:
    """A page of one of the designs, as its wrapper reads it."""
    is_old = side == "old"
    pages = design.old_pages if is_old else design.new_pages
    repaired = design.proposed.wrapper if design.proposed else None
    wrapper = design.old_wrapper if is_old else repaired
    return _rendered(wrapper, pages[number], View(hues(_design_fields(design))))


def _design_fields(design: Design) -> list[str]:
    more = design.proposed.wrapper.fields if design.proposed else ()
    return list(dict.fromkeys([*design.old_wrapper.fields, *more]))


def _rendered(wrapper: Wrapper | None, named: StudioPage, view: View) -> str:
    places = wrapper.extract(named.page).places if wrapper else []
    landmarks = landmark_starts(wrapper, named.page) if wrapper else frozenset()
    return rendered(named.page, places, replace(view, landmarks=landmarks))


def _values(wrapper: Wrapper, pages: Sequence[StudioPage], name: str) -> list[str]:
    records = (record for named in pages for record in wrapper.extract(named.page).records)
    texts = (text for record in records for text in texts_of(record.get(name)))
    return list(dict.fromkeys(texts))[:VALUES_SHOWN]
