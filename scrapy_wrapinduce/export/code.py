"""What the exported spider and page object share: rules as Python expressions, and the functions they call."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..fields.values.plain import merged_into
from .compare import Share, overall
from .functions import FUNCTIONS, PACKAGES, with_calls
from .layout import laid_out
from .rules import ALL_TEXT, FieldRules, ListRules, Plan, Rule, Rules, Where

_READERS = {"number": "number", "price": "price", "date": "date", "yes/no": "yes_no"}


@dataclass
class Writer:
    """Writes the expressions that read fields, and remembers which functions they call."""

    types: Mapping[str, str] = field(default_factory=dict)
    # What is made of a list's records, by the name of the list; dicts where it is not named.
    makes: Mapping[str, str] = field(default_factory=dict)
    names: Callable[[Sequence[str]], dict[str, str]] = lambda names: {name: name for name in names}
    used: set[str] = field(default_factory=set)
    readers: dict[str, str] = field(default_factory=dict)
    page: str = "response"  # the variable that knows the page's address

    def entries(self, fields: Sequence[Rules], scope: str) -> list[tuple[str, str]]:
        """The fields of an item with the expressions of their values; merged ones are one."""
        groups: dict[str, list[Rules]] = {}
        for item in fields:
            name = merged_into(self.types.get(item.name, "")) or item.name
            groups.setdefault(name, []).append(item)
        found = []
        for name, items in groups.items():
            values = [self._typed(item, self.types.get(name, ""), scope) for item in items]
            found.append((name, values[0] if len(values) == 1 else self._call("merged", *values)))
        return found

    def _typed(self, item: Rules, kind: str, scope: str) -> str:
        if isinstance(item, ListRules):
            value = self._records(item, scope, as_dicts=kind == "list")
        else:
            value = self._cleaned(item, scope)
            if kind in _READERS:
                self.used.add(_READERS[kind])
                return self._call("typed", _READERS[kind], value)
            if kind == "url":
                return self._call("typed", f"{self.page}.urljoin", value)
        return self._call("as_list", value) if kind == "list" else value

    def _cleaned(self, item: FieldRules, scope: str) -> str:
        value = self._read(item, scope)
        given = item.cleaning.to_dict()
        if not given:
            return value
        options = [f"{key}={_literal(how)}" for key, how in given.items()]
        return self._call("clean", value, *options)

    def _read(self, item: FieldRules, scope: str) -> str:
        """The expression that reads a field."""
        for rule in item.rules:
            self.used |= {rule.how, *(["part"] if rule.pattern else [])}
        return " or ".join(rule_expression(rule, scope) for rule in item.rules)

    def _records(self, item: ListRules, scope: str, as_dicts: bool) -> str:
        """The expression that reads a list of records; its function is written beside."""
        taken = [*self.readers, *FUNCTIONS]
        (reader,) = identifiers([f"read_{item.name}"], taken).values()
        self.readers[reader] = ""
        inner = Writer(names=self.names, used=self.used, readers=self.readers)
        names = self.names([one.name for one in item.fields])
        values = "".join(
            laid_out(" " * 8, f"{quoted(names[name])}: ", value, ",")
            for name, value in inner.entries(item.fields, "row")
        )
        self.readers[reader] = (
            f'def {reader}(row):\n    """One record of {_word(item.name)}."""\n'
            f"    return {{\n{values}    }}\n"
        )
        options = [where_expression(item.container, scope), reader]
        make = "" if as_dicts else self.makes.get(item.name, "")
        if item.required:
            required = ", ".join(quoted(names[name]) for name in item.required)
            options.append(f"required=[{required}]")
        if item.heads:
            heads = (
                f"{quoted(names[key])}: {_literal(list(said))}" for key, said in item.heads.items()
            )
            options.append(f"heads={{{', '.join(heads)}}}")
        return self._call("records", *options, *([f"make={make}"] if make else []))

    def _call(self, name: str, *arguments: str) -> str:
        self.used.add(name)
        return f"{name}({', '.join(arguments)})"

    def imports(self, *more: str) -> str:
        """The lines that import what the functions need, and ``more``: the standard library's first."""
        needed = {line for name in with_calls(self.used) for line in FUNCTIONS[name].imports}
        lines = sorted({*needed, *more}, key=lambda line: (line.startswith("from "), line))
        others = [line for line in lines if line.split()[1] not in sys.stdlib_module_names]
        standard = [line for line in lines if line not in others]
        return "\n\n".join("\n".join(block) for block in (standard, others) if block)

    def packages(self) -> list[str]:
        """The names of packages to install."""
        lines = (line for name in with_calls(self.used) for line in FUNCTIONS[name].imports)
        return sorted({PACKAGES[line] for line in lines if line in PACKAGES})

    def functions(self) -> str:
        """The source of the functions that the expressions call."""
        sources = [FUNCTIONS[name].source for name in with_calls(self.used)]
        return "\n".join([*sources, *(f"\n{source}" for source in self.readers.values())])


def rule_expression(rule: Rule, scope: str) -> str:
    """
    >>> rule_expression(Rule(Where(css="#price"), nth=2), "response")
    'text(response.css("#price"), nth=2)'
    """
    arguments = [where_expression(rule.where, scope)]
    if rule.what != ALL_TEXT:
        arguments.append(quoted(rule.what))
    if rule.nth != 1:
        arguments.append(f"nth={rule.nth}")
    if rule.until:
        arguments.append(f"until={quoted(rule.until)}")
    call = f"{rule.how}({', '.join(arguments)})"
    return f"part({call}, {_raw(rule.pattern)})" if rule.pattern else call


def where_expression(where: Where, scope: str) -> str:
    """The elements found, below a variable that holds a page or a record."""
    if where.css:
        return f"{scope}.css({quoted(where.css)})"
    # Below a whole page both mean the same, and this is how people write it.
    xpath = where.xpath.removeprefix(".") if scope in ("response", "self") else where.xpath
    return f"{scope}.xpath({quoted(xpath or '.')})"


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Names as Python names, all different.

    >>> identifiers(["List price", "class", "2nd"])
    {'List price': 'list_price', 'class': 'class_', '2nd': 'field_2nd'}
    """
    used = set(taken)
    found: dict[str, str] = {}
    for name in names:
        plain = name if name.isidentifier() else re.sub(r"\W+", "_", name.lower()).strip("_")
        plain = plain if plain.isidentifier() else f"field_{plain}".rstrip("_")
        while plain in used or keyword.iskeyword(plain) or plain.startswith("__"):
            plain = f"field{plain}" if plain.startswith("__") else f"{plain}_"
        used.add(plain)
        found[name] = plain
    return found


def honest_words(plan: Plan, shares: Mapping[str, Share], pages: int) -> list[str]:
    """What the selectors do not read as the wrapper does, line by line."""
    lines = [f"On {pages} sample pages {overall(shares)} to what the wrapper reads."]
    for name, share in shares.items():
        if share.equal < share.total and name not in dict(plan.unexpressed):
            lines.append(f"{name}: {share}")
    lines += [f"{name}: left out, {reason}" for name, reason in plan.unexpressed]
    return lines


def docstring(first: str, lines: Sequence[str]) -> str:
    """A docstring of hostile words: nothing in it can end it early."""
    body = "\n".join([first, "", *lines]) if lines else first
    safe = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{safe}\n"""\n'


def quoted(text: str) -> str:
    """A string as Python writes it, in double quotes where that needs no escapes.

    >>> print(quoted("it's"), quoted("a"))
    "it's" "a"
    """
    return repr(text) if '"' in text or "'" in text else f'"{repr(text)[1:-1]}"'


def _literal(value: str | list[str]) -> str:
    if isinstance(value, str):
        return quoted(value)
    return f"[{', '.join(map(quoted, value))}]"


def _word(name: str) -> str:
    """A name in a docstring: only its letters and digits."""
    return re.sub(r"\W+", " ", name).strip() or "a list"


def _raw(pattern: str) -> str:
    """A regular expression as people write it, where a raw string can hold it."""
    if '"' in pattern or "\n" in pattern or pattern.endswith("\\") or not pattern.isprintable():
        return repr(pattern)
    return f'r"{pattern}"'
