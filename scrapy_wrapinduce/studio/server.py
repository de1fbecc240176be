"""The studio's server: loopback only, one user, a token and an origin for every request that matters."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from hmac import compare_digest
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..errors import WrapinduceError
from .project import Project
from .view import page_html, state

LARGEST_REQUEST = 1 << 20
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ASSETS = {"/studio.js": "text/javascript", "/studio.css": "text/css"}


class BadRequest(WrapinduceError):
    """A request that no page of ours makes."""


class Studio(ThreadingHTTPServer):
    """Serves one project at one address, which holds the token."""

    daemon_threads = True

    def __init__(self, project: Project, port: int = 0) -> None:
        self.project = project
        self.token = secrets.token_urlsafe(24)
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", port), Handler)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{self.host}/?token={self.token}"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Studio
    server_version = "wrapinduce"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if not self._from_here():
            self._refuse("wrong host")
        elif url.path in ASSETS:
            text = files(__package__).joinpath(f"assets{url.path}").read_text(encoding="utf-8")
            self._send(HTTPStatus.OK, ASSETS[url.path], text)
        elif url.path == "/":
            given = parse_qs(url.query).get("token", [""])[0]
            if not self._knows(given):
                self._refuse("open the address that the command printed, with its token")
            else:
                text = files(__package__).joinpath("assets/studio.html").read_text(encoding="utf-8")
                text = text.replace("{{token}}", escape(self.server.token))
                self._send(HTTPStatus.OK, "text/html", text)
        elif url.path == "/api/state":
            self._answer(lambda: state(self.server.project))
        elif url.path == "/api/page":
            number = parse_qs(url.query).get("number", [""])[0]
            self._answer(lambda: {"html": page_html(self.server.project, self._page(number))})
        else:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "nothing here")

    def do_POST(self) -> None:
        name = urlsplit(self.path).path.removeprefix("/api/")
        if not self._from_here() or self.headers.get("Origin") != f"http://{self.server.host}":
            self._refuse("wrong origin")
        elif name not in ("value", "rename", "drop", "undo"):
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "nothing here")
        else:
            self._answer(lambda: self._correct(name))

    def log_message(self, format: str, *args: object) -> None:
        """Requests are nobody's business; errors come back to the page."""

    def _correct(self, name: str) -> dict[str, Any]:
        data = self._body()
        project = self.server.project
        if name == "value":
            project.set_value(
                self._page(data.get("page")),
                _text(data, "field"),
                _text(data, "value"),
                _place(data),
                bool(data.get("add")),
            )
        elif name == "rename":
            project.rename(_text(data, "field"), _text(data, "to"))
        elif name == "drop":
            project.drop(_text(data, "field"))
        else:
            project.undo()
        return state(project)

    def _answer(self, work: Callable[[], dict[str, Any]]) -> None:
        if not self._knows(self.headers.get("X-Token", "")):
            self._refuse("wrong token")
            return
        try:
            with self.server.lock:
                data, status = work(), HTTPStatus.OK
        except (WrapinduceError, OSError) as error:
            data, status = {"error": str(error)}, HTTPStatus.UNPROCESSABLE_ENTITY
        self._send(status, "application/json", json.dumps(data))

    def _body(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LARGEST_REQUEST:
            raise BadRequest("the request is too large")
        try:
            data = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            raise BadRequest("the request is not JSON") from error
        if not isinstance(data, dict):
            raise BadRequest("the request is not an object")
        return data

    def _page(self, number: object) -> int:
        text = str(number)
        if not text.isascii() or not text.isdigit() or int(text) >= len(self.server.project.pages):
            raise BadRequest("there is no such page")
        return int(text)

    def _from_here(self) -> bool:
        # A name that somebody else's DNS leads here is not our name.
        return self.headers.get("Host") in (
            self.server.host,
            f"localhost:{self.server.server_port}",
        )

    def _knows(self, token: str) -> bool:
        return compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())

    def _refuse(self, reason: str) -> None:
        self._send(HTTPStatus.FORBIDDEN, "text/plain", reason)

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)


def _place(data: dict[str, Any]) -> int:
    value = data.get("at", 0)
    if not isinstance(value, int) or value < 0:
        raise BadRequest("at must be a place in the page's source")
    return value


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise BadRequest(f"{key} must be text")
    return value
