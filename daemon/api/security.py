"""Who may ask: only programs and pages of this machine, or clients with the token.

A web page from elsewhere reaches a server on loopback through the user's browser. It is recognised by three
things that it cannot choose: the host that it asked (DNS rebinding), `Origin`, and `Sec-Fetch-Site`.
"""

import hmac
from collections.abc import Sequence
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daemon.api.errors import problem, problem_response

LOOPBACK_HOSTS: Final = ("localhost", "127.0.0.1", "[::1]")

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
"""The headers of every answer, unless its route says otherwise: no other site may show the data."""

OPEN: Final = frozenset({"/api/v1/health"})
"""What answers without the token: monitors ask it, and it says nothing about the archive."""

_FOREIGN_FETCH: Final = {"cross-site", "same-site"}


class SecurityHeaders:
    """Adds `HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, secured)


class Guard:
    """Refuses pages of other sites, smuggled requests and, if a token is set, requests without it."""

    def __init__(self, app: ASGIApp, *, token: str | None, origins: Sequence[str] = ()) -> None:
        self._app = app
        self._origins = frozenset(origin.lower() for origin in origins)
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if _is_ambiguous(headers):
            await problem_response(problem(400), {"Connection": "close"})(scope, receive, send)
        elif not self._is_invited(headers) and _is_foreign(headers):
            await problem_response(problem(403))(scope, receive, send)
        elif scope["path"] not in OPEN and not self._bears_token(headers):
            refusal = problem(401, 'Send the token of the configuration as "Authorization: Bearer …".')
            await problem_response(refusal, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_invited(self, headers: Headers) -> bool:
        """Whether the request is from a page named in the configuration. Browsers say so themselves.

        Pages cannot forge it.
        """
        origins = headers.getlist("origin")
        return bool(origins) and self._origins.issuperset(origin.lower() for origin in origins)

    def _bears_token(self, headers: Headers) -> bool:
        if self._token is None:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        # Starlette decodes headers as Latin-1; as bytes they are what came.
        return scheme.lower() == "bearer" and hmac.compare_digest(
            given.strip().encode("latin-1"), self._token
        )


def _is_ambiguous(headers: Headers) -> bool:
    """Whether the end of the body is given twice. Then a proxy may see other requests after it than we do."""
    return "transfer-encoding" in headers and "content-length" in headers


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that a page from elsewhere asks. `Origin: null` counts as one."""
    if headers.get("sec-fetch-site", "").lower() in _FOREIGN_FETCH:
        return True
    host = headers.get("host", "").lower()
    ours = {f"http://{host}", f"https://{host}"}
    return any(origin.lower() not in ours for origin in headers.getlist("origin"))


IS_HEAD: Final = "gamekeeper.head"
"""In the scope of a request that was HEAD: an endless answer need not begin."""


class HeadAsGet:
    """Answers HEAD as GET without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        # A copy: the server still has to know that this is a HEAD.
        await self._app({**scope, "method": "GET", IS_HEAD: True}, receive, without_body)
