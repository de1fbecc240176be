"""Headings, hierarchy and records of sectioned documents, from the paper's example to real pages."""

from __future__ import annotations

import io
import json
import os
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_project.shop_site import Site
from scrapy_wrapinduce.errors import CannotInduce, InvalidWrapper
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.sections import SectionsWrapper, learn, looks_sectioned
from scrapy_wrapinduce.sections.grammar import as_text
from scrapy_wrapinduce.wrapper import dump, parse

# Figure 1 of Ashish and Knoblock 1997, as HTML of its time: headings, bold and italics, no classes.
COUNTRY = """<html><body><h1>{name}</h1>
<h3>Geography</h3>
<p><b>Location:</b> {location}
<p><b>Map references:</b> {map}
<p><b>Area:</b>
<br><i>total area:</i> {total}
<br><i>land area:</i> {land}
<p><b>Coastline:</b> {coast}
<h3>Economy</h3>
<p><b>Overview:</b> {overview}
<p><b>External debt:</b> {debt}
</body></html>"""
FRANCE = {
    "name": "France",
    "location": "Western Europe, between Belgium and Spain",
    "map": "Europe",
    "total": "547,030 sq km",
    "land": "545,630 sq km",
    "coast": "3,427 km (mainland 2,783 km, Corsica 644 km)",
    "overview": "one of the most highly developed economies",
    "debt": "$300 billion (1993 est.)",
}
AUSTRIA = {
    "name": "Austria",
    "location": "Central Europe, north of Italy",
    "map": "Europe",
    "total": "83,850 sq km",
    "land": "82,730 sq km",
    "coast": "0 km (landlocked)",
    "overview": "prosperous and stable",
    "debt": "$21.5 billion (1994 est.)",
}
CHAD = {
    "name": "Chad",
    "location": "Central Africa, south of Libya",
    "map": "Africa",
    "total": "1.284 million sq km",
    "land": "1,259,200 sq km",
    "coast": "0 km, no access to a sea",
    "overview": "the climate and the size hinder growth",
    "debt": "$757 million (December 1993 est.)",
}


def country(**facts: str) -> Page:
    return Page(COUNTRY.format(**facts), url=f"http://factbook.example/{facts['name']}")


@pytest.fixture(scope="module")
def factbook() -> SectionsWrapper:
    return learn([country(**FRANCE), country(**AUSTRIA), country(**CHAD)])


def test_figure_3_the_grammar_of_the_fact_book(factbook: SectionsWrapper) -> None:
    assert as_text(factbook.grammar) == (
        "page -> Geography Economy\n"
        "Geography -> Location Map_references Area Coastline\n"
        "Geography.Area -> total_area land_area\n"
        "Economy -> Overview External_debt"
    )


def test_a_page_becomes_a_nested_record(factbook: SectionsWrapper) -> None:
    extraction = factbook.extract(country(**FRANCE))
    assert extraction.records == [
        {
            "title": "France",
            "Geography": {
                "Location": FRANCE["location"],
                "Map_references": "Europe",
                "Area": {"total_area": "547,030 sq km", "land_area": "545,630 sq km"},
                "Coastline": FRANCE["coast"],
            },
            "Economy": {"Overview": FRANCE["overview"], "External_debt": FRANCE["debt"]},
        }
    ]
    assert extraction.coverage == 1
    assert extraction.failures == []


def test_every_value_says_where_it_stands(factbook: SectionsWrapper) -> None:
    page = country(**FRANCE)
    places = {place.field: place for place in factbook.extract(page).places}
    total = places["Geography.Area.total_area"]
    assert page.html[total.start : total.end].strip() == "547,030 sq km"


def test_absent_extra_reordered_and_repeated_sections(factbook: SectionsWrapper) -> None:
    page = Page(
        "<h1>Spain</h1><h3>Economy</h3><p><b>Debt:</b> none <p><b>Overview:</b> sunny"
        "<h3>Geography</h3> Mostly a plateau. <p><b>Coastline:</b> 4,964 km <p><b>Coastline:</b> long"
    )
    extraction = factbook.extract(page)
    assert extraction.records == [
        {
            "title": "Spain",
            "Economy": {"Debt": "none", "Overview": "sunny"},
            "Geography": {"text": "Mostly a plateau.", "Coastline": ["4,964 km", "long"]},
        }
    ]
    assert extraction.coverage < 1
    assert "Geography.Area: no such heading on the page" in map(str, extraction.failures)


def test_a_wrapper_is_json_and_comes_back(factbook: SectionsWrapper) -> None:
    again = parse(dump(factbook))
    assert again == factbook
    assert again.extract(country(**CHAD)).records == factbook.extract(country(**CHAD)).records
    broken = json.loads(dump(factbook)) | {"styles": []}
    with pytest.raises(InvalidWrapper, match="no heading styles"):
        parse(json.dumps(broken))


def test_one_page_is_enough_where_headings_look_like_headings() -> None:
    wrapper = learn([country(**FRANCE)])
    assert wrapper.fields == ("title", "Geography", "Economy")


PLAIN = "<table><tr><td>Name<td>{0}<tr><td>Born<td>{1}<tr><td>Trade<td>{2}</table>"
CLASSES = (
    "<div class=h>Life</div><div><span class=k>Name</span> <span>{0}</span></div>"
    "<div><span class=k>Born</span> <span>{1}</span></div>"
    "<div class=h>Work</div><div><span class=k>Trade</span> <span>{2}</span></div>"
)
LABELS = "<p>Name: {0}</p><p>Born: {1}</p><p>Trade: {2}</p>"
LIST = "<dl><dt>Name<dd>{0}<dt>Born<dd>{1}<dt>Trade<dd>{2}</dl>"
TEXT_FILE = "<pre>\n\nNAME\n\n   {0}\n\nBORN\n\n   {1}\n\nTRADE\n\n   {2}\n\n</pre>"
PEOPLE = [
    ("Ada Lovelace", "1815", "counts"),
    ("Alan Turing", "1912", "computes"),
    ("Emmy Noether", "1882", "proves"),
]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (PLAIN, {"Name": "Ada Lovelace", "Born": "1815", "Trade": "counts"}),
        (LABELS, {"Name": "Ada Lovelace", "Born": "1815", "Trade": "counts"}),
        (LIST, {"Name": "Ada Lovelace", "Born": "1815", "Trade": "counts"}),
        (CLASSES, {"Life": {"Name": "Ada Lovelace", "Born": "1815"}, "Work": {"Trade": "counts"}}),
        (TEXT_FILE, {"NAME": "Ada Lovelace", "BORN": "1815", "TRADE": "counts"}),
    ],
    ids=["table", "labels", "definitions", "classes", "text file"],
)
def test_what_recurs_before_varying_text_is_a_heading(template: str, expected: object) -> None:
    pages = [Page(template.format(*person)) for person in PEOPLE]
    assert learn(pages).extract(pages[0]).records == [expected]


def test_sizes_and_numbers_order_headings() -> None:
    html = (
        "<font size=5>1. Scope</font><br><font size=4>1.1 Words (2)</font><br>{}<br>"
        "<font size=5>2. Rules</font><br>{}<br>"
    )
    pages = [Page(html.format(f"meaning {n}", f"rule {n}")) for n in range(3)]
    assert learn(pages).extract(pages[0]).records == [
        {"Scope": {"Words": "meaning 0"}, "Rules": "rule 0"}
    ]


@pytest.mark.parametrize("html", ["", "just text", "<p>one</p><p>two</p>", "<ul><li>a<li>b</ul>"])
def test_a_page_with_no_headings_is_refused_in_one_line(html: str) -> None:
    with pytest.raises(CannotInduce, match=r"^no headings found on http://x\.example/: .*$"):
        learn([Page(html, url="http://x.example/")])
    with pytest.raises(CannotInduce, match="no pages"):
        learn([])


MARKUP = st.lists(
    st.sampled_from(
        "<h2> </h2> <h3> <b> </b> <p> </p> <br> <table> <tr> <td> </td> </table> <dl> <dt> <dd> <pre> </pre> \n"
        " Area: text <span class=k> </span> <a href=x> </a> <ul> <li> </ul> & < <!-- --> 12 <div hidden> </div>".split(
            " "
        )
    ),
    max_size=60,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(MARKUP, min_size=1, max_size=3), MARKUP)
def test_any_markup_is_read_without_error_and_no_text_twice(sources: list[str], other: str) -> None:
    try:
        wrapper = learn(list(map(Page, sources)))
    except CannotInduce:
        return
    for source in (*sources, other):
        extraction = wrapper.extract(Page(source))
        assert 0 <= extraction.coverage <= 1
        ends = sorted((place.start, place.end) for place in extraction.places)
        assert all(0 <= start <= end <= len(source) for start, end in ends)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 60_000,
        "<b>x" * 30_000,
        "<h2>a" * 20_000,
        "<dl><dt>a<dd>b" * 8_000,
        "<ul><a>x" * 15_000,
    ],
)
def test_hostile_nesting_takes_bounded_time(factbook: SectionsWrapper, html: str) -> None:
    factbook.extract(Page(html))


@pytest.mark.parametrize(
    "piece",
    [
        "<h2>a{0}</h2>b{1}",
        "<b class=c{0}>x{0}:</b> {1}<br>",
        "<dl><dt>a{0}<dd>b{1}",
        "<p>l{0}: {1}; m: 2</p>",
    ],
)
def test_learning_from_hostile_pages_takes_bounded_time(piece: str) -> None:
    pages = [Page("".join(piece.format(n, n * number) for n in range(3_000))) for number in (1, 2)]
    with suppress(CannotInduce):
        learn(pages)


SHARED = os.environ.get("WRAPINDUCE_SHARED_DATA") or Path(__file__).parents[3] / "shared" / "data"
DATA = Path(SHARED) / "sections.tar.xz"


@pytest.fixture(scope="module")
def real_pages() -> dict[str, bytes]:
    if not DATA.exists():
        pytest.skip(f"real pages are read from {DATA.name}, which is not here")
    wanted = ("aa", "al", "au", "bc", "be", "bg")
    with tarfile.open(fileobj=io.BytesIO(DATA.read_bytes())) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        chosen = [member for member in members if Path(member.name).stem in (*wanted, "truth")]
        return {"/".join(Path(m.name).parts[-2:]): archive.extractfile(m).read() for m in chosen}  # type: ignore[union-attr]


def test_the_fact_book_of_2020(real_pages: dict[str, bytes]) -> None:
    pages = {
        name: Page(body)
        for name, body in real_pages.items()
        if name.startswith("2020") and name.endswith("htm")
    }
    truth = json.loads(real_pages["2020/truth.json"])
    *train, test = sorted(pages)
    assert looks_sectioned([pages[name] for name in train])
    [record] = learn([pages[name] for name in train]).extract(pages[test]).records
    assert record["Geography"]["Area"]["total"] == truth["bg"]["Geography"]["Area"]["total"]["text"]
    wanted = {
        (top, _name(field)) for top, fields in _named(truth["bg"]).items() for field in fields
    }
    assert "title" not in record, "the page's only h1 is the same on all pages"
    got = {(top, field) for top, fields in record.items() for field in fields}
    assert len(wanted & got) >= 0.95 * len(wanted | got)


def test_the_fact_book_of_2011(real_pages: dict[str, bytes]) -> None:
    pages = {
        name: Page(body)
        for name, body in real_pages.items()
        if name.startswith("2011") and name.endswith("htm")
    }
    truth = json.loads(real_pages["2011/truth.json"])["bg"]
    *train, test = sorted(pages)
    assert looks_sectioned([pages[name] for name in train])
    [record] = learn([pages[name] for name in train]).extract(pages[test]).records
    sections = {
        "communications": "Communications",
        "economy": "Economy",
        "geo": "Geography",
        "people": "People",
    }
    wanted = {(sections[top], _name(field)) for top in sections for field in truth[top]}
    got = {(top, field) for top in sections.values() for field in record[top]}
    assert len(wanted & got) >= 0.95 * len(wanted)
    # Where the JSON keeps a text as it is, it is the page's.
    texts = {
        (top, _name(field)): text
        for top in sections
        for field, text in truth[top].items()
        if isinstance(text, str)
    }
    same = sum(
        record[sections[top]].get(field) == text
        or (
            isinstance(record[sections[top]].get(field), dict)
            and record[sections[top]][field].get("text") == text
        )
        for (top, field), text in texts.items()
    )
    assert same >= 0.85 * len(texts)


def _named(truth: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    return {_name(top): fields for top, fields in truth.items()}


def _name(text: str) -> str:
    from scrapy_wrapinduce.sections.headings import heading_name

    return heading_name(text)


def test_a_product_with_headed_boxes_is_no_document() -> None:
    site = Site().redesigned()
    products = [
        Page(site.html(path) or "")
        for path, page in site.truth.items()
        if page.kind == "product" and page.conforms
    ]
    assert not any(looks_sectioned(products[start : start + 4]) for start in range(0, 80, 4))
