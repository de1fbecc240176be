"""Reading pages that differ from the sample: what is there is still found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scrapy_wrapinduce.induce import induce
from scrapy_wrapinduce.landmark.learn import learn_tree
from scrapy_wrapinduce.landmark.parse import extracted_tokens, parse
from scrapy_wrapinduce.landmark.read import Reader
from scrapy_wrapinduce.landmark.tokens import tokenize
from scrapy_wrapinduce.page import Page
from tests.test_tokenizer import HOSTILE, SOUP

BOOK = (
    '<html><body><div id="menu"><a>Home</a></div><div id="book"><h1>{title}</h1>'
    '<p class="by">by <a href="/a">{author}</a></p><p>Price: <b>{price}</b></p>{more}</div>'
    '<div id="foot">Imprint</div></body></html>'
)
SAMPLE = [
    BOOK.format(
        title=f"Title {name}", author=f"Author {name}", price=f"{number}.50", more=f"<i>{name}</i>"
    )
    for number, name in enumerate(("One", "Two", "Three", "Four", "Five", "Six"), 3)
]
PLAIN = BOOK.format(title="A Book", author="Some Body", price="7.20", more="<i>x</i>")


def read(html: str) -> list[str]:
    """The texts of all regions that a tree learned from the sample finds on a page."""
    tree = learn_tree([tokenize(Page(page)) for page in SAMPLE])
    page = Page(html)
    return [
        " ".join(text for text in Page(html[start:end]).parts[::2] if text.strip()).strip()
        for start, end in Reader(tree).read(page).regions.values()
    ]


@pytest.mark.parametrize(
    "html",
    [
        PLAIN,
        PLAIN.replace("</body></html>", ""),
        PLAIN.replace('<div id="menu"><a>Home</a></div>', ""),
        PLAIN.replace("<a>Home</a>", "<a>Home</a></div></body></html>"),
        PLAIN.replace('<div id="foot">', '<div id="menu"></div><div id="foot">'),
        PLAIN.replace('<div id="foot">Imprint</div>', ""),
        PLAIN.replace("<html>", "<html><html>"),
    ],
    ids=[
        "as the sample",
        "cut short",
        "part missing",
        "page within page",
        "landmark doubled",
        "last part missing",
        "start tag doubled",
    ],
)
def test_author_and_price_are_found(html: str) -> None:
    found = read(html)
    assert "Some Body" in found
    assert "7.20" in found


def test_an_end_tag_too_many_leaves_elements_with_a_role_in_reach() -> None:
    assert "Some Body" in read(PLAIN.replace("</h1>", "</h1></div>"))


def test_strict_parse_confines_a_failure_to_its_region() -> None:
    tree = learn_tree([tokenize(Page(page)) for page in SAMPLE])
    page = tokenize(Page(PLAIN.replace('<div id="menu"><a>Home</a></div>', "")))
    result = parse(page, tree)
    assert result.failed
    assert extracted_tokens([page], tree) <= len(page)


def test_cost_of_the_empty_tree_is_the_page() -> None:
    page = tokenize(Page(PLAIN))
    assert extracted_tokens([page], learn_tree([page])) == len(page)


def test_one_page_gives_the_empty_tree() -> None:
    assert learn_tree([tokenize(Page(PLAIN))]).nodes == ()
    assert learn_tree([]).nodes == ()


def test_a_failure_says_where_the_text_is_missing() -> None:
    wrapper = induce([Page(page) for page in SAMPLE], family="landmark")
    html = PLAIN.replace("7.20", "")
    failures = wrapper.extract(Page(html)).failures
    assert failures
    for failure in failures:
        assert failure.start is not None
        assert failure.end is not None
        assert 0 <= failure.start <= html.index("<b></b>") + 3 <= failure.end


FILLED = [*SAMPLE, *(page.replace("by <a", "written by <a") for page in SAMPLE)]
TREE = learn_tree([tokenize(Page(page)) for page in FILLED], k=4)


def assert_same_reading(html: str) -> None:
    """A page whose texts are known is not cut again; what is read must not depend on that."""
    fresh, known = Page(html), Page(html)
    assert known.texts.page is known
    reader = Reader(TREE)
    one, other = reader.read(fresh), reader.read(known)
    assert (one.regions, one.failed, one.found) == (other.regions, other.failed, other.found)


@pytest.mark.parametrize("html", [PLAIN, PLAIN[:90], f"by {PLAIN}", *HOSTILE])
def test_a_page_reads_the_same_whether_its_texts_are_known_or_not(html: str) -> None:
    assert_same_reading(html)


@settings(max_examples=100, deadline=None)
@given(SOUP)
def test_any_page_reads_the_same_whether_its_texts_are_known_or_not(html: str) -> None:
    assert_same_reading(html.replace("x", PLAIN, 1))
