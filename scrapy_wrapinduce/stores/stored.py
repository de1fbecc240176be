"""A wrapper as it lies in a store: its text, and what is known about it as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import InvalidWrapper


@dataclass(frozen=True)
class StoredWrapper:
    """A wrapper's text and what is known about it; ``replaces`` names the one whose fields it took over."""

    site: str
    name: str
    text: str
    template: Mapping[str, Any]
    pages: int
    learned: str = ""
    fields: tuple[str, ...] = ()
    coverage: float = 1.0
    field_coverage: Mapping[str, float] = field(default_factory=dict)
    address: str | None = None
    pinned: bool = False
    job: str = ""
    runs: tuple[Mapping[str, Any], ...] = ()
    seconds: float = 0.0
    replaces: str = ""

    @property
    def id(self) -> str:
        return f"{self.site}/{self.name}"

    def about(self) -> dict[str, Any]:
        """All but the text."""
        return {name: value for name, value in asdict(self).items() if name != "text"}


def described(about: object, text: str) -> StoredWrapper:
    """The inverse of :meth:`StoredWrapper.about`; raises :class:`InvalidWrapper` where that is not what it has to be.

    What people or other programs have changed is found here, and not in the middle of a crawl.
    """
    if not isinstance(about, Mapping):
        raise InvalidWrapper("what is known about the wrapper is not a JSON object")
    known = {name: about[name] for name in _IS_RIGHT if name in about}
    missing = [name for name in ("site", "name", "template", "pages") if name not in known]
    if missing:
        raise InvalidWrapper(f"what is known about the wrapper lacks {', '.join(missing)}")
    for name, value in known.items():
        if not _IS_RIGHT[name](value):
            raise InvalidWrapper(f"what is known about the wrapper has a broken {name!r}")
    known["fields"], known["runs"] = tuple(known.get("fields", ())), tuple(known.get("runs", ()))
    return StoredWrapper(text=text, **known)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int | float)


def _numbers(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(_number, value.values()))


def _texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_text, value))


def _runs(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(run, Mapping) and _numbers(run.get("fields")) and _number(run.get("records", 0))
        for run in value
    )


_IS_RIGHT: Mapping[str, Callable[[object], bool]] = {
    "site": _text,
    "name": _text,
    "template": lambda value: isinstance(value, Mapping),
    "pages": lambda value: isinstance(value, int),
    "learned": _text,
    "fields": _texts,
    "coverage": _number,
    "field_coverage": _numbers,
    "address": lambda value: value is None or _text(value),
    "pinned": lambda value: isinstance(value, bool),
    "job": _text,
    "runs": _runs,
    "seconds": _number,
    "replaces": _text,
}
