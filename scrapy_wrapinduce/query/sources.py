"""Where the rows of a table come from: pages read by a wrapper, pages still to be fetched, items of a crawl."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote as quote_url

from ..page import Page
from ..sections.wrapper import SectionsWrapper
from ..wrapper import Wrapper
from .errors import QueryError, SourceUnavailable
from .tables import NOTHING, Column, from_grammar

Row = dict[str, Any]
KEY = "page"
Fetch = Callable[[Sequence[str]], Mapping[str, "Page | str"]]
"""Addresses to pages, or to the reason why there is none."""


class Source(ABC):
    """A table of a query."""

    name: str
    key: str
    needs_keys = False

    @abstractmethod
    def columns(self) -> Column:
        """The columns that are known without looking at any page."""

    @abstractmethod
    def rows(self, keys: Sequence[str] | None = None) -> tuple[list[Row], list[str]]:
        """The rows, and what a user should know about those missing; ``keys`` limits them to those needed."""

    def known_keys(self) -> Sequence[str] | None:
        """All keys there are, if the source can tell."""
        return None


def _page_rows(wrapper: Wrapper, page: Page, key: str, value: str) -> Iterator[Row]:
    for record in wrapper.extract(page).records:
        yield {key: value, **({"url": page.url} if page.url else {}), **record}


def _wrapper_columns(wrapper: Wrapper, key: str) -> Column:
    fields: dict[str, Column] = {key: Column(), "url": Column()}
    if isinstance(wrapper, SectionsWrapper):
        if wrapper.titles:
            fields["title"] = Column()
        promised = from_grammar(wrapper.grammar).fields
    else:
        promised = {name: Column() for name in wrapper.fields}
    taken = {name.lower() for name in fields}
    fields.update((name, column) for name, column in promised.items() if name.lower() not in taken)
    return Column(fields=fields)


@dataclass
class PagesSource(Source):
    """Pages at hand, read by a wrapper.

    ``pages`` gives names and pages; the name is the row's key, or what ``keys`` has for it.
    """

    name: str
    wrapper: Wrapper
    pages: Callable[[], Iterable[tuple[str, Page]]]
    key: str = KEY
    keys: Mapping[str, str] = field(default_factory=dict)

    def columns(self) -> Column:
        return _wrapper_columns(self.wrapper, self.key)

    def rows(self, keys: Sequence[str] | None = None) -> tuple[list[Row], list[str]]:
        rows: list[Row] = []
        count = 0
        for name, page in self.pages():
            count += 1
            rows += _page_rows(self.wrapper, page, self.key, self.keys.get(name, name))
        if not count:
            raise SourceUnavailable(f"source {self.name} has no pages")
        return rows, []


@dataclass
class ItemsSource(Source):
    """Items of a crawl: dicts as feed exports write them."""

    name: str
    items: Callable[[], Iterable[Mapping[str, Any]]]
    key: str = "url"

    def columns(self) -> Column:
        return Column(NOTHING)

    def rows(self, keys: Sequence[str] | None = None) -> tuple[list[Row], list[str]]:
        return [dict(item) for item in self.items()], []


@dataclass
class LiveSource(Source):
    """Pages on the web: a URL template such as ``https://factbook.example/{country}.html`` and a mapping.

    The mapping function of the paper gives the text that a key has in the address, or the whole address: a dict
    of all keys, or a function. Only pages whose key a query needs are fetched.
    """

    name: str
    wrapper: Wrapper
    template: str
    fetch: Fetch
    key: str = KEY
    mapping: Mapping[str, str] | Callable[[str], str] | None = None

    needs_keys = True

    def columns(self) -> Column:
        return _wrapper_columns(self.wrapper, self.key)

    def known_keys(self) -> Sequence[str] | None:
        return list(self.mapping) if isinstance(self.mapping, Mapping) else None

    def address(self, key: str) -> str | None:
        """The page of a key; ``None`` if the mapping has no such key."""
        if isinstance(self.mapping, Mapping):
            if key not in self.mapping:
                return None
            text = self.mapping[key]
        else:
            text = self.mapping(key) if self.mapping else key
        if text.startswith(("http://", "https://")):
            return text
        return self.template.replace(f"{{{self.key}}}", quote_url(text, safe=""))

    def rows(self, keys: Sequence[str] | None = None) -> tuple[list[Row], list[str]]:
        if keys is None:
            keys = self.known_keys()
        if keys is None:
            raise QueryError(
                f"source {self.name} cannot list its pages: say which, as in WHERE {self.key} = '…' or IN (…)"
            )
        addresses = {key: url for key in keys if (url := self.address(key)) is not None}
        answers = self.fetch(list(dict.fromkeys(addresses.values()))) if addresses else {}
        rows: list[Row] = []
        missing: list[str] = []
        for key, url in addresses.items():
            answer = answers.get(url, "no answer")
            if isinstance(answer, str):
                missing.append(f"{url}: {answer}")
            else:
                rows += _page_rows(self.wrapper, answer, self.key, key)
        if addresses and len(missing) == len(addresses):
            more = f" (and {len(missing) - 1} other pages)" if len(missing) > 1 else ""
            raise SourceUnavailable(f"source {self.name} does not answer: {missing[0]}{more}")
        return rows, [f"source {self.name} lacks a page: {line}" for line in missing]


def read_items(path: str) -> Iterator[Mapping[str, Any]]:
    """The items in a JSON lines, JSON or CSV file."""
    import csv

    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            if path.lower().endswith(".csv"):
                yield from csv.DictReader(file)
            elif path.lower().endswith(".json"):
                yield from _objects(json.load(file), path)
            else:
                yield from _objects((json.loads(line) for line in file if line.strip()), path)
    except (ValueError, csv.Error) as error:
        raise QueryError(f"{path}: not items of a crawl ({error})") from error


def _objects(items: Iterable[Any], path: str) -> Iterator[Mapping[str, Any]]:
    for item in items:
        if not isinstance(item, Mapping):
            raise QueryError(f"{path}: not items of a crawl (an item is not an object)")
        yield item
