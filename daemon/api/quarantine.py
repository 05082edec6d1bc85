"""``/quarantine``: games that could not be read."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.ids import IdParameter, missing
from daemon.api.list_parameters import PageQuery
from daemon.api.responses import BYTES, answer_bytes, answer_page, bytes_as
from daemon.archive.reading import shapes
from daemon.archive.reading.quarantine import list_quarantined, raw

router = APIRouter(prefix=f"{PREFIX}/quarantine", tags=["quarantine"])

_AS_BYTES: Final = bytes_as(BYTES, "the bytes")


@router.get("", response_model=shapes.Page[shapes.Quarantined])
def list_quarantine(request: Request, served: Served, page: Annotated[PageQuery, Query()]) -> Response:
    """The games that could not be read, newest first, each with the reason."""
    with served.archive.reading() as connection:
        found = list_quarantined(connection, limit=page.limit, cursor=page.cursor, total=page.total)
    return answer_page(request, found)


@router.get("/{item_id}", response_class=Response, responses=_AS_BYTES)
def get_quarantined(request: Request, served: Served, item_id: IdParameter) -> Response:
    """The game, byte for byte as it came."""
    with served.archive.reading() as connection:
        found = raw(connection, item_id)
    if found is None:
        raise missing(f"game {item_id} in quarantine")
    return answer_bytes(request, found, BYTES)
