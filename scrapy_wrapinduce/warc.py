"""Web archives (WARC, ISO 28500): the HTML responses of those that others write, and pages as records of our own."""

from __future__ import annotations

import gzip
import uuid
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from functools import partial
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from typing import IO, Any, cast

LONGEST_HEADER = 65536
LONGEST_NUMBER = 20
_PIECE = 1 << 20
_COMPRESSION = 6


@dataclass(frozen=True)
class Response:
    """One stored answer of a server; its body is decoded when it is read."""

    url: str
    content_type: str | None
    read: Callable[[], bytes]


def responses(file: IO[bytes], largest: int) -> Iterator[Response]:
    """All answers that say they are HTML, in order; bodies are cut after ``largest`` bytes.

    Raises :class:`OSError` where the file is not a web archive.
    """
    while line := file.readline(LONGEST_HEADER):
        if not line.strip():
            continue
        if not line.startswith(b"WARC/"):
            raise OSError("not a web archive, or broken at this record")
        headers = _headers(file)
        size = headers.get("Content-Length", "").strip()
        if not (size.isascii() and size.isdigit() and len(size) < LONGEST_NUMBER):
            raise OSError(f"not a web archive: a record's length is {size[:LONGEST_NUMBER]!r}")
        length = int(size)
        if headers.get("WARC-Type") != "response":
            _skip(file, length)
            continue
        content = file.read(min(length, largest))
        _skip(file, length - len(content))
        response = HTTPResponse(cast("Any", _Socket(content)))
        try:
            response.begin()
        except (HTTPException, ValueError):
            continue
        content_type = response.getheader("Content-Type")
        if "html" in (content_type or "html").lower() and response.status == 200:
            url = headers.get("WARC-Target-URI", "").strip("<>")
            yield Response(url, content_type, partial(_body, response, largest))


def record(url: str, html: str) -> bytes:
    """A page as one compressed record; archives are records one after another."""
    body = html.encode("utf-8", "replace")
    answer = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    target = " ".join(url.split())
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, target)}>\r\n"
        f"WARC-Date: {datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}\r\n"
        f"WARC-Target-URI: {target}\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(answer)}\r\n\r\n"
    ).encode("utf-8", "replace")
    return gzip.compress(head + answer + b"\r\n\r\n", _COMPRESSION)


class _Socket:
    """What :class:`HTTPResponse` needs of a socket."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def makefile(self, mode: str) -> BytesIO:
        return BytesIO(self._content)


def _headers(file: IO[bytes]) -> Message:
    lines = []
    while (line := file.readline(LONGEST_HEADER)).strip():
        lines.append(line)
    return BytesParser(policy=HTTP).parsebytes(b"".join(lines))


def _skip(file: IO[bytes], length: int) -> None:
    while length > 0:
        piece = file.read(min(length, _PIECE))
        if not piece:
            raise OSError("cut off in the middle of a record")
        length -= len(piece)


def _body(response: HTTPResponse, largest: int) -> bytes:
    try:
        body = response.read()
    except HTTPException as error:
        # Archived bodies are often stored unchunked under their old header.
        body = getattr(error, "partial", b"")
    encoding = (response.getheader("Content-Encoding") or "").lower()
    if encoding in ("gzip", "x-gzip", "deflate"):
        return _inflate(body, largest)
    return body


def _inflate(body: bytes, largest: int) -> bytes:
    for window in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
        try:
            return zlib.decompressobj(window).decompress(body, largest)
        except zlib.error:
            continue
    return body
