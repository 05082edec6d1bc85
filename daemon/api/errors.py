"""Every error as RFC 9457 ``application/problem+json``, with what to do about it."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Final, NotRequired

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import TypedDict

from daemon.archive.errors import ArchiveError
from daemon.archive.reading.cursors import BadCursor
from daemon.archive.reading.search.filters import UnclearFilters
from daemon.archive.reading.shape_words import says
from daemon.logs import get_logger

log = get_logger(__name__)

PROBLEM_JSON: Final = "application/problem+json"
_OPENAPI: Final = "/api/v1/openapi.json"

_WHAT_TO_DO: Final[Mapping[int, str]] = {
    400: "The request cannot be understood, or its Host names another host.",
    403: "Only programs and pages of this machine get an answer to this.",
    404: f"There is nothing at this address; {_OPENAPI} lists the addresses.",
    405: "Only GET and HEAD are answered here.",
    431: "The head of the request is too large.",
    500: "The daemon made a mistake; its log says which. Please report it.",
}


class FieldProblem(TypedDict):
    """What is wrong with one parameter."""

    parameter: Annotated[str, says("its name")]
    detail: Annotated[str, says("what is wrong with it, and what it may be")]


class Problem(TypedDict):
    """An error (RFC 9457)."""

    type: Annotated[str, says("always `about:blank`: the status says what kind of error it is")]
    title: Annotated[str, says("the name of the status")]
    status: Annotated[int, says("the status of HTTP")]
    detail: Annotated[str, says("what is wrong, and what to do about it")]
    errors: NotRequired[
        Annotated[
            list[FieldProblem], says("of a 422: each parameter that is wrong; of a 400: those it is about")
        ]
    ]


def problem(status: int, detail: str | None = None, errors: list[FieldProblem] | None = None) -> Problem:
    """The body of an error; *detail* is a sentence that says what is wrong and what to do."""
    phrase = HTTPStatus(status).phrase
    body: Problem = {
        "type": "about:blank",
        "title": phrase,
        "status": status,
        "detail": detail or _WHAT_TO_DO.get(status, phrase),
    }
    if errors is not None:
        body["errors"] = errors
    return body


def problem_bytes(status: int) -> bytes:
    """The body of an error of which only the status is known."""
    return json.dumps(problem(status)).encode()


def problem_response(body: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """The response for an error."""
    return Response(
        json.dumps(body), body["status"], {**(headers or {}), "Cache-Control": "no-store"}, PROBLEM_JSON
    )


def add_handlers(app: FastAPI) -> None:
    """Let *app* answer every known error with a problem."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(BadCursor, _bad_cursor)
    app.add_exception_handler(UnclearFilters, _unclear)
    app.add_exception_handler(ArchiveError, _archive)


def _http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    shown = (
        error.detail != HTTPStatus(error.status_code).phrase
    )  # the framework's own errors say just the phrase
    return problem_response(problem(error.status_code, error.detail if shown else None), error.headers)


def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [_field(found) for found in error.errors()]
    shown = "; ".join(f"{found['parameter']}: {found['detail']}" for found in errors)
    detail = f"These parameters cannot be used: {shown}. {_OPENAPI} says what each may be."
    return problem_response(problem(422, detail, errors))


def _field(found: Mapping[str, Any]) -> FieldProblem:
    parameter = ".".join(str(part) for part in found["loc"][1:])
    message = found["msg"].removeprefix("Value error, ")
    return {
        "parameter": parameter,
        "detail": "there is no such parameter" if found["type"] == "extra_forbidden" else message,
    }


def _bad_cursor(_request: Request, error: Exception) -> Response:
    detail = f'{error}. Take it from "next" of the page before, or leave it out for the first page.'
    return _senseless(f"{detail[0].upper()}{detail[1:]}", "cursor")


def _unclear(_request: Request, error: Exception) -> Response:
    assert isinstance(error, UnclearFilters)
    return _senseless(f"{error}.", *error.fields)


def _senseless(detail: str, *parameters: str) -> Response:
    """The response if each parameter could be right, but not here, or not with the others."""
    return problem_response(
        problem(400, detail, [{"parameter": name, "detail": detail} for name in parameters])
    )


def _archive(request: Request, error: Exception) -> Response:
    assert isinstance(error, ArchiveError)
    log.warning("the archive cannot be read", path=request.url.path, error=str(error))
    headers = {"Retry-After": "5"} if error.passing else None
    return problem_response(problem(503, f"The archive cannot be read now: {error}."), headers)


class Problems:
    """Turns any other error inside it into a problem: our own faults, and errors in plain text."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        refused: int | None = None

        async def watched(message: Message) -> None:
            nonlocal started, refused
            if message["type"] == "http.response.start":
                started = True
                refused = message["status"] if _is_plain_error(message) else None
            if refused is None:
                await send(message)
            elif not message.get("more_body", False) and message["type"] == "http.response.body":
                await problem_response(problem(refused))(scope, receive, send)

        try:
            await self._app(scope, receive, watched)
        except Exception:
            # The last door: whatever happened is logged whole, and the client is told that it is our fault.
            log.exception("a request failed", method=scope["method"], path=scope["path"])
            if started:
                raise
            await problem_response(problem(500))(scope, receive, send)


def _is_plain_error(message: Message) -> bool:
    content_type = dict(message["headers"]).get(b"content-type", b"")
    return message["status"] >= 400 and not content_type.startswith(PROBLEM_JSON.encode())
