"""The tokenizer: pages as found in the wild, and pages made to hurt."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce import tokenizer
from scrapy_wrapinduce.tokenizer import (
    CLOSE,
    EMPTY,
    OPEN,
    SKIPPED,
    Node,
    Tag,
    build_nodes,
    fold,
    is_blank,
    pair_tags,
    parse_tag,
    split_markup,
    words,
)

# Pieces that mean something to a parser, put together without meaning.
PIECES = st.sampled_from(
    [
        *("<", ">", "/", "=", '"', "'", "!", "?", "-", "--", " ", "\n", "a", "&", ";", "\0"),
        *("<p>", "</p>", "<td>", "</td>", "<table>", "</table>", "<br/>", "<a b=", "<a b='c'>"),
        *("<!--", "-->", "--!>", "<!doctype", "<![CDATA[", "]]>", "<?xml"),
        *("<script>", "</script>", "<SCRIPT ", "<style", "</style", "&nbsp;", "&#160;", "&lt;"),
        *("&nbsp", "&#0032;", "&#x2003", "&#11;", "&emsp;", "&Tab;", "&#8203;", "&ampnbsp;", "&#9"),
        *("é", "\u200b", "\xa0", "日本", "\ud800"),
    ]
)
SOUP = st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=60)


def outline(html: str) -> list[str]:
    """Nodes as indented tags and text."""
    return [
        "  " * node.depth
        + (fold(html[node.start : node.end]) if node.tag is None else shape(node.tag))
        for node in build_nodes(html)
    ]


def shape(tag: Tag) -> str:
    return {OPEN: f"<{tag.name}>", CLOSE: f"</{tag.name}>", EMPTY: f"<{tag.name}/>"}[tag.kind]


def test_a_page_becomes_tags_and_texts_with_their_places() -> None:
    html = '<p class="a">Ink<br>\n<b>blue</b> </p>'
    assert outline(html) == ["<p>", "  Ink", "  <br/>", "  <b>", "    blue", "  </b>", "</p>"]
    nodes = build_nodes(html)
    assert [html[node.start : node.end] for node in nodes[:3]] == ['<p class="a">', "Ink", "<br>"]
    assert (nodes[0].partner, nodes[-1].partner) == (6, 0)


@pytest.mark.parametrize(
    ("html", "markup"),
    [
        ("a < b and c > d", []),
        ("1<2", []),
        ("<P CLASS=x>", ["<P CLASS=x>"]),
        ("<a href=x/y?z=1&w=2>", ["<a href=x/y?z=1&w=2>"]),
        ("<a title='it\"s'>", ["<a title='it\"s'>"]),
        ('<a title="a > b">x', ['<a title="a > b">']),
        ("<a title=don't>x</a>", ["<a title=don't>", "</a>"]),
        ('<a title="open>x</a>', ['<a title="open>', "</a>"]),
        ("<!-- <p> -->", ["<!-- <p> -->"]),
        ("<!-->x", ["<!-->"]),
        ("<!--->x", ["<!--->"]),
        ("<!-- a --!>x", ["<!-- a --!>"]),
        ("<!-- never closed <p>", ["<!-- never closed <p>"]),
        ("<!DOCTYPE html>", ["<!DOCTYPE html>"]),
        ("<?xml version='1.0'?>", ["<?xml version='1.0'?>"]),
        ("<script>if (a<b) '<p>'</script>x", ["<script>if (a<b) '<p>'</script>"]),
        ("<SCRIPT>a</Script >x", ["<SCRIPT>a</Script >"]),
        ("<script>never closed <p>", ["<script>never closed <p>"]),
        ("<scripted>x", ["<scripted>"]),
        ("<style>a>b{}</style>", ["<style>a>b{}</style>"]),
        ("<p>cut <a href='x", ["<p>", "<a href='x"]),
        ("</>", []),
        ("</p\n>", ["</p\n>"]),
    ],
)
def test_markup_as_found_in_the_wild(html: str, markup: list[str]) -> None:
    assert split_markup(html)[1::2] == markup


@pytest.mark.parametrize(
    ("html", "markup"),
    [
        ('<a title="a < b">x</a>', ['<a title="a < b">', "</a>"]),
        ('<a title="<b>bold</b>" href=/x>x</a>', ['<a title="<b>bold</b>" href=/x>', "</a>"]),
        ("<i>y</i><a title = '<b>'>x</a>", ["<i>", "</i>", "<a title = '<b>'>", "</a>"]),
        ("<td <p>x", ["<td <p>"]),
        ('<script data-a="<b>">a<b</script>x', ['<script data-a="<b>">a<b</script>']),
        ('<script data-a="<b>">never closed', ['<script data-a="<b>">never closed']),
        ('<p><a title="<b>never closed</b>', ["<p>", "<b>", "</b>"]),
        ("<a <a <a", ["<a"]),
    ],
)
def test_less_than_signs_inside_a_tag_do_not_cut_it(html: str, markup: list[str]) -> None:
    assert split_markup(html)[1::2] == markup


@given(SOUP)
def test_the_parts_are_the_page(html: str) -> None:
    parts = split_markup(html)
    assert "".join(parts) == html
    assert len(parts) % 2 == 1
    assert all(part.startswith("<") for part in parts[1::2])


@given(SOUP)
def test_nodes_are_in_order_and_partners_agree(html: str) -> None:
    nodes = build_nodes(html)
    end = 0
    for index, node in enumerate(nodes):
        assert end <= node.start < node.end
        end = node.end
        assert 0 <= node.depth <= index
        if node.partner >= 0:
            other = nodes[node.partner]
            assert other.partner == index
            assert other.tag is not None
            assert node.tag is not None
            assert {node.tag.kind, other.tag.kind} == {OPEN, CLOSE}
            assert (node.tag.name, node.depth) == (other.tag.name, other.depth)
    assert end <= len(html)


TREES = st.recursive(
    st.sampled_from([["text", "<br>"], ["<br>"], ["<!-- c -->"]]),
    lambda inner: st.tuples(
        st.sampled_from(["div", "p", "td", "b"]), st.lists(inner, max_size=3)
    ).map(lambda pair: [f"<{pair[0]}>", *[x for child in pair[1] for x in child], f"</{pair[0]}>"]),
    max_leaves=20,
)


@given(TREES)
def test_well_formed_pages_have_their_tree(pieces: list[str]) -> None:
    depth, expected = 0, []
    for piece in pieces:
        depth -= piece.startswith("</")
        if not piece.startswith("<!"):
            expected.append((piece, depth))
        depth += piece.startswith("<") and not piece.startswith(("</", "<!", "<br"))
    html = "".join(pieces)
    nodes = build_nodes(html)
    assert [(html[node.start : node.end], node.depth) for node in nodes] == expected
    assert all(node.partner >= 0 for node in nodes if node.tag and node.tag.kind != EMPTY)


def test_misnested_tags_close_the_innermost_of_their_name() -> None:
    assert outline("<b><i>x</b></i>y") == ["<b>", "  <i>", "    x"[2:], "</b>", "</i>", "y"]


def test_an_end_tag_does_not_leave_its_table_cell() -> None:
    nodes = build_nodes("<div><table><td>x</div></td></table></div>")
    names = [node.tag.name if node.tag else "" for node in nodes]
    assert nodes[names.index("div")].partner == len(nodes) - 1


def test_what_is_never_closed_does_not_deepen_what_follows() -> None:
    assert outline("<ul><li>a<li>b</ul>c") == [
        "<ul>",
        "  <li>",
        "  a",
        "  <li>",
        "  b",
        "</ul>",
        "c",
    ]
    assert outline("<p>x</p>after") == ["<p>", "  x", "</p>", "after"]


def test_attributes_are_decoded_and_know_their_place() -> None:
    source = """<A HREF="/x?a=1&amp;b=2" title='it"s' checked data-n = 5 href=second>"""
    tag = parse_tag(source)
    assert (tag.kind, tag.name) == (OPEN, "a")
    assert tag.get("href") == "/x?a=1&b=2"
    assert tag.get("title") == 'it"s'
    assert tag.get("checked") == ""
    assert tag.get("data-n") == "5"
    assert tag.get("missing") is None
    assert [source[a.start : a.end] for a in tag.attributes] == ["/x?a=1&amp;b=2", 'it"s', "", "5"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [("<br>", EMPTY), ("<p/>", EMPTY), ("</br>", CLOSE), ("<p", SKIPPED), ("<!-- x -->", SKIPPED)],
)
def test_kinds_of_markup(source: str, kind: str) -> None:
    assert parse_tag(source).kind == kind


@given(SOUP)
def test_every_piece_of_markup_is_a_tag(html: str) -> None:
    for part in split_markup(html)[1::2]:
        for attribute in parse_tag(part).attributes:
            assert 0 <= attribute.start <= attribute.end <= len(part)


def test_long_markup_is_not_remembered() -> None:
    before = len(tokenizer._TAGS)
    parse_tag(f"<script>{'x' * 10_000}</script>")
    assert len(tokenizer._TAGS) == before


def test_text_is_folded_as_a_person_reads_it() -> None:
    assert fold(" Salt&nbsp;&amp;\n\tPepper\u200b ") == "Salt & Pepper"
    assert is_blank(" \n&nbsp;&#160;&#xA0;")
    assert not is_blank("&amp;")


@given(SOUP)
def test_words_stand_in_the_text_where_they_say(text: str) -> None:
    spans = words(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert [fold(text[start:end]) for start, end in spans] == fold(text).split()
    assert is_blank(text) == (not spans)


class CountingList(list[Tag]):
    """A list that counts how often its entries are looked at."""

    looks = 0

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        self.looks += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("html", ["<p>" * 5000, "<p>" * 5000 + "</p>" * 5000, "<i><b></i>" * 5000])
def test_pairing_looks_at_every_tag_a_bounded_number_of_times(html: str) -> None:
    tags = CountingList(parse_tag(part) for part in split_markup(html)[1::2])
    pair_tags(tags)
    assert tags.looks <= len(tags)


HOSTILE = [
    *(
        "<script ",
        "<script",
        "<style a=",
        "<script></scrip",
        "</script ",
        "<!--",
        "<!-- -",
        "<![CDATA[",
    ),
    *(
        "<a '",
        '<a "',
        "<a b='\"",
        "<a b=\"'",
        '<a b="<',
        "<a b='<'>",
        "<a =",
        "<a=<",
        "</",
        "<",
        "<!",
    ),
    *("&nbsp", "&#160", "&" * 8, "=", "<p ", "<td><table>", "</td></table>", "<b><i></b>"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_no_repetition_takes_more_than_linear_time(unit: str) -> None:
    html = unit * (400_000 // len(unit))
    begun = time.process_time()
    build_nodes(html)
    # About a tenth of a second; reading it anew from every tag would take minutes.
    assert time.process_time() - begun < 10


def test_tags_that_are_cut_again_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    end_of_tag = tokenizer.end_of_tag

    def counting(html: str, place: int) -> int | None:
        nonlocal read
        end = end_of_tag(html, place)
        read += (len(html) if end is None else end) - place
        return end

    monkeypatch.setattr(tokenizer, "end_of_tag", counting)
    for unit in ("<a b='<'>", "<a b='<", "<a b=<", "<a b='<' \"", "<p <p>"):
        html = unit * 2000
        read = 0
        assert "".join(split_markup(html)) == html
        assert read <= 2 * len(html), unit


def test_a_hundred_thousand_levels_and_ten_megabytes() -> None:
    deep = build_nodes("<div>" * 100_000 + "x" + "</div>" * 100_000)
    assert deep[100_000] == Node(500_000, 500_001, None, -1, 100_000)
    assert deep[0].partner == 200_000
    row = f'<tr class="odd"><td>{"A value as long as a paragraph. " * 20}</td></tr>\n'
    assert len(build_nodes(row * (10_000_000 // len(row)))) == 5 * (10_000_000 // len(row))
