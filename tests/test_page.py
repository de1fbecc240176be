"""Pages: decoded as browsers do, whatever the bytes say; regions know their place."""

from __future__ import annotations

import pickle
from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce.page import Page, Region


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b"<p>caf\xc3\xa9", None, "<p>café"),
        (b"<p>caf\xe9", None, "<p>café"),
        (b"<p>caf\xe9", "text/html; charset=iso-8859-1", "<p>café"),
        (
            "<meta charset=windows-1251><p>Чай".encode("cp1251"),
            None,
            "<meta charset=windows-1251><p>Чай",
        ),
        ("<p>茶".encode("shift_jis"), "text/html; charset=Shift_JIS", "<p>茶"),
        (b"\xef\xbb\xbf<p>x", "text/html; charset=latin-1", "<p>x"),
        ("<p>é".encode("utf-16"), None, "<p>é"),
        ("\ufeff<p>é".encode("utf-16-be"), None, "<p>é"),
        (b"<meta charset=utf-16><p>x", None, "<meta charset=utf-16><p>x"),
        (b"<meta charset=no-such-thing><p>x", None, "<meta charset=no-such-thing><p>x"),
        ("<p>naïve façade".encode() + b"\xc3", None, "<p>naïve façade\ufffd"),
        (b"", None, ""),
        (b"\0\0", None, "\0\0"),
    ],
)
def test_bytes_are_decoded_as_browsers_do(body: bytes, content_type: str | None, text: str) -> None:
    assert Page(body, content_type=content_type).html == text


@pytest.mark.parametrize(
    "name", sorted({*aliases, *aliases.values(), "undefined", "idna", "x" * 99})
)
def test_no_declared_encoding_makes_a_page_unreadable(name: str) -> None:
    body = f"<meta charset={name}><p>x \\ud800".encode() + bytes(range(256))
    for page in (Page(body), Page(body, content_type=f"text/html; charset={name}")):
        page.html.encode("utf-8")  # no half surrogates that could not be written again


@given(st.binary(max_size=300), st.none() | st.text(max_size=30))
def test_any_bytes_are_a_page(body: bytes, content_type: str | None) -> None:
    page = Page(body, content_type=content_type)
    assert "".join(page.parts) == page.html
    assert page.part_offsets[-1] == len(page.html)
    assert all(page.html[node.start : node.end] for node in page.nodes)


@given(st.text(max_size=100))
def test_utf8_is_read_back(text: str) -> None:
    page = Page(f"<meta charset=utf-8>{text}".encode())
    assert page.html == f"<meta charset=utf-8>{text}"


def test_a_page_travels_to_another_process_without_its_tokens() -> None:
    page = Page("<p>x</p>", url="https://shop.example/1")
    assert page.nodes
    copy = pickle.loads(pickle.dumps(page))
    assert (copy.html, copy.url) == (page.html, page.url)
    assert "nodes" not in vars(copy)


def test_a_region_is_a_piece_of_its_page() -> None:
    page = Page("<p>Salt &amp; <b>Pepper</b></p><!-- no --><p>5 €")
    region = Region(page, 3, page.html.index("<!--"))
    assert region.html == "Salt &amp; <b>Pepper</b></p>"
    assert region.texts == ["Salt &", "Pepper"]
    assert region.text == "Salt & Pepper"
    assert Region(page, 0, 0).text == ""


def test_a_page_says_what_it_is() -> None:
    assert (
        repr(Page("<p>", url="https://shop.example/"))
        == "<Page https://shop.example/, 3 characters>"
    )
    assert repr(Page("")) == "<Page without address, 0 characters>"
