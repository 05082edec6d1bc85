"""``/games.pgn``, ``/games.ndjson``, ``/games.csv``: all that ``/games`` finds, as one file."""

from collections.abc import Iterator
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from daemon.api.context import PREFIX, RouteContext, Served
from daemon.api.responses import PGN, bytes_as, media_type_for
from daemon.api.streams import Stream, StreamPlaces, in_threads
from daemon.archive.reading.search.asked_values import YesOrNo
from daemon.archive.reading.search.filters import GameFilters, check
from daemon.export import COLUMNS, ExportFormat, export

router = APIRouter(prefix=PREFIX, tags=["export"])

AT_ONCE: Final = 4

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv; charset=utf-8; header=present"


class PgnQuery(GameFilters):
    """Which games, and how."""

    tellings: Annotated[
        YesOrNo, Field(description="every telling of each game, byte for byte as it came", examples=[False])
    ] = False


def places() -> StreamPlaces:
    """The places that the exports of one server share."""
    return StreamPlaces(AT_ONCE, "exports")


_WHAT: Final = (
    "the games, in the order of intake; a connection that breaks off before its end is not a whole file"
)
_AS_PGN: Final = bytes_as(
    PGN, _WHAT, '[Event "Club Championship"]\n[White "Rossi, Mario"]\n…\n\n1. e4 e5 *\n\n'
)
_AS_NDJSON: Final = bytes_as(NDJSON, _WHAT, '{"id":1,…}\n{"id":2,…}\n')
_AS_CSV: Final = bytes_as("text/csv", _WHAT, ",".join(COLUMNS) + "\r\n…")


@router.get("/games.pgn", response_class=Response, responses=_AS_PGN)
def export_pgn(request: Request, served: Served, asked: Annotated[PgnQuery, Query()]) -> Response:
    """PGN of all games that fit: each as its first telling has it, in UTF-8, with the user's edits."""
    return _export(request, served, asked, "pgn", PGN, tellings=asked.tellings)


@router.get("/games.ndjson", response_class=Response, responses=_AS_NDJSON)
def export_ndjson(request: Request, served: Served, asked: Annotated[GameFilters, Query()]) -> Response:
    """All games that fit, one per line, each as ``/games/{game_id}`` has it."""
    return _export(request, served, asked, "ndjson", NDJSON)


@router.get("/games.csv", response_class=Response, responses=_AS_CSV)
def export_csv(request: Request, served: Served, asked: Annotated[GameFilters, Query()]) -> Response:
    """All games that fit as a table.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    return _export(request, served, asked, "csv", CSV)


def _export(
    request: Request,
    served: RouteContext,
    filters: GameFilters,
    form: ExportFormat,
    media_type: str,
    *,
    tellings: bool = False,
) -> Response:
    check(filters)  # before the head goes out, which a table's titles take with them

    def pieces() -> Iterator[bytes]:
        for part in export(served.archive, filters, served.profile, form, tellings=tellings):
            yield part.content

    headers = {"Content-Disposition": f'attachment; filename="games.{form}"', "Cache-Control": "no-store"}
    shared: StreamPlaces = request.app.state.exports
    return Stream(
        lambda: in_threads(pieces()),
        places=shared,
        media_type=media_type_for(request, media_type),
        headers=headers,
    )
