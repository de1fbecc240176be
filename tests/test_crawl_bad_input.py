"""Pages and sites as nobody wants them: a clear line in the log, and the crawl goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from crawling import SPIDER, Answer, Crawl, catalogue, crawl, crawl_site, project

BOOKS = {f"/book/{number}" for number in range(8)}


def html(body: str) -> str:
    return f"<html><body>{body}</body></html>"


BAD = {
    "not text": Answer(b"%PDF-1.4 \0\1\2", "application/pdf"),
    "empty": Answer(b""),
    "blank": Answer(b" \n \n"),
    "JSON": Answer(b'{"a": "<b>x</b>"}', "application/json"),
    "plain text": Answer(b"just words", "text/plain"),
    "binary as HTML": Answer(random.Random(1).randbytes(5_000)),
    "truncated": Answer(b'<html><body><div class="book"><h1 class="tit'),
    "markup only": Answer(b"<p>" * 50),
    "wrong encoding": Answer(b"<p>caf\xe9 \xff\xfe</p>", "text/html; charset=nonsense"),
    "100,000 deep": Answer(b"<div>" * 100_000 + b"deep"),
    "10 MB": Answer(b"<html><body>" + b"<p>ten megabytes of this</p>\n" * 370_000),
}


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """One crawl over good pages and, among them, all the bad ones."""
    pages = {path_of(kind): answer for kind, answer in BAD.items()}
    return crawl_site(tmp_path_factory.mktemp("bad"), catalogue(8, *pages) | pages)


def path_of(kind: str) -> str:
    return f"/bad-{kind.replace(' ', '-').replace(',', '')}"


def test_bad_pages_do_not_disturb_the_others(bad: Crawl) -> None:
    assert bad.code == 0
    assert "Traceback" not in bad.log
    assert {book: bad.paths()[book] for book in BOOKS} == dict.fromkeys(BOOKS, 1)


@pytest.mark.parametrize("kind", BAD)
def test_every_bad_page_is_an_item_or_a_line_in_the_log(kind: str, bad: Crawl) -> None:
    path = path_of(kind)
    assert path in bad.paths() or any(
        path in line and ("No items" in line or "Nothing can be learned" in line)
        for line in bad.log.splitlines()
    )


def test_a_start_address_that_does_not_answer(tmp_path: Path) -> None:
    project(tmp_path, SPIDER.format(url="http://127.0.0.1:9/"))
    done = crawl(tmp_path)
    assert done.code == 0
    assert done.items == []
    assert "127.0.0.1:9" in done.log


def test_a_template_with_a_single_page_gives_its_default_item(tmp_path: Path) -> None:
    table = '<table class="odd">' + "".join(
        f"<tr><th>{name}</th><td>{value}</td></tr>"
        for name, value in (("Name", "Ada"), ("Born", "1815"), ("Town", "London"))
    )
    done = crawl_site(tmp_path, catalogue(8, "/alone") | {"/alone": html(table + "</table>")})
    assert done.paths()["/alone"] >= 1
    assert done.stats["wrapinduce/wrappers/from_one_page"] >= 1
    assert done.stats["wrapinduce/fallback/alone"] >= 1


def test_a_site_with_nothing_to_learn(tmp_path: Path) -> None:
    blank = html('<a href="/1"></a><a href="/2"></a>')
    done = crawl_site(tmp_path, {"/": blank, "/1": blank, "/2": blank})
    assert done.code == 0
    assert done.items == []
    assert "Nothing can be learned" in done.log
    assert done.stats["wrapinduce/pages/unlearnable"] == 3


def test_fewer_pages_than_the_sample_wants(tmp_path: Path) -> None:
    done = crawl_site(tmp_path, catalogue(3), WRAPINDUCE_SAMPLE_PAGES=50)
    assert {"/book/0", "/book/1", "/book/2"} <= set(done.paths())
    assert set(done.paths().values()) == {1}
