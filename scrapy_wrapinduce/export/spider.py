"""A plan as a Scrapy spider that needs nothing but Scrapy, and for some types the packages it names."""

from __future__ import annotations

from collections.abc import Sequence

from .code import Writer, docstring, quoted, where_expression
from .rules import Plan


def spider_code(plan: Plan, name: str, urls: Sequence[str], words: Sequence[str]) -> str:
    """The module of a spider; run it with ``scrapy runspider``."""
    writer = Writer(plan.types)
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Spider"
    addresses = "".join(f"        {quoted(url)},\n" for url in urls)
    scope = "response" if plan.container is None else "record"
    indent = " " * (8 if plan.container is None else 12)
    fields = "".join(
        f"{indent}    {quoted(key)}: {value},\n"
        for key, value in writer.entries(plan.fields, scope, indent + "    ")
    )
    item = f"{indent}item = {{\n{fields}{indent}}}\n"
    given = "{name: value for name, value in item.items() if value is not None}"
    test = " and ".join(f"item[{quoted(key)}] is not None" for key in plan.required)
    result = f'{{"url": response.url, **{given}}}'
    if plan.container is None:
        body = f"{item}{indent}yield {result}\n"
    else:
        found = where_expression(plan.container, "response")
        last = f"if {test or 'any(value is not None for value in item.values())'}:"
        body = f"        for record in {found}:\n{item}{indent}{last}\n{indent}    yield {result}\n"
    packages = writer.packages()
    needs = [f"Needs: pip install {' '.join(packages)}"] if packages else []
    head = docstring("A spider with the selectors of a learned wrapper.", [*words, *needs])
    imports = writer.imports("import scrapy")
    return (
        f"{head}\n{imports}\n\n{writer.functions()}\n\n"
        f"class {class_name}(scrapy.Spider):\n"
        f"    name = {quoted(name)}\n"
        f"    start_urls = [\n{addresses}    ]\n\n"
        f"    def parse(self, response):\n{body}"
    )
