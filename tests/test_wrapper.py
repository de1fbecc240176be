"""What all wrappers share: files that are complete, versioned, and refused with a reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scrapy_wrapinduce import induce
from scrapy_wrapinduce import wrapper as shared
from scrapy_wrapinduce.errors import InvalidWrapper
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.wrapper import Extraction, Failure, Wrapper, dump, load, parse


class TitleWrapper(Wrapper):
    """The smallest family there can be: the text between two strings."""

    family = "title"

    def __init__(self, before: str, after: str) -> None:
        self.before, self.after = before, after

    @property
    def fields(self) -> tuple[str, ...]:
        return ("title",)

    def extract(self, page: Page) -> Extraction:
        _, found, rest = page.html.partition(self.before)
        if not found:
            return Extraction(failures=[Failure("title", "no such tag", 0, len(page.html))])
        return Extraction([{"title": rest.partition(self.after)[0]}], coverage=1.0)

    def describe(self) -> str:
        return f"title: from {self.before} to {self.after}"

    def to_dict(self) -> dict[str, Any]:
        return {"before": self.before, "after": self.after}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TitleWrapper:
        return cls(data["before"], data["after"])


@pytest.fixture
def title(monkeypatch: pytest.MonkeyPatch) -> TitleWrapper:
    monkeypatch.setitem(sys.modules, "titles", sys.modules[__name__])
    monkeypatch.setitem(shared.FAMILIES, "title", "titles:TitleWrapper")
    return TitleWrapper("<title>", "</title>")


def test_a_wrapper_is_saved_and_loaded(title: TitleWrapper, tmp_path: Path) -> None:
    path = tmp_path / "wrapper.json"
    title.save(path)
    again = load(path)
    page = Page("<title>Ink</title>")
    assert again.extract(page) == title.extract(page)
    assert again.extract(page).records == [{"title": "Ink"}]
    assert again.describe() == title.describe()
    assert [entry.name for entry in tmp_path.iterdir()] == ["wrapper.json"]


def test_the_file_is_readable_json_with_a_version(title: TitleWrapper) -> None:
    title.before = "<title>“"
    data = json.loads(dump(title))
    assert (data["format"], data["family"], data["before"]) == (1, "title", "<title>“")
    assert "“" in dump(title)
    assert dump(title).count("\n") == len(data) + 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("\x00\xff", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "does not hold a JSON object"),
        ('"wrapper"', "does not hold a JSON object"),
        ("{}", "format None"),
        ('{"format": 99, "family": "title"}', "format 99 is not one this version reads"),
        ('{"format": 1}', "unknown wrapper family None"),
        ('{"format": 1, "family": ["title"]}', "unknown wrapper family"),
        ('{"format": 1, "family": "nope"}', "unknown wrapper family 'nope'; known: "),
        ('{"format": 1, "family": "title"}', "broken title wrapper: KeyError('before')"),
    ],
)
@pytest.mark.usefixtures("title")
def test_a_broken_file_is_refused_with_its_reason(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "wrapper.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidWrapper) as caught:
        load(path)
    assert reason in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    with pytest.raises(InvalidWrapper):
        parse(text)


def test_what_is_wrong_is_said_in_one_short_line() -> None:
    wrapper = induce([Page("<h1>One</h1><p>1</p>"), Page("<h1>Two</h1><p>2</p>")])
    data = json.loads(dump(wrapper))
    data["fields"][0]["name"] = ["a line\nand another " * 500]
    with pytest.raises(InvalidWrapper) as caught:
        parse(json.dumps(data))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_numbers_that_are_none_are_refused(number: str) -> None:
    wrapper = induce([Page("<h1>One</h1><p>1</p>"), Page("<h1>Two</h1><p>2</p>")])
    text = dump(wrapper).replace('"at": [', f'"at": [[{number}, 0, 0, ""],', 1)
    with pytest.raises(InvalidWrapper):
        parse(text)


ODD: tuple[Any, ...] = (None, True, -1, 10**400, "x", [], ["x", 1], {}, {"x": "y"})


def test_a_broken_health_is_refused_by_whoever_needs_it() -> None:
    pages = [Page(f"<h1>Title {n}</h1><p>Price: {n} €</p>") for n in range(6)]
    sound = json.loads(dump(induce(pages)))
    name = next(iter(sound["health"]["fields"]))
    refused = 0
    for key in sound["health"]["fields"][name]:
        for odd in ODD:
            data = json.loads(json.dumps(sound))
            data["health"]["fields"][name][key] = odd
            wrapper = parse(json.dumps(data))
            assert wrapper.extract(pages[0]).records
            try:
                wrapper.verify(pages)
            except InvalidWrapper as error:
                refused += "health" in str(error)
    assert refused > len(ODD)


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.json")


def test_every_family_there_is_can_be_imported() -> None:
    for family in shared.FAMILIES:
        assert shared.family_class(family).family == family


def test_a_failure_says_where() -> None:
    assert str(Failure("price", "no landmark")) == "price: no landmark"
    assert str(Failure("price", "no landmark", 3, 9)) == "price: no landmark (characters 3 to 9)"


def test_an_empty_extraction_has_nothing() -> None:
    nothing = Extraction()
    assert (nothing.records, nothing.coverage, nothing.failures) == ([], 0.0, [])
    assert nothing.candidates() == {}
