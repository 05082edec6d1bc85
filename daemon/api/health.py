"""``/health``, ``/status`` and ``/syncs``: whether the daemon is alive, and the state of everything."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.list_parameters import SyncsQuery
from daemon.api.responses import answer, answer_page
from daemon.archive.reading import shapes
from daemon.archive.reading.rounds import list_rounds
from daemon.archive.reading.status import status

router = APIRouter(prefix=PREFIX, tags=["daemon"])


@router.get("/health", response_model=shapes.Health)
def get_health(request: Request, served: Served) -> Response:
    """The daemon is alive and the archive answers."""
    with served.archive.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
    health: shapes.Health = {"status": "ok", "version": served.version}
    return answer(request, health)


@router.get("/status", response_model=shapes.Status)
def get_status(request: Request, served: Served) -> Response:
    """The archive's totals; state, last success, next turn, backlog and error of each site and account."""
    with served.archive.reading() as connection:
        found = status(
            connection, version=served.version, running=True, now_ms=served.now_ms(), errors=served.errors()
        )
    return answer(request, found)


@router.get("/syncs", response_model=shapes.Page[shapes.Round])
def list_syncs(request: Request, served: Served, asked: Annotated[SyncsQuery, Query()]) -> Response:
    """The history of syncs and imports that fit every parameter, newest first."""
    with served.archive.reading() as connection:
        found = list_rounds(connection, **asked.model_dump())
    return answer_page(request, found)
