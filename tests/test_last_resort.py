"""The reader of last resort: a mask beside a strict wrapper, for what that one fails on."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce import Page, induce, load
from scrapy_wrapinduce.errors import InvalidWrapper
from scrapy_wrapinduce.wrapper import Wrapper, dump, parse

TEAS = "Assam Ceylon Darjeeling Earl Gunpowder Hojicha Jasmine Keemun Lapsang Matcha".split()
MORE = "Nilgiri Oolong Puerh Rooibos Sencha Tulsi Yunnan Zhejiang".split()
PLACES = "Bihar Java Kenya Oita Uva Anhui Goa Malawi Izu Hunan".split()


def row(name: str, number: int) -> str:
    return (
        f'<tr class="tea"><td class="name"><a href="/t/{number}">{name}</a></td>'
        f'<td class="from">{PLACES[number]} hills</td><td class="price">${number + 3}.50</td></tr>\n'
    )


def shop(names: list[str]) -> str:
    rows = "".join(row(name, number) for number, name in enumerate(names))
    return f'<h1>Teas</h1><table class="teas">{rows}</table><p class="foot">About us</p>'


def truth(names: list[str]) -> list[dict[str, str]]:
    return [
        {"name": name, "from": f"{PLACES[number]} hills", "price": f"${number + 3}.50"}
        for number, name in enumerate(names)
    ]


WRAPPER = induce([Page(shop(TEAS))], examples=[truth(TEAS)])
STRICT = WRAPPER.with_last_resort(None)


def test_a_healthy_page_is_read_by_the_strict_wrapper_alone() -> None:
    found = WRAPPER.extract(Page(shop(MORE)))
    assert found == STRICT.extract(Page(shop(MORE)))
    assert found.records == truth(MORE)
    assert not found.failures


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<tr class="tea"><td class="name"><a href="/t/3">', '<td class="name"><a href="/t/3">'),
        ('<tr class="tea"><td class="name"><a href="/t/3">', '<t><td class="nmae"><a href="/t/3">'),
        ('</td><td class="from">Oita hills', '<td class="from">Oita hills'),
        ('<td class="price">$6.50</td></tr>', '<td class="pice">$6.50</tr>'),
        ('<td class="price">$6.50</td></tr>', "<td>$6.50</td></tr>"),
    ],
)
def test_a_mistyped_record_is_read_all_the_same(old: str, new: str) -> None:
    html = shop(MORE)
    assert old in html
    assert WRAPPER.extract(Page(html.replace(old, new))).records == truth(MORE)


def test_a_repeated_value_is_read_and_told() -> None:
    cell = '<td class="price">$6.50</td>'
    html = shop(MORE).replace(cell, cell + '<td class="price">$7.00</td>')
    assert STRICT.extract(Page(html)).records == truth(MORE)
    found = WRAPPER.extract(Page(html))
    expected: list[dict[str, object]] = [dict(record) for record in truth(MORE)]
    expected[3]["price"] = ["$6.50", "$7.00"]
    assert found.records == expected
    assert any(
        failure.what == "record 4" and "fuzzy mask" in failure.reason for failure in found.failures
    )
    for place in found.places:
        assert html[place.start : place.end] == place.value
    assert [place.record for place in found.places] == sorted(p.record for p in found.places)


def test_a_missing_value_is_not_made_up() -> None:
    html = shop(MORE).replace('<td class="price">$6.50</td>', "")
    expected = truth(MORE)
    del expected[3]["price"]
    assert WRAPPER.extract(Page(html)).records == expected


def test_a_page_without_any_record_for_the_strict_wrapper() -> None:
    html = shop(MORE).replace('<tr class="tea">', '<article class="tea">')
    html = html.replace("</tr>", "</article>")
    html = html.replace("<table", "<main").replace("</table>", "</main>")
    assert not STRICT.extract(Page(html)).records
    found = WRAPPER.extract(Page(html))
    assert found.records == truth(MORE)
    assert found.coverage == 0.0  # of the wrapper itself, so that the change is noticed
    assert not WRAPPER.verify([Page(html)]).ok


@pytest.mark.parametrize(
    "html",
    [
        shop(MORE).replace('<tr class="tea">', "<div>").replace("</tr>", "</div>").replace("able", "ubl"),
        "",
        "<h1>Nothing found</h1><p>Try another word.</p>",
        "<ul>" + "".join(f"<li><b>{name}</b> since 19{n}7</li>" for n, name in enumerate(TEAS)) + "</ul>",
        "<table>" + "<tr><td>Monday</td><td>9 to 5</td></tr>" * 9 + "</table>",
    ],
)  # fmt: skip
def test_nothing_is_made_up_on_pages_of_another_kind(html: str) -> None:
    assert WRAPPER.extract(Page(html)).records == STRICT.extract(Page(html)).records


def test_it_is_saved_in_the_same_file(tmp_path: Path) -> None:
    WRAPPER.save(tmp_path / "w.json")
    html = shop(MORE).replace('<tr class="tea"><td class="name"><a href="/t/3">', "<td><a>")
    assert load(tmp_path / "w.json").extract(Page(html)) == WRAPPER.extract(Page(html))


@pytest.mark.parametrize("broken", [{}, [], {"mask": {}}, "mask"])
def test_a_broken_last_resort_is_an_invalid_wrapper(broken: object) -> None:
    data = json.loads(dump(WRAPPER))
    data["last_resort"] = broken
    with pytest.raises(InvalidWrapper):
        parse(json.dumps(data))


def test_a_family_that_was_asked_for_is_that_family_alone() -> None:
    for family in ("records", "lr"):
        wrapper = induce([Page(shop(TEAS))], family=family, examples=[truth(TEAS)])
        assert wrapper.last_resort is None


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_however_a_page_is_cut_and_mixed_nothing_raises(data: st.DataObject) -> None:
    html = shop(MORE)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(html)), min_size=2, max_size=6)))
    pieces = [html[a:b] for a, b in pairwise(cuts)]
    page = Page("".join(data.draw(st.permutations(pieces))))
    found = WRAPPER.extract(page)
    assert {place.record for place in found.places} == set(range(len(found.records)))


def test_delimiter_wrappers_have_one_too() -> None:
    """Where a damaged record makes LR swallow the next, the mask reads both."""
    from scrapy_wrapinduce import delimiter, fuzzy
    from scrapy_wrapinduce.fields.examples.locate import locate_records

    labelled = locate_records(Page(shop(TEAS)), truth(TEAS))
    strict: Wrapper = delimiter.learn("lr", [labelled])
    wrapper = strict.with_last_resort(fuzzy.learn_last_resort(strict, [labelled]))
    html = shop(MORE).replace('<td class="price">$6.50', '<td class="pice">$6.50')
    assert strict.extract(Page(html)).records != truth(MORE)
    assert wrapper.extract(Page(html)).records == truth(MORE)
