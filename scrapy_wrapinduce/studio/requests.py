"""What the studio's page can ask for: to look at something, or to correct it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import WrapinduceError
from . import corrections
from .moment import Moment
from .project import Project
from .view import design_html, page_html, redesign, state
from .workspace import Design, Workspace

LONGEST_NUMBER = 7
Answer = dict[str, Any]


class BadRequest(WrapinduceError):
    """A request that no page of ours makes."""


@dataclass(frozen=True)
class Asked:
    """A request: what it says, and the workspace it is about."""

    workspace: Workspace
    data: Mapping[str, Any]

    @property
    def template(self) -> str:
        """The template asked for; the first where none is named."""
        return str(self.data.get("template") or next(iter(self.workspace.templates)))

    @property
    def project(self) -> Project:
        return self.workspace.project(self.template)

    @property
    def design(self) -> Design:
        design = self.workspace.design(self.template)
        if design is None:
            raise BadRequest("these pages have not been redesigned")
        return design

    def number(self, key: str, count: int) -> int:
        """Which of some pages is meant."""
        text = str(self.data.get(key))
        is_number = text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER
        if not is_number or int(text) >= count:
            raise BadRequest("there is no such page")
        return int(text)

    def place(self, key: str) -> int:
        value = self.data.get(key, 0)
        if not isinstance(value, int) or value < 0:
            raise BadRequest(f"{key} must be a place in the page's source")
        return value

    def text(self, key: str) -> str:
        value = self.data.get(key)
        if not isinstance(value, str):
            raise BadRequest(f"{key} must be text")
        return value


def look(what: str, asked: Asked) -> Answer:
    """Answer a question."""
    return _LOOKS[what](asked)


def correct(what: str, asked: Asked) -> Answer:
    """Make a correction; the answer is what has become of the template."""
    _CORRECTIONS[what](asked)
    return _state(asked)


def _state(asked: Asked) -> Answer:
    return state(asked.workspace, asked.template)


def _page(asked: Asked) -> Answer:
    project = asked.project
    return {"html": page_html(project, asked.number("number", len(project.pages)))}


def _design_page(asked: Asked) -> Answer:
    side, design = asked.text("side"), asked.design
    pages = {"old": design.old_pages, "new": design.new_pages}
    if side not in pages:
        raise BadRequest("side must be old or new")
    return {"html": design_html(design, side, asked.number("number", len(pages[side])))}


def _export(asked: Asked) -> Answer:
    template, now = asked.workspace.template(asked.template), asked.project.now
    return template.takeaway.file(template, now, asked.text("form"), asked.text("name"))


def _set_value(asked: Asked) -> None:
    page = asked.number("page", len(asked.project.pages))
    field, value, at = asked.text("field"), asked.text("value"), asked.place("at")
    add = bool(asked.data.get("add"))
    asked.project.correct(corrections.set_value, page, field, value, at, add)


def _set_list(asked: Asked) -> None:
    page = asked.number("page", len(asked.project.pages))
    field, first, second = asked.text("field"), asked.place("at"), asked.place("other")
    asked.project.correct(corrections.set_list, page, field, first, second)


def _of_texts(correction: Callable[..., Moment], *keys: str) -> Callable[[Asked], None]:
    """A correction that takes nothing but texts."""
    return lambda asked: asked.project.correct(correction, *map(asked.text, keys))


_LOOKS: Mapping[str, Callable[[Asked], Answer]] = {
    "state": _state,
    "page": _page,
    "redesign": lambda asked: redesign(asked.design),
    "design": _design_page,
    "export": _export,
}
_CORRECTIONS: Mapping[str, Callable[[Asked], None]] = {
    "value": _set_value,
    "list": _set_list,
    "rename": _of_texts(corrections.rename, "field", "to"),
    "drop": _of_texts(corrections.drop, "field"),
    "merge": _of_texts(corrections.merge, "into", "field"),
    "type": _of_texts(corrections.set_type, "field", "type"),
    "save": lambda asked: asked.project.save(),
    "undo": lambda asked: asked.project.undo(),
    "redo": lambda asked: asked.project.redo(),
    "accept": lambda asked: asked.workspace.accept(asked.template),
}
LOOKS, CORRECTIONS = tuple(_LOOKS), tuple(_CORRECTIONS)
