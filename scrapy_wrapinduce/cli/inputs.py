"""Examples and schemas as people write them down in files."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import WrapinduceError
from ..fields.saved import InvalidExamples, Saved, read_saved

Example = Mapping[str, Any] | Sequence[Mapping[str, Any]]

_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_LOOKS_LIKE_A_FILE = re.compile(r"[/\\]|\.(json|ya?ml|txt)$", re.IGNORECASE)


class InvalidInput(WrapinduceError):
    """A file or an argument does not hold what it is said to hold."""


def read_data(path: str) -> Any:
    """A JSON or, by its suffix, YAML file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path}: not UTF-8 text ({error.reason})") from error
    if path.lower().endswith((".yaml", ".yml")):
        return _parse_yaml(path, text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path}: not valid JSON ({error})") from error


def read_examples(path: str) -> Saved:
    """A file that maps page names to a record or a list of records, or lists them page by page."""
    try:
        return read_saved(read_data(path))
    except InvalidExamples as error:
        raise InvalidInput(f"{path}: {error}") from error


def match_examples(
    examples: Mapping[str, Example], names: Sequence[str]
) -> tuple[list[Example | None], list[str]]:
    """One entry per page for :func:`induce`, and the examples whose page is not there.

    A page goes by its whole name, or by as much of its end as tells it apart, with or without the suffix.

    >>> match_examples({"a": {"title": "Ink"}}, ["pages/a.html", "pages/b.html"])
    ([{'title': 'Ink'}, None], [])
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        for alias in _aliases(name):
            places.setdefault(alias, []).append(place)
    matched: list[Example | None] = [None] * len(names)
    missing = []
    for key, example in examples.items():
        found = places.get(key) or places.get(os.path.normpath(key)) or []
        if not found:
            missing.append(key)
        elif len(found) > 1:
            both = " and ".join(names[place] for place in found[:2])
            raise InvalidInput(f"example {key!r} could be for {both}; write more of the path")
        else:
            matched[found[0]] = example
    return matched, missing


def read_schema(text: str) -> Any:
    """Field names or an item class, from ``module:Class``, a file, or names with commas between them."""
    if os.path.isfile(text) or _LOOKS_LIKE_A_FILE.search(text):
        return _names_from_file(text)
    if _CLASS.fullmatch(text):
        return _load_class(text)
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InvalidInput(f"--schema {text!r}: a field name is empty")
    return names


def _aliases(name: str) -> set[str]:
    path = PurePosixPath(name)
    aliases = {name}
    for start in range(len(path.parts)):
        tail = PurePosixPath(*path.parts[start:])
        aliases |= {str(tail), str(tail.with_suffix("")) if tail.name else str(tail)}
    return aliases


def _names_from_file(path: str) -> list[str]:
    if path.lower().endswith(".txt"):
        names: object = Path(path).read_text(encoding="utf-8-sig").split()
    else:
        names = read_data(path)
        if isinstance(names, dict):
            # A JSON Schema names its fields under "properties"; otherwise the keys are the names.
            properties = names.get("properties")
            names = list(properties if isinstance(properties, dict) else names)
    if not isinstance(names, list) or not names or not all(isinstance(n, str) and n for n in names):
        raise InvalidInput(f"{path}: must hold a list of field names or a JSON Schema of an object")
    return names


def _load_class(text: str) -> type:
    module, name = text.split(":")
    # A console script does not look for modules where it was called.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise InvalidInput(f"--schema {text}: {error}") from error
    if not isinstance(found, type):
        raise InvalidInput(f"--schema {text}: {name} is not a class")
    return found


def _parse_yaml(path: str, text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise InvalidInput(
            f"{path}: reading YAML needs the package PyYAML; or write it as JSON"
        ) from error
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise InvalidInput(f"{path}: not valid YAML ({' '.join(str(error).split())})") from error
