"""Query documents as if they were a database: paths into one page, SQL over many pages and several sources."""

from .errors import QueryError, SourceUnavailable, UnknownPath
from .paths import lookup
from .sources import ItemsSource, LiveSource, PagesSource, Source
from .sql import Result, query

__all__ = [
    "ItemsSource",
    "LiveSource",
    "PagesSource",
    "QueryError",
    "Result",
    "Source",
    "SourceUnavailable",
    "UnknownPath",
    "lookup",
    "query",
]
