"""The studio on a crawl's store: templates to choose, types, lists, merging, and a redesign side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from browsing import click_on_page, column, open_browser, open_field, settled, studio_of
from crawling import SPIDER, crawl, project, serving
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce import Page, induce, load
from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.cli.inputs import read_examples
from scrapy_wrapinduce.fields.saved import InvalidExamples, Saved, read_saved
from scrapy_wrapinduce.fields.values.plain import TYPES, fault, typed, typed_record
from scrapy_wrapinduce.stores.files import Wrappers
from scrapy_wrapinduce.stores.sample import changed_path, pack_sample, sample_path, save_sample
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.studio.corrections import drop, merge, rename, set_list, set_type
from scrapy_wrapinduce.studio.lists import NoList, list_around
from scrapy_wrapinduce.studio.moment import StudioPage
from scrapy_wrapinduce.studio.project import Project
from scrapy_wrapinduce.studio.records import Refused
from scrapy_wrapinduce.studio.workspace import NothingToShow, Workspace, of_store
from scrapy_wrapinduce.wrapper import dump, parse

WORDS = ("amber", "basil", "cedar", "daisy", "elder", "fern", "ginger", "hazel")


def tags_of(number: int) -> list[str]:
    return [WORDS[(number + step) % len(WORDS)] for step in range(2 + number % 3)]


def book(number: int) -> Page:
    tags = "".join(
        f"<li><a href='/t'>{tag}</a> <i>{len(tag) * 3}</i></li>" for tag in tags_of(number)
    )
    return Page(
        f"<html><body><h1>The {WORDS[number].title()} Book</h1><p class=price>Price: <b>£{number}.50</b></p>"
        f"<p class=date>Out on <b>{number + 1} May 2021</b></p><a class=cover href='/c/{number}'>cover</a>"
        f"<ul class=tags>{tags}</ul></body></html>",
        f"http://books.example/b/{number}",
    )


def new_book(number: int) -> Page:
    """The same things in another design."""
    return Page(
        f"<html><body><div class=top><span>£{number}.50</span> only</div><div class=main><h2>The "
        f"{WORDS[number].title()} Book</h2></div><dl><dt>Out on</dt><dd>{number + 1} May 2021</dd></dl></body></html>",
        f"http://books.example/n/{number}",
    )


EXAMPLE = {"title": "The Amber Book", "price": "£0.50", "out": "1 May 2021"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store of two templates, the pages of one of which have changed."""
    store = Wrappers(tmp_path / "store/wrappers")
    pages = [book(number) for number in range(6)]
    taught = induce(pages, examples=[EXAMPLE, *[None] * 5])
    for name in ("book", "other"):
        stored = StoredWrapper("books.example", name, dump(taught), {}, 6, fields=taught.fields)
        store.save(stored)
        kept = pages if name == "book" else [Page(p.html, f"{p.url}/other") for p in pages]
        save_sample(sample_path(store.path(stored)), pack_sample(kept))
        if name == "book":
            changed = [new_book(number) for number in range(6)]
            save_sample(changed_path(store.path(stored)), pack_sample(changed))
    return tmp_path / "store"


def opened(folder: Path) -> Workspace:
    return of_store(folder, lambda path: read_examples(str(path)))


def items(project: Project, name: str) -> list[Any]:
    assert project.wrapper is not None
    return [project.wrapper.items(named.page)[0].get(name) for named in project.pages]


def test_the_wrapper_of_the_store_is_what_one_begins_with(folder: Path) -> None:
    workspace = opened(folder)
    assert sorted(workspace.templates) == ["books.example/book", "books.example/other"]
    assert workspace.project("books.example/book").fields() == ["title", "price", "out"]


def test_types_are_saved_with_the_wrapper_and_undone(folder: Path) -> None:
    project = opened(folder).project("books.example/book")
    project.correct(set_type, "price", "number")
    project.correct(set_type, "out", "date")
    assert items(project, "price") == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert items(project, "out")[0] == "2021-05-01"
    saved = load(project.wrapper_path)
    assert saved.types == {"price": "number", "out": "date"}
    assert saved.items(book(7))[0]["price"] == 7.5
    project.undo()
    assert items(project, "out")[0] == "1 May 2021"
    with pytest.raises(Refused, match="unknown type"):
        project.correct(set_type, "price", "colour")


def test_two_items_make_a_list_on_all_pages(folder: Path) -> None:
    project = opened(folder).project("books.example/book")
    html = project.pages[0].page.html
    project.correct(set_list, 0, "tags", html.index("amber"), html.index("basil"))
    assert items(project, "tags") == [tags_of(number) for number in range(6)]
    project.undo()
    assert "tags" not in project.fields()
    with pytest.raises(NoList):
        project.correct(set_list, 0, "tags", html.index("The Amber"), html.index("basil"))


def test_merged_fields_are_one(folder: Path) -> None:
    project = opened(folder).project("books.example/book")
    project.correct(merge, "price", "out")
    assert items(project, "price")[0] == ["£0.50", "1 May 2021"]
    assert items(project, "out")[0] is None
    project.undo()
    assert items(project, "price")[0] == "£0.50"
    with pytest.raises(Refused):
        project.correct(merge, "price", "price")


def test_dropping_keeps_the_fields_that_only_other_pages_have(tmp_path: Path) -> None:
    def page(number: int) -> StudioPage:
        sale = f"<p class=sale>Sale: <b>{number}.25</b></p>" if number % 2 else ""
        html = (
            f"<html><body><h1>Thing {WORDS[number]}</h1><i>{number}{number}</i>{sale}</body></html>"
        )
        return StudioPage(f"{number}.html", Page(html))

    project = Project(map(page, range(8)), tmp_path / "e.json", tmp_path / "w.json")
    project.learn()
    sale = next(
        n for n in project.fields() if "1.25" in str(project.extractions[1].records[0].get(n))
    )
    dropped = next(n for n in project.fields() if project.extractions[0].records[0].get(n) == "22"
                   or project.extractions[2].records[0].get(n) == "22")  # fmt: skip
    project.correct(drop, dropped)
    assert dropped not in project.fields()
    assert sale in project.fields()


def test_one_file_holds_the_corrections_of_all_templates(folder: Path) -> None:
    workspace = opened(folder)
    first, other = (workspace.project(f"books.example/{name}") for name in ("book", "other"))
    first.correct(rename, "title", "name")
    other.correct(set_type, "price", "price")
    first.correct(rename, "out", "published")
    saved = json.loads((folder / "examples.json").read_text())
    assert saved["types"] == {"price": "price"}
    assert saved["examples"]["http://books.example/b/0"]["published"] == "1 May 2021"
    again = opened(folder).project("books.example/book")
    assert again.fields() == ["name", "price", "published"]
    archive = str(sample_path(folder / "wrappers/books.example/book.json"))
    learned = folder / "learned.json"
    examples = str(folder / "examples.json")
    assert main(["learn", archive, "--examples", examples, "-o", str(learned)]) == 0
    assert load(learned).items(book(7)) == [
        {
            "name": "The Hazel Book",
            "price": {"amount": 7.5, "currency": "£"},
            "published": "8 May 2021",
        }
    ]


def test_a_repair_is_accepted_after_both_designs_were_seen(folder: Path) -> None:
    workspace = opened(folder)
    name = "books.example/book"
    design = workspace.design(name)
    assert design is not None
    design.propose()
    assert design.proposed is not None, design.reason
    assert set(design.proposed.confidence) == {"title", "price", "out"}
    project = workspace.project(name)
    workspace.accept(name)
    assert [named.name for named in project.pages] == [new_book(n).url for n in range(6)]
    assert items(project, "title") == [f"The {WORDS[n].title()} Book" for n in range(6)]
    assert load(project.wrapper_path).items(new_book(7))[0]["title"] == "The Hazel Book"
    project.undo()
    assert load(project.wrapper_path).items(book(7))[0]["title"] == "The Hazel Book"
    assert workspace.design("books.example/other") is None
    with pytest.raises(NothingToShow):
        workspace.accept("books.example/other")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    with open_browser(tmp_path) as chrome:
        yield chrome


def choose(browser: Any, label: str, text: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("css selector", f"[aria-label='{label}']")).select_by_visible_text(
        text
    )


def test_a_store_is_corrected_and_repaired_in_a_browser(browser: Any, folder: Path) -> None:
    with studio_of(folder.parent, "store") as address:
        browser.get(address)
        settled(browser)
        names = [o.text for o in browser.find_elements("css selector", "#templates option")]
        assert names == ["books.example/book (pages changed)", "books.example/other"]
        open_field(browser, "price")
        choose(browser, "Type of price", "number")
        settled(browser, "saved")
        assert column(browser, "price") == ["0.5", "1.5", "2.5", "3.5", "4.5", "5.5"]
        click_on_page(browser, ".tags a span[data-wi-start]")
        browser.find_element("id", "as-list").click()
        click_on_page(browser, ".tags a span[data-wi-start]", 1)
        browser.find_element("id", "field").send_keys("tags\n")
        settled(browser, "tags: on 6 of 6 pages; saved")
        assert column(browser, "tags") == [" · ".join(tags_of(number)) for number in range(6)]
        click_on_page(browser, ".cover span")
        browser.find_element("xpath", "//button[.='Take its href']").click()
        browser.find_element("id", "field").send_keys("cover\n")
        settled(browser, "cover: on 6 of 6 pages; saved")
        assert column(browser, "cover") == [f"/c/{number}" for number in range(6)]
        choose(browser, "Type of cover", "url")
        settled(browser, "saved")
        assert column(browser, "cover")[1] == "http://books.example/c/1"
        browser.find_element("css selector", "[aria-label='Drop cover']").click()
        settled(browser, "4 fields; saved")
        for _ in range(5):
            browser.find_element("id", "undo").click()
            settled(browser, "saved")
        assert not browser.find_element("id", "undo").is_enabled()
        assert column(browser, "price")[0] == "£0.50"
        browser.find_element("id", "repair").click()
        settled(browser, "both designs")
        for side, text in (("old", "£0.50"), ("new", "£0.50 only")):
            browser.switch_to.frame(browser.find_element("id", side))
            assert text in browser.find_element("tag name", "body").text.replace("price", "")
            browser.switch_to.default_content()
        sure = browser.find_element("id", "sure").text
        assert "title" in sure
        assert "%" in sure
        browser.find_element("id", "accept").click()
        settled(browser, "saved")
        assert column(browser, "title")[1] == "The Basil Book"
    assert load(folder / "wrappers/books.example/book.json").items(new_book(7))


def test_a_spider_uses_what_the_studio_has_saved(tmp_path: Path) -> None:
    """By address, as it is, with types: from the store, or named by the spider."""
    links = "".join(f"<a href='/b/{number}'>{number}</a>" for number in range(7))
    answers = {f"/b/{number}": book(number).html for number in range(7)}
    with serving({"/": f"<html><body>{links}</body></html>", **answers}) as site:
        saved = Saved(
            {f"{site.url}b/0": {"name": "The Amber Book", "cost": "£0.50"}}, {"cost": "number"}
        )
        (tmp_path / "store").mkdir()
        (tmp_path / "store/examples.json").write_text(saved.text())
        project(tmp_path, SPIDER.format(url=site.url))
        done = crawl(tmp_path, WRAPINDUCE_DIR="store", WRAPINDUCE_SAMPLE_PAGES=7)
        (tmp_path / "mine.json").write_text(saved.text())
        (tmp_path / "items.jsonl").unlink()
        project(tmp_path, SPIDER.format(url=site.url) + '    examples = "mine.json"\n')
        named = crawl(tmp_path, WRAPINDUCE_DIR="other", WRAPINDUCE_SAMPLE_PAGES=7)
    for run in (done, named):
        read = {item["url"].rsplit("/", 1)[1]: item for item in run.items if "/b/" in item["url"]}
        assert {(item["name"], item["cost"]) for item in read.values()} == {
            (f"The {WORDS[number].title()} Book", number + 0.5) for number in range(7)
        }


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("1.234,50 €", "number", 1234.5),
        ("12", "number", 12),
        ("$3", "price", {"amount": 3, "currency": "$"}),
        ("In stock", "yes/no", True),
        ("3 March 2020", "date", "2020-03-03"),
        ([{"item": "a"}, {"item": "b"}], "list", ["a", "b"]),
        ("soon", "date", None),
    ],
)
def test_values_become_what_their_type_says(value: Any, kind: str, expected: Any) -> None:
    assert typed(value, kind) == expected


@settings(deadline=None)
@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.text(max_size=3), inner, max_size=3)), st.sampled_from([*TYPES]))  # fmt: skip
def test_no_value_is_an_error_and_all_become_json(value: Any, kind: str) -> None:
    json.dumps(typed_record({"a": value}, {"a": kind}, "http://x.example/"))


@pytest.mark.parametrize(
    "data",
    [3, {"types": {"a": "colour"}, "examples": {}}, {"types": []}, {"p": "text"}, {"p": [1]}, "x",
     {"types": {"a": "as "}, "examples": {}}],
)  # fmt: skip
def test_wrong_files_are_one_sentence(data: Any) -> None:
    with pytest.raises(InvalidExamples) as error:
        read_saved(data)
    assert "\n" not in str(error.value)


def test_a_page_may_be_called_examples() -> None:
    assert read_saved({"examples": {"title": "Ink"}}).examples == {"examples": {"title": "Ink"}}
    assert fault({"a": "as b"}) is None


def test_types_outlive_saving_and_broken_ones_are_refused(tmp_path: Path) -> None:
    wrapper = induce([book(n) for n in range(4)], types={"x": "number"})
    assert parse(dump(wrapper)).types == {"x": "number"}
    data = {**json.loads(dump(wrapper)), "types": {"x": "colour"}}
    with pytest.raises(Exception, match="unknown type 'colour'"):
        parse(json.dumps(data))


@given(st.lists(st.sampled_from(["<ul>", "<li>", "</li>", "</ul>", "a", "b", "<br>", "</p>"]), max_size=30),
       st.integers(0, 90), st.integers(0, 90))  # fmt: skip
def test_any_two_places_of_any_page_give_a_list_or_a_sentence(
    parts: list[str], first: int, second: int
) -> None:
    page = Page("".join(parts))
    with suppress(NoList):
        assert list_around(page, first, second)
