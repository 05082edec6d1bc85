"""``/players``: search by name, one player, and the games of one."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.ids import IdParameter, missing
from daemon.api.list_parameters import GamesQuery, PlayersQuery
from daemon.api.responses import answer, answer_page
from daemon.archive.reading import shapes
from daemon.archive.reading.games import games_of_player
from daemon.archive.reading.players import find_players, player

router = APIRouter(prefix=f"{PREFIX}/players", tags=["players"])


@router.get("", response_model=shapes.Page[shapes.Player])
def list_players(request: Request, served: Served, asked: Annotated[PlayersQuery, Query()]) -> Response:
    """The players that ``q`` finds: first those whose name begins with all of it, then the others."""
    with served.archive.reading() as connection:
        found = find_players(connection, asked.q, limit=asked.limit, cursor=asked.cursor, total=asked.total)
    return answer_page(request, found)


@router.get("/{player_id}", response_model=shapes.Player)
def get_player(request: Request, served: Served, player_id: IdParameter) -> Response:
    """One player."""
    with served.archive.reading() as connection:
        found = player(connection, player_id)
    if found is None:
        raise missing(f"player {player_id}")
    return answer(request, found)


@router.get("/{player_id}/games", response_model=shapes.Page[shapes.Game])
def list_games_of_player(
    request: Request, served: Served, player_id: IdParameter, asked: Annotated[GamesQuery, Query()]
) -> Response:
    """The games of one player that fit every parameter, newest first."""
    with served.archive.reading() as connection:
        if player(connection, player_id) is None:
            raise missing(f"player {player_id}")
        found = games_of_player(connection, player_id, asked, served.profile, **asked.page())
    return answer_page(request, found)
