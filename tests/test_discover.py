"""Lists of records found without any label."""

from __future__ import annotations

import io
import re
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.labels import Span
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.records import discover, discover_in, learn_unlabelled, looks_like_list
from tests.record_pages import SHAPES

SHARED = Path(__file__).parents[2] / "shared/data"
FIRST = [
    ("Congo", "242"), ("Egypt", "20"), ("Belize", "501"), ("Spain", "34"), ("Italy", "39"), ("Ghana", "233"),
]  # fmt: skip
SECOND = [("Chad", "235"), ("Peru", "51"), ("Fiji", "679"), ("Oman", "968"), ("Togo", "228")]


@pytest.mark.parametrize(
    "shape", ["country_codes", "definitions", "zebra", "grid", "cards", "boxes"]
)
def test_records_are_found_and_aligned(shape: str) -> None:
    html = SHAPES[shape]
    wrapper = learn_unlabelled([Page(html(FIRST)), Page(html(SECOND))])
    records = wrapper.extract(Page(html(SECOND))).records
    assert len(records) == len(SECOND)
    for (country, code), record in zip(SECOND, records, strict=True):
        values = " ".join(map(str, record.values()))
        assert country in values
        assert code in values


RESULTS = """
<html><body>
<ul class="menu"><li><a href="/">Home</a></li><li><a href="/new">New</a></li><li><a href="/top">Top</a></li>
<li><a href="/help">Help</a></li></ul>
<div class="results">{results}</div>
<div class="ads">Advertisement: buy {ad}</div>
<ul class="recent">{recent}</ul>
<div class="footer"><p>About us</p><p>Terms</p><p>Contact</p></div>
</body></html>
"""


def result_page(names: list[str], recent: list[str]) -> str:
    results = "".join(
        f'<div class="hit {"odd" if i % 2 else "even"}"><h3><a href="/b/{n}">The {n} book</a></h3>'
        f'<p>Written by <a href="/a/{n}">{n.title()} Author</a> in {1990 + i}</p>'
        + (f'<span class="price">${i + 3}.50</span>' if i != 1 else "")
        + f"<p class=about>A long story about {n} and what became of it in the end.</p></div>"
        for i, n in enumerate(names)
    )
    return RESULTS.format(
        results=results,
        ad=names[0],
        recent="".join(f'<li><a href="/r/{r}">{r}</a> seen <i>{r[0]}</i></li>' for r in recent),
    )


ONE = result_page(["lamp", "stone", "river", "cloud"], ["xenon", "argon", "neon"])
TWO = result_page(["salt", "iron", "glass", "straw", "wheat"], ["boron", "zinc", "lead"])


def test_the_main_list_comes_first_and_lists_are_kept_apart() -> None:
    main, *others = discover([Page(ONE), Page(TWO)])
    assert [len(page.records) for page in main.labelled] == [4, 5]
    assert main.path[-1] == "div"
    assert any([len(page.records) for page in one.labelled] == [3, 3] for one in others)
    assert main.score > max(one.score for one in others)


def test_found_fields_know_what_surrounds_them() -> None:
    main = discover([Page(ONE), Page(TWO)])[0]
    by_name = {field.name: field for field in main.fields}
    price = by_name["price"]
    assert (price.tag, price.kind, price.words) == ("span", "text", ("price",))
    assert price.share == pytest.approx(7 / 9)
    author = next(
        f for f in main.fields if f.kind == "text" and f.tag == "a" and f.label == "Written by"
    )
    record = main.labelled[0].records[0]
    span = record.values[author.name]
    assert isinstance(span, Span)
    assert ONE[span.start : span.end] == "Lamp Author"


def test_the_learned_wrapper_reads_the_next_page() -> None:
    wrapper = learn_unlabelled([Page(ONE), Page(TWO)])
    names = ["oak", "elm", "ash"]
    records = wrapper.extract(Page(result_page(names, ["a", "b", "c"]))).records
    assert [r["about"] for r in records] == [
        f"A long story about {n} and what became of it in the end." for n in names
    ]
    assert [r.get("price") for r in records] == ["$3.50", None, "$5.50"]


def test_types_are_in_the_order_of_the_fields() -> None:
    """So that the same pages give the same file, whatever the order of sets in the process."""
    wrapper = learn_unlabelled([Page(ONE), Page(TWO)])
    assert len(wrapper.types) > 1
    assert list(wrapper.types) == [name for name in wrapper.fields if name in wrapper.types]


def test_nothing_that_repeats_is_an_error_with_advice() -> None:
    page = Page("<h1>Title</h1><p>Some text.</p>", url="http://x.example/1")
    with pytest.raises(
        CannotInduce, match=r"http://x\.example/1: no list of records found.*examples"
    ):
        learn_unlabelled([page])


def test_lists_inside_a_region_of_a_page() -> None:
    start = ONE.index('<ul class="recent">')
    end = ONE.index('<div class="footer">')
    (found,) = discover_in(Page(ONE), start, end)
    assert len(found.labelled[0].records) == 3
    assert discover_in(Page(ONE), 5, 5) == []


def detail(name: str) -> str:
    reviews = "".join(
        f"<div class=review><b>User {i}</b><p>{name} is {word}</p></div>"
        for i, word in enumerate(("good", "bad", "fair"))
    )
    return (
        f"<html><body><h1>The {name} book</h1><p class=about>{'All there is to know of ' * 8}{name}.</p>"
        f"<table><tr><th>Author</th><td>{name} A.</td></tr><tr><th>Year</th><td>19{len(name)}0</td></tr>"
        f"</table>{reviews}</body></html>"
    )


def test_list_pages_are_told_from_detail_pages() -> None:
    assert looks_like_list([Page(ONE), Page(TWO)]) > 0.5
    assert looks_like_list([Page(detail("lamp")), Page(detail("river"))]) < 0.5
    assert looks_like_list([Page("")]) == 0.0


def test_comments_are_not_what_a_page_is_about() -> None:
    said = "".join(
        f"<li class='comment even'><b>User {i}</b> <i>{i} May</i><p>{'This is what I have to say. ' * 5}{i}</p></li>"
        for i in range(30)
    )
    page = detail("lamp").replace("</body>", f"<ol class='comment-list'>{said}</ol></body>")
    assert looks_like_list([Page(page)]) < 0.5
    assert looks_like_list([Page(page.replace("comment", "entry"))]) > 0.5
    headed = re.sub(r"<b>(User (\d+))</b>", r"<h4><a href='/entries/\2'>\1</a></h4>", page)
    assert looks_like_list([Page(headed)]) > 0.5


def test_a_menu_is_not_what_a_page_is_about_however_long() -> None:
    groups = "".join(
        f"<li class='item'><a href='/g/{i}'>Group {i}</a><ul>"
        + "".join(f"<li><a href='/g/{i}/{j}'>Part {j} of group {i}</a></li>" for j in range(8))
        + "</ul></li>"
        for i in range(20)
    )
    menus = [f"<ul class='{name}'>{groups}</ul>" for name in ("top-menu", "tree")]
    pages = [
        [detail(name).replace("<h1>", menu + "<h1>") for name in ("lamp", "river", "ink")]
        for menu in menus
    ]
    assert looks_like_list([Page(pages[0][0])]) < 0.5
    # Without a name that says it, what is the same on all pages does.
    assert looks_like_list(list(map(Page, pages[1]))) < 0.5
    assert "review" in {
        word for field in discover(list(map(Page, pages[1])))[0].fields for word in field.words
    } or (discover(list(map(Page, pages[1])))[0].path[-1] == "div")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([
    "<ul>", "</ul>", "<li>", "</li>", "<b>", "</b>", "<br>", "<div class=a>", "</div>", "x", "y 1", "<tr>", "<td>",
    "<table>", "</table>", "<p>", "<a href=q>", "</a>", "<", "&#1;",
]), max_size=60))  # fmt: skip
def test_no_page_breaks_discovery(pieces: list[str]) -> None:
    page = Page("".join(pieces))
    for found in discover([page]):
        assert found.fields
    assert 0.0 <= looks_like_list([page]) <= 1.0
    discover_in(page, 3, len(page.html) - 2)


def test_real_detail_sites_are_not_lists() -> None:
    if not (SHARED / "swde").is_dir():
        pytest.skip(f"real pages not found: {SHARED / 'swde'}")
    called_lists = []
    for archive in sorted((SHARED / "swde").glob("*.tar.xz"))[::8]:
        pages = []
        with tarfile.open(archive) as tar:
            for member in tar:
                if "/train/" in member.name and member.name.endswith(".htm"):
                    opened = tar.extractfile(member)
                    assert isinstance(opened, io.BufferedReader)
                    pages.append(Page(opened.read().decode("utf-8", "replace")))
                if len(pages) == 2:
                    break
        if looks_like_list(pages) >= 0.5:
            called_lists.append(archive.name)
    assert len(called_lists) <= 1
