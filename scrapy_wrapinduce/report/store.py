"""The templates of a crawl's store, as a report shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..errors import InvalidWrapper
from ..stores.files import Wrappers
from ..stores.sample import changed_path, read_sample, sample_path
from ..wrapper import parse
from .run import Run, read_run
from .subject import ReportPage, Subject

PAGES_READ = 4


def is_store(folder: Path) -> bool:
    """Whether a folder is a crawl's WRAPINDUCE_DIR."""
    return any((folder / "wrappers").glob("*/*.about"))


def subjects_of(folder: Path, say: Callable[[str], None]) -> tuple[list[Subject], Run | None]:
    """The templates of a store, those of the last crawl that read most first; broken ones are named."""
    run = read_run(folder)
    store = Wrappers(folder / "wrappers")
    subjects = []
    for stored in store.all():
        try:
            if isinstance(stored, InvalidWrapper):
                raise stored
            wrapper = parse(stored.text)
        except InvalidWrapper as error:
            say(f"a wrapper is left out: {error}")
            continue
        path = store.path(stored)
        counted = run.templates.get(stored.id) if run is not None else None
        subjects.append(
            Subject(
                stored.id,
                wrapper,
                _pages(sample_path(path)),
                _pages(changed_path(path)),
                stored,
                counted if isinstance(counted, dict) else None,
            )
        )
    subjects.sort(key=lambda subject: (-_pages_read(subject), subject.name))
    return subjects, run


def _pages(path: Path) -> list[ReportPage]:
    return [ReportPage(page.url or "page", page) for page in read_sample(path, PAGES_READ)]


def _pages_read(subject: Subject) -> int:
    return int(subject.run.get("pages", 0)) if subject.run is not None else 0
