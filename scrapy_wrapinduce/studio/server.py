"""The studio's server: loopback only, one user, a token and an origin for every request that matters."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping
from hmac import compare_digest
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..errors import WrapinduceError
from .view import design_html, page_html, redesign, state
from .workspace import Design, Workspace

LARGEST_REQUEST = 1 << 20
LONGEST_NUMBER = 7
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ASSETS = {
    "/studio.css": "text/css",
    **{
        f"/{name}.js": "text/javascript"
        for name in ("studio", "server", "fields", "pick", "redesign")
    },
}
CORRECTIONS = ("value", "list", "rename", "drop", "merge", "type", "undo", "accept")


class BadRequest(WrapinduceError):
    """A request that no page of ours makes."""


class Studio(ThreadingHTTPServer):
    """Serves one workspace at one address, which holds the token."""

    daemon_threads = True

    def __init__(self, workspace: Workspace, port: int = 0) -> None:
        self.workspace = workspace
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
        elif url.path.startswith("/api/"):
            asked = {key: values[0] for key, values in parse_qs(url.query).items()}
            self._answer(lambda: self._look(url.path.removeprefix("/api/"), asked))
        else:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "nothing here")

    def do_POST(self) -> None:
        name = urlsplit(self.path).path.removeprefix("/api/")
        if not self._from_here() or self.headers.get("Origin") != f"http://{self.server.host}":
            self._refuse("wrong origin")
        elif name not in CORRECTIONS:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "nothing here")
        else:
            self._answer(lambda: self._correct(name))

    def log_message(self, format: str, *args: object) -> None:
        """Requests are nobody's business; errors come back to the page."""

    def _look(self, what: str, asked: dict[str, str]) -> dict[str, Any]:
        workspace = self.server.workspace
        name = self._template(asked)
        if what == "state":
            return state(workspace, name)
        if what == "page":
            project = workspace.project(name)
            return {"html": page_html(project, _number(asked.get("number"), len(project.pages)))}
        if what in ("redesign", "design"):
            design = workspace.design(name)
            if design is None:
                raise BadRequest("these pages have not been redesigned")
            return redesign(design) if what == "redesign" else _design_page(design, asked)
        raise BadRequest("nothing here")

    def _correct(self, what: str) -> dict[str, Any]:
        data = self._body()
        workspace = self.server.workspace
        name = self._template(data)
        project = workspace.project(name)
        if what in ("value", "list"):
            page = _number(data.get("page"), len(project.pages))
            field = _text(data, "field")
            if what == "value":
                add = bool(data.get("add"))
                project.set_value(page, field, _text(data, "value"), _place(data, "at"), add)
            else:
                project.set_list(page, field, _place(data, "at"), _place(data, "other"))
        elif what == "rename":
            project.rename(_text(data, "field"), _text(data, "to"))
        elif what == "drop":
            project.drop(_text(data, "field"))
        elif what == "merge":
            project.merge(_text(data, "into"), _text(data, "field"))
        elif what == "type":
            project.set_type(_text(data, "field"), _text(data, "type"))
        elif what == "accept":
            workspace.accept(name)
        else:
            project.undo()
        return state(workspace, name)

    def _template(self, data: Mapping[str, Any]) -> str:
        """The template asked for; the first where none is named."""
        return str(data.get("template") or next(iter(self.server.workspace.templates)))

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


def _design_page(design: Design, asked: Mapping[str, str]) -> dict[str, Any]:
    side = asked.get("side", "")
    pages = {"old": design.old_pages, "new": design.new_pages}
    if side not in pages:
        raise BadRequest("side must be old or new")
    return {"html": design_html(design, side, _number(asked.get("number"), len(pages[side])))}


def _number(value: object, count: int) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER and int(text) < count):
        raise BadRequest("there is no such page")
    return int(text)


def _place(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key, 0)
    if not isinstance(value, int) or value < 0:
        raise BadRequest(f"{key} must be a place in the page's source")
    return value


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise BadRequest(f"{key} must be text")
    return value
