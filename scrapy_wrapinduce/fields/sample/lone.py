"""A page alone: what another page of its template might look like.

What is template shows where pages differ, and a single page differs from nothing. So it is compared with a
page imagined from it: the same markup and the same labels, every other text replaced by another one.
"""

from __future__ import annotations

from ...page import Page
from ...tokenizer import OPEN, fold

LABEL_LENGTH = 40
LABEL_ELEMENTS = frozenset(
    ("th", "dt", "label", "legend", "caption", "h2", "h3", "h4", "h5", "button")
)
COLONS = (":", "：")


def imagined(page: Page) -> Page:
    """A page of the same template about something else."""
    parts = list(page.parts)
    for place in range(0, len(parts), 2):
        if not _stays(page, place):
            parts[place] = "".join(_other(character) for character in parts[place])
    return Page("".join(parts), page.url)


def _stays(page: Page, place: int) -> bool:
    """Whether a text would be the same on other pages: a label, or no text at all."""
    text = fold(page.parts[place])
    if len(text) > LABEL_LENGTH:
        return False
    before = page.tags[(place - 1) >> 1] if place else None
    labelled = before is not None and before.kind == OPEN and before.name in LABEL_ELEMENTS
    return not text or text.endswith(COLONS) or (labelled and not any(map(str.isdigit, text)))


def _other(character: str) -> str:
    """Another character of the same kind, so that no word stays and every text keeps its form."""
    if character.isdigit():
        return "7" if character != "7" else "3"
    if character.isalpha():
        other = "q" if character.lower() != "q" else "z"
        return other.upper() if character.isupper() else other
    return character
