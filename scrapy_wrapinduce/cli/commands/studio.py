"""Look at pages in a browser and correct by clicking what is read from them.

  wrapinduce studio pages/        pages of one template: files, folders, archives
  wrapinduce studio STORE         the templates of a crawl: its WRAPINDUCE_DIR
Opens a local web page: click a value to make or fix a field; rename, type, merge and drop fields; see at once what all
pages give; look at both designs of a redesigned site before its repair is accepted. Every correction is saved as an
example, in a file that "learn --examples" and spiders use.
"""

from __future__ import annotations

import argparse
import os
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import Console

if TYPE_CHECKING:
    from ...fields.saved import Saved
    from ...studio.workspace import Design, Workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pages", nargs="+", metavar="STORE|PAGES", help="a crawl's store, or pages of one template"
    )
    parser.add_argument(
        "--examples",
        default="examples.json",
        metavar="FILE",
        help="where examples are read from and saved (default: examples.json; a store has its own)",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="wrapper.json",
        metavar="wrapper.json",
        help="where the wrapper is saved (default: wrapper.json; a store has its own)",
    )
    parser.add_argument(
        "--repair",
        metavar="old.json",
        help="the wrapper of the design before: its repair for PAGES is shown beside it, to be accepted or not",
    )
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument(
        "--most", type=int, default=20, metavar="N", help="how many pages are taken (default: 20)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options: argparse.Namespace, console: Console) -> int:
    from ...report.store import is_store
    from ...studio.server import Studio
    from ...studio.workspace import of_store
    from ..inputs import read_examples

    first = Path(options.pages[0])
    if len(options.pages) == 1 and first.is_dir() and is_store(first):
        console.wait_for("reading the store")
        workspace = of_store(first, lambda path: read_examples(str(path)))
    else:
        workspace = _of_pages(options, console)
    with Studio(workspace, options.port) as studio:
        console.say(f"open {studio.address} (stop with Ctrl+C)")
        if not options.no_browser:
            webbrowser.open(studio.address)
        studio.serve_forever()
    return 0


def _of_pages(options: argparse.Namespace, console: Console) -> Workspace:
    from itertools import islice

    from ...studio.moment import StudioPage
    from ...studio.project import Project
    from ...studio.workspace import of_project
    from ..pages import read_pages

    pages = [
        StudioPage(named.name, named.page)
        for named in islice(
            read_pages(options.pages, console.say, confined=True), max(1, options.most)
        )
    ]
    for path in (options.examples, options.output):
        _check_writable(Path(path))
    given = _examples(options.examples, [named.name for named in pages])
    project = Project(pages, Path(options.examples), Path(options.output), given)
    console.wait_for(f"learning from {len(pages)} pages")
    project.learn()

    def redesign() -> Design | None:
        from ...stores.sample import read_sample, sample_path
        from ...studio.workspace import Design
        from ...wrapper import load

        if options.repair is None:
            return None
        kept = read_sample(sample_path(Path(options.repair)))
        old_pages = [StudioPage(page.url or "page", page) for page in kept]
        return Design(load(options.repair), old_pages, pages)

    return of_project(project, Path(options.pages[0]).name, redesign)


def _check_writable(path: Path) -> None:
    """Say before the first correction that it could not be saved."""
    from ..inputs import InvalidInput

    if not path.parent.is_dir():
        raise InvalidInput(f"cannot write {path}: no folder {path.parent}")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise InvalidInput(f"cannot write {path}: name another file")


def _examples(path: str, names: list[str]) -> Saved | None:
    """The examples of a file, by the names that the pages go by here."""
    from ...fields.saved import Saved
    from ..inputs import InvalidInput, match_examples, read_examples

    if not Path(path).exists():
        return None
    saved = read_examples(path)
    if isinstance(saved.examples, list):
        raise InvalidInput(f"{path}: must map the names of pages to their records")
    matched, missing = match_examples(saved.examples, names)
    if missing:
        raise InvalidInput(
            f"{path}: has an example for {missing[0]!r}, which is not among the pages; "
            "give that page too, or another file with --examples"
        )
    own = {name: one for name, one in zip(names, matched, strict=True) if one is not None}
    return Saved(own, saved.types)
