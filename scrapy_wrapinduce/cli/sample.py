"""The pages of a wrapper: those that are named, else those that are kept beside its file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .console import Console
from .inputs import InvalidInput
from .pages import NamedPage, count_pages, read_pages


def pages_of(wrapper: Path, paths: Sequence[str], console: Console) -> list[NamedPage]:
    """PAGES as given on the command line; without any, the sample of the wrapper."""
    from ..stores.sample import read_sample, sample_path

    if paths:
        pages = read_pages(paths, console.say)
        return list(console.track(pages, "pages read", count_pages(paths)))
    kept = sample_path(wrapper)
    found = [NamedPage(page.url or "page", page) for page in read_sample(kept)]
    if not found:
        raise InvalidInput(
            f"{wrapper}: there are no pages beside it ({kept.name}); name some of its pages too"
        )
    return found
