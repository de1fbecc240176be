"""A site whose pages are all built differently inside of one frame: an encyclopedia, a handbook."""

from __future__ import annotations

from random import Random

import pytest

from sample_project.shop_site import Site as Shop
from scrapy_wrapinduce.crawl.learning.known import KnownTemplates, Old
from scrapy_wrapinduce.crawl.learning.messages import Again, Fits, Known, Learned, Message, Round
from scrapy_wrapinduce.crawl.learning.worker import work
from scrapy_wrapinduce.crawl.reading.site import Site
from scrapy_wrapinduce.designs import group
from scrapy_wrapinduce.induce import induce
from scrapy_wrapinduce.page import Page
from scrapy_wrapinduce.signatures import Signature, signature
from scrapy_wrapinduce.stores.pages import ParkedPage, pack
from scrapy_wrapinduce.templates import Template
from scrapy_wrapinduce.wrapper import dump

KINDS = tuple(
    "note table.box pre.code dl.terms ul.links figure.photo blockquote.said ol.steps".split()
)


def article(number: int, rare: int = 0) -> str:
    """An article: heading, parts in an order of its own, ``rare`` parts that no other article has."""
    random = Random(number)
    parts = []
    for _ in range(random.randint(3, 9)):
        name, _, kind = random.choice(KINDS).partition(".")
        name = "div" if name == "note" else name
        words = " ".join(
            f"<span class=w{random.randint(0, 40)}>word{number}</span>" for _ in range(6)
        )
        parts.append(
            f'<{name} class="{kind or "note"}"><p>Part {random.random()} {words}</p></{name}>'
        )
    parts += [
        f"<section class=own-{letters(number)}-{letters(part)}>x</section>" for part in range(rare)
    ]
    return (
        "<html><body><div class=logo><a href=/>Handbook</a></div><ul class=menu><li>Contents<li>Index</ul>"
        f"<div class=article><h1 class=heading>Subject {number}</h1><p class=changed>Changed in {1900 + number}</p>"
        f"{''.join(parts)}</div><div class=footer><p>All rights</p></div></body></html>"
    )


def letters(number: int) -> str:
    """A name without digits, which do not count."""
    return chr(97 + number // 26) + chr(97 + number % 26)


def sign(number: int, rare: int = 0) -> Signature:
    return signature(article(number, rare), address(number))


def address(number: int) -> str:
    return f"http://handbook.example/wiki/Subject_{number}"


def blobs(pages: dict[str, str]) -> dict[str, bytes]:
    return {
        str(number): pack(ParkedPage(str(number), url, html.encode(), "utf-8"))
        for number, (url, html) in enumerate(pages.items())
    }


def answers(task: Round) -> list[Message]:
    return list(work(task))


def test_what_only_one_page_has_does_not_make_it_another_template() -> None:
    plain = group([sign(number) for number in range(40)])
    with_own = group([sign(number, 30) for number in range(40)])
    # Without regard to what is whose own these would be forty groups.
    assert abs(len(with_own) - len(plain)) <= 2


def test_a_single_page_of_another_template_stands_apart() -> None:
    brands, authors = signs_of(shop(OLD, "brand")), signs_of(shop(OLD, "author"))
    assert [len(members) for members in group([*brands, authors[0]])] == [len(brands), 1]


def test_what_is_said_inline_does_not_make_another_template() -> None:
    words = [f"<b class=w{a}>x</b><i class=w{b}>y</i>" for a in range(9) for b in range(9)]
    pages = [f"<div class=text><p class=by>{''.join(words[n::7])}</p></div>" for n in range(40)]
    signs = [signature(html, address(number)) for number, html in enumerate(pages)]
    assert len(group(signs)) == 1


def odd_pages(count: int) -> dict[str, str]:
    """Pages of one frame that have nothing else in common."""
    pages = {}
    for number in range(count):
        letter = chr(97 + number)
        body = "".join(f"<div class={letter}{part}><p class={letter}>Text {part} of {number}</p></div>"
                       for part in range(25))  # fmt: skip
        pages[address(number)] = article(0).partition("<div class=article>")[0] + (
            f"<div class=article><h1 class=heading>Subject {number}</h1>{body}</div></body></html>"
        )
    return pages


def test_pages_like_no_other_share_a_wrapper() -> None:
    pages = odd_pages(4)
    signs = [signature(html, url) for url, html in pages.items()]
    assert len(group(signs)) == 4
    learned = [
        one
        for one in answers(Round("h", blobs(pages), sample=5, final=True))
        if isinstance(one, Learned)
    ]
    assert [len(one.keys) for one in learned] == [4]
    assert learned[0].coverage > 0.9


def test_an_odd_page_waits_for_the_wrapper_of_its_neighbours() -> None:
    pages = {
        address(number): article(7).replace("Subject 7", f"Subject {number}") for number in range(6)
    }
    odd = odd_pages(7)
    pages[address(6)] = odd[address(6)].replace(
        "</h1>", "</h1><p class=changed>Changed in 1906</p>"
    )
    task = Round("h", blobs(pages), sample=5, final=True)
    said = answers(task)
    learned = next(one for one in said if isinstance(one, Learned))
    assert [one.keys for one in said if isinstance(one, Again)] == [("6",)]
    known = Known("wiki", learned.template, learned.wrapper, learned.coverage)
    again = Round("h", {"6": task.blobs["6"]}, sample=5, final=True, known=(known,))
    assert [(one.keys, one.template) for one in answers(again) if isinstance(one, Fits)] == [
        (("6",), "wiki")
    ]


OLD, NEW = Shop(), Shop().redesigned()


def shop(site: Shop, kind: str) -> list[Page]:
    paths = [path for path, page in OLD.truth.items() if page.kind == kind and page.conforms]
    return [Page(site.html(path) or "", f"http://shop.example{path}") for path in paths[:12]]


def signs_of(pages: list[Page]) -> list[Signature]:
    return [signature(page.html, page.url) for page in pages]


@pytest.mark.parametrize(
    ("group_of", "last_read", "since", "gone"),
    [
        # Brands and authors are at the same addresses.
        ((OLD, "author"), 90, range(20, 80), False),  # both come, in turn
        ((OLD, "author"), 90, range(95, 120), True),  # one came, then the other
        ((OLD, "author"), 90, (), True),  # nobody knows when they came
        ((NEW, "brand"), 90, range(20, 80), True),  # two designs, page by page
    ],
)
def test_other_pages_at_the_addresses_of_a_template_are_its_new_design_only_if_it_may_be_gone(
    group_of: tuple[Shop, str], last_read: int, since: range, gone: bool
) -> None:
    brands, pages = shop(OLD, "brand"), shop(*group_of)
    template = Template("brand")
    for one in signs_of(brands):
        template.add(one)
    wrapper = induce(brands)
    known = KnownTemplates(
        [Known("brand", template.to_dict(), dump(wrapper), 1.0, last_read)], signs_of(pages)
    )
    old = Old("brand", template, wrapper)
    assert known.may_be_gone(old, signs_of(pages), list(since)) is gone
    # What is learned in the same round is there beside it: only another design tells that it is the same again.
    fresh = Old("/who?id", template, wrapper, is_fresh=True)
    assert known.may_be_gone(fresh, signs_of(pages), list(since)) is (group_of[0] is NEW)


def test_the_last_rounds_hold_all_pages_of_like_addresses() -> None:
    site = Site("handbook.example", 20)
    for number in range(30):
        site.wait(f"a{number}", "/a/*", stubborn=False)
    for number in range(250):
        site.wait(f"w{number}", "/wiki/*", stubborn=False)
    assert {key[0] for key in site.round_keys(final=True)} == {"w"}
    assert len(site.round_keys(final=True)) == 250
    assert len(site.round_keys(final=False)) == site.round_pages == 256
    for number in range(250, 300):
        site.wait(f"w{number}", "/wiki/*", stubborn=False)
    # More than a round can hold are taken in turn.
    assert len(site.round_keys(final=True)) == 256
