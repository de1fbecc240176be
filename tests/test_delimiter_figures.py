"""The running examples of Kushmerick (2000), by name."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce.delimiter import choose, learn
from scrapy_wrapinduce.delimiter.vector import TABULAR, Layout, Level, Vector
from scrapy_wrapinduce.delimiter.wrapper import HLRT, HOCLRT, LR, NLR, OCLR
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.page import Page
from tests.delimiter_pages import FIGURE_1, FIGURE_5, FIGURE_7, FIGURE_11, content, labelled

CODES = Layout((Level("", ("country", "code")),))


def test_figure_1_ccwrap_lr_reads_the_country_codes() -> None:
    ccwrap = LR(Vector(("<B>", "<I>"), ("</B>", "</I>")), CODES)
    read = ccwrap.extract(FIGURE_1.page)
    assert read.records == content(FIGURE_1)
    assert (read.coverage, read.failures) == (1.0, [])
    # The paper's label of the last code, moved by the characters of its line breaks.
    assert read.places[-1].field == "code"
    assert FIGURE_1.page.html[read.places[-1].start : read.places[-1].end] == "34"


@pytest.mark.parametrize("family", [*TABULAR, "nlr", "nhlrt"])
def test_figure_1_is_learned_by_all_six_classes(family: str) -> None:
    wrapper = learn(family, [FIGURE_1])
    assert wrapper.extract(FIGURE_1.page).records == content(FIGURE_1)
    unseen = Page(
        "<HTML><BODY>\n<B>Chad</B> <I>235</I><BR>\n<B>Fiji</B> <I>679</I><BR>\n</BODY></HTML>"
    )
    assert wrapper.extract(unseen).records == [
        {"country": "Chad", "code": "235"},
        {"country": "Fiji", "code": "679"},
    ]


def test_figure_1_learned_delimiters_are_whole_tags() -> None:
    assert learn("lr", [FIGURE_1]).vector == Vector(("<B>", "<I>"), ("</B>", "</I>"))


def test_figure_5_defeats_lr_and_says_why() -> None:
    with pytest.raises(
        CannotInduce, match=r"^lr: no valid l1: '.*<B>' also occurs in the (head|tail) of page 1"
    ):
        learn("lr", [FIGURE_5])


def test_figure_5_ccwrap_hlrt() -> None:
    ccwrap = HLRT(Vector(("<B>", "<I>"), ("</B>", "</I>"), head="<P>", tail="<HR>"), CODES)
    assert ccwrap.extract(FIGURE_5.page).records == content(FIGURE_5)
    assert learn("hlrt", [FIGURE_5]).extract(FIGURE_5.page).records == content(FIGURE_5)


def test_figure_7_ccwrap_oclr() -> None:
    ccwrap = OCLR(Vector(("<B>", "<I>"), ("</B>", "</I>"), open="<LI>", close="<BR>"), CODES)
    assert ccwrap.extract(FIGURE_7.page).records == content(FIGURE_7)
    assert learn("oclr", [FIGURE_7]).extract(FIGURE_7.page).records == content(FIGURE_7)


def test_figure_9_ccwrap_hoclrt() -> None:
    delimiters = {"head": "<P>", "tail": "<HR>", "open": "<LI>", "close": "<BR>"}
    ccwrap = HOCLRT(Vector(("<B>", "<I>"), ("</B>", "</I>"), **delimiters), CODES)
    assert ccwrap.extract(FIGURE_7.page).records == content(FIGURE_7)
    assert learn("hoclrt", [FIGURE_7]).extract(FIGURE_7.page).records == content(FIGURE_7)


def test_figure_11_telephone_directory() -> None:
    levels = (Level("", ("name",)), Level("addresses", ("address",)), Level("phones", ("phone",)))
    paper = NLR(Vector(("name: ", "address: ", "phone: "), ("\n", "\n", "\n")), Layout(levels))
    expected = content(FIGURE_11)
    assert expected[1] == {"name": "Fred"}
    assert expected[2]["addresses"][0] == {"address": "7 Park Ln"}
    assert paper.extract(FIGURE_11.page).records == expected
    learned = learn("nlr", [FIGURE_11])
    assert learned.vector == paper.vector
    assert learned.fields == ("name", "addresses.address", "addresses.phones.phone")
    assert choose([FIGURE_11]).family == "nlr"


def test_choosing_takes_the_simplest_class_and_says_why_not_a_simpler_one() -> None:
    assert choose([FIGURE_1]).family == "lr"
    chosen = choose([FIGURE_5])
    assert chosen.family == "hlrt"
    assert len(chosen.notes) == 2
    assert "more labelled pages would guarantee" in chosen.notes[1]  # Theorem 2
    assert chosen.notes[0].startswith("lr: no valid l1: ")
    assert "note: lr: no valid l1" in chosen.describe()


def test_attribute_values_are_fields_like_any_other() -> None:
    page = labelled(
        "<ul>"
        + "".join(
            f'<li><a href="⟦url /b/{name}⟧">⟦title {name}⟧</a></li>' for name in ("Emma", "Ulysses")
        )
        + "</ul>"
    )
    wrapper = choose([page])
    assert wrapper.family == "lr"
    assert wrapper.extract(page.page).records == content(page)
