"""Exported lists of records, and the clean, typed items that exported code gives."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector
from scrapy.http import HtmlResponse

from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.export import compare, make_plan
from scrapy_wrapinduce.export.code import Writer
from scrapy_wrapinduce.export.data import plan_data
from scrapy_wrapinduce.export.page_object import page_object_code, save_fixtures
from scrapy_wrapinduce.export.rules import ListRules
from scrapy_wrapinduce.export.spider import spider_code
from scrapy_wrapinduce.fields.values.clean import Cleaning
from scrapy_wrapinduce.fields.values.plain import typed

CAST = [
    [("Ann Reed", "Mother"), ("Bo Li", "Thief"), ("Cy Dunn", "Judge")],
    [("Di Eames", "Queen"), ("Ed Ford", "King")],
    [("Flo Gray", "Nurse"), ("Gil Hart", "Doctor"), ("Hal Ives", "Patient"), ("Ida Jones", "Aunt")],
    [("Jo King", "Cook"), ("Kit Lane", "Maid"), ("Lou Moss", "Guest")],
    [("Max Nash", "Pilot"), ("Nan Otis", "Spy")],
]


def film_page(number: int, seen: str = "£12.50") -> Page:
    rows = "".join(
        f"<tr><td>{name}</td><td>{role}</td></tr>" for name, role in CAST[number % len(CAST)]
    )
    return Page(
        f"<html><body><h1>Film number {number}</h1><p class=price>From: {seen}</p>"
        f"<p class=on>On {number + 1} March 2021</p><p class=home><a href='/f/{number}'>Home</a></p>"
        f"<h2>Cast</h2><table><tr><th>Name</th><th>Role</th></tr>{rows}</table>"
        "<h2>Screens</h2><table><tr><td>1</td><td>Main</td></tr></table></body></html>",
        url=f"http://films.example/{number}",
    )


@pytest.fixture(scope="module")
def films() -> tuple[Wrapper, list[Page]]:
    pages = [film_page(number, f"£{number}2.50") for number in range(10)]
    examples = [
        {
            "title": f"Film number {number}",
            "price": f"From: £{number}2.50",
            "seen": f"{number + 1} March 2021",
            "home": f"/f/{number}",
            "cast": [{"name": name, "role": role} for name, role in CAST[number]],
        }
        if number < 3
        else None
        for number in range(10)
    ]
    types = {"price": "price", "seen": "date", "home": "url", "title": "list"}
    return induce(pages, examples=examples, types=types), pages


def test_a_list_of_records_has_a_selector_for_its_rows(films: tuple[Wrapper, list[Page]]) -> None:
    wrapper, pages = films
    plan = make_plan(wrapper, pages)
    (cast,) = (item for item in plan.fields if isinstance(item, ListRules))
    assert (cast.name, cast.equal, cast.total) == ("cast", 10, 10)
    other = film_page(11)
    (record,) = plan.read(Selector(text=other.html).root)
    assert record["cast"] == [{"name": name, "role": role} for name, role in CAST[1]]
    data = plan_data(plan, compare(wrapper, plan, pages))
    assert set(data["fields"]["cast"]["fields"]) == {"name", "role"}
    assert data["fields"]["price"]["type"] == "price"


def test_exported_code_gives_clean_typed_items(
    films: tuple[Wrapper, list[Page]], tmp_path: Path
) -> None:
    wrapper, pages = films
    plan = make_plan(wrapper, pages)
    wanted = wrapper.items(pages[3])
    assert wanted == [
        {
            "title": ["Film number 3"],
            "price": {"amount": 32.5, "currency": "£"},
            "seen": "2021-03-04",
            "home": "http://films.example/f/3",
            "cast": [{"name": name, "role": role} for name, role in CAST[3]],
        }
    ]
    code = spider_code(plan, "film", [], [])
    assert "scrapy_wrapinduce" not in code
    (tmp_path / "film.py").write_text(code, encoding="utf-8")
    module = run_path(str(tmp_path / "film.py"))
    response = HtmlResponse(str(pages[3].url), body=pages[3].html, encoding="utf-8")
    (item,) = module["FilmSpider"]().parse(response)
    assert item == {"url": response.url, **wanted[0]}


def test_a_typed_page_object_passes_its_fixtures(
    films: tuple[Wrapper, list[Page]], tmp_path: Path
) -> None:
    wrapper, pages = films
    plan = make_plan(wrapper, pages)
    code = page_object_code(plan, "film", ["films.example"], [])
    assert "class CastRecord:" in code
    assert "    def price(self) -> dict[str, Any] | None:\n" in code
    (tmp_path / "film_page.py").write_text(code, encoding="utf-8")
    samples = {str(page.url): page for page in pages}
    assert save_fixtures(tmp_path / "fixtures", "film_page", wrapper, plan, "film", samples)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "fixtures", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@given(
    st.lists(st.sampled_from("from: -12 | 3 Knopf – a".split()), max_size=6).map(" ".join),
    st.sampled_from([("From:",), ("a", "from:")]),
    st.sampled_from(["", ":|", "-–"]),
    st.sampled_from([None, ", ", " "]),
    st.booleans(),
)
def test_carried_functions_clean_as_the_wrapper_does(
    text: str, labels: tuple[str, ...], signs: str, glue: str | None, several: bool
) -> None:
    value = text.split("|") if several else text
    carried = module_of("clean")["clean"]
    options = Cleaning(labels, signs, signs, glue).to_dict()
    assert carried(value, **options) == Cleaning(labels, signs, signs, glue).apply(value)


TEXTS = ["£51.77", "-3", "1.234,50 €", "many", "USD 4", "5 May 2021", "2021-05-01", "May 2021", "12/5/10", "In stock",
         "no", "https://schema.org/InStock", "", "20210501", "1st of June 2020 at 5pm"]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_carried_functions_type_as_the_wrapper_does(text: str) -> None:
    carried = module_of("number", "price", "date", "yes_no")
    for kind, name in (("number",) * 2, ("price",) * 2, ("date",) * 2, ("yes/no", "yes_no")):
        assert carried[name](text) == typed(text, kind), kind


@lru_cache
def module_of(*names: str) -> dict[str, Any]:
    """Functions of exported code, as it has them."""
    writer = Writer(used=set(names))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "functions.py"
        file.write_text(f"{writer.imports()}\n{writer.functions()}", encoding="utf-8")
        return run_path(str(file))
