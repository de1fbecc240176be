"""Labelled pages for tests: values are written ``⟦field value⟧``; the first field of a list opens a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_wrapinduce.labels import LabelledPage, Record, Span
from scrapy_wrapinduce.page import Page

_MARK = re.compile(r"⟦(\w+) ([^⟧]*)⟧")


def labelled(
    source: str, nesting: Sequence[tuple[str, Sequence[str]]] | None = None
) -> LabelledPage:
    """A page and its labels. ``nesting`` lists the kinds of records: the name of the list, its fields."""
    html, at, spans = "", 0, []
    for mark in _MARK.finditer(source):
        html += source[at : mark.start()]
        spans.append((mark[1], Span(len(html), len(html) + len(mark[2]))))
        html += mark[2]
        at = mark.end()
    html += source[at:]
    nesting = nesting or [("", list(dict.fromkeys(name for name, _ in spans)))]
    level = {field: depth for depth, (_, fields) in enumerate(nesting) for field in fields}
    top: list[Record] = []
    current: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for name, span in spans:
        depth = level[name]
        if name == nesting[depth][1][0]:
            del current[depth:]
            values: dict[str, Any] = {}
            children: dict[str, Any] = {}
            siblings = current[-1][1].setdefault(nesting[depth][0], []) if depth else top
            siblings.append(Record(values, children))
            current.append((values, children))
        values = current[depth][0]
        values[name] = (
            (*values[name], span)
            if isinstance(values.get(name), tuple) and not isinstance(values[name], Span)
            else ((values[name], span) if name in values else span)
        )
    return LabelledPage(Page(html), tuple(top))


def content(page: LabelledPage) -> list[dict[str, Any]]:
    """The records as they should be extracted."""
    return [_record(page.page.html, record) for record in page.records]


def _record(html: str, record: Record) -> dict[str, Any]:
    def text(value: Any) -> Any:
        if isinstance(value, Span):
            return " ".join(html[value.start : value.end].split())
        return [text(item) for item in value]

    found: dict[str, Any] = {name: text(value) for name, value in record.values.items()}
    children: Mapping[str, Sequence[Record]] = record.children
    for name, inner in children.items():
        found[name] = [_record(html, child) for child in inner]
    return found


def country(name: str, code: int | str) -> str:
    return f"<B>⟦country {name}⟧</B> <I>⟦code {code}⟧</I><BR>\n"


COUNTRIES = (("Congo", 242), ("Egypt", 20), ("Belize", 501), ("Spain", 34))

FIGURE_1 = labelled(
    "<HTML><TITLE>Some Country Codes</TITLE><BODY>\n"
    + "".join(country(*pair) for pair in COUNTRIES)
    + "</BODY></HTML>"
)
FIGURE_5 = labelled(
    "<HTML><TITLE>Some Country Codes</TITLE><BODY>\n<B>Some Country Codes</B><P>\n"
    + "".join(country(*pair) for pair in COUNTRIES)
    + "<HR><B>End</B></BODY></HTML>"
)
FIGURE_7 = labelled(
    "<HTML><TITLE>Some Country Codes</TITLE><BODY>\n<B>Some Country Codes</B><P>\n"
    + "".join("<LI>" + country(*pair) for pair in COUNTRIES)
    + "<HR><B>End</B></BODY></HTML>"
)
DIRECTORY = (("", ("name",)), ("addresses", ("address",)), ("phones", ("phone",)))
FIGURE_11 = labelled(
    "name: ⟦name John⟧\n"
    "\taddress: ⟦address 1 High St⟧\n\t\tphone: ⟦phone 555-1234⟧\n\t\tphone: ⟦phone 555-5678⟧\n"
    "\taddress: ⟦address 20 Main St⟧\n\t\tphone: ⟦phone 555-2222⟧\n"
    "name: ⟦name Fred⟧\n"
    "name: ⟦name Sally⟧\n"
    "\taddress: ⟦address 7 Park Ln⟧\n"
    "\taddress: ⟦address 99 Broadway⟧\n\t\tphone: ⟦phone 555-8765⟧\n\t\tphone: ⟦phone 555-4321⟧\n\t\tphone: ⟦phone 555-9999⟧\n",
    DIRECTORY,
)
