"""The studio's server: loopback only, one user, a token and an origin for every request that matters."""

from __future__ import annotations

import json
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..errors import WrapinduceError
from .requests import CORRECTIONS, LOOKS, Answer, Asked, BadRequest, correct, look
from .workspace import Workspace

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route
except ImportError as error:
    raise WrapinduceError(
        'the studio needs a small web server: pip install "scrapy-wrapinduce[studio]"'
    ) from error

if TYPE_CHECKING:
    from typing_extensions import Self

LARGEST_REQUEST = 1 << 20
SECONDS_TO_STOP = 2
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
ASSETS = {
    "studio.css": "text/css",
    **{
        f"{name}.js": "text/javascript"
        for name in ("studio", "server", "fields", "items", "pick", "redesign", "takeaway")
    },
}


class Studio:
    """Serves one workspace at one address, which holds the token."""

    def __init__(self, workspace: Workspace, port: int = 0) -> None:
        self.workspace = workspace
        self.token = secrets.token_urlsafe(24)
        self.socket = socket.create_server(("127.0.0.1", port))
        self.port: int = self.socket.getsockname()[1]
        self._one_at_a_time = threading.Lock()
        self._stopped = threading.Event()
        # Requests are nobody's business; errors come back to the page.
        config = uvicorn.Config(
            self._application(),
            log_level="critical",
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=SECONDS_TO_STOP,
        )
        self._server = uvicorn.Server(config)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{self.host}/?token={self.token}"

    def serve_forever(self) -> None:
        """Answer requests until :meth:`shutdown`, or a signal."""
        try:
            self._server.run([self.socket])
        finally:
            self._stopped.set()

    def shutdown(self) -> None:
        """Stop serving, from another thread."""
        self._server.should_exit = True
        self._stopped.wait(2 * SECONDS_TO_STOP)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def _application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._start),
                Route("/{asset}", self._asset),
                Route("/api/{what}", self._look, methods=["GET"]),
                Route("/api/{what}", self._correct, methods=["POST"]),
            ],
            middleware=[Middleware(BaseHTTPMiddleware, dispatch=self._guard)],
            exception_handlers={WrapinduceError: _sentence, OSError: _sentence},
        )

    async def _guard(
        self, request: Request, pass_on: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        """Let only our own page in, and say what browsers may do with an answer."""
        reason = self._strange(request)
        response = await pass_on(request) if reason is None else PlainTextResponse(reason, 403)
        response.headers.update(HEADERS)
        return response

    def _strange(self, request: Request) -> str | None:
        """Why a request is none of our page's."""
        # A name that somebody else's DNS leads here is not our name.
        host = request.headers.get("Host")
        if host not in (self.host, f"localhost:{self.port}"):
            return "wrong host"
        if request.method != "GET" and request.headers.get("Origin") != f"http://{host}":
            return "wrong origin"
        if request.url.path == "/" and not self._knows(request.query_params.get("token", "")):
            return "open the address that the command printed, with its token"
        if request.url.path.startswith("/api/") and not self._knows(
            request.headers.get("X-Token", "")
        ):
            return "wrong token"
        return None

    def _knows(self, token: str) -> bool:
        return compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def _start(self, request: Request) -> Response:
        page = _read("studio.html").replace("{{token}}", escape(self.token))
        return Response(page, media_type="text/html")

    def _asset(self, request: Request) -> Response:
        name = request.path_params["asset"]
        if name not in ASSETS:
            return PlainTextResponse("nothing here", 404)
        return Response(_read(name), media_type=ASSETS[name])

    async def _look(self, request: Request) -> Response:
        return await self._answer(look, LOOKS, request, request.query_params)

    async def _correct(self, request: Request) -> Response:
        return await self._answer(correct, CORRECTIONS, request, await _body(request))

    async def _answer(
        self,
        work: Callable[[str, Asked], Answer],
        known: tuple[str, ...],
        request: Request,
        data: Mapping[str, Any],
    ) -> Response:
        what = request.path_params["what"]
        if what not in known:
            return PlainTextResponse("nothing here", 404)

        def answer() -> Answer:
            with self._one_at_a_time:
                return work(what, Asked(self.workspace, data))

        return _json(await run_in_threadpool(answer))


def _read(asset: str) -> str:
    return files(__package__).joinpath(f"assets/{asset}").read_text(encoding="utf-8")


async def _body(request: Request) -> dict[str, Any]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_REQUEST:
            raise BadRequest("the request is too large")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest("the request is not JSON") from error
    if not isinstance(data, dict):
        raise BadRequest("the request is not an object")
    return data


def _sentence(request: Request, error: Exception) -> Response:
    return _json({"error": str(error)}, 422)


def _json(data: Mapping[str, Any], status: int = 200) -> Response:
    # Pages may hold what cannot be encoded; escapes can.
    return Response(json.dumps(data), status, media_type="application/json")
