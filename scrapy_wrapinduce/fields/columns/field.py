"""The field that a column becomes: where its values are found, and how they are cleaned and joined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...landmark.field import Field
from ..values.clean import learn_cleaning

if TYPE_CHECKING:
    from .column import Column

_LINE_BREAK = re.compile(r"<(?:br|p|div|li|tr|td|th|d[tdl]|h[1-6]|ul|ol|table)\b", re.IGNORECASE)


def field_of(name: str, column: Column) -> Field:
    """The field that a column becomes under a name."""
    glue = None if column.single or column.homogeneous else _glue(column)
    cleaning = learn_cleaning(name, column.values, glue)
    return Field(
        name,
        column.candidate.locators,
        not column.single,
        cleaning,
        type=column.embedded_type,
        flowing=column.candidate.flowing,
    )


def _glue(column: Column) -> str:
    """What joins the text nodes of a value: a comma between lines, a space between parts of one."""
    broken = whole = 0
    for page, extent in enumerate(column.candidate.extents):
        if extent is not None:
            texts = column.sample.texts[page]
            for node in range(extent.first, extent.last - 1):
                whole += 1
                between = texts.page.html[texts.ends[node] : texts.starts[node + 1]]
                broken += _LINE_BREAK.search(between) is not None
    return ", " if broken > whole / 2 else " "
