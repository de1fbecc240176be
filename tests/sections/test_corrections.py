"""Correcting what was found, and structure inside a section's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_wrapinduce.cli import main
from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.sections import InvalidCorrection, learn, parse_corrections
from scrapy_wrapinduce.sections.grammar import as_text
from scrapy_wrapinduce.sections.subfields import labelled, pairs
from scrapy_wrapinduce.wrapper import dump, load, parse

HTML = (
    "<h2>Land</h2><p><b>Area:</b> {0} km</p><p><b>Sights</b> {1} towers</p>"
    "<h2>Energy</h2><p><b>Power:</b> {2} kW</p><p>See also</p><p>page {3}</p>"
)
PAGES = [Page(HTML.format(n + 10, n + 20, n + 30, n + 40)) for n in range(3)]


def records(wrapper: object) -> dict[str, object]:
    [record] = wrapper.extract(PAGES[0]).records  # type: ignore[attr-defined]
    return record  # type: ignore[no-any-return]


def test_what_is_found_without_corrections() -> None:
    assert records(learn(PAGES)) == {
        "Land": {"Area": "10 km", "Sights": "20 towers"},
        "Energy": {"text": "See also page 40", "Power": "30 kW"},
    }


def test_add_a_heading_that_was_missed() -> None:
    wrapper = learn(PAGES, "add See also under Energy\n")
    assert records(wrapper)["Energy"] == {"Power": "30 kW", "See_also": "page 40"}
    assert "Energy -> Power See_also" in as_text(wrapper.grammar)


def test_delete_a_heading_that_is_none() -> None:
    wrapper = learn(PAGES).corrected("delete Land.Sights")
    assert records(wrapper)["Land"] == {"text": "Sights 20 towers", "Area": "10 km"}
    assert "Land -> Area" in as_text(wrapper.grammar)


def test_nest_a_heading_elsewhere() -> None:
    wrapper = learn(PAGES).corrected(
        ["# a comment", "", "nest Energy under Land", "nest Sights under ."]
    )
    assert records(wrapper) == {
        "Land": {"Area": "10 km", "Energy": {"text": "See also page 40", "Power": "30 kW"}},
        "Sights": "20 towers",
    }
    assert as_text(wrapper.grammar) == (
        "page -> Land Sights\nLand -> Area Energy\nLand.Energy -> Power"
    )


def test_a_style_can_be_made_one_of_headings_or_not() -> None:
    assert "Sights" not in str(learn(PAGES, "plain Area").grammar)
    html = '<h2>Land</h2><p class="k">{0}</p><p>about {1}</p><h2>Sea</h2><p>calm {1}</p>'
    pages = [Page(html.format(*words)) for words in (("Ada", "x"), ("Bob", "y"))]
    assert records_of(learn(pages), pages[0]) == {"Land": "Ada about x", "Sea": "calm x"}
    corrected = learn(pages, "style Ada")
    assert records_of(corrected, pages[0]) == {"Land": {"Ada": "about x"}, "Sea": "calm x"}


def records_of(wrapper: object, page: Page) -> dict[str, object]:
    [record] = wrapper.extract(page).records  # type: ignore[attr-defined]
    return record  # type: ignore[no-any-return]


def test_corrections_are_part_of_the_wrapper() -> None:
    wrapper = learn(PAGES).corrected("nest Sights under Energy")
    again = parse(dump(wrapper))
    assert records(again) == records(wrapper)
    assert "Corrected: nest Sights under Energy" in again.describe()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rename A to B", "line 1: 'rename' is not one of add, delete"),
        ("delete", "line 1: delete needs the text of a heading"),
        ("nest A", "line 1: nest needs 'under'"),
        ("delete A under B", "line 1: delete takes no 'under'"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str) -> None:
    with pytest.raises(InvalidCorrection, match=message):
        parse_corrections(line)


def test_a_style_nobody_has_seen_is_refused() -> None:
    with pytest.raises(
        CannotInduce, match="says style nowhere, but no page has a text of that name"
    ):
        learn(PAGES, "style Nowhere")


BORDERS = (
    "total 2,892.4 km, Andorra 60 km, Belgium 620 km, Germany 451 km, Italy 488 km, Luxembourg 73 km,"
    " Monaco 4.4 km, Spain 623 km, Switzerland 573 km"
)


def test_the_paper_s_open_problem_the_countries_bordering_france() -> None:
    names = [name for name, _ in pairs(BORDERS)]
    assert (
        names == "total Andorra Belgium Germany Italy Luxembourg Monaco Spain Switzerland".split()
    )
    assert dict(pairs(BORDERS))["Spain"] == "623 km"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Germany 29.4%, US 6.3% (2017)", [("Germany", "29.4%"), ("US", "6.3% (2017)")]),
        (
            "oil tanker 1; other (barges, tugs) 8",
            [("oil tanker", "1"), ("other (barges, tugs)", "8")],
        ),
        ("3,427 km (mainland 2,783 km, Corsica 644 km)", []),
        ("wheat, corn, potatoes", []),
        ("President A (since 2017), Deputy B (since 2018)", []),
        ("", []),
    ],
)
def test_pairs(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


def test_labels_that_recur_split_a_section_into_sub_fields() -> None:
    html = "<h2>Peaks</h2><p>highest: {0} m; lowest: {1} m</p><h2>Note</h2><p>see {0}</p>"
    pages = [Page(html.format(n + 3000, n)) for n in range(3)]
    assert learn(pages).extract(pages[1]).records == [
        {"Peaks": {"highest": "3001 m", "lowest": "1 m"}, "Note": "see 3001"}
    ]


def test_text_that_is_not_labelled_throughout_stays_whole() -> None:
    assert labelled("black eagle; national colors: red, black") == {}
    assert labelled("one: 1") == {}


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrapper, lines, output = tmp_path / "w.json", tmp_path / "c.txt", tmp_path / "corrected.json"
    learn(PAGES).save(wrapper)
    arguments = ["correct", str(wrapper), str(lines), "-o", str(output)]
    lines.write_text("delete Sights\n")
    assert main(arguments) == 0
    assert records(load(output))["Land"] == {"text": "Sights 20 towers", "Area": "10 km"}
    lines.write_text("delete Sights\nrename A\n")
    assert main(arguments) == 2
    assert capsys.readouterr().err.endswith(
        "c.txt: line 2: 'rename' is not one of add, delete, nest, style, plain\n"
    )
    lines.write_text("plain Area\n")
    assert main(arguments) == 2
    assert capsys.readouterr().err.endswith("plain Area: corrections of a style need the pages\n")
    for number, page in enumerate(PAGES):
        (tmp_path / f"{number}.html").write_text(page.html)
    assert (
        main([*arguments, "--pages", *(str(tmp_path / f"{number}.html") for number in range(3))])
        == 0
    )
    assert records(load(output))["Land"] == "Area: 10 km Sights 20 towers"
