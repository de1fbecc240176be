"""The front door: from pages to a wrapper.

``induce`` chooses a family, learns, and names the fields. What a family does is in its own folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .errors import CannotInduce
from .landmark.learn import SEARCHES
from .page import Page
from .wrapper import Wrapper

Example = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


def induce(
    pages: Page | Iterable[Page],
    family: str | None = None,
    search: str = "astar",
    k: int | None = None,
    examples: Sequence[Example] | None = None,
    schema: Any = None,
    recognizers: Mapping[str, Any] | None = None,
) -> Wrapper:
    """Learn a wrapper from pages of one template.

    ``family`` is chosen when not given. ``search`` and ``k`` are for the landmark family. ``examples`` has
    one entry per page, or None for a page without: a dict is the page's single record, a list of dicts
    its list of records. ``schema`` names the fields wanted: a list of names or an item class.
    ``recognizers`` are noisy hints per field. Raises :class:`CannotInduce`, naming what stands in the way.
    """
    sample = [pages] if isinstance(pages, Page) else list(pages)
    if not sample:
        raise CannotInduce("there are no pages to learn from")
    if search not in SEARCHES:
        raise CannotInduce(f"unknown search {search!r}; there are: {', '.join(SEARCHES)}")
    from .fields.item import learn_item

    return learn_item(sample, search=search, k=k, examples=examples)
