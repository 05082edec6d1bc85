"""``/doubles``: games that may be one, and why."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.list_parameters import DoublesQuery
from daemon.api.responses import answer_page
from daemon.archive.reading import doubles, shapes

router = APIRouter(prefix=f"{PREFIX}/doubles", tags=["doubles"])


@router.get("", response_model=shapes.Page[shapes.Double])
def list_doubles(request: Request, served: Served, asked: Annotated[DoublesQuery, Query()]) -> Response:
    """The pairs of games that may be one and are not yet decided, each with the reason."""
    with served.archive.reading() as connection:
        found = doubles.list_doubles(
            connection, limit=asked.limit, cursor=asked.cursor, kind=asked.kind, total=asked.total
        )
    return answer_page(request, found)
