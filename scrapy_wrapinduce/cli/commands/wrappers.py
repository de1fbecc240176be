"""List, pin, prune and roll back the wrappers that crawls have stored.

The folder is that of WRAPINDUCE_DIR, by default .scrapy/wrapinduce/SPIDER in the project; for a crawl on many machines it is the
address in WRAPINDUCE_REDIS_URL, with --spider.
A pinned wrapper is always used and never set aside or pruned. "history" names the file of each earlier version, for
"wrapinduce diff"; "rollback" puts the version before, or the one of --to, into use again, and keeps the one that was.
Both also take the file of a wrapper instead of a folder.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Union

from ...errors import InvalidWrapper, WrapinduceError
from ...stores.files import Wrappers
from ...stores.stored import StoredWrapper
from ...stores.versions import Versions
from ...wrapper import load
from ..console import Console

if TYPE_CHECKING:
    from ...stores.shared_wrappers import SharedWrappers

Store = Union[Wrappers, "SharedWrappers"]
_REDIS = re.compile("(rediss?|unix)://")
ACTIONS = ("list", "pin", "unpin", "prune", "history", "rollback")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help="a crawl's WRAPINDUCE_DIR or WRAPINDUCE_REDIS_URL, or wrapper.json",
    )
    parser.add_argument(
        "names", metavar="SITE/NAME", nargs="*", help="which wrappers (default: all)"
    )
    parser.add_argument(
        "--unused-for", metavar="DAYS", type=float, help="prune only what no crawl used for so long"
    )
    parser.add_argument("--spider", metavar="NAME", help="whose wrappers, in a Redis")
    parser.add_argument("--to", metavar="VERSION", type=int, help="roll back to this version")


def run(options: argparse.Namespace, console: Console) -> int:
    from ..items import output

    if Path(options.folder).is_file() and options.action in ("history", "rollback"):
        lines = _act_on_file(Path(options.folder), options)
        with output(None) as file:
            file.writelines(f"{line}\n" for line in lines)
        return 0
    store = _store(options)
    found = list(store.all())
    wrappers = [stored for stored in found if isinstance(stored, StoredWrapper)]
    unknown = set(options.names) - {stored.id for stored in wrappers}
    if unknown:
        raise WrapinduceError(f"no wrapper {', '.join(sorted(unknown))} in {options.folder}")
    if options.action == "rollback" and len(options.names) != 1:
        raise WrapinduceError("name the one wrapper to roll back, as SITE/NAME")
    chosen = [stored for stored in wrappers if stored.id in options.names or not options.names]
    lines = [_act(store, stored, options) for stored in chosen]
    lines += [f"broken  {error}" for error in found if isinstance(error, InvalidWrapper)]
    with output(None) as file:
        file.writelines(f"{line}\n" for line in lines if line)
    return 0


def _store(options: argparse.Namespace) -> Store:
    if not _REDIS.match(options.folder):
        folder = Path(options.folder) / "wrappers"
        if not folder.is_dir():
            raise WrapinduceError(f"{options.folder} holds no stored wrappers (no folder {folder})")
        return Wrappers(folder)
    if not options.spider:
        raise WrapinduceError("say whose wrappers in Redis are meant: --spider NAME")
    from ...stores.redis import prefix_of, prompt_client
    from ...stores.shared_wrappers import SharedWrappers

    return SharedWrappers(prompt_client(options.folder), prefix_of(options.spider))


def _act(store: Store, stored: StoredWrapper, options: argparse.Namespace) -> str:
    if options.action == "list":
        return describe(stored)
    if options.action in ("pin", "unpin"):
        store.save(replace(stored, pinned=options.action == "pin"))
        return f"{options.action}ned  {stored.id}"
    if options.action == "history":
        return "\n".join(_history(store, stored))
    if options.action == "rollback":
        return _roll_back(store, stored, options.to)
    if stored.pinned or (
        options.unused_for is not None and not _is_older(stored, options.unused_for)
    ):
        return ""
    store.remove(stored)
    return f"pruned  {stored.id}"


def _history(store: Store, stored: StoredWrapper) -> list[str]:
    """One line per version, the one in use first."""
    number = store.number(stored)
    in_use = f"  {number} (in use)  {_born(stored)}  {store.where(stored, number)}"
    lines = [f"{stored.id}", in_use.rstrip()]
    for number in reversed(store.numbers(stored)):
        try:
            born = _born(store.version(stored, number))
        except InvalidWrapper as error:
            born = f"broken: {error}"
        lines.append(f"  {number}  {born}  {store.where(stored, number)}".rstrip())
    return lines


def _born(stored: StoredWrapper) -> str:
    pages = f"{stored.pages} page" + "s"[: stored.pages != 1]
    took = f", took over the fields of {stored.replaces}" if stored.replaces else ""
    return f"learned {stored.learned[:16]} from {pages}{took}, {len(stored.fields)} fields"


def _roll_back(store: Store, stored: StoredWrapper, to: int | None) -> str:
    number = _wanted(store.numbers(stored), to, stored.id, stored.replaces)
    earlier = store.version(stored, number)
    # A pin says what to use, not which version: it stays with the name.
    store.save(replace(earlier, pinned=stored.pinned, runs=stored.runs))
    return _said(stored.id, number, store.number(stored))


def _said(name: str, number: int, in_use: int) -> str:
    return f"rolled back  {name} to version {number}; what was in use is version {in_use - 1}"


def _act_on_file(path: Path, options: argparse.Namespace) -> list[str]:
    """The history of a wrapper file that no crawl has stored."""
    versions = Versions(path)
    if options.action == "rollback":
        number = _wanted(versions.numbers(), options.to, str(path))
        text = versions.path(number).read_text(encoding="utf-8")
        load(versions.path(number))
        versions.replace(text)
        return [_said(str(path), number, versions.number)]
    lines = [f"{versions.number} (in use)  {_about_file(versions.current)}"]
    lines += [f"{n}  {_about_file(versions.path(n))}" for n in reversed(versions.numbers())]
    return lines


def _about_file(path: Path) -> str:
    written = datetime.fromtimestamp(path.stat().st_mtime, timezone.utc)
    return f"written {written.isoformat(timespec='minutes')[:16]}, {len(load(path).fields)} fields  {path}"


def _wanted(kept: list[int], to: int | None, name: str, replaces: str = "") -> int:
    """The version to roll back to: the one before, unless another is asked for."""
    if to is not None:
        return to
    if not kept:
        hint = (
            f"; it took over the fields of {replaces}, which is stored beside it"
            if replaces
            else ""
        )
        raise WrapinduceError(f"{name} has no earlier version{hint}")
    return kept[-1]


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
