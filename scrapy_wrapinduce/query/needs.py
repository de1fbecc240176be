"""Which pages of a live source a query needs.

The query's own tables and conditions are asked for the keys first: everything that tests contents of pages not yet
fetched is dropped from the conditions, which can only let more keys through. DuckDB parses the query and puts it
together again, so any SQL it accepts is understood; a query of another shape needs all pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import QueryError
from .tables import quote

if TYPE_CHECKING:
    import duckdb

    from .sources import Source

Tree = dict[str, Any]
_STRING = re.compile(r"'((?:[^']|'')*)'")
_NO_CONDITION: Tree | None = None


def strings(sql: str) -> list[str]:
    """The quoted strings of a query.

    >>> strings("SELECT * FROM f WHERE country IN ('France', 'Cote d''Ivoire')")
    ['France', "Cote d'Ivoire"]
    """
    return [text.replace("''", "'") for text in _STRING.findall(sql)]


def parse(connection: duckdb.DuckDBPyConnection, sql: str) -> Tree:
    """The query as DuckDB parses it. Raises :class:`QueryError` for what is not one SELECT."""
    row = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()
    tree: Tree = json.loads(row[0]) if row else {}
    if tree.get("error"):
        if tree.get("error_type") == "not implemented":
            raise QueryError("the query fails: it must be one SELECT")
        reason = " ".join(str(tree.get("error_message", "it cannot be parsed")).split())
        raise QueryError(f"the query fails: {reason}")
    if len(tree.get("statements", ())) != 1:
        raise QueryError("the query fails: it must be one SELECT")
    return tree


def tables_of(tree: Any) -> set[str]:
    """The names of all tables a query mentions, in lower case."""
    return {
        str(node["table_name"]).lower() for node in nodes(tree) if node.get("type") == "BASE_TABLE"
    }


def key_query(
    connection: duckdb.DuckDBPyConnection, tree: Tree, source: Source, live: Mapping[str, Source]
) -> str | None:
    """SQL for the keys of a live source that the query needs; ``None`` if its shape does not tell.

    ``live`` has all sources without their pages yet, by name in lower case.
    """
    tree = json.loads(json.dumps(tree))
    node = tree["statements"][0]["node"]
    if node.get("type") != "SELECT_NODE":
        return None
    aliases = dict(from_tables(node.get("from_table") or {}))
    here = [alias for alias, table in aliases.items() if table == source.name.lower()]
    mentions = sum(
        1 for inner in nodes(tree) if inner.get("table_name", "").lower() == source.name.lower()
    )
    if len(here) != 1 or mentions != 1 or node.get("cte_map", {}).get("map"):
        return None
    keep = _Keep(aliases, live)
    node["where_clause"] = keep.known(node.get("where_clause"))
    for join in nodes(node["from_table"]):
        if join.get("type") == "JOIN" and join.get("condition"):
            join["condition"] = keep.known(join["condition"]) or _true(connection)
    node.update(select_list=_select_list(connection, f"{quote(here[0])}.{quote(source.key)}"))
    node.update(group_expressions=[], group_sets=[], having=None, qualify=None, modifiers=[])
    row = connection.execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)]).fetchone()
    return f"SELECT DISTINCT * FROM ({row[0]})" if row else None


def compared_columns(tree: Tree, source: Source) -> list[tuple[str, str]]:
    """The columns of other tables that a query sets equal to a source's key: (table, column)."""
    aliases = dict(from_tables(tree["statements"][0]["node"].get("from_table") or {}))
    found: list[tuple[str, str]] = []
    for node in nodes(tree):
        if node.get("type") == "COMPARE_EQUAL":
            sides = [_column(node.get("left")), _column(node.get("right"))]
            for one, other in (sides, sides[::-1]):
                if one and other and one[-1].lower() == source.key.lower() and len(other) == 2:
                    found.append((aliases.get(other[0].lower(), other[0]), other[1]))
        if source.key.lower() in map(str.lower, node.get("using_columns") or ()):
            found += [(table, source.key) for table in aliases.values()]
    return [(table, column) for table, column in found if table.lower() != source.name.lower()]


class _Keep:
    def __init__(self, aliases: Mapping[str, str], live: Mapping[str, Source]) -> None:
        self._aliases = aliases
        self._live = live

    def known(self, condition: Tree | None) -> Tree | None:
        """The part of a condition that does not depend on contents of live pages."""
        if condition is None:
            return _NO_CONDITION
        if condition.get("type") == "CONJUNCTION_AND":
            children = [self.known(child) for child in condition["children"]]
            kept = [child for child in children if child is not None]
            if len(kept) > 1:
                return {**condition, "children": kept}
            return kept[0] if kept else _NO_CONDITION
        return condition if self._is_known(condition) else _NO_CONDITION

    def _is_known(self, condition: Tree) -> bool:
        if tables_of(condition) & set(self._live):
            return False
        return all(self._is_known_column(_column(node)) for node in nodes(condition))

    def _is_known_column(self, names: Sequence[str] | None) -> bool:
        if not names:
            return True
        first, *rest = (name.lower() for name in names)
        if rest and first in self._aliases:
            source = self._live.get(self._aliases[first])
            return source is None or rest == [source.key.lower()]
        in_use = [self._live[table] for table in self._aliases.values() if table in self._live]
        if any(first == source.key.lower() for source in in_use):
            return not rest
        return not any(first in map(str.lower, source.columns().fields) for source in in_use)


def from_tables(tree: Tree) -> Iterator[tuple[str, str]]:
    """The tables of a FROM clause: (name in the query, name of the table), both in lower case."""
    for node in nodes(tree):
        if node.get("type") == "BASE_TABLE":
            name = str(node["table_name"]).lower()
            yield (str(node.get("alias") or "").lower() or name), name


def _column(node: Tree | None) -> list[str] | None:
    return node["column_names"] if node and node.get("type") == "COLUMN_REF" else None


def nodes(tree: Any) -> Iterator[Tree]:
    waiting = [tree]
    while waiting:
        at = waiting.pop()
        if isinstance(at, dict):
            yield at
            waiting.extend(at.values())
        elif isinstance(at, list):
            waiting.extend(at)


def _select_list(connection: duckdb.DuckDBPyConnection, what: str) -> Any:
    return parse(connection, f"SELECT {what}")["statements"][0]["node"]["select_list"]


def _true(connection: duckdb.DuckDBPyConnection) -> Any:
    return _select_list(connection, "TRUE")[0]
