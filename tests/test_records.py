"""Lists of records read by structure: from one labelled page to others."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce import records
from scrapy_wrapinduce.errors import CannotInduce, InvalidWrapper
from scrapy_wrapinduce.fields.examples.locate import locate_records
from scrapy_wrapinduce.labels import LabelledPage, Record
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.records import RecordsWrapper
from scrapy_wrapinduce.records.model import Pattern, Unit
from scrapy_wrapinduce.records.read import regions
from scrapy_wrapinduce.records.tree import TEXT, tree_of
from scrapy_wrapinduce.wrapper import dump, load, parse
from tests.record_pages import SHAPES, TABLE_1, TABLE_2, cards, country_codes, zebra
from tests.record_pages import records as records_of

SHARED = Path(__file__).parents[2] / "shared/data"


def learned(html: str, examples: list[Any]) -> RecordsWrapper:
    return records.learn([locate_records(Page(html), examples)])


def test_the_country_codes_of_figure_1() -> None:
    wrapper = learned(country_codes(TABLE_1), records_of(TABLE_1))
    result = wrapper.extract(Page(country_codes(TABLE_2)))
    assert result.records == records_of(TABLE_2)
    assert result.coverage == 1.0
    assert result.failures == []


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read_from_one_labelled_page(shape: str) -> None:
    html = SHAPES[shape]
    wrapper = learned(html(TABLE_1), records_of(TABLE_1))
    for rows in (TABLE_1, TABLE_2):
        assert wrapper.extract(Page(html(rows))).records == records_of(rows)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_wrapper_is_json_and_back(shape: str, tmp_path: Path) -> None:
    html = SHAPES[shape]
    wrapper = learned(html(TABLE_1), records_of(TABLE_1))
    wrapper.save(tmp_path / "w.json")
    again = load(tmp_path / "w.json")
    assert dump(again) == dump(wrapper)
    assert again.extract(Page(html(TABLE_2))).records == records_of(TABLE_2)
    assert again.describe() == wrapper.describe()


def test_missing_fields_are_absent_and_reported() -> None:
    rows = [("Congo", "242"), ("Egypt", ""), ("Belize", "501"), ("Spain", "34"), ("Italy", "39")]
    wrapper = learned(cards(rows), records_of(rows))
    page = Page(cards([("Chad", ""), ("Peru", "51"), ("Fiji", "679"), ("Oman", "968")]))
    result = wrapper.extract(page)
    assert result.records[0] == {"country": "Chad"}
    assert [f.what for f in result.failures] == ["code"]
    assert result.coverage == pytest.approx(0.875)
    assert [page.html[p.start : p.end] for p in result.places] == [p.value for p in result.places]


def test_attributes_are_values_too() -> None:
    examples = [
        {"name": n, "url": f"/c/{n.lower()}", "flag": f"/f/{n.lower()}.png"} for n, _ in TABLE_1
    ]
    wrapper = learned(cards(TABLE_1), examples)
    assert wrapper.extract(Page(cards(TABLE_2))).records[2] == {
        "name": "Fiji",
        "url": "/c/fiji",
        "flag": "/f/fiji.png",
    }


def test_one_labelled_record_stands_for_its_siblings() -> None:
    wrapper = learned(zebra(TABLE_1), records_of(TABLE_1[1:2]))
    assert wrapper.extract(Page(zebra(TABLE_2))).records == records_of(TABLE_2)


def test_lists_and_nested_records_at_any_depth() -> None:
    def html(data: list[tuple[str, list[str], list[tuple[str, list[str]]]]]) -> str:
        return "".join(
            f"<div class=person><h2>{name}</h2><ul>{''.join(f'<li>{t}</li>' for t in tags)}</ul>"
            + "".join(
                f"<section><h3>{place}</h3>"
                + "".join(f"<p>{n}</p>" for n in numbers)
                + "</section>"
                for place, numbers in places
            )
            + "</div>"
            for name, tags, places in data
        )

    def items(data: list[tuple[str, list[str], list[tuple[str, list[str]]]]]) -> list[Any]:
        return [
            {
                "name": name,
                "tags": tags,
                "places": [
                    {"place": place, "phones": [{"number": n} for n in numbers]}
                    for place, numbers in places
                ],
            }
            for name, tags, places in data
        ]

    directory = [
        ("Ann", ["x", "y"], [("Home", ["11", "12"]), ("Work", ["13"])]),
        ("Bob", ["z"], [("Boat", ["21"])]),
        ("Cid", ["u", "v", "w"], [("Hut", ["31", "32", "33"])]),
    ]
    other = [
        ("Dan", ["p"], [("Tent", ["41"]), ("Van", ["42", "43"])]),
        ("Eve", ["q", "r"], [("Inn", ["51"])]),
    ]
    wrapper = learned(html(directory), items(directory))
    assert wrapper.extract(Page(html(directory))).records == items(directory)
    assert wrapper.extract(Page(html(other))).records == items(other)
    assert wrapper.fields == ("name", "tags", "places")


def test_records_that_the_examples_leave_out_are_still_read() -> None:
    wrapper = learned(zebra(TABLE_1), records_of(TABLE_1[:3]))
    assert wrapper.extract(Page(zebra(TABLE_1))).records == records_of(TABLE_1)


def test_a_changed_container_falls_back_to_a_looser_level() -> None:
    def html(rows: list[tuple[str, str]], name: str) -> str:
        body = "".join(f"<li class=hit><b>{c}</b><i>{n}</i></li>" for c, n in rows)
        return f"<div class={name}><ul class={name}>{body}</ul></div>"

    wrapper = learned(html(TABLE_1, "old"), records_of(TABLE_1))
    assert wrapper.extract(Page(html(TABLE_2, "new"))).records == records_of(TABLE_2)


def test_another_page_gives_no_records_and_says_so() -> None:
    wrapper = learned(zebra(TABLE_1), records_of(TABLE_1))
    result = wrapper.extract(Page("<p>Nothing here</p>"))
    assert result.records == []
    assert result.coverage == 0.0
    assert "no place on the page" in str(result.failures[0])


def test_errors_name_what_stands_in_the_way() -> None:
    with pytest.raises(CannotInduce, match="no labelled records"):
        records.learn([])
    with pytest.raises(CannotInduce, match="hold no values"):
        records.learn([LabelledPage(Page("<p>a</p>"), (Record({}),))])


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("list"),
        lambda data: data["list"]["levels"][0][0].update(kind="magic"),
        lambda data: data["list"]["fields"][0]["groups"][0][0].update(by="luck"),
        lambda data: data["list"].update(fields=3),
    ],
)
def test_a_broken_file_is_an_invalid_wrapper(damage: Any) -> None:
    data = json.loads(dump(learned(zebra(TABLE_1), records_of(TABLE_1))))
    damage(data)
    with pytest.raises(InvalidWrapper):
        parse(json.dumps(data))


WRAPPERS = [learned(html(TABLE_1), records_of(TABLE_1)) for html in SHAPES.values()]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(range(len(WRAPPERS))), st.lists(st.sampled_from([
    "<table>", "</table>", "<tr>", "<td>", "</td>", "<b>", "</b>", "<br>", "<i>", "x", "12", "<p>", "<li>", "<",
    "</div>", "<div>", "<dl>", "<dt>", "<dd>", "&amp", "<h2>", "<a href='", ">",
])))  # fmt: skip
def test_no_page_breaks_extraction(which: int, pieces: list[str]) -> None:
    page = Page("".join(pieces))
    result = WRAPPERS[which].extract(page)
    assert 0.0 <= result.coverage <= 1.0
    assert all(0 <= p.start < p.end <= len(page.html) for p in result.places)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(SHAPES)),
    st.lists(
        st.tuples(
            st.from_regex(r"[A-Z][a-z]{2,6}", fullmatch=True),
            st.from_regex(r"[1-9][0-9]{1,3}", fullmatch=True),
        ),
        min_size=3,
        max_size=7,
        unique_by=(lambda row: row[0], lambda row: row[1]),
    ),
)
def test_what_is_learned_on_one_table_reads_any_other(
    shape: str, rows: list[tuple[str, str]]
) -> None:
    wrapper = WRAPPERS[list(SHAPES).index(shape)]
    assert wrapper.extract(Page(SHAPES[shape](rows))).records == records_of(rows)


def test_deep_and_long_pages_are_read_in_bounded_time() -> None:
    wrapper = learned(zebra(TABLE_1), records_of(TABLE_1))
    deep = "<div>" * 50_000 + "x" + "<tr class=row><td>a<td>b" * 2000
    assert wrapper.extract(Page(deep)).records is not None


def members(archive: str, *names: str) -> dict[str, bytes]:
    path = SHARED / archive
    if not path.exists():
        pytest.skip(f"real pages not found: {path}")
    found: dict[str, bytes] = {}
    with tarfile.open(path) as tar:
        for member in tar:
            if member.name.endswith(names):
                opened = tar.extractfile(member)
                assert isinstance(opened, io.BufferedReader)
                found["/".join(member.name.split("/")[-2:])] = opened.read()
    return found


def test_real_rankings_in_both_designs() -> None:
    files = members("ranks.tar.xz", *(f"{n}/{f}" for n in ("airports", "birth-rate") for f in (
        "2011.htm", "2020.htm", "truth.json")))  # fmt: skip
    truth = {n: json.loads(files[f"{n}/truth.json"]) for n in ("airports", "birth-rate")}
    for year in ("2011", "2020"):
        page = Page(files[f"airports/{year}.htm"].decode("utf-8", "replace"))
        wrapper = records.learn([locate_records(page, truth["airports"][year])])
        other = Page(files[f"birth-rate/{year}.htm"].decode("utf-8", "replace"))
        assert wrapper.extract(other).records == truth["birth-rate"][year]


def test_the_same_labels_give_the_same_wrapper_in_every_process() -> None:
    rows = [{"author": f"Author {n}", "said": f"Words {n}"} for n in range(4)]
    items = "".join(
        f'<li><p class="line"><a class="author">{row["author"]}</a></p>'
        f'<p class="text"><span class="said">{row["said"]}</span></p></li>'
        for row in rows
    )
    script = (
        "import json, sys; from scrapy_wrapinduce import Page, induce;"
        "page, rows = json.load(sys.stdin);"
        "print(json.dumps(induce([Page(page)], examples=[rows]).to_dict()))"
    )
    learned = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=json.dumps([f"<ul>{items}</ul>", rows]),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(learned) == 1


@pytest.mark.parametrize(("html", "count"), [("<p>One<br>Two<br>", 2), ("<p>One", 0), ("", 0)])
def test_a_text_that_begins_a_period_may_be_the_last_of_its_parent(html: str, count: int) -> None:
    tree = tree_of(Page(html))
    assert len(regions(tree, Unit("period", Pattern(TEXT), size=1), 0, len(tree))) == count
