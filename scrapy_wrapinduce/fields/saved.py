"""What people have said about pages, as one readable file: examples by page, and the types of fields.

::

    {"types": {"price": "number"}, "examples": {"https://books.example/b/1": {"title": "Emma", "price": "£4"}}}

Without types the file may hold the examples alone. The studio writes it; ``learn --examples`` and spiders read it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import WrapinduceError
from .values.plain import fault


class InvalidExamples(WrapinduceError):
    """Examples are not what they have to be; the message says what is wrong."""


@dataclass(frozen=True)
class Saved:
    """Examples by page (or, in a list, page by page), and types by field."""

    examples: dict[str, Any] | list[Any] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The file."""
        data: Any = self.examples
        if self.types:
            data = {"types": self.types, "examples": self.examples}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def read_saved(data: Any) -> Saved:
    """Examples as they were written down."""
    types: Any = {}
    if isinstance(data, Mapping) and _has_types(data):
        data, types = data.get("examples", {}), data.get("types", {})
    if not isinstance(data, Mapping | list):
        raise InvalidExamples("must map the names of pages to their records")
    wrong = fault(types)
    if wrong:
        raise InvalidExamples(wrong)
    for name, example in data.items() if isinstance(data, Mapping) else enumerate(data, 1):
        if example is None and isinstance(data, list):
            continue
        records = example if isinstance(example, list) else [example]
        if not all(isinstance(record, Mapping) for record in records):
            raise InvalidExamples(
                f"the example of page {name!r} is not a record or a list of records"
            )
    if isinstance(data, list):
        return Saved(data, dict(types))
    return Saved({str(name): example for name, example in data.items()}, dict(types))


def _has_types(data: Mapping[Any, Any]) -> bool:
    """Whether examples stand below "examples": a page may be called that, too, but then its values are no records."""
    inner = data.get("examples")
    return data.keys() <= {"types", "examples"} and (
        "types" in data
        or (
            isinstance(inner, Mapping)
            and all(isinstance(example, Mapping | list) for example in inner.values())
        )
    )
