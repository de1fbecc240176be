"""A site in the middle of a redesign: pages are told apart by design, then by template."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sample_project.shop_site import Site
from scrapy_wrapinduce.designs import Designs, group
from scrapy_wrapinduce.signatures import Signature, signature
from scrapy_wrapinduce.templates import Template


@pytest.fixture(scope="module")
def shop() -> tuple[dict[str, Signature], dict[str, Signature], dict[str, str]]:
    """The signatures of all pages in both designs, and the kinds of those that keep to their template."""
    old, new = Site(), Site().redesigned()
    kinds = {path: page.kind for path, page in old.truth.items() if page.conforms}
    signs = [
        {path: signature(site.html(path) or "", f"http://shop.example{path}") for path in kinds}
        for site in (old, new)
    ]
    return signs[0], signs[1], kinds


@pytest.mark.parametrize("after", [100, 200, 300, 400])
def test_two_designs_hide_no_template(
    shop: tuple[dict[str, Signature], dict[str, Signature], dict[str, str]], after: int
) -> None:
    old, new, kinds = shop
    paths = list(kinds)
    random.Random(after).shuffle(paths)
    pages = [
        ((kinds[path], number < after), (old if number < after else new)[path])
        for number, path in enumerate(paths)
    ]
    found = [Counter(pages[i][0] for i in members) for members in group([s for _, s in pages])]
    sizes = Counter(name for name, _ in pages)
    for kind in ("product", "article", "brand", "author", "product list"):
        for name in ((kind, True), (kind, False)):
            # Too few pages do not show what is always there.
            if sizes[name] >= 5:
                holding = [one for one in found if name in one]
                assert len(holding) == 1, name
                assert set(holding[0]) == {name}


def test_a_page_is_matched_within_its_design(
    shop: tuple[dict[str, Signature], dict[str, Signature], dict[str, str]],
) -> None:
    old, new, kinds = shop
    site = Designs()
    for name, signs, kind in (
        ("lists", old, "product list"),
        ("products", old, "product"),
        ("authors", new, "author"),
        ("products-2", new, "product"),
    ):
        template = Template(name)
        for path in [path for path, one in kinds.items() if one == kind][:12]:
            template.add(signs[path])
        site.add(template)
    brands = [path for path, kind in kinds.items() if kind == "brand"]
    # A maker's page has the rows of a list in one design, and the address and the frame of an author in the other.
    assert [site.matches(old[path]) for path in brands] == [[]] * len(brands)
    assert [site.matches(new[path]) for path in brands] == [[]] * len(brands)
    for signs, name in ((old, "products"), (new, "products-2")):
        for path in [path for path, kind in kinds.items() if kind == "product"][12:40]:
            match = next(iter(site.matches(signs[path])), None)
            assert match is not None
            assert match.name == name
    site.remove("products-2")
    assert {template.name for template in site.templates} == {"lists", "products", "authors"}


def test_a_page_without_a_frame_is_still_compared() -> None:
    site = Designs()
    template = Template("t")
    template.add(signature("<div class=a><p class=b><div class=c>", "http://x.example/p/1"))
    site.add(template)
    assert site.matches(signature("<em>", "http://x.example/p/2")) == []
    assert site.nearest(signature("<table><tr class=x>", "http://x.example/p/2")) == []
    assert Designs().nearest(signature("<p>", None)) == []
    assert group([]) == []
