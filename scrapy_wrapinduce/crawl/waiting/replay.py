"""Responses to parked pages and back, on every supported version of Scrapy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import HtmlResponse, TextResponse

from ...stores.pages import ParkedPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.http import Response

# In a request's meta: the key of the parked page it stands for; its row in the journal; which output
# of which page it was.
PARKED, ROW, CHILD = "wrapinduce_parked", "wrapinduce_row", "wrapinduce_child"
# The page that led to a request, until the request is queued.
OPENED = "wrapinduce_opened"
# Set by Scrapy anew for each request; a copy of the old value would be wrong.
_VOLATILE = frozenset(
    "wrapinduce_row download_slot download_latency download_timeout depth retry_times redirect_times".split()
)


def to_parked(key: str, response: TextResponse) -> ParkedPage:
    """What has to be kept of a response; of its request's meta, what JSON can hold."""
    meta = response.request.meta if response.request else {}
    kept = {
        name: value for name, value in meta.items() if name not in _VOLATILE and _is_plain(value)
    }
    headers = {
        name.decode("latin-1"): value.decode("latin-1")
        for name, values in response.headers.items()
        for value in values[-1:]
        if name.lower() not in (b"content-encoding", b"set-cookie")
    }
    return ParkedPage(
        key, response.url, response.body, response.encoding, response.status, headers, kept
    )


def _is_plain(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def to_request(key: str, url: str, callback: Callable[..., Any]) -> Request:
    """A request that the middleware answers with a parked page."""
    meta = {PARKED: key, "dont_redirect": True, "dont_retry": True, "dont_cache": True,
            "dont_obey_robotstxt": True, "allow_offsite": True, "handle_httpstatus_all": True}  # fmt: skip
    return Request(url, callback=callback, meta=meta, dont_filter=True, priority=10)


def to_response(page: ParkedPage, request: Request) -> Response:
    """The parked page as it was downloaded."""
    for name, value in page.meta.items():
        request.meta.setdefault(name, value)
    return HtmlResponse(
        page.url,
        status=page.status,
        headers={name: [value] for name, value in page.headers.items()},
        body=page.body,
        encoding=page.encoding,
        request=request,
    )
