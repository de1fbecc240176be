"""List pages as sites make them, each shape with the values that a reader would want of its records.

A shape is a function of a seed: pages of one shape and different seeds are pages of one template.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

Rows = list[dict[str, str]]
Shape = Callable[[int], tuple[str, Rows]]

FIRST = "Amber Basil Cedar Dahlia Elder Fennel Garnet Hazel Indigo Juniper Kelp Laurel Maple Nettle".split()
LAST = "Abbot Brook Castle Dale Ember Field Grove Haven Isle Keep Lodge Mill Nook Orchard".split()
CITIES = "Oslo Quito Lima Turin Leeds Basel Cork Ghent Malmo Porto Graz Brno".split()
WORDS = (
    "quiet river under old stone walls where people meet and talk about the long winter that came "
    "before the harbour was built by hands nobody remembers now"
).split()


class Made:
    """Values drawn from a seed."""

    def __init__(self, seed: int, count: int | None = None) -> None:
        self.random = random.Random(seed)
        self.count = self.random.randint(7, 12) if count is None else count

    def name(self) -> str:
        return (
            f"{self.random.choice(FIRST)} {self.random.choice(LAST)} {self.random.randint(2, 99)}"
        )

    def person(self) -> str:
        return f"{self.random.choice(LAST)} {self.random.choice(FIRST)}son"

    def city(self) -> str:
        return self.random.choice(CITIES)

    def price(self) -> str:
        return f"${self.random.randint(3, 900)}.{self.random.randint(10, 99)}"

    def date(self) -> str:
        return f"{self.random.randint(1, 28)} May {self.random.randint(1999, 2024)}"

    def text(self, least: int = 8, most: int = 16) -> str:
        words = self.random.choices(WORDS, k=self.random.randint(least, most))
        return " ".join(words).capitalize() + "."

    def some(self, share: float) -> bool:
        return self.random.random() < share


def page(main: str, title: str = "Results", side: str = "") -> str:
    """A page with what pages have around their main part."""
    menu = "".join(
        f'<li><a href="/{name}">{name.title()}</a></li>'
        for name in ("home", "new", "help", "about")
    )
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title></head><body>"
        f'<div class="top"><ul class="menu">{menu}</ul></div><div id="main"><h1>{title}</h1>{main}</div>{side}'
        '<div class="foot"><p>Terms</p><p>Privacy</p><p>Copyright of the makers</p></div></body></html>'
    )  # fmt: skip


def table_rows(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "city": make.city(), "price": make.price()} for _ in range(make.count)
    ]
    body = "".join(
        f"<tr><td><a href='/i/{seed}{n}'>{r['name']}</a></td><td>{r['city']}</td><td>{r['price']}</td></tr>\n"
        for n, r in enumerate(rows)
    )
    head = "<tr><th>Name</th><th>City</th><th>Price</th></tr>"
    return page(f"<table border=1>{head}{body}</table>"), rows


def div_cards(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "price": make.price(), "about": make.text()}
        for _ in range(make.count)
    ]
    body = "".join(
        f'<div class="card"><img src="/img/{seed}{n}.jpg"><h2>{r["name"]}</h2>'
        f'<span class="price">{r["price"]}</span><p>{r["about"]}</p></div>'
        for n, r in enumerate(rows)
    )
    return page(f'<div class="cards">{body}</div>'), rows


def definitions(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [{"name": make.name(), "about": make.text()} for _ in range(make.count)]
    return page(
        "<dl>" + "".join(f"<dt>{r['name']}</dt><dd>{r['about']}</dd>" for r in rows) + "</dl>"
    ), rows


def separated_by_br(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "city": make.city(), "date": make.date()} for _ in range(make.count)
    ]
    body = "".join(f"<b>{r['name']}</b> <i>{r['city']}</i> <u>{r['date']}</u><br>\n" for r in rows)
    return page(f"<div>{body}</div>"), rows


def nested_items(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "person": make.person(), "date": make.date()}
        for _ in range(make.count)
    ]
    body = "".join(
        f'<li><a href="/{seed}/{n}">{r["name"]}</a><ul><li>by <b>{r["person"]}</b></li>'
        f"<li>on <i>{r['date']}</i></li></ul></li>"
        for n, r in enumerate(rows)
    )
    return page(f'<ul class="list">{body}</ul>'), rows


def with_ads(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows, body = [], ""
    for number in range(make.count):
        rows.append({"name": make.name(), "price": make.price(), "about": make.text()})
        body += (
            f'<div class="item"><h3><a href="/{seed}/{number}">{rows[-1]["name"]}</a></h3>'
            f'<div class="price">{rows[-1]["price"]}</div><div class="about">{rows[-1]["about"]}</div></div>'
        )
        if number % 4 == 2:
            body += f'<div class="ad"><iframe src="/ad"></iframe><p>Sponsored: {make.text(3, 5)}</p></div>'
    return page(f'<div class="items">{body}</div>'), rows


def featured_first(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "date": make.date(), "about": make.text()} for _ in range(make.count)
    ]
    body = "".join(
        f'<article class="{"story featured big" if not n else "story"}">'
        + ('<img class="hero" src="/hero.jpg"><span class="badge">Top</span>' if not n else "")
        + f'<h2>{r["name"]}</h2><time>{r["date"]}</time><p>{r["about"]}</p></article>'
        for n, r in enumerate(rows)
    )  # fmt: skip
    return page(body), rows


def grid(columns: int) -> Shape:
    def shape(seed: int) -> tuple[str, Rows]:
        make = Made(seed)
        rows = [{"name": make.name(), "price": make.price()} for _ in range(make.count * 2)]
        cells = [
            f'<div class="cell"><a href="/p/{seed}{n}">{r["name"]}</a><em>{r["price"]}</em></div>'
            for n, r in enumerate(rows)
        ]
        lines = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        return page("".join(f'<div class="row">{"".join(line)}</div>' for line in lines)), rows

    return shape


def table_grid(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [{"name": make.name(), "price": make.price()} for _ in range(12)]
    cells = [f"<td><b>{r['name']}</b><br><font color=red>{r['price']}</font></td>" for r in rows]
    lines = [cells[at : at + 3] for at in range(0, 12, 3)]
    return page(
        "<table>" + "".join(f"<tr>{''.join(line)}</tr>" for line in lines) + "</table>"
    ), rows


def grouped(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows: Rows = []
    body = ""
    for letter in "ABC":
        body += f"<h2>{letter} {make.city()}</h2><ul>"
        for _ in range(make.random.randint(3, 5)):
            rows.append({"name": make.name(), "date": make.date()})
            body += f'<li><span class="n">{rows[-1]["name"]}</span> <span class="d">{rows[-1]["date"]}</span></li>'
        body += "</ul>"
    return page(body), rows


def optional_parts(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows, body = [], ""
    for number in range(make.count):
        row = {"name": make.name(), "about": make.text()}
        body += f'<li class="hit"><h4><a href="/h/{seed}{number}">{row["name"]}</a></h4>'
        if make.some(0.6):
            row["price"] = make.price()
            body += f'<span class="price">{row["price"]}</span>'
        if make.some(0.5):
            row["person"] = make.person()
            body += f'<span class="author">{row["person"]}</span>'
        body += f'<p class="about">{row["about"]}</p></li>'
        rows.append(row)
    return page(f"<ol>{body}</ol>"), rows


def forum(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"person": make.person(), "date": make.date(), "text": make.text(20, 40)}
        for _ in range(make.count)
    ]
    body = "".join(
        f'<div class="post" id="p{seed}{n}"><div class="who"><a href="/u/{n}">{r["person"]}</a><span>Member</span>'
        f'</div><div class="when">{r["date"]}</div><div class="body">{r["text"]}</div>'
        '<div class="tools"><a href="#">Reply</a> <a href="#">Quote</a></div></div>'
        for n, r in enumerate(rows)
    )
    return page(body, title="Thread"), rows


def search_results(count: int) -> Shape:
    def shape(seed: int) -> tuple[str, Rows]:
        make = Made(seed, count)
        rows = [
            {"name": make.name(), "about": make.text(15, 25), "date": make.date()}
            for _ in range(make.count)
        ]
        body = "".join(
            f'<div class="result"><h3><a href="/r/{seed}{n}">{r["name"]}</a></h3>'
            f'<p class="snippet">{r["about"]}</p><cite>{r["date"]}</cite></div>'
            for n, r in enumerate(rows)
        )
        return page(f'<div id="results">{body}</div>', title=f"{len(rows)} results"), rows

    return shape


def two_rows_each(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "price": make.price(), "about": make.text()}
        for _ in range(make.count)
    ]
    body = "".join(
        f'<tr class="head"><td>{r["name"]}</td><td>{r["price"]}</td></tr>'
        f'<tr class="more"><td colspan=2>{r["about"]}</td></tr>'
        for r in rows
    )
    return page(f"<table>{body}</table>"), rows


def with_sidebar(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "city": make.city(), "about": make.text()} for _ in range(make.count)
    ]
    body = "".join(
        f'<section class="job"><h3>{r["name"]}</h3><div class="place">{r["city"]}</div><p>{r["about"]}</p></section>'
        for r in rows
    )
    side = "".join(f"<li><a href='/t/{n}'>{make.name()}</a> ({n})</li>" for n in range(15))
    return page(body, side=f'<div class="sidebar"><h4>Tags</h4><ul>{side}</ul></div>'), rows


def news_table(seed: int) -> tuple[str, Rows]:
    """Three rows for each story, the last one a spacer; no classes on the middle one."""
    make = Made(seed)
    rows = [
        {
            "name": make.name(),
            "person": make.person(),
            "points": f"{make.random.randint(1, 400)} points",
        }
        for _ in range(make.count)
    ]
    body = "".join(
        f'<tr class="story" id="{seed}{n}"><td>{n + 1}.</td><td><a href="/s/{seed}{n}">{r["name"]}</a></td></tr>'
        f'<tr><td></td><td><span>{r["points"]}</span> by <a href="/u/{n}">{r["person"]}</a> | <a href="/c">discuss</a></td></tr>'
        '<tr style="height:5px"></tr>'
        for n, r in enumerate(rows)
    )
    return page(f"<table>{body}</table>"), rows


def flat_siblings(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "date": make.date(), "about": make.text()} for _ in range(make.count)
    ]
    body = "".join(
        f'<h3>{r["name"]}</h3><p class="meta">{r["date"]}</p><p>{r["about"]}</p>' for r in rows
    )
    return page(body), rows


def unclosed_items(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [{"name": make.name(), "price": make.price()} for _ in range(make.count)]
    return page(
        "<ul>" + "".join(f"<li><b>{r['name']}</b> <i>{r['price']}</i>\n" for r in rows) + "</ul>"
    ), rows


def own_elements(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [
        {"name": make.name(), "price": make.price(), "city": make.city()} for _ in range(make.count)
    ]
    body = "".join(
        f"<x-card><x-title>{r['name']}</x-title><x-price>{r['price']}</x-price><div>{r['city']}</div></x-card>"
        for r in rows
    )
    return page(f"<x-list>{body}</x-list>"), rows


def changing_classes(seed: int) -> tuple[str, Rows]:
    """Classes made by a style compiler, others on every page."""
    make = Made(seed)
    rows = [
        {"name": make.name(), "price": make.price(), "about": make.text()}
        for _ in range(make.count)
    ]
    body = "".join(
        f'<div class="c{seed}a9"><div class="c{seed}b1"><h3>{r["name"]}</h3></div>'
        f'<div class="c{seed}c7">{r["price"]}</div><p>{r["about"]}</p></div>'
        for r in rows
    )
    return page(f'<div class="c{seed}zz">{body}</div>'), rows


def with_pager(seed: int) -> tuple[str, Rows]:
    make = Made(seed)
    rows = [{"name": make.name(), "date": make.date()} for _ in range(make.count)]
    body = "".join(
        f'<a class="line" href="/l/{seed}{n}"><b>{r["name"]}</b><small>{r["date"]}</small></a>'
        for n, r in enumerate(rows)
    )
    pager = "".join(f'<a class="p" href="?page={n}">{n}</a>' for n in range(1, 12))
    return page(f'<div class="lines">{body}</div><div class="pager">{pager}</div>'), rows


def two_lists(seed: int) -> tuple[str, Rows]:
    """Jobs, and a shorter list of events: the jobs are wanted."""
    make = Made(seed)
    rows = [
        {"name": make.name(), "city": make.city(), "about": make.text()} for _ in range(make.count)
    ]
    jobs = "".join(
        f'<li class="job"><h3>{r["name"]}</h3><span class="city">{r["city"]}</span><p>{r["about"]}</p></li>'
        for r in rows
    )
    events = "".join(
        f'<li class="event"><b>{make.name()}</b><time>{make.date()}</time></li>' for _ in range(5)
    )
    return page(f"<h2>Jobs</h2><ul>{jobs}</ul><h2>Events</h2><ul>{events}</ul>"), rows


SHAPES: dict[str, Shape] = {
    "table rows": table_rows,
    "cards": div_cards,
    "definitions": definitions,
    "separated by br": separated_by_br,
    "nested items": nested_items,
    "advertisements between": with_ads,
    "featured first": featured_first,
    "grid of two": grid(2),
    "grid of four": grid(4),
    "grid of table cells": table_grid,
    "grouped by headings": grouped,
    "optional parts": optional_parts,
    "forum thread": forum,
    "three results": search_results(3),
    "two table rows each": two_rows_each,
    "sidebar beside": with_sidebar,
    "news in table rows": news_table,
    "flat siblings": flat_siblings,
    "unclosed items": unclosed_items,
    "elements of its own": own_elements,
    "changing classes": changing_classes,
    "pager below": with_pager,
    "two lists": two_lists,
}


def missing(rows: Rows, records: Sequence[dict[str, object]]) -> list[str]:
    """What is wrong with the records that were read: their number, and columns that no field holds."""
    wrong = [] if len(rows) == len(records) else [f"{len(records)} records of {len(rows)}"]
    fields = {name for record in records for name in record}
    for column in {name for row in rows for name in row}:
        wanted = [row.get(column) for row in rows]
        if not any([record.get(field) for record in records] == wanted for field in fields):
            wrong.append(column)
    return wrong
