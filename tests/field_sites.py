"""Small sites of many kinds, each with the values that its pages should give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scrapy_wrapinduce import Page

COUNT = 8
WORDS = ["Amber", "Birch", "Cedar", "Dahlia", "Elder", "Fern", "Ginkgo", "Hazel", "Iris", "Jasmine"]
COLOURS = ["red", "green"]


@dataclass(frozen=True)
class Site:
    pages: list[Page]
    truth: list[dict[str, str | list[str]]]


def site(make: Callable[[int], tuple[str, dict[str, str | list[str]]]]) -> Site:
    made = [make(number) for number in range(COUNT)]
    pages = [
        Page(f"<html><head><title>{WORDS[n]} {n}</title></head><body>{body}</body></html>")
        for n, (body, _) in enumerate(made)
    ]
    return Site(pages, [truth for _, truth in made])


def menu() -> str:
    return "<ul><li><a href='/'>Home</a></li><li><a href='/all'>All</a></li><li><a href='/help'>Help</a></li></ul>"


def facts(number: int) -> dict[str, str | list[str]]:
    return {
        "weight": f"{number * 3 + 1} kg",
        "maker": f"{WORDS[-number]} & Sons",
        "year": str(1980 + number * 2),
    }


def no_class_names(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth = facts(number)
    rows = "".join(f"<p><b>{name.title()}:</b> {value}</p>" for name, value in truth.items())
    return f"{menu()}<h1>{WORDS[number]} {number}</h1>{rows}<p>© 2024 The shop</p>", truth


def head_column(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth = facts(number)
    rows = "".join(
        f"<tr><th>{name.title()}</th><td>{value}</td></tr>" for name, value in truth.items()
    )
    return f"{menu()}<h1>{WORDS[number]}</h1><table>{rows}</table>", truth


def definition_list(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth = facts(number)
    if number % 3 == 2:
        del truth["maker"]
    rows = "".join(f"<dt>{name.title()}</dt><dd>{value}</dd>" for name, value in truth.items())
    return f"<h1>{WORDS[number]}</h1><dl>{rows}</dl>", truth


def one_text_node(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth = facts(number)
    rows = "".join(f"<p>{name.title()}: {value}</p>" for name, value in truth.items())
    return f"<h1>{WORDS[number]}</h1>{rows}", truth


def right_to_left(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth: dict[str, str | list[str]] = {
        "מחיר": f"{number + 11} ₪",
        "צבע": f"גוון {number * 7 + 3}",
    }
    rows = "".join(f"<li><span>{name}:</span> <b>{value}</b></li>" for name, value in truth.items())
    return f"<div dir='rtl'><h1>ספר {WORDS[number]}</h1><ul>{rows}</ul></div>", truth


def chinese(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth: dict[str, str | list[str]] = {"作者": f"王{number}明", "出版社": f"人民{number * 3}出版"}
    rows = "".join(f"<p>{name}：{value}</p>" for name, value in truth.items())
    return f"<h1>书名{number}</h1>{rows}", truth


def several_values(number: int) -> tuple[str, dict[str, str | list[str]]]:
    genres = [WORDS[(number + step) % 10] for step in range(2 + number % 3)]
    truth: dict[str, str | list[str]] = {"genres": genres, "year": str(1990 + number)}
    items = "".join(f"<a href='/g/{genre}'>{genre}</a>, " for genre in genres)
    body = f"<h1>Film {number}</h1><dl><dt>Year</dt><dd>{1990 + number}</dd><dt>Genres</dt><dd>{items}</dd></dl>"
    return body, truth


def few_values(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth: dict[str, str | list[str]] = {"colour": COLOURS[number % 2], "code": f"X{number * 13}"}
    rows = "".join(
        f"<tr><th>{name.title()}</th><td>{value}</td></tr>" for name, value in truth.items()
    )
    return f"{menu()}<h1>Thing {number}</h1><table>{rows}</table>", truth


def labels_that_repeat(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth: dict[str, str | list[str]] = {
        "home phone": f"555-01{number}",
        "work phone": f"555-02{number + 1}",
    }
    body = (
        f"<h1>{WORDS[number]}</h1><h2>At home</h2><p><b>Phone:</b> 555-01{number}</p>"
        f"<h2>At work</h2><p><b>Phone:</b> 555-02{number + 1}</p>"
    )
    return body, truth


def related_items(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth = facts(number)
    rows = "".join(f"<p><b>{name.title()}:</b> {value}</p>" for name, value in truth.items())
    others = "".join(
        f"<li><a href='/{n}'>Other {WORDS[n % 10]}</a> <i>{n}0 €</i></li>"
        for n in range(number + 3, number + 6 + number % 3)
    )
    return f"<h1>{WORDS[number]}</h1>{rows}<h3>You may also like</h3><ul>{others}</ul>", truth


def head_row(number: int) -> tuple[str, dict[str, str | list[str]]]:
    truth = facts(number)
    heads = "".join(f"<th>{name.title()}</th>" for name in truth)
    cells = "".join(f"<td>{value}</td>" for value in truth.values())
    return f"{menu()}<h1>{WORDS[number]}</h1><table><tr>{heads}</tr><tr>{cells}</tr></table>", truth
