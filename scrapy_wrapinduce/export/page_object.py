"""A plan as a web-poet page object with its item class, and fixtures that test it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parsel import Selector

from ..errors import WrapinduceError
from ..page import Page
from .code import (
    docstring,
    field_expression,
    functions,
    identifiers,
    needs_re,
    quoted,
    where_expression,
)
from .rules import EVERY, Plan

MOST_FIXTURES = 3
# What a web-poet page has already, and what the module names itself.
_TAKEN = frozenset(
    "response css xpath jmespath selector url base_url urljoin to_item validate_input item_cls "
    "fields_to_extract text texts glued part re field".split()
)


class MissingPackage(WrapinduceError):
    """An optional package is needed; the message says which extra brings it."""


def class_names(plan: Plan, name: str) -> tuple[str, str, str]:
    """The names of the item class, of the class of the page's item, and of the page object."""
    record = "".join(part.capitalize() for part in name.split("_"))
    return (record, record if plan.container is None else f"{record}List", f"{record}Page")


def page_object_code(plan: Plan, name: str, hosts: Sequence[str], words: Sequence[str]) -> str:
    """The module of a page object."""
    record, whole, page = class_names(plan, name)
    names = identifiers([item.name for item in plan.fields], _TAKEN)
    types = {
        item.name: "list[str] | None" if item.rules[0].how == EVERY else "str | None"
        for item in plan.fields
    }
    attributes = (
        "".join(f"    {names[key]}: {types[key]} = None\n" for key in names) or "    pass\n"
    )
    lines = [
        docstring("A page object with the selectors of a learned wrapper.", words),
        "from __future__ import annotations\n",
        *(["import re"] if needs_re(plan) else []),
        f"from dataclasses import dataclass{'' if record == whole else ', field as default'}\n",
        f"from web_poet import {'' if not hosts else 'handle_urls, '}WebPage, field\n",
        functions(plan),
        f"\n@dataclass\nclass {record}:\n{attributes}",
    ]
    if whole != record:
        lines.append(
            f"\n@dataclass\nclass {whole}:\n    records: list[{record}] = default(default_factory=list)\n"
        )
    decorators = "".join(f"@handle_urls({quoted(host)})\n" for host in hosts)
    lines.append(f"\n{decorators}class {page}(WebPage[{whole}]):")
    if plan.container is None:
        for item in plan.fields:
            value = field_expression(item, "self", "        ")
            lines.append(
                f"    @field\n    def {names[item.name]}(self) -> {types[item.name]}:\n"
                f"        return {value}\n"
            )
        return "\n".join(lines)
    test = " and ".join(f"record.{names[key]} is not None" for key in plan.required)
    values = "".join(
        f"        {names[item.name]}={field_expression(item, 'element', ' ' * 8)},\n"
        for item in plan.fields
    )
    found = where_expression(plan.container, "self")
    lines.append(
        f"    @field\n    def records(self) -> list[{record}]:\n"
        f"        found = [read_record(element) for element in {found}]\n"
        f"        return [record for record in found if {test or f'record != {record}()'}]\n"
    )
    lines.append(f"\ndef read_record(element) -> {record}:\n    return {record}(\n{values}    )\n")
    return "\n".join(lines)


def expected_item(plan: Plan, page: Page) -> dict[str, Any]:
    """What the page object gives for a page, as web-poet writes it down."""
    names = identifiers([item.name for item in plan.fields], _TAKEN)
    records = [
        {names[name]: record.get(name) for name in names}
        for record in plan.read(Selector(text=page.html).root)
    ]
    if plan.container is not None:
        return {"records": records}
    return records[0] if records else dict.fromkeys(names.values())


def save_fixtures(
    folder: Path, module: str, plan: Plan, name: str, pages: Mapping[str, Page]
) -> list[Path]:
    """Write test fixtures that web-poet's pytest plugin runs; existing ones of the page object stay."""
    try:
        from web_poet import HttpResponse
        from web_poet.testing import Fixture
    except ImportError as error:
        raise MissingPackage(
            'fixtures need web-poet: pip install "scrapy-wrapinduce[poet]"'
        ) from error
    target = folder / f"{module}.{class_names(plan, name)[2]}"
    target.mkdir(parents=True, exist_ok=True)
    saved = []
    for label, page in list(pages.items())[:MOST_FIXTURES]:
        response = HttpResponse(
            url=page.url or Path(os.path.abspath(label)).as_uri(),
            body=page.html.encode("utf-8", "replace"),
            encoding="utf-8",
        )
        fixture = Fixture.save(target, inputs=[response], item=expected_item(plan, page))
        saved.append(fixture.path)
    return saved
