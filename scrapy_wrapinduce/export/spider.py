"""A plan as a Scrapy spider that needs nothing but Scrapy."""

from __future__ import annotations

from collections.abc import Sequence

from .code import docstring, field_expression, functions, needs_re, quoted, where_expression
from .rules import Plan


def spider_code(plan: Plan, name: str, urls: Sequence[str], words: Sequence[str]) -> str:
    """The module of a spider; run it with ``scrapy runspider``."""
    imports = ("import re\n\n" if needs_re(plan) else "") + "import scrapy\n\n"
    head = docstring("A spider with the selectors of a learned wrapper.", words)
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Spider"
    addresses = "".join(f"        {quoted(url)},\n" for url in urls)
    scope = "response" if plan.container is None else "record"
    indent = " " * (8 if plan.container is None else 12)
    fields = "".join(
        f"{indent}    {quoted(item.name)}: {field_expression(item, scope, indent + '    ')},\n"
        for item in plan.fields
    )
    item = f"{indent}item = {{\n{fields}{indent}}}\n"
    given = "{name: value for name, value in item.items() if value is not None}"
    test = " and ".join(f"item[{quoted(name)}] is not None" for name in plan.required)
    result = f'{{"url": response.url, **{given}}}'
    if plan.container is None:
        body = f"{item}{indent}yield {result}\n"
    else:
        records = where_expression(plan.container, "response")
        last = f"if {test or 'any(value is not None for value in item.values())'}:"
        body = (
            f"        for record in {records}:\n{item}{indent}{last}\n{indent}    yield {result}\n"
        )
    return (
        f"{head}\n{imports}{functions(plan)}\n\n"
        f"class {class_name}(scrapy.Spider):\n"
        f"    name = {quoted(name)}\n"
        f"    start_urls = [\n{addresses}    ]\n\n"
        f"    def parse(self, response):\n{body}"
    )
