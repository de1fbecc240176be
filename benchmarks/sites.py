"""The pages of a site with their truth, as the benchmarks of detail pages read them."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Truth = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True)
class Site:
    """Pages to learn from and others, by name, and the true values of each."""

    name: str
    train: tuple[tuple[str, str], ...]
    test: tuple[tuple[str, str], ...]
    truth: Truth

    @property
    def fields(self) -> list[str]:
        """The fields that a page to learn from has."""
        return sorted(
            {f for page, _ in self.train for f, values in self.truth[page].items() if values}
        )


def fold(value: object) -> str:
    """A value as it is compared."""
    return " ".join(html.unescape(str(value)).replace("\xa0", " ").split())


def flat(value: object) -> list[str]:
    """Every text inside a field's value."""
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in flat(part)]
    if isinstance(value, (list, tuple)):
        return [text for part in value for text in flat(part)]
    return [fold(value)] if value is not None and fold(value) else []


def load_site(root: Path) -> Site:
    def pages(part: str) -> tuple[tuple[str, str], ...]:
        return tuple(
            (path.stem, path.read_bytes().decode("utf-8", "replace"))
            for path in sorted((root / part).glob("*.htm"))
        )

    truth: Truth = json.loads((root / "truth.json").read_text())
    return Site(root.name, pages("train"), pages("test"), truth)


def examples_of(site: Site, labelled: int) -> list[dict[str, str] | None]:
    """One entry per page: the first wording of each value on the first pages, None for the others."""
    return [
        {f: site.truth[page][f][0] for f in site.fields if site.truth[page].get(f)}
        if number < labelled
        else None
        for number, (page, _) in enumerate(site.train)
    ]
