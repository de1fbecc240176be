"""The report at the end of a crawl: what it has of it, that it is bounded, and that it runs nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import open_browser, wait
from crawling import SPIDER, catalogue, crawl, project, serving
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.report import ReportPage, Subject, build_crawl_report
from scrapy_wrapinduce.report.run import MOST_ITEMS, MOST_WINDOWS, TemplateRun, read_run
from scrapy_wrapinduce.report.store import subjects_of
from scrapy_wrapinduce.stores.files import Wrappers
from scrapy_wrapinduce.stores.sample import read_sample, sample_path
from scrapy_wrapinduce.stores.stored import StoredWrapper
from scrapy_wrapinduce.wrapper import Extraction, Failure, dump


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A project after two crawls of a small site, and the log of the second."""
    folder = tmp_path_factory.mktemp("crawled")
    with serving(catalogue(12)) as site:
        project(folder, SPIDER.format(url=site.url))
        for _ in range(2):
            done = crawl(folder, WRAPINDUCE_DIR="store", WRAPINDUCE_REPORT=None)
    return folder, done.log


def test_a_crawl_ends_with_a_report_of_all_its_templates(crawled: tuple[Path, str]) -> None:
    folder, log = crawled
    (said,) = re.findall(r"to look at in a browser: (\S+)", log)
    assert said == (folder / "store/report.html").as_uri()
    text = (folder / "store/report.html").read_text(encoding="utf-8")
    document = lxml_html.fromstring(text)
    names = [link.text_content() for link in document.xpath('//table[@class="index"]//a')]
    assert any(name.endswith("/book") for name in names)
    assert len(document.xpath('//article[@class="template"]')) == len(names)
    (book,) = document.xpath('//article[.//h2[contains(., "/book")]]')
    assert "The" in " ".join(book.xpath('.//table[@class="items"]//td/text()'))
    assert book.xpath(".//iframe[@sandbox='' and @loading='lazy']")
    assert "Learned from 5 pages in " in book.text_content()
    assert "Coverage over the last 2 runs" in book.text_content()
    assert "<script" not in text
    assert log.index("Spider closed") < log.index("to look at")


def test_pages_are_kept_with_the_wrappers(crawled: tuple[Path, str]) -> None:
    folder, _ = crawled
    (path,) = (folder / "store/wrappers").glob("*/book.json")
    pages = read_sample(sample_path(path))
    assert len(pages) == 5
    assert all("/book/" in (page.url or "") for page in pages)
    about = json.loads(path.with_suffix(".about").read_text())
    assert about["seconds"] > 0
    assert len(about["runs"]) == 2


def test_the_setting_chooses_the_file_or_turns_it_off(tmp_path: Path) -> None:
    with serving(catalogue(6)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        off = crawl(tmp_path, WRAPINDUCE_DIR="store", WRAPINDUCE_REPORT="0")
        on = crawl(tmp_path, WRAPINDUCE_DIR="store", WRAPINDUCE_REPORT="there.html")
    assert "browser" not in off.log
    assert not (tmp_path / "store/report.html").exists()
    assert (tmp_path / "there.html").as_uri() in on.log
    assert (tmp_path / "there.html").exists()


def test_a_report_that_cannot_be_written_is_said_and_the_crawl_is_good(tmp_path: Path) -> None:
    with serving(catalogue(6)) as site:
        project(tmp_path, SPIDER.format(url=site.url))
        (tmp_path / "there.html").mkdir()
        done = crawl(tmp_path, WRAPINDUCE_DIR="store", WRAPINDUCE_REPORT="there.html")
    assert done.code == 0
    assert len(done.paths()) == 6
    assert "The report could not be made" in done.log


readings = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.lists(st.dictionaries(st.sampled_from("abc"), st.text(max_size=3)), max_size=3),
    ),
    max_size=300,
)


@given(readings)
def test_what_is_counted_is_what_was_read(pages: list[tuple[float, list[dict[str, str]]]]) -> None:
    run = TemplateRun()
    for number, (coverage, records) in enumerate(pages):
        run.count(str(number), Extraction([*records], coverage, [Failure("a", "why")]))
    data = run.to_dict()
    windows = data["windows"]
    assert len(windows) <= MOST_WINDOWS
    assert len(data["items"]) == min(MOST_ITEMS, sum(len(records) for _, records in pages))
    assert data["pages"] == sum(window["pages"] for window in windows) == len(pages)
    for name in "abc":
        shown = sum(window["fields"].get(name, 0) * window["records"] for window in windows)
        assert round(shown) == sum(name in record for _, records in pages for record in records)
        values = {record[name] for _, records in pages for record in records if name in record}
        assert data["distinct"].get(name, 0) == len(values)
    if pages:
        assert data["coverage"] == pytest.approx(sum(c for c, _ in pages) / len(pages), abs=1e-3)


def test_the_counts_of_a_long_crawl_stay_small() -> None:
    run = TemplateRun()
    for number in range(20_000):
        run.count(f"/{number}", Extraction([{"a": f"value {number}"}], 1.0))
    assert len(json.dumps(run.to_dict())) < 50_000


def test_a_broken_file_of_the_last_run_is_no_error(tmp_path: Path) -> None:
    for text in ("", "{", "[]", '{"templates": 3}', '{"spider": {}}'):
        (tmp_path / "last-run.json").write_text(text)
        read_run(tmp_path)


def books(count: int) -> list[Page]:
    return [
        Page(f"<html><body><h1>Book {n} {'x' * n}</h1><p>{n}.99</p></body></html>", f"/{n}")
        for n in range(count)
    ]


def many(templates: int, filler: str = "") -> list[Subject]:
    pages = books(4)
    wrapper = induce(pages)
    shown = [ReportPage(p.url or "", Page(p.html.replace("</p>", "</p>" + filler))) for p in pages]
    return [Subject(f"shop/t{n}", wrapper, shown, run={"pages": n}) for n in range(templates)]


def test_a_hundred_templates_are_one_file_of_bounded_size() -> None:
    text = build_crawl_report(many(100, "<p>more words</p>" * 40_000), None, "many")
    assert len(text) < 20_000_000
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert len(re.findall("<iframe", text)) == 100


@pytest.fixture
def browser(tmp_path: Path) -> Any:
    with open_browser(tmp_path) as chrome:
        yield chrome


def test_one_template_is_laid_out_at_a_time(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(build_crawl_report(many(30), None, "many"), encoding="utf-8")
    browser.get(path.as_uri())
    shown = "[...document.querySelectorAll('article')].filter(a => a.offsetHeight).map(a => a.id)"
    assert browser.execute_script(f"return {shown}") == []
    browser.find_element("link text", "shop/t7").click()
    assert wait(browser, shown) == ["t7"]
    assert not browser.find_element("id", "index").is_displayed()
    browser.find_element("css selector", "#t7 a[href='#t7-items']").click()
    assert browser.execute_script(f"return {shown}") == ["t7"]
    browser.find_element("css selector", "#t7 .back a").click()
    wait(browser, "document.getElementById('index').offsetHeight > 0")


def test_a_store_with_broken_wrappers_is_shown_without_them(tmp_path: Path) -> None:
    store = Wrappers(tmp_path / "wrappers")
    store.save(StoredWrapper("shop", "good", dump(induce(books(4))), {}, 4))
    store.save(StoredWrapper("shop", "bad", "{}", {}, 4))
    said: list[str] = []
    subjects, run = subjects_of(tmp_path, said.append)
    assert [subject.name for subject in subjects] == ["shop/good"]
    assert run is None
    assert len(said) == 1
    assert "No pages of this template were kept" in build_crawl_report(subjects, run, "shop")


def test_of_very_many_templates_those_with_most_pages_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [
        Page(f"<html><body><h1>Book {n}</h1><p>by Author {n}</p></body></html>") for n in range(3)
    ]
    text, store = dump(induce(pages)), Wrappers(tmp_path / "wrappers")
    for number in range(5):
        store.save(StoredWrapper("x.example", f"t{number}", text, {"name": ""}, number))
    monkeypatch.setattr("scrapy_wrapinduce.report.store.MOST_TEMPLATES", 2)
    said: list[str] = []
    subjects, _ = subjects_of(tmp_path, said.append)
    assert [subject.name for subject in subjects] == ["x.example/t3", "x.example/t4"]
    assert said == ["of 5 templates the 2 with most pages are shown"]
