"""Pages that are about one thing each: the sample site before and after its redesign."""

from __future__ import annotations

import pytest

from sample_project.shop_site import Site
from scrapy_wrapinduce import CannotRepair, Page, Wrapper, induce
from scrapy_wrapinduce.landmark.wrapper import LandmarkWrapper
from scrapy_wrapinduce.upkeep import repair

FIELDS = ("title", "brand", "price", "availability", "sku")


def pages(site: Site, kind: str, start: int, step: int) -> list[tuple[str, Page]]:
    paths = [path for path, page in site.truth.items() if page.kind == kind and page.conforms]
    return [
        (path, Page(site.html(path) or "", f"http://shop{path}")) for path in paths[start::step]
    ]


@pytest.fixture(scope="module")
def site() -> Site:
    return Site()


@pytest.fixture(scope="module")
def products(site: Site) -> Wrapper:
    sample = pages(site, "product", 0, 12)
    examples = [
        {name: site.truth[path].fields[name] for name in FIELDS} if number < 3 else None
        for number, (path, _) in enumerate(sample)
    ]
    return induce([page for _, page in sample], examples=examples)


def test_other_pages_of_the_template_fit(site: Site, products: Wrapper) -> None:
    assert products.verify(page for _, page in pages(site, "product", 5, 12)).ok


def test_a_redesign_is_noticed_and_repaired(site: Site, products: Wrapper) -> None:
    modern = site.redesigned()
    changed = pages(modern, "product", 5, 20)
    assert not products.verify(page for _, page in changed).ok
    repaired = products.repair(page for _, page in changed)
    assert set(repaired.fields) == set(FIELDS)
    for path, page in pages(modern, "product", 7, 20):
        (record,) = repaired.extract(page).records
        assert record == {name: site.truth[path].fields[name] for name in FIELDS}


def test_a_repair_keeps_to_the_rules_of_attributes(site: Site) -> None:
    sample = pages(site, "product", 0, 12)
    examples = [
        {name: site.truth[path].fields[name] for name in FIELDS} if number < 3 else None
        for number, (path, _) in enumerate(sample)
    ]
    rules = ("-class", "-id")
    wrapper = induce([page for _, page in sample], examples=examples, attributes=rules)
    repaired = wrapper.repair(page for _, page in pages(site.redesigned(), "product", 5, 20))
    assert isinstance(repaired, LandmarkWrapper)
    assert repaired.attributes == rules
    assert not {
        mark.attribute
        for node in repaired.tree.nodes
        for mark in node.landmarks
        if mark.attribute.startswith(("class", "id"))
    }


def test_one_changed_page_is_enough(site: Site, products: Wrapper) -> None:
    (path, page), *_ = pages(site.redesigned(), "product", 30, 300)
    repaired = products.repair(page)
    assert repaired.extract(page).records == [
        {name: site.truth[path].fields[name] for name in FIELDS}
    ]


def test_pages_of_another_template_are_refused(site: Site, products: Wrapper) -> None:
    others = [page for _, page in pages(site, "article", 0, 12)]
    with pytest.raises(CannotRepair):
        products.repair(others)
    with pytest.raises(CannotRepair):
        repair(products, others, every_field=False)
