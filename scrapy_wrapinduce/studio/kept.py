"""The file of examples that a project writes to, with what it says about pages of other templates left as it is."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ..errors import WrapinduceError
from ..fields.saved import InvalidExamples, Saved, read_saved
from ..files import write_atomically

_ELSEWHERE = (
    "{} was changed by somebody else since the studio has read it, and is left as it is; "
    "stop the studio and start it again to go on from there"
)


class ChangedElsewhere(WrapinduceError):
    """A file is not what the studio has left; the message says what to do."""


class ExamplesFile:
    """Examples by page and types by field in one file; a project's own ones are those that it has spoken of.

    Fields of one name have one type in all templates: the file has it, and who changes it writes it.
    """

    def __init__(self, path: Path, pages: Collection[str]) -> None:
        self.path = path
        self._pages = set(pages)
        self._fields: set[str] = set()
        self._left = self._own(self._read())

    def write(
        self, pages: Collection[str], examples: Mapping[str, Any], types: Mapping[str, str]
    ) -> None:
        """Replace what is said of a project's pages and of the types of fields that it has changed."""
        now = self._read()
        if self._own(now) != self._left:
            raise ChangedElsewhere(_ELSEWHERE.format(self.path))
        self._pages |= set(pages)
        known, kinds = _examples(now), now.types
        others = {name: one for name, one in known.items() if name not in self._pages}
        theirs = {name: kind for name, kind in kinds.items() if name not in self._fields}
        own = {name: kind for name, kind in types.items() if name in self._fields}
        saved = Saved({**others, **examples}, {**theirs, **own})
        write_atomically(self.path, saved.text())
        self._left = self._own(saved)

    def types_changed(self, names: Collection[str]) -> None:
        """From now on the project says what types these fields have."""
        self._fields |= set(names)

    def _own(self, saved: Saved) -> dict[str, Any]:
        return {name: one for name, one in _examples(saved).items() if name in self._pages}

    def _read(self) -> Saved:
        try:
            return read_saved(json.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return Saved()
        except (ValueError, RecursionError, InvalidExamples):
            raise ChangedElsewhere(_ELSEWHERE.format(self.path)) from None


def _examples(saved: Saved) -> dict[str, Any]:
    return saved.examples if isinstance(saved.examples, dict) else {}
