"""Pages of one site, told apart by template."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_project.shop_site import Site
from scrapy_wrapinduce.designs import group
from scrapy_wrapinduce.signatures import Signature, shape_of, signature, site_of
from scrapy_wrapinduce.templates import Template, Templates


@pytest.fixture(scope="module")
def shop() -> list[tuple[str, str, Signature]]:
    """Kind, path and signature of every page of the sample site, in no particular order."""
    site = Site()
    pages = [
        (
            page.kind if page.conforms else f"broken {page.kind}",
            path,
            signature(site.html(path) or "", f"http://shop.example{path}"),
        )
        for path, page in site.truth.items()
    ]
    random.Random(7).shuffle(pages)
    return pages


def kinds(shop: list[tuple[str, str, Signature]]) -> list[Counter[str]]:
    return [
        Counter(shop[index][0] for index in members) for members in group([s for *_, s in shop])
    ]


def test_each_template_of_the_sample_site_is_one_group(
    shop: list[tuple[str, str, Signature]],
) -> None:
    found = kinds(shop)
    for kind, pages in Counter(kind for kind, *_ in shop).items():
        if not kind.startswith("broken"):
            assert sum(kind in group for group in found) == 1, kind
            assert next(group for group in found if kind in group)[kind] == pages


def test_one_template_under_two_address_patterns_is_one_group(
    shop: list[tuple[str, str, Signature]],
) -> None:
    articles = [shop[i] for m in group([s for *_, s in shop]) for i in m if shop[i][0] == "article"]
    assert {sign.shape for *_, sign in articles} == {"/a/*", "/magazine/*/*/*"}
    assert sum("article" in found for found in kinds(shop)) == 1


def test_two_templates_under_one_address_pattern_are_two_groups(
    shop: list[tuple[str, str, Signature]],
) -> None:
    assert {sign.shape for kind, _, sign in shop if kind in ("brand", "author")} == {"/who?id"}
    assert not any("brand" in found and "author" in found for found in kinds(shop))


@pytest.mark.parametrize("site", [Site(), Site().redesigned()], ids=["old", "new"])
def test_a_site_of_one_template_is_one_group(site: Site) -> None:
    """What hundreds of products do not all have, such as reviews, is no other template."""
    signs = [
        signature(site.html(path) or "", f"http://shop.example{path}")
        for path, page in site.truth.items()
        if page.kind == "product" and page.conforms
    ]
    whole = 0
    for seed in range(20):
        for pages in (10, 20, 60, len(signs)):
            whole += len(group(random.Random(seed).sample(signs, pages))) == 1
    # Of a few pages, one may by chance be the only one with two of the blocks.
    assert whole >= 76


def test_most_broken_pages_stand_apart(shop: list[tuple[str, str, Signature]]) -> None:
    apart = sum(
        sum(found.values())
        for found in kinds(shop)
        if all(kind.startswith("broken") for kind in found)
    )
    assert apart >= 5


def test_a_known_template_takes_new_pages_one_by_one(
    shop: list[tuple[str, str, Signature]],
) -> None:
    site = Templates()
    for kind in ("product", "article"):
        template = Template(kind)
        for sign in [sign for found, _, sign in shop if found == kind][:20]:
            template.add(sign)
        site.templates.append(template)
    for *_, sign in shop[:100]:
        site.note(sign)
    for kind, path, sign in shop:
        match = site.match(sign)
        if kind in ("product", "article"):
            assert match is not None, path
            assert match.name == kind, path
        elif kind == "author":
            assert match is None, path


def test_a_template_survives_being_saved() -> None:
    template = Template("t")
    for number in range(3):
        template.add(signature(f"<p class=a><div id={number}>", f"http://x.example/p/{number}"))
    again = Template.from_dict(template.to_dict())
    assert again == template


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("https://x.example", "/"),
        ("https://x.example/", "/"),
        ("https://x.example/p/17", "/p/*"),
        ("https://x.example/p/a-long-name.html", "/p/*.html"),
        ("https://x.example/p12", "/p#"),
        ("https://x.example/a-page-with-its-own-name", "/*"),
        ("https://x.example/who?id=3&tab=2", "/who?id&tab"),
        ("https://x.example/c/books/", "/c/*/"),
        ("http://[broken", ""),
        (None, ""),
    ],
)
def test_the_shape_of_an_address(url: str | None, shape: str) -> None:
    assert shape_of(url) == shape


def test_a_site_is_host_and_port() -> None:
    assert site_of("http://user:secret@X.example:80/p") == "x.example:80"
    assert site_of("http://[broken") == site_of(None) == ""


@given(st.text(alphabet="<>ab \"'=/class-1", max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_text_has_a_signature(html: str) -> None:
    assert signature(html, "http://x.example/").features == signature(html, None).features


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.randoms())
def test_every_page_is_in_exactly_one_group(names: list[str], order: random.Random) -> None:
    pages = [
        signature("".join(f"<div class={name}{step}>" for step in "xyzuvw"), None) for name in names
    ]
    order.shuffle(pages)
    found = group(pages)
    assert sorted(index for members in found for index in members) == list(range(len(pages)))
    assert len(found) == len(set(names))


@pytest.mark.parametrize(
    "html", ["<a " * 100_000, "<a class=" * 100_000, "<div class='x" * 100_000]
)
def test_hostile_markup_takes_no_time(html: str) -> None:
    begun = time.process_time()
    signature(html, None)
    # What backtracks takes minutes; a machine may be slow.
    assert time.process_time() - begun < 20
