"""List, pin and prune the wrappers that crawls have stored.

The folder is that of WRAPINDUCE_DIR, by default .scrapy/wrapinduce/SPIDER in the project.
A pinned wrapper is always used and never set aside or pruned.
"""

from __future__ import annotations

import argparse
from datetime import datetime, timedelta, timezone
from pathlib import Path

from ...errors import InvalidWrapper, WrapinduceError
from ...stores.files import StoredWrapper, Wrappers
from ..console import Console

ACTIONS = ("list", "pin", "unpin", "prune")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a crawl's WRAPINDUCE_DIR")
    parser.add_argument(
        "names", metavar="SITE/NAME", nargs="*", help="which wrappers (default: all)"
    )
    parser.add_argument(
        "--unused-for", metavar="DAYS", type=float, help="prune only what no crawl used for so long"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    from ..items import output

    folder = options.folder / "wrappers"
    if not folder.is_dir():
        raise WrapinduceError(f"{options.folder} holds no stored wrappers (no folder {folder})")
    store = Wrappers(folder)
    found = list(store.all())
    wrappers = [stored for stored in found if isinstance(stored, StoredWrapper)]
    unknown = set(options.names) - {stored.id for stored in wrappers}
    if unknown:
        raise WrapinduceError(f"no wrapper {', '.join(sorted(unknown))} in {options.folder}")
    chosen = [stored for stored in wrappers if stored.id in options.names or not options.names]
    lines = [_act(store, stored, options) for stored in chosen]
    lines += [f"broken  {error}" for error in found if isinstance(error, InvalidWrapper)]
    with output(None) as file:
        file.writelines(f"{line}\n" for line in lines if line)
    return 0


def _act(store: Wrappers, stored: StoredWrapper, options: argparse.Namespace) -> str:
    if options.action == "list":
        return describe(stored)
    if options.action in ("pin", "unpin"):
        store.pin(stored, options.action == "pin")
        return f"{options.action}ned  {stored.id}"
    if stored.pinned or (
        options.unused_for is not None and not _is_older(stored, options.unused_for)
    ):
        return ""
    store.remove(stored)
    return f"pruned  {stored.id}"


def last_used(stored: StoredWrapper) -> str:
    """When a crawl last used a wrapper, or it was learned."""
    return str(stored.runs[-1]["ended"]) if stored.runs else stored.learned


def _is_older(stored: StoredWrapper, days: float) -> bool:
    used = datetime.fromisoformat(last_used(stored))
    return datetime.now(timezone.utc) - used > timedelta(days=days)


def describe(stored: StoredWrapper) -> str:
    """One line about a wrapper."""
    coverage = stored.runs[-1]["coverage"] if stored.runs else stored.coverage
    marks = " (pinned)" if stored.pinned else ""
    fields = ", ".join(stored.fields[:6]) + (", …" if len(stored.fields) > 6 else "")
    return (
        f"{stored.id}{marks}  learned {stored.learned[:10]} from {stored.pages} pages, "
        f"last used {last_used(stored)[:10]}, coverage {coverage:.0%}: {fields}"
    )
