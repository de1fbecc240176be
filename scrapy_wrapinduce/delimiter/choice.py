"""Choosing the class: the simplest with which all labelled pages are read right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import CannotInduce
from .learn import learn
from .vector import CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..labels import LabelledPage
    from .wrapper import DelimiterWrapper


def choose(pages: Sequence[LabelledPage]) -> DelimiterWrapper:
    """The wrapper of the first class, from LR to N-HLRT, that is consistent with the pages.

    Its ``notes`` say why simpler classes were not; when none is, the :class:`CannotInduce` says
    why, class by class.
    """
    reasons: list[str] = []
    for family in CLASSES:
        try:
            wrapper = learn(family, pages)
        except CannotInduce as error:
            reasons.append(str(error))
        else:
            wrapper.notes = (*reasons, *wrapper.notes)
            return wrapper
    raise CannotInduce("\n".join(["no delimiter class reads these pages:", *reasons]))
