"""Names and shapes that are carried over to a new design of the sample site."""

from __future__ import annotations

import pytest

from sample_project.shop_site import Site
from sample_project.shop_site.compare import fold
from scrapy_wrapinduce import Page, Wrapper, induce
from scrapy_wrapinduce.crawl.known import KnownTemplates
from scrapy_wrapinduce.crawl.rounds import Learned
from scrapy_wrapinduce.templates import Template, signature
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
