"""Texts that authors write, with links and emphasis in them: whole in the item, whatever they have in common."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_wrapinduce import Page, induce
from scrapy_wrapinduce.landmark.flow import flowing_values, goes_on, grown, joined
from scrapy_wrapinduce.texts import Extent, Texts
from scrapy_wrapinduce.wrapper import dump, parse

COUNT = 12
TOPICS = "opening closing reading writing locking sorting merging hashing moving saving sealing naming".split()
SAID = (
    "returns keeps needs holds ends reads frees copies finds marks skips opens checks turns".split()
)
THINGS = "the table,a page,every row,the first key,its index,the whole file,one lock,no cache,their names".split(
    ","
)
WHEN = "when,if,before,unless,as soon as,wherever,while,after".split(",")


def sentence(chance: random.Random) -> str:
    """A sentence with a link or code somewhere in it."""
    words = [chance.choice(SAID), chance.choice(THINGS), chance.choice(WHEN), chance.choice(THINGS)]
    words += [
        chance.choice(SAID),
        chance.choice(THINGS),
        chance.choice(WHEN),
        chance.choice(THINGS),
    ]
    words += [chance.choice(SAID), chance.choice(THINGS)]
    name = chance.choice(TOPICS)
    marked = chance.choice((f'<a href="{name}.html">{name}</a>', f"<code>{name}()</code>"))
    words.insert(chance.randrange(1, len(words)), marked)
    return f"This {' '.join(words)}."


def plain(html: str) -> str:
    return "".join(Page(html).parts[::2])


def manual(number: int) -> tuple[Page, list[str]]:
    """A page of a manual, and its paragraphs."""
    chance = random.Random(number)
    name = TOPICS[number]
    paragraphs = [
        " ".join(sentence(chance) for _ in range(chance.randrange(1, 4)))
        for _ in range(chance.randrange(2, 7))
    ]
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = (
        f"<html><head><title>{name} files</title></head><body><div class='menu'><a href='/'>Home</a>"
        f"<a href='/all.html'>All pages</a></div><h1>{name} files</h1><pre>int {name}(int handle);</pre>"
        f"<div class='body'>{body}</div><p class='foot'>Last changed in 2024</p></body></html>"
    )
    return Page(html, url=f"http://manual.example/{name}.html"), list(map(plain, paragraphs))


def test_a_text_with_links_in_its_sentences_is_one_field() -> None:
    pages, truth = zip(*map(manual, range(COUNT)), strict=True)
    wrapper = parse(dump(induce(pages[:10])))
    for page, paragraphs in zip(pages, truth, strict=True):
        record = wrapper.extract(page).records[0]
        assert paragraphs in record.values()
        held = [
            text
            for value in record.values()
            for text in ([value] if isinstance(value, str) else value)
        ]
        pieces = [
            text for text in held if any(text in whole and text != whole for whole in paragraphs)
        ]
        assert not pieces, "no field is a piece of a sentence"


def test_a_heading_with_emphasis_in_it_is_one_text() -> None:
    def page(number: int) -> Page:
        name = TOPICS[number]
        title = (
            f"{name} <code>{number}</code> in short",
            f"All of <code>{name}</code>",
            f"{name} without help",
            f"<code>{name}</code> and <code>{number}</code> at work",
        )[number % 4]
        return Page(
            f"<div><a href='/'>Home</a></div><h1>{title}</h1><p>Seen {number * 7} times</p>"
        )

    wrapper = induce(list(map(page, range(COUNT))))
    titles = [wrapper.extract(page(number)).records[0]["title"] for number in range(3)]
    assert titles == ["opening 0 in short", "All of closing", "reading without help"]


def test_two_values_in_a_heading_stay_two() -> None:
    def page(number: int) -> Page:
        year = f"<span class='year'>{1990 + number}</span>" if number % 3 else ""
        return Page(
            f"<h1><span class='film'>{TOPICS[number]}</span> {year}</h1><p>Seen {number} times</p>"
        )

    wrapper = induce(list(map(page, range(COUNT))))
    record = wrapper.extract(page(4)).records[0]
    assert {TOPICS[4], "1994"} <= set(record.values())


def test_several_links_in_a_heading_stay_several() -> None:
    def names(number: int) -> list[str]:
        return [f"{TOPICS[n].title()} {TOPICS[-number].title()}" for n in range(1 + number % 4)]

    def page(number: int) -> Page:
        links = "; ".join(f"<a href='/by/{name[0]}'>{name}</a>" for name in names(number))
        return Page(f"<h1>Book {number}</h1><h3>{links}</h3><p>Seen {number * 7} times</p>")

    wrapper = induce(list(map(page, range(COUNT))))
    assert names(5) in wrapper.extract(page(5)).records[0].values()


def test_a_label_in_a_sentence_still_has_its_value() -> None:
    def page(number: int) -> Page:
        why = [
            "for its long and gloomy ending",
            "for some strong words in it",
            "for what is shown in it",
        ]
        return Page(
            f"<h1>{TOPICS[number]}</h1><p>Rated <b>PG-{number}</b> {why[number % 3]}</p>"
            f"<p>Seen {number * 7} times</p>"
        )

    wrapper = induce(list(map(page, range(COUNT))))
    assert "PG-4" in wrapper.extract(page(4)).records[0].values()


@pytest.mark.parametrize(
    ("html", "flows"),
    [
        ("Carys and the question of what to keep when a <a>house</a> is <b>sold</b>.", True),
        ("Carys and the <b>question</b> of what to keep", True),
        ("Makes a new element from what was <code>given</code>.", True),
        ("<font>All that is known of <a>rain</a> and of other weather</font>", True),
        ("<a>Drama</a>, <a>Comedy</a> and <a>Romance</a> and <a>War</a>, <a>Film noir</a>", False),
        ("<b>Price:</b> $5 <b>Shipping:</b> Free over $20 in all of Europe", False),
        ("<a>The long way home to where it began</a> <b>(Paperback)</b>", False),
        ("<span>Rain</span> <span>as it was heard by those who were there</span>", False),
    ],
)
def test_what_flows(html: str, flows: bool) -> None:
    texts = Texts(Page(f"<p>{html}</p>"))
    assert goes_on(texts, 0, len(texts.starts)) == flows


def test_words_are_apart_only_where_the_page_has_them_apart() -> None:
    texts = Texts(Page("<p>std::<b>swap</b>, <i>the</i>&nbsp;second</p>"))
    assert joined(texts, 0, len(texts.starts)) == "std::swap, the second"


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<a>",
                "</a>",
                "one two",
                " goes on and on ",
                "<br>",
                "<h2>",
                "<!--",
                "<",
            ]
        )
    )
)
def test_growing_never_fails_and_never_shrinks(pieces: list[str]) -> None:
    texts = Texts(Page("".join(pieces)))
    held = [node for first, last in texts.runs for node in range(first, last)]
    assert held == list(range(len(texts.starts)))
    for node in held:
        extent = Extent(node, node + 1, texts.starts[node], texts.ends[node])
        _, wider = grown(texts, extent)
        assert wider.start <= extent.start
        assert wider.end >= extent.end
        values = flowing_values(texts, extent)
        assert values[0][1] <= extent.start
        assert values[-1][2] >= extent.end
