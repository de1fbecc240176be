"""The templates of a crawl's store, as a report shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..errors import InvalidWrapper
from ..stores.files import Wrappers
from ..stores.sample import changed_path, read_sample, sample_path
from ..stores.stored import StoredWrapper
from ..wrapper import parse
from .run import Run, read_run
from .subject import ReportPage, Subject

PAGES_READ = 4
# More templates than this are no longer something to look at.
MOST_TEMPLATES = 128


def is_store(folder: Path) -> bool:
    """Whether a folder is a crawl's WRAPINDUCE_DIR."""
    return any((folder / "wrappers").glob("*/*.about"))


def subjects_of(folder: Path, say: Callable[[str], None]) -> tuple[list[Subject], Run | None]:
    """The templates of a store, those of the last crawl that read most first; broken ones are named.

    Of very many, those that read least are left out.
    """
    run = read_run(folder)
    store = Wrappers(folder / "wrappers")
    subjects = []
    shown = _shown(store, run, say)
    for stored in store.all():
        if isinstance(stored, StoredWrapper) and stored.id not in shown:
            continue
        try:
            if isinstance(stored, InvalidWrapper):
                raise stored
            wrapper = parse(stored.text)
        except InvalidWrapper as error:
            say(f"a wrapper is left out: {error}")
            continue
        path = store.path(stored)
        subjects.append(
            Subject(
                stored.id,
                wrapper,
                _pages(sample_path(path)),
                _pages(changed_path(path)),
                stored,
                _counted(run, stored),
            )
        )
    subjects.sort(key=lambda subject: (-_pages_of(subject.run), subject.name))
    return subjects, run


def _shown(store: Wrappers, run: Run | None, say: Callable[[str], None]) -> set[str]:
    """The templates that read most in the last crawl; where that does not tell, that were learned from most pages."""
    ranks = [
        (-_pages_of(_counted(run, stored)), -stored.pages, stored.id)
        for stored in store.all()
        if isinstance(stored, StoredWrapper)
    ]
    if len(ranks) > MOST_TEMPLATES:
        say(f"of {len(ranks)} templates the {MOST_TEMPLATES} with most pages are shown")
    return {name for _, _, name in sorted(ranks)[:MOST_TEMPLATES]}


def _pages(path: Path) -> list[ReportPage]:
    return [ReportPage(page.url or "page", page) for page in read_sample(path, PAGES_READ)]


def _counted(run: Run | None, stored: StoredWrapper) -> dict[str, Any] | None:
    """How a template did in the last crawl, where that is known."""
    counted = run.templates.get(stored.id) if run is not None else None
    return counted if isinstance(counted, dict) else None


def _pages_of(counted: Mapping[str, Any] | None) -> int:
    return int(counted.get("pages", 0)) if counted is not None else 0
