"""Values that look right one by one: fields that change places with their labels, and values that are all cut off."""

from __future__ import annotations

import pytest

from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.upkeep.extent import beyond, usual_extent
from scrapy_wrapinduce.upkeep.health import kept_health, read

SAMPLE = range(20)
LABELS = ("List price", "Our price", "Height", "Width")
WORDS = "amber birch cedar dune ember fjord grove heath inlet jetty".split()


def values(number: int) -> list[str]:
    return [
        f"${number * 7 % 80 + 110}.{number * 13 % 90 + 10}",
        f"${number * 11 % 80 + 100}.{number * 17 % 90 + 10}",
        f"{number * 31 % 800 + 100} mm",
        f"{number * 37 % 800 + 100} mm",
    ]


def page(number: int, swapped: tuple[int, int] | None = None, cut: bool = False) -> Page:
    """A page that names the places of its rows; two of them may have changed places with their labels."""
    rows = list(zip(LABELS, values(number), strict=True))
    if swapped is not None:
        one, two = swapped
        rows[one], rows[two] = rows[two], rows[one]
    name = " ".join(WORDS[number * k % 10] for k in (3, 7, 9)).title() + f" {number + 20}"
    if cut:
        name = name[: len(name) // 2]
        rows = [(label, value[: (len(value) + 1) // 2]) for label, value in rows]
    body = "".join(
        f'<div class="row{at}"><i class="label{at}">{label}</i><b class="value{at}">{value}</b></div>'
        for at, (label, value) in enumerate(rows)
    )
    return Page(f"<html><body><h1>{name}</h1>{body}<p>All prices with tax</p></body></html>")


@pytest.fixture(scope="module", params=["default", "examples"])
def wrapper(request: pytest.FixtureRequest) -> Wrapper:
    pages = [page(number) for number in SAMPLE]
    if request.param == "default":
        return induce(pages)
    names = [label.lower().replace(" ", "_") for label in LABELS]
    examples = [dict(zip(names, values(number), strict=True)) for number in range(3)]
    return induce(pages, examples=[*examples, *[None] * 17])


def price_of(wrapper: Wrapper, one: Page) -> str:
    (record,) = wrapper.extract(one).records
    return str(record["our_price"])


def test_fields_that_changed_places_are_named_on_a_single_page(wrapper: Wrapper) -> None:
    changed = page(30, swapped=(0, 1))
    if price_of(wrapper, changed) == values(30)[1]:
        return
    verdict = wrapper.verify(changed)
    assert {reason.field for reason in verdict.reasons if reason.sure} == {
        "list_price",
        "our_price",
    }
    assert "'List price'" in str(verdict)


def test_other_fields_on_other_pages_do_not_hide_each_other(wrapper: Wrapper) -> None:
    window = [page(30 + n, swapped=(0, 1) if n % 2 else (2, 3)) for n in range(20)]
    if price_of(wrapper, window[1]) == values(31)[1]:
        return
    named = {reason.field for reason in wrapper.verify(window).reasons if reason.sure}
    assert named == {"list_price", "our_price", "height", "width"}


def test_a_single_page_whose_values_are_all_cut_off(wrapper: Wrapper) -> None:
    verdict = wrapper.verify(page(30, cut=True))
    assert not verdict.ok
    assert "shorter than before" in str(verdict)


@pytest.mark.parametrize("size", [1, 5, 20])
def test_unchanged_pages_raise_no_alarm(wrapper: Wrapper, size: int) -> None:
    for start in range(30, 90, size):
        assert wrapper.verify(page(start + n) for n in range(size)).ok


def test_how_long_values_are_is_kept_with_the_wrapper(wrapper: Wrapper) -> None:
    health = kept_health(wrapper)
    assert health.extent is not None
    profiles = {name: field.profile for name, field in health.fields.items()}
    seen = [read(wrapper, page(number)).sightings for number in SAMPLE]
    assert usual_extent(profiles, seen) == health.extent
    assert beyond(health.extent, profiles, seen[:1], len(seen)) == 0.0
    assert usual_extent(profiles, seen[:2]) is None
