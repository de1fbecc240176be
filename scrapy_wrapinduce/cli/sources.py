"""Sources of a query as people write them down: in a file, or as NAME=WHAT on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from ..page import Page
from ..query.errors import QueryError
from ..query.sources import KEY, ItemsSource, LiveSource, PagesSource, Source, read_items
from ..wrapper import load
from .inputs import InvalidInput, read_data
from .pages import read_pages

Say = Callable[[str], None]
_PARTS = {"wrapper", "pages", "url", "items", "key", "keys", "map"}


def read_sources(path: str, say: Say, cache: str | None, keep_for: int) -> list[Source]:
    """The sources that a JSON or YAML file describes, by their names."""
    data = read_data(path)
    if not isinstance(data, dict) or not all(isinstance(part, dict) for part in data.values()):
        raise InvalidInput(f"{path}: must hold an object with an object for each source")
    folder = os.path.dirname(path)
    return [_source(name, part, folder, say, cache, keep_for) for name, part in data.items()]


def parse_source(text: str, say: Say, cache: str | None, keep_for: int) -> Source:
    """A source from ``NAME=wrapper.json:PAGES``, ``NAME=wrapper.json:http://…{page}…`` or ``NAME=items.jsonl``."""
    name, _, what = text.partition("=")
    wrapper, _, where = what.partition(":")
    if not name or not what:
        raise InvalidInput(f"--source {text}: must be NAME=wrapper.json:PAGES or NAME=items.jsonl")
    if not where:
        part: dict[str, Any] = {"items": what}
    elif where.startswith(("http://", "https://")):
        begin, end = where.find("{"), where.find("}")
        part = {"wrapper": wrapper, "url": where, "key": where[begin + 1 : end] or KEY}
    else:
        part = {"wrapper": wrapper, "pages": [where]}
    return _source(name, part, "", say, cache, keep_for)


def _source(
    name: str, part: Mapping[str, Any], folder: str, say: Say, cache: str | None, keep_for: int
) -> Source:
    if unknown := set(part) - _PARTS:
        raise InvalidInput(
            f"source {name}: {', '.join(sorted(unknown))} is not among {', '.join(sorted(_PARTS))}"
        )
    if len({"pages", "url", "items"} & set(part)) != 1:
        raise InvalidInput(f"source {name}: must say where it is: pages, url or items")
    if "items" in part:
        return ItemsSource(name, partial(read_items, _beside(folder, part["items"])))
    if "wrapper" not in part:
        raise InvalidInput(f"source {name}: pages are read by a wrapper, and it names none")
    wrapper = load(_beside(folder, part["wrapper"]))
    key = str(part.get("key", KEY))
    keys = _keys(name, part.get("keys"), folder)
    if "url" in part:
        if f"{{{key}}}" not in part["url"] and "map" not in part:
            raise InvalidInput(f"source {name}: its url has no {{{key}}} to put the page's key in")
        from ..query.fetch import fetch

        fetcher = partial(fetch, cache=cache, keep_for=keep_for)
        mapping = _function(name, part["map"]) if "map" in part else keys
        return LiveSource(name, wrapper, part["url"], fetcher, key, mapping)
    pages = part["pages"] if isinstance(part["pages"], list) else [part["pages"]]
    paths = [_beside(folder, page) for page in pages]
    by_stem = {text: value for value, text in (keys or {}).items()}
    return PagesSource(name, wrapper, partial(_pages, paths, say), key, by_stem)


def _pages(paths: list[str], say: Say) -> Iterator[tuple[str, Page]]:
    for named in read_pages(paths, say):
        yield Path(named.name).name.split(".")[0], named.page


def _keys(name: str, keys: Any, folder: str) -> dict[str, str] | None:
    if isinstance(keys, str):
        keys = read_data(_beside(folder, keys))
    if keys is None or (isinstance(keys, dict) and all(isinstance(v, str) for v in keys.values())):
        return keys
    if isinstance(keys, list) and all(isinstance(key, str) for key in keys):
        return {key: key for key in keys}
    raise InvalidInput(
        f"source {name}: keys must be a list, or an object from keys to texts, or a file of one"
    )


def _function(source: str, text: Any) -> Callable[[str], str]:
    module, _, name = str(text).partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        function: Callable[[str], str] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise QueryError(f"source {source}: map must be module:function ({error})") from error
    return function


def _beside(folder: str, path: Any) -> str:
    return os.path.join(folder, str(path))
