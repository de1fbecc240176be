"""What raises an alarm and what does not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shifting_site import old, values

from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.upkeep.evidence import chance_of_so_few
from scrapy_wrapinduce.upkeep.health import kept_health

Spoil = Callable[[str, int], str]
SAMPLE, WINDOW = range(20), range(20, 25)


def shop(number: int) -> str:
    """A page that also has a price that is not the one wanted."""
    was = f"<dt>List price</dt><dd>${number * 11 % 90 + 109}.{number * 3 % 80 + 15}</dd>"
    return old(number).replace("<dt>Maker", f"{was}<dt>Maker")


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    examples = [{name: values(n)[name] for name in ("name", "price", "maker")} for n in SAMPLE[:3]]
    return induce([Page(shop(n)) for n in SAMPLE], examples=[*examples, *[None] * 17])


def pages(spoil: Spoil | None = None, window: range = WINDOW) -> list[Page]:
    return [Page(spoil(shop(n), n) if spoil else shop(n)) for n in window]


def swapped(source: str, number: int) -> str:
    """The two prices change places, with their labels."""
    found = re.findall(r"<dt>(?:P|List p)rice</dt><dd>[^<]*</dd>", source)
    return source.replace(found[0], "#").replace(found[1], found[0]).replace("#", found[1])


def placeholders(source: str, number: int) -> str:
    return re.sub(r"(<dd>|<h1>)[^<]*", r"\1Loading", source)


def stuck(source: str, number: int) -> str:
    return shop(3)


def odd_one(source: str, number: int) -> str:
    """One page of the window has no price yet."""
    return re.sub(r"(Price</dt><dd>)[^<]*", r"\1call us", source) if number == 21 else source


@pytest.mark.parametrize("spoil", [placeholders, stuck])
def test_wrong_values_that_look_right_one_by_one(wrapper: Wrapper, spoil: Spoil) -> None:
    verdict = wrapper.verify(pages(spoil))
    assert not verdict.ok
    assert any(reason.sure for reason in verdict.reasons)


def test_a_placeholder_is_noticed_on_a_single_page(wrapper: Wrapper) -> None:
    verdict = wrapper.verify(pages(placeholders, range(20, 21)))
    assert "'Loading' stands in most fields of a record" in str(verdict)


def test_the_place_of_a_price_that_is_another_is_noticed(wrapper: Wrapper) -> None:
    """The other price is no field: what pages call it is known all the same."""
    assert kept_health(wrapper).fields["price"].rivals == ("List price",)
    read = [
        record.get("price") for page in pages(swapped) for record in wrapper.extract(page).records
    ]
    right = [values(n)["price"] for n in WINDOW]
    verdict = wrapper.verify(pages(swapped))
    assert read == right or (not verdict.ok and "List price" in str(verdict))


@pytest.mark.parametrize("spoil", [None, odd_one])
@pytest.mark.parametrize("window", [WINDOW, range(21, 22), range(20, 40)])
def test_ordinary_variation_raises_no_alarm(
    wrapper: Wrapper, spoil: Spoil | None, window: range
) -> None:
    assert wrapper.verify(pages(spoil, window)).ok


@given(st.integers(0, 30), st.integers(1, 30), st.floats(0, 1), st.integers(1, 500))
def test_a_chance_is_a_chance(hits: int, tries: int, usual: float, before: int) -> None:
    hits = min(hits, tries)
    chance = chance_of_so_few(hits, tries, usual, before)
    assert 0 <= chance <= 1
    assert hits == 0 or chance_of_so_few(hits - 1, tries, usual, before) <= chance + 1e-9
    assert hits < tries or chance > 1 - 1e-6


def test_health_from_before_patterns_were_kept_is_read(wrapper: Wrapper) -> None:
    assert wrapper.health is not None
    fields = {
        name: {k: v for k, v in about.items() if k not in ("patterns", "recurring", "rivals")}
        for name, about in wrapper.health["fields"].items()
    }
    older = wrapper.with_health({**wrapper.health, "fields": fields})
    assert older.verify(pages()).ok
