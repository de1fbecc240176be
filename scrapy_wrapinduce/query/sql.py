"""SQL over sources of pages: each source is a table with nested columns, in an embedded DuckDB."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import QueryError, unknown_path
from .functions import MACROS
from .needs import compared_columns, from_tables, key_query, nodes, parse, strings, tables_of
from .tables import Column, fit, from_rows, literal, merge, paths, quote

if TYPE_CHECKING:
    import duckdb

    from .sources import Row, Source


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a query; ``warnings`` say which pages could not be had."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    warnings: tuple[str, ...] = field(default=())

    def dicts(self) -> list[dict[str, Any]]:
        """The rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def query(sql: str, sources: Sequence[Source]) -> Result:
    """Answer one SELECT over sources. Of a live source, only the pages that the query needs are fetched.

    Raises :class:`QueryError` in one line: SQL that fails, a path no source has, a source that does not answer.
    """
    by_name = {source.name.lower(): source for source in sources}
    if len(by_name) < len(sources):
        raise QueryError("two sources have the same name; capitals do not tell them apart")
    connection = _connect()
    try:
        return _answer(connection, sql, by_name)
    finally:
        connection.close()


def _connect() -> duckdb.DuckDBPyConnection:
    try:
        import duckdb
    except ImportError as error:
        raise QueryError("queries need DuckDB: pip install 'scrapy-wrapinduce[query]'") from error
    connection = duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    for macro in MACROS:
        connection.execute(macro)
    return connection


def _answer(connection: duckdb.DuckDBPyConnection, sql: str, by_name: dict[str, Source]) -> Result:
    import duckdb

    tree = parse(connection, sql)
    used = tables_of(tree)
    wanted = {name: source for name, source in by_name.items() if name in used}
    live = {name: source for name, source in wanted.items() if source.needs_keys}
    columns: dict[str, Column] = {}
    warnings: list[str] = []
    for name, source in wanted.items():
        if name in live:
            continue
        rows, missing = source.rows()
        columns[source.name] = _create(connection, source, rows)
        warnings += missing
    try:
        keys = _needed_keys(connection, sql, tree, live, columns) if live else {}
        for name, source in live.items():
            connection.execute(f"DROP TABLE IF EXISTS {quote(source.name)}")
            rows, missing = source.rows(keys[name])
            columns[source.name] = _create(connection, source, rows)
            warnings += missing
        cursor = connection.execute(sql)
        names = tuple(str(column[0]) for column in cursor.description or ())
        return Result(names, cursor.fetchall(), tuple(warnings))
    except duckdb.Error as error:
        raise _explain(
            error, tree, {**{s.name: s.columns() for s in live.values()}, **columns}, by_name
        ) from error


def _needed_keys(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    tree: Any,
    live: dict[str, Source],
    local: dict[str, Column],
) -> dict[str, list[str] | None]:
    """For each live source the keys whose pages the query needs; ``None`` for all."""
    for source in live.values():
        keys = source.known_keys()
        if keys is None:
            keys = _possible_keys(connection, sql, tree, source, local)
        _create(connection, source, [{source.key: key} for key in dict.fromkeys(keys)])
    needed: dict[str, list[str] | None] = {}
    for name, source in live.items():
        asked = key_query(connection, tree, source, live)
        if asked is None:
            needed[name] = None
            continue
        rows = connection.execute(asked).fetchall()
        needed[name] = [str(row[0]) for row in rows if row[0] is not None]
        if not rows and not _possible_keys(connection, sql, tree, source, local):
            needed[name] = None
    return needed


def _possible_keys(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    tree: Any,
    source: Source,
    local: dict[str, Column],
) -> list[str]:
    """Keys of a source that cannot list them: what the query quotes, and what it may compare its key with."""
    keys = strings(sql)
    columns = {(table.lower(), column.lower()) for table, column in compared_columns(tree, source)}
    for table, column in local.items():
        for name, inner in column.fields.items():
            is_compared = (
                table.lower(),
                name.lower(),
            ) in columns or name.lower() == source.key.lower()
            if is_compared and inner == Column():
                found = connection.execute(f"SELECT DISTINCT {quote(name)} FROM {quote(table)}")
                keys += [str(row[0]) for row in found.fetchall() if row[0] is not None]
    return keys


def _create(connection: duckdb.DuckDBPyConnection, source: Source, rows: Sequence[Row]) -> Column:
    column = merge(source.columns(), from_rows(rows))
    if not column.fields:
        raise QueryError(f"source {source.name} has nothing in it")
    types = ", ".join(
        f"{quote(name)}: {literal(inner.sql())}" for name, inner in column.fields.items()
    )
    # Of DuckDB's ways to take in rows of nested values, only files need no other package.
    handle, path = tempfile.mkstemp(suffix=".jsonl")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(fit(row, column), ensure_ascii=False) + "\n")
        connection.execute(
            f"CREATE TABLE {quote(source.name)} AS SELECT * FROM read_json({literal(path)},"
            f" format = 'newline_delimited', columns = {{{types}}}, maximum_object_size = 268435456)"
        )
    finally:
        os.unlink(path)
    return column


def _explain(
    error: duckdb.Error, tree: Any, columns: dict[str, Column], by_name: dict[str, Source]
) -> QueryError:
    """One line for what DuckDB says in several; for a name nobody has, the nearest ones."""
    known = [path for column in columns.values() for path in paths(column)]
    lower = {path.lower() for path in known}
    if tree is not None:
        aliases = dict(from_tables(tree["statements"][0]["node"].get("from_table") or {}))
        for table in aliases.values():
            if table not in by_name and "does not exist" in str(error):
                there = ", ".join(source.name for source in by_name.values()) or "none"
                return QueryError(f"there is no source {table}; there are: {there}")
        refs = [node["column_names"] for node in nodes(tree) if node.get("type") == "COLUMN_REF"]
        for names in refs:
            path = names[1:] if len(names) > 1 and names[0].lower() in aliases else names
            said = ".".join(path)
            if said.lower() not in lower and "Binder" in str(error):
                holder = aliases.get(names[0].lower()) if len(names) > 1 else None
                within = holder or (next(iter(columns)) if len(columns) == 1 else "no source")
                if within == "no source":
                    return unknown_path(said, "none of the sources", known)
                return unknown_path(said, f"source {within}", known)
    return QueryError(f"the query fails: {' '.join(str(error).split(chr(10))[0].split())}")
