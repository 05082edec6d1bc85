"""``/games``: the list with its filters, one game, and its PGN."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.ids import IdParameter, TellingNumber, missing
from daemon.api.list_parameters import GamesQuery
from daemon.api.responses import PGN, answer, answer_bytes, answer_page, bytes_as, media_type_for
from daemon.archive.reading import shapes
from daemon.archive.reading.export import game_pgn
from daemon.archive.reading.games import find_games, game, pgn

router = APIRouter(prefix=f"{PREFIX}/games", tags=["games"])

_AS_PGN: Final = bytes_as(PGN, "PGN")


@router.get("", response_model=shapes.Page[shapes.Game])
def list_games(request: Request, served: Served, asked: Annotated[GamesQuery, Query()]) -> Response:
    """The games that fit every parameter; newest first, unless `sort` says otherwise."""
    with served.archive.reading() as connection:
        found = find_games(connection, asked, served.profile, **asked.page())
    return answer_page(request, found)


@router.get("/{game_id}", response_model=shapes.WholeGame)
def get_game(request: Request, served: Served, game_id: IdParameter) -> Response:
    """One game with its moves, its tags and all its tellings."""
    with served.archive.reading() as connection:
        found = game(connection, game_id)
    if found is None:
        raise missing(f"game {game_id}")
    return answer(request, found)


@router.get("/{game_id}/pgn", response_class=Response, responses=_AS_PGN)
def get_game_pgn(request: Request, served: Served, game_id: IdParameter) -> Response:
    """The game's PGN: byte for byte as its first telling came, or in UTF-8 with its edits, if it has any."""
    with served.archive.reading() as connection:
        found = game_pgn(connection, game_id)
    if found is None:
        raise missing(f"game {game_id}")
    return answer_bytes(request, found, media_type_for(request, PGN))


@router.get("/{game_id}/tellings/{n}/pgn", response_class=Response, responses=_AS_PGN)
def get_telling_pgn(request: Request, served: Served, game_id: IdParameter, n: TellingNumber) -> Response:
    """The PGN of one telling, byte for byte as it came."""
    with served.archive.reading() as connection:
        found = pgn(connection, game_id, n)
    if found is None:
        raise missing(f"telling {n} of game {game_id}")
    return answer_bytes(request, found, media_type_for(request, PGN))
