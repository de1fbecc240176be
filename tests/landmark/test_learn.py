"""Learning trees: searches, k, budget, optional parts, pages that do not belong."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_wrapinduce.errors import CannotInduce
from scrapy_wrapinduce.landmark.learn import SEARCHES, learn, learn_tree
from scrapy_wrapinduce.landmark.parse import extracted_tokens, parse
from scrapy_wrapinduce.landmark.show import draw, grammar
from scrapy_wrapinduce.landmark.tokens import TokenizedPage, tokenize
from scrapy_wrapinduce.landmark.tree import LEAF, Options, Split, Tree
from scrapy_wrapinduce.page import Page

pieces = st.sampled_from(
    [
        "<p>",
        "</p>",
        '<div class="a b">',
        "</div>",
        "<br>",
        "<td id=x>",
        "</td>",
        "one",
        "two three",
        " ",
        "<",
        "&nbsp;",
    ]
)
sources = st.lists(pieces, max_size=25).map("".join)


def pages_of(*sources: str) -> list[TokenizedPage]:
    return [tokenize(Page(source)) for source in sources]


def shop_page(number: int, *facts: tuple[str, str]) -> str:
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts)
    return (
        f"<html><body><div id=head><a>Shop</a></div><h1>Thing {number}{number * 7}</h1>"
        f"<table class=facts>{rows}</table><div id=foot>About us</div></body></html>"
    )


def texts(page: TokenizedPage, tree: Tree) -> list[list[str]]:
    return [page.texts_between(*region) for region in parse(page, tree).regions.values()]


@settings(max_examples=60, deadline=None)
@given(st.lists(sources, max_size=4), st.sampled_from(SEARCHES), st.sampled_from([None, 1, 2, 3]))
def test_any_pages_give_a_tree(html: list[str], search: str, k: int | None) -> None:
    pages = pages_of(*html)
    tree = learn_tree(pages, search, k)
    names = [path for node in tree.nodes for path in node.paths]
    assert len(set(names)) == len(names)
    assert all(
        n < child for n, node in enumerate(tree.nodes) for child in node.children if child >= 0
    )
    assert extracted_tokens(pages, tree) <= sum(map(len, pages))
    assert draw(tree)
    assert grammar(tree).startswith("S → A")


@settings(max_examples=60, deadline=None)
@given(st.lists(sources, min_size=3, max_size=5), st.sampled_from(SEARCHES), st.integers(2, 4))
def test_landmarks_of_the_tree_proper_occur_once_in_at_least_k_regions(
    html: list[str], search: str, k: int
) -> None:
    pages = pages_of(*html)
    tree = learn_tree(pages, search, k)
    parses = [parse(page, tree) for page in pages]
    pending = [(0, (-1, 0))] if tree.nodes else []
    while pending:
        number, place = pending.pop()
        node = tree.nodes[number]
        if isinstance(node, Options):
            continue  # what lies below is a problem of its own, with a k of its own
        failed = [{at for at, *_ in found.failed} for found in parses]
        split = sum(
            place in p.regions and number not in f for p, f in zip(parses, failed, strict=True)
        )
        assert split >= k
        pending += [
            (child, (number, slot)) for slot, child in enumerate(node.children) if child != LEAF
        ]


@settings(max_examples=40, deadline=None)
@given(st.lists(sources, min_size=2, max_size=4))
def test_exact_search_extracts_no_more_than_greedy(html: list[str]) -> None:
    pages = pages_of(*html)
    found = learn(pages, "astar", 2)
    # Of a page that is left out, nothing is promised.
    whole = found.report.optimal and not found.report.left_out
    if whole and all(isinstance(node, Split) for node in found.tree.nodes):
        other = learn_tree(pages, "greedy-inf", 2)
        if all(isinstance(node, Split) and node.landmark.kind != "word" for node in other.nodes):
            assert extracted_tokens(pages, found.tree) <= extracted_tokens(pages, other)


@pytest.mark.parametrize("search", SEARCHES)
def test_two_runs_give_the_same_tree(search: str) -> None:
    pages = pages_of(*(shop_page(n, ("Weight", f"{n} kg"), ("Colour", "red")) for n in range(6)))
    assert learn_tree(pages, search) == learn_tree(pages, search)


def test_optional_and_permuted_facts_are_read() -> None:
    facts = [("Weight", "kg"), ("Colour", "red"), ("Maker", "Acme"), ("Origin", "Peru")]
    pages = pages_of(
        *(
            shop_page(
                n, *((name, f"{value} {n}") for name, value in facts[n % 3 :] + facts[: n % 2])
            )
            for n in range(10)
        )
    )
    tree = learn_tree(pages)
    page = tokenize(Page(shop_page(77, ("Origin", "Chile 77"), ("Weight", "5 kg"))))
    assert ["Chile 77"] in texts(page, tree)
    assert ["5 kg"] in texts(page, tree)


def test_pages_of_another_template_are_left_out_and_named() -> None:
    sample = [shop_page(n, ("Weight", f"{n} kg"), ("Colour", "red")) for n in range(7)]
    strange = "<html><body><ul><li>Error 404<li>Nothing here</ul></body></html>"
    learned = learn(pages_of(*sample[:3], strange, *sample[3:]))
    assert [index for index, _ in learned.report.left_out] == [3]
    assert "has 12% of the landmarks" in learned.report.left_out[0][1]
    assert str(learned.report).endswith("left out as strange: page 4")
    assert learned.tree == learn_tree(pages_of(*sample))


def test_chance_words_of_two_pages_do_not_take_a_value_out_of_reach() -> None:
    one, two = (
        f"<h1>{title}</h1><p>by <i>{author}</i></p><p>{text}</p>"
        for title, author, text in (
            ("The Sea of Trolls", "Nancy Farmer", "A boy and the sea and a bard"),
            ("The Wind and the Sea", "Ann Farmer", "Nobody came to the house"),
        )
    )
    tree = learn_tree(pages_of(one, two))
    found = texts(
        tokenize(Page("<h1>Sea and Wind</h1><p>by <i>A Farmer</i></p><p>The end</p>")), tree
    )
    assert ["Sea and Wind"] in found
    assert ["A Farmer"] in found


def test_out_of_budget_says_so() -> None:
    rows = [[("A", "x"), ("B", "x"), ("A", "y"), ("B", "z")][n % 3 :] for n in range(8)]
    pages = pages_of(*(shop_page(n, *row) for n, row in enumerate(rows)))
    assert learn(pages, splits=0).report.out_of_budget
    assert not learn(pages).report.out_of_budget


def test_wrong_search_and_k_are_refused() -> None:
    with pytest.raises(CannotInduce, match="unknown search 'best'; there are: astar"):
        learn([], "best")
    with pytest.raises(CannotInduce, match="k must be at least 1, not 0"):
        learn([], k=0)


def test_attribute_values_of_a_region() -> None:
    page = tokenize(
        Page('<p>x</p><a href="/b?a=1&amp;b=2"><img src=i.png alt="An image" width=5></a>')
    )
    found = page.attributes_between(0, len(page))
    assert [(v.name, v.attribute, v.value) for v in found] == [
        ("a", "href", "/b?a=1&b=2"),
        ("img", "src", "i.png"),
        ("img", "alt", "An image"),
    ]
    html = page.page.html
    assert [html[v.source_start : v.source_end] for v in found] == [
        "/b?a=1&amp;b=2",
        "i.png",
        "An image",
    ]
    assert page.attributes_between(0, 3) == []


def letters(number: int) -> str:
    """A name without digits."""
    name = ""
    while True:
        number, digit = divmod(number, 26)
        name += chr(97 + digit)
        if not number:
            return name


MANY = 6_000
HOSTILE = {
    "same tag": "<br>" * MANY,
    "same element": "<p>x</p>" * MANY,
    "distinct words": "".join(f"<p>w{letters(n)}</p>" for n in range(MANY)),
    "one long text": " ".join(letters(n) for n in range(MANY)),
    "deep": "<div>" * MANY + "x" + "</div>" * MANY,
    "deep and distinct": "".join(f"<div class={letters(n)}>" for n in range(MANY))
    + "</div>" * MANY,
    "never closed": "".join(f"<div class={letters(n)}>" for n in range(MANY)),
    "never opened": "</div>" * MANY,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_take_bounded_time(kind: str) -> None:
    started = time.process_time()
    pages = pages_of(HOSTILE[kind], HOSTILE[kind], HOSTILE[kind][: MANY * 2])
    tree = learn_tree(pages)
    parse(pages[0], tree)
    assert time.process_time() - started < 10
