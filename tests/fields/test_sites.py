"""The default item, names, examples and a schema, on small sites of many kinds."""

from __future__ import annotations

from typing import Any

import field_sites as sites
import pytest
from field_sites import Site
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.wrapper import dump, parse

LABELLED = [
    sites.no_class_names,
    sites.head_column,
    sites.head_row,
    sites.definition_list,
    sites.one_text_node,
    sites.right_to_left,
    sites.chinese,
    sites.few_values,
    sites.related_items,
]


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    return sites.site(request.param)


def by_kind(*kinds: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("site", kinds, indirect=True, ids=lambda kind: kind.__name__)


@by_kind(*LABELLED)
def test_the_default_item_has_the_pages_own_names_and_clean_values(site: Site) -> None:
    wrapper = induce(site.pages, family="landmark")
    for page, truth in zip(site.pages, site.truth, strict=True):
        (item,) = wrapper.items(page)
        assert {name: item.get(name) for name in truth} == truth


@by_kind(*LABELLED)
def test_one_page_of_examples_is_enough(site: Site) -> None:
    wrapper = induce(site.pages, examples=[site.truth[0], *[None] * (sites.COUNT - 1)])
    assert [wrapper.items(page)[0] for page in site.pages] == site.truth


@by_kind(
    sites.no_class_names,
    sites.head_column,
    sites.head_row,
    sites.definition_list,
    sites.related_items,
)
def test_names_are_enough_where_the_page_says_them(site: Site) -> None:
    wrapper = induce(site.pages, schema=["weight", "manufacturer", "year", "isbn"])
    for page, truth in zip(site.pages, site.truth, strict=True):
        wanted = {
            "manufacturer" if name == "maker" else name: value for name, value in truth.items()
        }
        assert wrapper.items(page)[0] == wanted


@by_kind(sites.several_values)
def test_a_field_of_several_values_is_a_list(site: Site) -> None:
    wrapper = induce(site.pages, examples=[site.truth[0], *[None] * (sites.COUNT - 1)])
    assert [wrapper.items(page)[0] for page in site.pages] == site.truth


@by_kind(sites.labels_that_repeat)
def test_a_label_that_repeats_does_not_mix_two_fields(site: Site) -> None:
    wrapper = induce(site.pages, examples=[site.truth[0], *[None] * (sites.COUNT - 1)])
    assert [wrapper.items(page)[0] for page in site.pages] == site.truth


@by_kind(*LABELLED)
def test_raw_records_stay_as_on_the_page(site: Site) -> None:
    wrapper = induce(site.pages, family="landmark")
    for page in site.pages:
        extraction = wrapper.extract(page)
        for place in extraction.places:
            assert place.value in page.html


@by_kind(sites.no_class_names)
def test_names_and_values_survive_learning_from_other_pages(site: Site) -> None:
    first, second = induce(site.pages[:5]), induce(site.pages[3:])
    assert first.items(site.pages[4]) == second.items(site.pages[4])


KINDS = [*LABELLED, sites.several_values, sites.labels_that_repeat]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    kind=st.sampled_from(KINDS),
    pages=st.integers(2, sites.COUNT),
    shown=st.booleans(),
    junk=st.text(max_size=30),
)
def test_a_saved_wrapper_reads_as_before(kind: Any, pages: int, shown: bool, junk: str) -> None:
    site = sites.site(kind)
    examples = [site.truth[0], *[None] * (pages - 1)] if shown else None
    wrapper = induce(site.pages[:pages], family="landmark", examples=examples)
    again = parse(dump(wrapper))
    assert again == wrapper
    for page in (*site.pages, Page(junk), Page(site.pages[0].html.replace("<b>", junk))):
        assert again.items(page) == wrapper.items(page)
