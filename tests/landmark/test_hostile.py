"""Pages that nobody should write: learning from them ends, and reading them never raises."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_wrapinduce import CannotInduce, Page, Wrapper, induce, load

SECONDS = 30  # of processor time; what grows with the square of these pages takes minutes


def book(number: int) -> str:
    items = "".join(f"<li><b>T{n}</b> {number * n}</li>" for n in range(number % 5 + 2))
    return (
        "<html><head><title>Books</title></head><body><a href=/>Home</a>"
        f"<h1>Book {number}</h1><p class=p>Price: <b>{number}.50</b></p><ul>{items}</ul></body></html>"
    )


HOSTILE: dict[str, Callable[[int], str | bytes]] = {
    "a row of many cells": lambda n: f"{book(n)}<tr>{'<td class=x>v</td>' * 12_000}",
    "many cells, none closed": lambda n: book(n) + "<td>" * 12_000,
    "deep": lambda n: "<div>" * 60_000 + f"x{n}" + "</div>" * 60_000,
    "a tag of megabytes": lambda n: f'{book(n)}<a title="{"x" * 2_000_000}{n}">y</a>',
    "many attributes": lambda n: (
        f"{book(n)}<a {' '.join(f'a{i}={i}' for i in range(20_000))}>z</a>"
    ),
    "many classes": lambda n: f'{book(n)}<p class="{" ".join(f"c{i}" for i in range(10_000))}">q',
    "an open comment": lambda n: f"{book(n)}<!-- {book(n) * 20}",
    "an open script": lambda n: f"{book(n)}<script>{book(n) * 20}",
    "an open attribute": lambda n: f'{book(n)}<a href="{book(n) * 20}',
    "misnested": lambda n: book(n) + "<b><i></b></i>" * 10_000,
    "zeros": lambda n: book(n).replace("e", "\0"),
    "surrogates": lambda n: book(n).replace("Book", "\ud800Bo\udfffok"),
    "bytes": lambda n: bytes((n * i * 7919 >> 3) & 255 for i in range(30_000)),
    "nothing": lambda n: "",
    "less than": lambda n: "<" * 100_000,
}
WRAPPER = induce([Page(book(number)) for number in range(1, 7)], family="landmark")


def use(wrapper: Wrapper, pages: list[Page], folder: Path) -> None:
    """All that one can do with a wrapper."""
    wrapper.save(folder / "wrapper.json")
    again = load(folder / "wrapper.json")
    for page in pages:
        found = wrapper.extract(page)
        assert again.extract(page).records == found.records
        assert isinstance(found.candidates(), dict)
    wrapper.verify(pages)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages(name: str, tmp_path: Path) -> None:
    started = time.process_time()
    pages = [Page(HOSTILE[name](number)) for number in range(3)]
    use(WRAPPER, pages, tmp_path)
    try:
        learned = induce(pages, family="landmark")
    except CannotInduce:
        pass
    else:
        use(learned, pages, tmp_path)
    assert time.process_time() - started < SECONDS


def test_a_sample_of_one_page_many_times(tmp_path: Path) -> None:
    pages = [Page(book(3)) for _ in range(12)]
    use(induce(pages, family="landmark"), pages[:2], tmp_path)


def test_a_sample_with_hostile_pages_among_others(tmp_path: Path) -> None:
    pages = [Page(book(number)) for number in range(1, 9)]
    strange = [Page(HOSTILE[name](1)) for name in ("deep", "misnested", "nothing")]
    wrapper = induce([*pages, *strange], family="landmark")
    assert any("8.50" in str(record) for record in wrapper.extract(pages[7]).records)
    use(wrapper, [*pages[:2], *strange], tmp_path)
