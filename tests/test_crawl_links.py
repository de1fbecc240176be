"""Links to follow: as Scrapy's extractor finds them, and each once in a crawl."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from scrapy_wrapinduce.crawl.links import NewLinks

HREFS = st.one_of(
    st.sampled_from(
        ["/a", "/a#x", "b?c=1&d", "../up", "//other.example/x", "http://x.example/é ü", "mailto:a@b", "/f.PDF",
         " /space ", "", "#top", "javascript:void(0)", "http://[broken", "?q", "https://y.example"]
    ),
    st.text(max_size=12),
)  # fmt: skip
PAGES = st.lists(
    st.tuples(
        st.sampled_from(["a", "area", "A", "b", "link"]), HREFS, st.text("xy<&- !", max_size=6)
    ),
    max_size=8,
)


def response(body: str, url: str = "http://x.example/d/e.html") -> HtmlResponse:
    return HtmlResponse(url, body=body.encode("utf-8", "replace"), encoding="utf-8")


def page(links: list[tuple[str, str, str]], head: str = "") -> HtmlResponse:
    quoted = [(tag, href.replace('"', ""), text) for tag, href, text in links]
    anchors = "".join(f'<{tag} href="{href}">{text}</{tag}>' for tag, href, text in quoted)
    return response(f"<html><head>{head}</head><body>{anchors}</body></html>")


@given(PAGES, st.sampled_from(["", '<base href="http://z.example/q/">']))
def test_without_memory_it_is_what_scrapy_finds(
    links: list[tuple[str, str, str]], head: str
) -> None:
    forgetful = NewLinks()
    forgetful.remembers = False
    found = page(links, head)
    wanted = [
        link
        for link in LinkExtractor().extract_links(found)
        if link.url.startswith(("http:", "https:"))
    ]
    assert [(link.url, link.text) for link in forgetful.extract_links(found)] == [
        (link.url, link.text) for link in wanted
    ]


@given(PAGES, PAGES)
def test_the_second_page_gives_what_the_first_had_not(
    one: list[tuple[str, str, str]], two: list[tuple[str, str, str]]
) -> None:
    everything, new = NewLinks(), NewLinks()
    everything.remembers = False
    first = {link.url for link in everything.extract_links(page(one))}
    both = first | {link.url for link in everything.extract_links(page(two))}
    assert {link.url for link in new.extract_links(page(one))} == first
    assert both == first | {link.url for link in new.extract_links(page(two))}
    assert new.extract_links(page(one)) == []


def test_a_relative_link_is_another_one_on_another_page() -> None:
    links = NewLinks()
    body = '<a href="next">x</a><a href="/home">x</a>'
    one = links.extract_links(response(body, "http://x.example/a/1"))
    two = links.extract_links(response(body, "http://x.example/b/1"))
    other = links.extract_links(response(body, "http://y.example/b/1"))
    assert [link.url for link in one] == ["http://x.example/a/next", "http://x.example/home"]
    assert [link.url for link in two] == ["http://x.example/b/next"]
    assert [link.url for link in other] == ["http://y.example/b/next", "http://y.example/home"]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_wrapinduce.crawl.links.MAX_KNOWN", 50)
    links = NewLinks()
    for start in range(0, 200, 20):
        body = "".join(f'<a href="/{number}">x</a>' for number in range(start, start + 20))
        assert len(links.extract_links(response(body))) == 20
        assert len(links._known) <= 50


HEAVY = {
    "many attributes": "<p " + " ".join(f"a{number}" for number in range(100_000)) + ">x</p>",
    "large": "<p>many words</p>" * 100_000,
    "open tags": "<a " * 400_000,
    "no end": "<a href='" * 200_000,
}


@pytest.mark.parametrize("kind", HEAVY)
def test_links_of_pages_that_would_hold_up_the_parser(kind: str) -> None:
    before = "<a class=x href=/1>x</a> <AREA\nHREF = '/2?a&amp;b'><a\thref=\"../3\" title='>'>x</a>"
    found = NewLinks().extract_links(response(before + HEAVY[kind] + "<a href=/4>x</a>"))
    urls = {link.url.removeprefix("http://x.example") for link in found}
    assert {"/1", "/2?a&b", "/3", "/4"} <= urls
