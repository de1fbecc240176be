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
            f"{wrapper}: there are no sample pages beside it ({kept.name}); name some of its pages too"
        )
    return found


def keep_pages(wrapper: Path, pages: Sequence[NamedPage]) -> None:
    """Keep some of the pages beside a wrapper, so that it can be looked at, corrected and exported by itself."""
    from ..page import Page
    from ..stores.sample import MOST_PAGES, pack_sample, sample_path, save_sample

    if not wrapper.is_file():
        return  # a pipe or a terminal has nothing beside it
    step = max(1, len(pages) // MOST_PAGES)
    chosen = (Page(named.page.html, named.name) for named in pages[::step])
    save_sample(sample_path(wrapper), pack_sample(chosen))
