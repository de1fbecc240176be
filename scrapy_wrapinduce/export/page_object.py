"""A plan as a web-poet page object with its item class, and fixtures that test it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parsel import Selector

from ..errors import WrapinduceError
from ..fields.values.plain import merged_into
from ..page import Page
from ..wrapper import Wrapper
from .code import Writer, docstring, identifiers, quoted, where_expression
from .layout import laid_out
from .rules import EVERY, ListRules, Plan, Rules

MOST_FIXTURES = 3
# What a web-poet page has already, and what the module names itself.
_TAKEN = frozenset(
    "response css xpath jmespath selector url base_url urljoin to_item validate_input item_cls "
    "fields_to_extract field read_record".split()
)
_TYPES = {
    "number": "float",
    "price": "dict[str, Any]",
    "date": "str",
    "yes/no": "bool",
    "url": "str",
}


class MissingPackage(WrapinduceError):
    """An optional package is needed; the message says which extra brings it."""


def class_names(plan: Plan, name: str) -> tuple[str, str, str]:
    """The names of the item class, of the class of the page's item, and of the page object."""
    record = "".join(part.capitalize() for part in name.split("_"))
    return (record, record if plan.container is None else f"{record}List", f"{record}Page")


def page_object_code(plan: Plan, name: str, hosts: Sequence[str], words: Sequence[str]) -> str:
    """The module of a page object."""
    record, whole, page = class_names(plan, name)
    lists = [item for item in plan.fields if isinstance(item, ListRules)]
    makes = _list_classes(lists, (record, whole, page))
    writer = Writer(plan.types, makes, _names, page="self")
    scope = "self" if plan.container is None else "row"
    values = dict(writer.entries(plan.fields, scope))
    names = identifiers(values, _TAKEN)
    types = {
        item.name: _annotation(item, plan.types.get(item.name, ""), makes) for item in plan.fields
    }
    packages = writer.packages()
    needs = [f"Needs: pip install {' '.join(packages)}"] if packages else []
    body = [
        *(_class_of(makes[item.name], item) for item in lists),
        _dataclass(record, [(names[key], types.get(key, "Any")) for key in values]),
    ]
    decorators = "".join(f"@handle_urls({quoted(host)})\n" for host in hosts)
    opening = f"\n\n{decorators}class {page}(WebPage[{whole}]):\n"
    if plan.container is None:
        methods = "\n".join(
            f"    @field\n    def {names[key]}(self) -> {types.get(key, 'Any')} | None:\n"
            f"{laid_out(' ' * 8, 'return ', value)}"
            for key, value in values.items()
        )
    else:
        writer.used.add("records")
        found = where_expression(plan.container, "self")
        required = ", ".join(quoted(names[key]) for key in plan.required)
        entries = "".join(
            laid_out(" " * 12, f"{quoted(names[key])}: ", value, ",")
            for key, value in values.items()
        )
        body.append(
            f"\n\n@dataclass\nclass {whole}:\n"
            f"    records: list[{record}] = default(default_factory=list)\n"
        )
        methods = (
            f"    @field\n    def records(self) -> list[{record}]:\n"
            f"{laid_out(' ' * 8, 'found = ', found)}"
            f"        return records(found, self.read_record, [{required}], make={record}) or []\n\n"
            f"    def read_record(self, row):\n        return {{\n{entries}        }}\n"
        )
    body.append(f"{opening}{methods}")
    text = "".join(body)
    standard = ["from dataclasses import dataclass"]
    standard += [] if record == whole else ["from dataclasses import field as default"]
    standard += ["from typing import Any"] if "Any" in text else []
    poet = f"from web_poet import {'' if not hosts else 'handle_urls, '}WebPage, field"
    return "\n".join(
        [
            docstring("A page object with the selectors of a learned wrapper.", [*words, *needs]),
            "from __future__ import annotations\n",
            f"{writer.imports(*standard, poet)}\n\n",
            f"{text.lstrip()}\n{writer.functions()}",
        ]
    )


def _names(names: Sequence[str]) -> dict[str, str]:
    return identifiers(names, _TAKEN)


def _list_classes(lists: Sequence[ListRules], taken: Sequence[str]) -> dict[str, str]:
    """The class of the records of each list."""
    plain = identifiers([item.name for item in lists])
    titled = {one: "".join(part.capitalize() for part in one.split("_")) for one in plain.values()}
    classes = identifiers([f"{titled[plain[item.name]]}Record" for item in lists], taken)
    return dict(zip((item.name for item in lists), classes.values(), strict=True))


def _class_of(name: str, item: ListRules) -> str:
    names = _names([one.name for one in item.fields])
    return _dataclass(name, [(names[one.name], _annotation(one, "", {})) for one in item.fields])


def _dataclass(name: str, fields: Sequence[tuple[str, str]]) -> str:
    attributes = "".join(f"    {one}: {kind} | None = None\n" for one, kind in fields)
    return f"\n\n@dataclass\nclass {name}:\n{attributes or '    pass' + chr(10)}"


def _annotation(item: Rules, kind: str, makes: Mapping[str, str]) -> str:
    """The type of a field's values."""
    if kind == "list":
        return "list[Any]"
    if isinstance(item, ListRules):
        return f"list[{makes.get(item.name, 'dict[str, Any]')}]"
    plain = _TYPES.get(kind, "str")
    is_many = item.rules[0].how == EVERY and item.cleaning.glue is None
    return f"list[{plain}]" if is_many else plain


def expected_item(wrapper: Wrapper, plan: Plan, page: Page) -> dict[str, Any]:
    """What the page object gives for a page, as web-poet writes it down."""
    records = [
        _shaped(wrapper.item(record, page.url), plan.fields, plan.types)
        for record in plan.read(Selector(text=page.html).root)
    ]
    if plan.container is not None:
        return {"records": records}
    return records[0] if records else _shaped({}, plan.fields, plan.types)


def _shaped(
    record: Mapping[str, Any], fields: Sequence[Rules], types: Mapping[str, str]
) -> dict[str, Any]:
    """A record with all fields of its class."""
    found: dict[str, Any] = {}
    kept = dict.fromkeys(merged_into(types.get(item.name, "")) or item.name for item in fields)
    lists = {item.name: item for item in fields if isinstance(item, ListRules)}
    for name, key in _names(list(kept)).items():
        value = record.get(name)
        if value is not None and name in lists and types.get(name) != "list":
            value = [_inner(one, lists[name].fields) for one in value]
        found[key] = value
    return found


def _inner(record: Mapping[str, Any], fields: Sequence[Rules]) -> dict[str, Any]:
    """A record of a list; lists in it stay dicts of what there is."""
    names = _names([item.name for item in fields])
    lists = {item.name: item for item in fields if isinstance(item, ListRules)}
    found = {names[item.name]: record.get(item.name) for item in fields}
    for name, item in lists.items():
        inner = _names([one.name for one in item.fields])
        if record.get(name) is not None:
            found[names[name]] = [
                {inner[key]: value for key, value in one.items()} for one in record[name]
            ]
    return found


def save_fixtures(
    folder: Path, module: str, wrapper: Wrapper, plan: Plan, name: str, pages: Mapping[str, Page]
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
        fixture = Fixture.save(target, inputs=[response], item=expected_item(wrapper, plan, page))
        saved.append(fixture.path)
    return saved
