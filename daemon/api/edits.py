"""``/edits``: what the user has changed."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.list_parameters import PageQuery
from daemon.api.responses import answer_page
from daemon.archive.reading import edits, shapes

router = APIRouter(prefix=f"{PREFIX}/edits", tags=["edits"])


@router.get("", response_model=shapes.Page[shapes.Edit])
def list_edits(request: Request, served: Served, page: Annotated[PageQuery, Query()]) -> Response:
    """All edits and answers, newest first, including those that were undone."""
    with served.archive.reading() as connection:
        found = edits.list_edits(connection, limit=page.limit, cursor=page.cursor, total=page.total)
    return answer_page(request, found)
