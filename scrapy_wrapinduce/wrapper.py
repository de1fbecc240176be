"""What every wrapper family shares: extracting, describing, saving and loading.

A wrapper is plain data. Applying one never needs the code that learned it; the file is JSON with a
format version, readable in a diff.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from .errors import InvalidWrapper, in_a_line
from .files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from typing_extensions import Self

    from .fields.values.clean import Cleaning
    from .fuzzy.rescue import LastResort
    from .page import Page
    from .upkeep import Verdict

FORMAT = 1
FAMILIES: dict[str, str] = {
    "records": "scrapy_wrapinduce.records.wrapper:RecordsWrapper",
    "landmark": "scrapy_wrapinduce.landmark.wrapper:LandmarkWrapper",
    "lr": "scrapy_wrapinduce.delimiter.wrapper:LR",
    "hlrt": "scrapy_wrapinduce.delimiter.wrapper:HLRT",
    "oclr": "scrapy_wrapinduce.delimiter.wrapper:OCLR",
    "hoclrt": "scrapy_wrapinduce.delimiter.wrapper:HOCLRT",
    "nlr": "scrapy_wrapinduce.delimiter.wrapper:NLR",
    "nhlrt": "scrapy_wrapinduce.delimiter.wrapper:NHLRT",
    "fuzzy": "scrapy_wrapinduce.fuzzy.wrapper:FuzzyWrapper",
    "sections": "scrapy_wrapinduce.sections.wrapper:SectionsWrapper",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one extracted value stands in the page's source.

    ``field`` names the lists it is in before its own name (``cast.role``); ``within`` says which record of each.
    """

    record: int
    field: str
    value: str
    start: int
    end: int
    within: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A part of the wrapper that did not find its place; the rest of the page is still extracted."""

    what: str
    reason: str
    start: int | None = None
    end: int | None = None

    def __str__(self) -> str:
        where = "" if self.start is None else f" (characters {self.start} to {self.end})"
        return f"{self.what}: {self.reason}{where}"


@dataclass(slots=True)
class Extraction:
    """What a wrapper read from a page."""

    records: list[dict[str, Any]] = field(default_factory=list)
    coverage: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def candidates(self) -> dict[str, list[str]]:
        """Nonterminal path to its text nodes, in order; empty for families without a grammar."""
        return {}


class Wrapper(ABC):
    """A learned way to read the pages of one template.

    Get one from :func:`scrapy_wrapinduce.induce` or :func:`scrapy_wrapinduce.load`.
    """

    family: ClassVar[str]
    # What it extracted while it was right, summed up as plain data; kept in the file, compared by nothing.
    health: Mapping[str, Any] | None = None
    # What the values of fields are to become in items, where somebody has said so (see ``fields.plain``).
    types: Mapping[str, str] = MappingProxyType({})
    # What reads the places of a page where the wrapper itself fails; families of lists have one.
    last_resort: LastResort | None = None

    @property
    @abstractmethod
    def fields(self) -> tuple[str, ...]:
        """The names of the fields, in the order of the page."""

    @abstractmethod
    def extract(self, page: Page) -> Extraction:
        """Read a page. Never raises: what does not match is in ``failures``."""

    @property
    def cleanings(self) -> Mapping[str, Cleaning]:
        """What :meth:`clean` takes off the values of fields; those of lists by paths, as in ``cast.role``."""
        return {}

    def clean(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record of :meth:`extract` as an item: without what stands in a value's text beside the value."""
        return dict(record)

    def items(self, page: Page) -> list[dict[str, Any]]:
        """The clean records of a page, as people want them; :meth:`extract` has the raw text."""
        return [self.item(record, page.url) for record in self.extract(page).records]

    def item(self, record: Mapping[str, Any], url: str | None = None) -> dict[str, Any]:
        """A record of :meth:`extract` as an item: clean, and its values of the types they were given."""
        clean = self.clean(record)
        if not self.types:
            return clean
        from .fields.values.plain import typed_record

        return typed_record(clean, self.types, url)

    @abstractmethod
    def describe(self) -> str:
        """The wrapper as a person reads it."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The wrapper as JSON-able data, without the format and family that :meth:`save` adds."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_dict`; raises :class:`InvalidWrapper` with what is wrong."""

    def with_health(self, health: Mapping[str, Any] | None) -> Self:
        """A copy that knows what the wrapper extracts while it is right."""
        copied = copy(self)
        object.__setattr__(copied, "health", health)
        return copied

    def with_types(self, types: Mapping[str, str]) -> Self:
        """A copy whose items have values of these types; the wrapper itself where they have them already."""
        if dict(types) == dict(self.types):
            return self
        copied = copy(self)
        object.__setattr__(copied, "types", dict(types))
        return copied

    def with_last_resort(self, resort: LastResort | None) -> Self:
        """A copy with a reader of last resort."""
        copied = copy(self)
        object.__setattr__(copied, "last_resort", resort)
        return copied

    def _rescued(self, page: Page, strict: Extraction) -> Extraction:
        """What the wrapper read, completed by its last resort where it failed."""
        if self.last_resort is None:
            return strict
        from .fuzzy.rescue import rescued

        return rescued(self, page, strict)

    def without_fields(self, names: Collection[str]) -> Self:
        """A copy that does not read some of the fields; a family that cannot leave any out reads them all."""
        return self

    def verify(self, pages: Page | Iterable[Page]) -> Verdict:
        """Whether the wrapper still reads pages as it did when it was learned."""
        from .upkeep import verify

        return verify(self, pages)

    def repair(self, pages: Page | Iterable[Page]) -> Wrapper:
        """A wrapper of the same fields for changed pages; raises :class:`CannotRepair` rather than guess."""
        from .upkeep import repair

        return repair(self, pages).wrapper.with_types(self.types)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper as JSON, completely or not at all."""
        write_atomically(path, dump(self))


def dump(wrapper: Wrapper) -> str:
    """The text of a wrapper file."""
    data = {"format": FORMAT, "family": wrapper.family, **wrapper.to_dict()}
    if wrapper.last_resort is not None:
        data["last_resort"] = wrapper.last_resort.to_dict()
    if wrapper.health is not None:
        data["health"] = wrapper.health
    if wrapper.types:
        data["types"] = dict(wrapper.types)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def parse(text: str | bytes) -> Wrapper:
    """The inverse of :func:`dump`."""
    try:
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InvalidWrapper(f"not a wrapper: not valid JSON ({error})") from error
    if not isinstance(data, dict):
        raise InvalidWrapper("not a wrapper: the file does not hold a JSON object")
    if data.get("format") != FORMAT:
        raise InvalidWrapper(
            in_a_line(
                f"wrapper format {data.get('format')!r:.99} is not one this version reads ({FORMAT})"
            )
        )
    family = data.get("family")
    if not isinstance(family, str) or family not in FAMILIES:
        raise InvalidWrapper(
            in_a_line(f"unknown wrapper family {family!r:.99}; known: {', '.join(FAMILIES)}")
        )
    try:
        wrapper = family_class(family).from_dict(data).with_types(_types(data.get("types", {})))
        if data.get("last_resort") is not None:
            from .fuzzy.rescue import LastResort

            wrapper = wrapper.with_last_resort(LastResort.from_dict(data["last_resort"]))
        health = data.get("health")
        if health is None:
            return wrapper
        if not isinstance(health, dict):
            raise InvalidWrapper(f"broken {family} wrapper: its health is not a JSON object")
        return wrapper.with_health(health)
    except InvalidWrapper as error:
        raise InvalidWrapper(in_a_line(str(error))) from error
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise InvalidWrapper(in_a_line(f"broken {family} wrapper: {error!r}")) from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _types(data: Any) -> dict[str, str]:
    from .fields.values.plain import fault

    wrong = fault(data)
    if wrong:
        raise InvalidWrapper(f"broken wrapper: {wrong}")
    return dict(data)


def load(path: str | os.PathLike[str]) -> Wrapper:
    """Read a wrapper that was saved before.

    Raises :class:`OSError` when the file cannot be read and :class:`InvalidWrapper` when it holds no wrapper.
    """
    try:
        return parse(Path(path).read_bytes())
    except InvalidWrapper as error:
        raise InvalidWrapper(f"{os.fspath(path)}: {error}") from error


def family_class(family: str) -> type[Wrapper]:
    """The class that reads and writes wrappers of a family."""
    module, name = FAMILIES[family].split(":")
    found: type[Wrapper] = getattr(import_module(module), name)
    return found
