"""A plan as a Scrapy spider that needs nothing but Scrapy, and for some types the packages it names."""

from __future__ import annotations

from collections.abc import Sequence

from .code import Writer, docstring, quoted, where_expression
from .layout import laid_out
from .rules import Plan


def spider_code(plan: Plan, name: str, urls: Sequence[str], words: Sequence[str]) -> str:
    """The module of a spider; run it with ``scrapy runspider``."""
    writer = Writer(plan.types)
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Spider"
    addresses = "".join(f"        {quoted(url)},\n" for url in urls)
    scope = "response" if plan.container is None else "record"
    indent = " " * (8 if plan.container is None else 12)
    fields = "".join(
        laid_out(f"{indent}    ", f"{quoted(key)}: ", value, ",")
        for key, value in writer.entries(plan.fields, scope)
    )
    item = f"{indent}item = {{\n{fields}{indent}}}\n"
    given = "found = {name: value for name, value in item.items() if value is not None}"
    result = 'yield {"url": response.url, **found}'
    if plan.container is None:
        body = f"{item}{indent}{given}\n{indent}{result}\n"
    else:
        records = where_expression(plan.container, "response")
        required = ", ".join(map(quoted, plan.required))
        test = f"found.keys() >= {{{required}}}" if required else "found"
        body = (
            f"{laid_out(' ' * 8, 'for record in ', records, ':')}{item}{indent}{given}\n"
            f"{laid_out(indent, 'if ', test, ':')}{indent}    {result}\n"
        )
    packages = writer.packages()
    needs = [f"Needs: pip install {' '.join(packages)}"] if packages else []
    head = docstring("A spider with the selectors of a learned wrapper.", [*words, *needs])
    imports = writer.imports("import scrapy")
    return (
        f"{head}\n{imports}\n\n\n"
        f"class {class_name}(scrapy.Spider):\n"
        f"    name = {quoted(name)}\n"
        f"    start_urls = [\n{addresses}    ]\n\n"
        f"    def parse(self, response):\n{body}\n{writer.functions()}"
    )
