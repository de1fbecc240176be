"""Names and shapes that are carried over to a new design of the sample site."""

from __future__ import annotations

import random

import pytest

from sample_project.shop_site import Site
from sample_project.shop_site.compare import compare, fold
from sample_project.shop_site.truth import PageTruth
from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.crawl.learning.known import KnownTemplates
from scrapy_wrapinduce.crawl.learning.messages import Learned
from scrapy_wrapinduce.signatures import signature
from scrapy_wrapinduce.templates import Template
from scrapy_wrapinduce.upkeep.carry import carry_over
from scrapy_wrapinduce.wrapper import dump

OLD, NEW = Site(), Site().redesigned()


def pages_of(site: Site, kind: str) -> list[Page]:
    truth = OLD.truth
    paths = [path for path, page in truth.items() if page.kind == kind and page.conforms]
    return [Page(site.html(path) or "", f"http://shop.example{path}") for path in paths]


@pytest.fixture(scope="module")
def olds() -> dict[str, Wrapper]:
    return {kind: induce(pages_of(OLD, kind)[:12]) for kind in ("brand", "author")}


@pytest.mark.parametrize("count", [4, 6, 10])
def test_a_page_about_one_thing_stays_one_whatever_it_lists(
    olds: dict[str, Wrapper], count: int
) -> None:
    pages = pages_of(NEW, "brand")[-count:]
    carried = carry_over(olds, induce(pages), pages)
    assert carried is not None
    name, wrapper = carried
    assert name == "brand"
    for page in pages:
        truth = OLD.truth[(page.url or "").removeprefix("http://shop.example")].fields
        (record,) = wrapper.extract(page).records
        item = wrapper.item(record, page.url)
        assert {field: fold(item[field]) for field in ("country", "founded", "about")} == {
            field: fold(truth[field]) for field in ("country", "founded", "about")
        }


def test_lists_inside_a_record_stay_lists_of_records() -> None:
    old = induce(pages_of(OLD, "product")[:20])
    pages = pages_of(NEW, "product")[20:40]
    carried = carry_over({"product": old}, induce(pages), pages)
    assert carried is not None
    reviewed = [r for page in pages for r in carried[1].extract(page).records if "reviews" in r]
    assert reviewed
    assert all({"name", "text"} <= set(review) for r in reviewed for review in r["reviews"])
    assert not any("." in name for name in carried[1].fields)


def test_pages_about_other_things_keep_their_own_names() -> None:
    old = induce(pages_of(OLD, "author"))
    pages = pages_of(NEW, "brand")[:8]
    assert carry_over({"author": old}, induce(pages), pages) is None


def test_all_that_was_learned_at_the_same_addresses_is_asked(olds: dict[str, Wrapper]) -> None:
    signs = [signature(page.html, page.url) for page in pages_of(NEW, "brand")[:3]]
    known = KnownTemplates([], signs)
    for kind, wrapper in olds.items():
        template = Template("")
        for page in pages_of(OLD, kind):
            template.add(signature(page.html, page.url))
        known.learned(
            Learned((), dump(wrapper), template.to_dict(), 12, wrapper.fields, 1.0, {}, None, 0.0)
        )
    found = known.at_same_addresses(signs)
    assert [dump(one.wrapper) for one in found] == [dump(wrapper) for wrapper in olds.values()]
    assert len({one.name for one in found}) == 2


@pytest.mark.parametrize(("kind", "seed"), [("product", 0), ("product", 4), ("article", 9)])
def test_a_new_design_has_the_values_of_the_old_one(kind: str, seed: int) -> None:
    """Optional fields, lists of other products and prices of theirs notwithstanding."""
    order = list(range(len(pages_of(OLD, kind))))
    random.Random(seed).shuffle(order)
    half = len(order) // 2
    before = [pages_of(OLD, kind)[number] for number in order[:20]]
    after = [pages_of(NEW, kind)[number] for number in order[half:]]
    old = induce(before)
    carried = carry_over({kind: old}, induce(after[:20]), after[:20])
    assert carried is not None
    names = {
        score.field: score.item_field
        for score in compare(items_of(old, before), truth_of(before)).kind(kind).fields
        if score.item_field and score.right_by_name == score.values
    }
    assert len(names) > 8
    values = [
        (fold(record.get(names[field])), fold(value))
        for page, record in zip(after, items_of(carried[1], after), strict=True)
        for (truth,) in [truth_of([page]).values()]
        for field, value in {**dict.fromkeys(names), **truth.fields}.items()
        if field in names
    ]
    assert sum(one == other for one, other in values) >= 0.995 * len(values)


def items_of(wrapper: Wrapper, pages: list[Page]) -> list[dict[str, object]]:
    return [
        {**record, "url": page.url} for page in pages for record in wrapper.extract(page).records
    ]


def truth_of(pages: list[Page]) -> dict[str, PageTruth]:
    paths = [(page.url or "").removeprefix("http://shop.example") for page in pages]
    return {path: OLD.truth[path] for path in paths}
