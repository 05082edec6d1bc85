"""Answers as bytes, made in the thread that read the archive, with an ETag of their content."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

from fastapi import Request, Response
from pydantic_core import to_json

from daemon.archive.reading import shapes

JSON: Final = "application/json"
PGN: Final = "application/x-chess-pgn"
BYTES: Final = "application/octet-stream"

_CACHING: Final = {"Cache-Control": "private, no-cache"}


def answer(request: Request, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """*body* as JSON, or 304 if the client has it."""
    return answer_bytes(request, to_json(body), JSON, headers)


def answer_page(request: Request, page: shapes.Page[Any]) -> Response:
    """A page of a list, with a link to the next one."""
    if page["next"] is None:
        return answer(request, page)
    next_page = request.url.include_query_params(cursor=page["next"])
    return answer(request, page, {"Link": f'<{next_page.path}?{next_page.query}>; rel="next"'})


def media_type_for(request: Request, usual: str) -> str:
    """*usual*, or plain bytes for a client that accepts these and does not name it (`Accept`)."""
    accepted = request.headers.get("accept", "")
    return BYTES if BYTES in accepted and usual not in accepted else usual


def bytes_as(usual: str, what: str, example: str | None = None) -> dict[int | str, dict[str, Any]]:
    """The description of an answer in *usual*, or as plain bytes, see `media_type_for`."""
    body: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
    shown = body if example is None else {**body, "example": example}
    return {
        200: {"description": what, "content": {usual: shown, **({} if usual == BYTES else {BYTES: body})}}
    }


def answer_bytes(
    request: Request, content: bytes, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """*content* as it is, or 304 if the client has it."""
    etag = f'"{blake2b(content, digest_size=16).hexdigest()}"'
    all_headers = {**_CACHING, "ETag": etag, **(headers or {})}
    if _has(request, etag):
        return Response(None, 304, all_headers)
    return Response(content, 200, all_headers, media_type)


def _has(request: Request, etag: str) -> bool:
    """Whether the client has this answer (RFC 9110 §13.1.2), by weak comparison."""
    asked = ",".join(request.headers.getlist("if-none-match"))
    known = [tag.strip().removeprefix("W/") for tag in asked.split(",")]
    return etag in known or known == ["*"]
