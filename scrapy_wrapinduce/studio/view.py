"""What the studio shows: the state of a project as data, and its pages with values to click on."""

from __future__ import annotations

from typing import Any

from ..report.figures import field_figures
from ..report.highlight import View, hues, rendered
from .project import Project


def state(project: Project) -> dict[str, Any]:
    """Everything but the pages themselves."""
    names = project.fields()
    colours = hues(names)
    figures = field_figures(names, project.extractions)
    return {
        "family": project.wrapper.family if project.wrapper else None,
        "fields": [
            {
                "name": item.name,
                "hue": colours[item.name],
                "coverage": item.coverage,
                "distinct": item.distinct,
            }
            for item in figures
        ],
        "pages": [
            {
                "name": named.name,
                "records": extraction.records,
                "coverage": extraction.coverage,
                "example": named.name in project.examples,
            }
            for named, extraction in zip(project.pages, project.extractions, strict=True)
        ],
        "canUndo": project.can_undo,
        "files": [str(project.examples_path), str(project.wrapper_path)],
    }


def page_html(project: Project, number: int) -> str:
    """A page for the frame: fields marked, and every text with its place in the source."""
    named = project.pages[number]
    places = project.extractions[number].places
    return rendered(named.page, places, View(hues(project.fields()), clickable=True))
