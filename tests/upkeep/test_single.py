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


def shelf(number: int, others: int, *, sale: bool, new: bool) -> Page:
    """A product, its old price if it is on sale, and the prices of others."""
    now, was = f"£{number + 10}.{number % 9 + 10}", f"£{number + 30}.{number % 7 + 20}"
    beside = [f"£{7 * number % 80 + 10}.{rank * 3 + 10}" for rank in range(others)]
    if not new:
        sold = f"<p>Was <i>{was}</i></p>" if sale else ""
        rest = "".join(f"<li><u>{price}</u></li>" for price in beside)
        return Page(
            f"<h1>Thing {number}</h1>{sold}<p>Price <b>{now}</b></p><h4>More</h4><ul>{rest}</ul>"
        )
    sold = f'<div class="old"><s>{was}</s></div>' if sale else ""
    rest = "".join(f'<div class="mini"><em>{price}</em></div>' for price in beside)
    return Page(
        f'<div class="offer"><div class="now"><strong>{now}</strong></div>{sold}</div>'
        f'<h2>Thing {number}</h2><div class="rest">{rest}</div>'
    )


def test_an_optional_price_is_not_that_of_another_product() -> None:
    """The third of the other products has one about as often as a product has an old price."""
    made = [(number, 1 + number % 4, number % 5 < 2) for number in range(24)]
    examples = [
        {"price": f"£{n + 10}.{n % 9 + 10}"} | ({"was": f"£{n + 30}.{n % 7 + 20}"} if sale else {})
        for n, _, sale in made[:12]
    ]
    old = [shelf(n, others, sale=sale, new=False) for n, others, sale in made[:12]]
    new = [shelf(n, others, sale=sale, new=True) for n, others, sale in made[12:]]
    repaired = induce(old, examples=examples).repair(new)
    for (number, _, sale), page in zip(made[12:], new, strict=True):
        (record,) = repaired.extract(page).records
        assert record["price"] == f"£{number + 10}.{number % 9 + 10}"
        assert record.get("was") == (f"£{number + 30}.{number % 7 + 20}" if sale else None)
