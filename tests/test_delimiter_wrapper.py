"""Delimiter wrappers as data, what they say when a page does not fit, and what the learners refuse."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce.delimiter import choose, learn
from scrapy_wrapinduce.delimiter.vector import CLASSES, Layout, Level, Vector
from scrapy_wrapinduce.delimiter.wrapper import WRAPPERS
from scrapy_wrapinduce.errors import CannotInduce, InvalidWrapper
from scrapy_wrapinduce.fields.examples.locate import locate_records
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.wrapper import dump, load, parse
from tests.delimiter_pages import FIGURE_1, FIGURE_5, FIGURE_7, FIGURE_11, content, labelled


@pytest.mark.parametrize("family", CLASSES)
def test_a_saved_wrapper_reads_like_the_learned_one(family: str, tmp_path: Path) -> None:
    wrapper = learn(family, [FIGURE_1])
    wrapper.save(tmp_path / "wrapper.json")
    again = load(tmp_path / "wrapper.json")
    assert again == wrapper
    assert again.family == family
    assert again.extract(FIGURE_1.page).records == content(FIGURE_1)


def test_a_nested_wrapper_survives_saving() -> None:
    wrapper = learn("nlr", [FIGURE_11])
    assert parse(dump(wrapper)).extract(FIGURE_11.page).records == content(FIGURE_11)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"levels": []}, "'levels' is not a list with something in it"),
        ({"levels": [{"name": "", "fields": [{"name": "a", "left": "", "right": "<"}]}]}, "'left'"),
        ({"levels": [{"name": "", "fields": [{"name": "a", "left": "<"}]}]}, "'right'"),
        ({"levels": ["x"]}, "'fields'"),
        ({"tail": ""}, "'tail' is not a delimiter"),
        ({"head": 7}, "'head' is not a delimiter"),
        ({"multiple": [9]}, "'multiple'"),
        ({"notes": "why"}, "'notes'"),
        (
            {"levels": [{"name": "", "fields": [{"name": "", "left": "<", "right": "<"}]}]},
            "no field",
        ),
    ],
)
def test_a_broken_wrapper_file_says_what_is_wrong(change: dict[str, Any], complaint: str) -> None:
    data = {**learn("hlrt", [FIGURE_5]).to_dict(), **change}
    with pytest.raises(InvalidWrapper, match=complaint):
        WRAPPERS["hlrt"].from_dict(data)


def test_tables_have_no_nested_levels() -> None:
    with pytest.raises(InvalidWrapper, match="only nlr and nhlrt"):
        WRAPPERS["lr"].from_dict(learn("nlr", [FIGURE_11]).to_dict())


def test_a_wrapper_describes_itself() -> None:
    shown = learn("hoclrt", [FIGURE_7]).describe()
    assert "hoclrt" in shown
    assert "country  '<B>' … '</B>'" in shown
    assert "the end of the page" in learn("hlrt", [labelled("<p>⟦x 1⟧</p><p>⟦x 2⟧</p>")]).describe()


def test_values_are_folded_and_know_their_place() -> None:
    page = labelled("<p>⟦x Salt &amp;\n Pepper⟧</p><p>⟦x 2⟧</p>")
    read = learn("lr", [page]).extract(page.page)
    assert read.records == [{"x": "Salt & Pepper"}, {"x": "2"}]
    assert [(place.record, place.field, place.value) for place in read.places] == [
        (0, "x", "Salt & Pepper"),
        (1, "x", "2"),
    ]
    assert page.page.html[read.places[0].start : read.places[0].end] == "Salt &amp;\n Pepper"


def test_what_is_missing_is_reported_and_the_rest_is_read() -> None:
    wrapper = WRAPPERS["hlrt"](
        Vector(("<B>", "<I>"), ("</B>", "</I>"), head="<P>", tail="<HR>"),
        Layout((Level("", ("country", "code")),)),
    )
    cut = Page("<P><B>Congo</B> <I>242</I> <B>Egypt</B> <I>20")
    read = wrapper.extract(cut)
    assert read.records == [{"country": "Congo", "code": "242"}]
    assert [failure.what for failure in read.failures] == ["r2"]
    assert 0 < read.coverage < 1
    empty = wrapper.extract(Page("<p>nothing here</p>"))
    assert (empty.records, empty.coverage) == ([], 0.0)
    assert str(empty.failures[0]).startswith("h: '<P>' does not occur")
    unended = wrapper.extract(Page("<P><B>Congo</B> <I>242</I>"))
    assert [failure.what for failure in unended.failures] == ["t"]
    assert len(unended.records) == 1


@given(
    st.sampled_from(list(CLASSES)),
    st.lists(
        st.sampled_from(["<B>", "</B>", "<I>", "</I>", "<LI>", "<BR>\n", "<P>", "<HR>", "x", "&"])
    ),
)
def test_extraction_never_raises(family: str, pieces: list[str]) -> None:
    wrapper = WRAPPERS[family](
        Vector(
            ("<B>", "<I>"),
            ("</B>", "</I>"),
            **{name: text for name, text in STRUCTURE.items() if name[0] in CLASSES[family]},
        ),
        Layout((Level("", ("country", "code")),)),
    )
    html = "".join(pieces)
    read = wrapper.extract(Page(html))
    assert 0 <= read.coverage <= 1
    assert all(0 <= place.start <= place.end <= len(html) for place in read.places)
    if family not in ("nlr", "nhlrt"):
        assert all(set(record) == {"country", "code"} for record in read.records)


STRUCTURE = {"head": "<P>", "tail": "<HR>", "open": "<LI>", "close": "<BR>"}


def refusal(source: str, family: str = "lr", nesting: Any = None) -> str:
    with pytest.raises(CannotInduce) as caught:
        learn(family, [labelled(source, nesting)])
    return str(caught.value)


def test_refusals_name_field_page_and_reason() -> None:
    two = (("", ("x", "y")),)
    assert refusal("<b>⟦x 1⟧</b><i>⟦y 1⟧</i><b>⟦x 2⟧</b>", nesting=two) == (
        "lr: field 'y' is missing in record 2 of page 1"
    )
    assert refusal("<b>⟦x 1⟧</b><i>⟦y 1⟧</i><i>⟦y 2⟧</i>", nesting=two) == (
        "lr: field 'y' has several values in record 1 of page 1"
    )
    nested = (("", ("x",)), ("ys", ("y",)))
    assert "holds a list of records, 'ys'" in refusal("<b>⟦x 1⟧</b><i>⟦y 1⟧</i>", nesting=nested)
    assert refusal("a⟦x 1⟧</b>b⟦x 2⟧</b>").startswith(
        "lr: no valid l1: what precedes has no common ending: 'a' (the head of page 1)"
    )
    assert refusal("<b>⟦x 1⟧a<b>⟦x 2⟧b").startswith(
        "lr: no valid r1: what follows has no common beginning"
    )
    assert "also occurs in a value on page 1" in refusal("<b>⟦x 1<⟧<b>⟦x 2⟧<")
    assert "'<b>' also occurs in the tail of page 1" in refusal("<b>⟦x 1⟧<b>⟦x 2⟧<b>")
    with pytest.raises(CannotInduce, match="none of the pages has a labelled record"):
        learn("lr", [labelled("nothing")])
    with pytest.raises(CannotInduce, match="is not a delimiter class"):
        learn("rl", [FIGURE_1])


def test_when_no_class_fits_every_reason_is_given() -> None:
    with pytest.raises(CannotInduce) as caught:
        choose([labelled("[⟦x A1⟧][⟦x A2⟧][", None)])
    reasons = str(caught.value).splitlines()[1:]
    assert [reason.split(":")[0] for reason in reasons] == list(CLASSES)


def test_nested_classes_read_repeated_and_missing_last_fields() -> None:
    nesting = (("", ("name", "phone")),)
    page = labelled(
        "<p><b>⟦name Ann⟧</b> <i>⟦phone 1⟧</i> <i>⟦phone 2⟧</i><p><b>⟦name Bob⟧</b>", nesting
    )
    wrapper = choose([page])
    assert wrapper.family == "nlr"
    assert wrapper.extract(page.page).records == [
        {"name": "Ann", "phone": ["1", "2"]},
        {"name": "Bob"},
    ]


def test_nested_records_of_several_fields() -> None:
    nesting = (("", ("name", "town")), ("books", ("title", "year")), ("prizes", ("prize",)))
    page = labelled(
        "<h2>⟦name Ann⟧</h2><i>⟦town Oslo⟧</i>"
        "<li><b>⟦title One⟧</b> (⟦year 1999⟧)<em>⟦prize Gold⟧</em><em>⟦prize Silver⟧</em></li>"
        "<li><b>⟦title Two⟧</b> (⟦year 2001⟧)</li>"
        "<h2>⟦name Bob⟧</h2><i>⟦town Rome⟧</i>",
        nesting,
    )
    wrapper = choose([page])
    assert wrapper.family == "nlr"
    assert wrapper.extract(page.page).records == content(page)


def test_a_page_without_records_keeps_delimiters_out() -> None:
    empty = labelled("<HTML><TITLE>No Country Codes</TITLE><BODY>\n<B>Sorry</B></BODY></HTML>")
    wrapper = choose([FIGURE_1, empty])
    assert wrapper.extract(FIGURE_1.page).records == content(FIGURE_1)
    assert wrapper.extract(empty.page).records == []


def test_addresses_before_a_value_are_skipped() -> None:
    page = labelled(
        "<ul>"
        + "".join(
            f'<li class="hit"><a class="t" href="/b/{number}" id="i{number}">⟦title {title}⟧</a> by ⟦author {author}⟧</li>'
            for number, (title, author) in enumerate((("Emma", "Austen"), ("Ulysses", "Joyce")))
        )
        + "</ul>"
    )
    wrapper = choose([page])
    assert wrapper.family == "lr"
    assert wrapper.fields == ("title", "author")
    assert "(skipped)" in wrapper.describe()
    assert parse(dump(wrapper)) == wrapper
    unseen = Page('<li class="hit"><a class="t" href="/c?d" id="x">Dune</a> by Herbert</li>')
    assert wrapper.extract(unseen).records == [{"title": "Dune", "author": "Herbert"}]


def test_emphasis_of_some_values_belongs_to_them() -> None:
    page = labelled(
        "<dl><dt>⟦x plain⟧</dt><dd>1</dd><dt><b>⟦x bold</b> start⟧</dt><dd>2</dd>"
        "<dt>⟦x end in <b>bold⟧</b></dt><dd>3</dd><dt><b>⟦x all bold⟧</b></dt><dd>4</dd></dl>"
    )
    read = choose([page]).extract(page.page)
    assert [record["x"] for record in read.records] == [
        "plain",
        "bold start",
        "end in bold",
        "all bold",
    ]


def ranking(topic: str, year: str) -> tuple[Page, list[dict[str, str]]]:
    archive = Path(__file__).parents[2] / "shared/data/ranks.tar.xz"
    if not archive.exists():
        pytest.skip(f"real pages not found: {archive}")
    with tarfile.open(archive) as tar:
        html = tar.extractfile(f"ranks/{topic}/{year}.htm")
        truth = tar.extractfile(f"ranks/{topic}/truth.json")
        assert html is not None
        assert truth is not None
        return Page(html.read()), json.load(truth)[year]


@pytest.mark.parametrize("year", ["2011", "2020"])
def test_one_labelled_ranking_is_enough_to_read_another(year: str) -> None:
    page, truth = ranking("airports", year)
    wrapper = choose([locate_records(page, truth)])
    assert wrapper.family == "lr"
    assert wrapper.extract(page).records == truth
    other, other_truth = ranking("birth-rate", year)
    assert wrapper.extract(other).records == other_truth
