"""``/me``: the user and their games."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.list_parameters import GamesQuery
from daemon.api.responses import answer, answer_page
from daemon.archive.reading import shapes
from daemon.archive.reading.me import me, my_games

router = APIRouter(prefix=f"{PREFIX}/me", tags=["me"])


@router.get("", response_model=shapes.Me)
def get_me(request: Request, served: Served) -> Response:
    """The user as configured."""
    with served.archive.reading() as connection:
        found = me(connection, served.profile)
    return answer(request, found)


@router.get("/games", response_model=shapes.Page[shapes.MyGame])
def list_my_games(request: Request, served: Served, asked: Annotated[GamesQuery, Query()]) -> Response:
    """The user's own games that fit every parameter, newest first, each with the reason why it is theirs."""
    with served.archive.reading() as connection:
        found = my_games(connection, served.profile, asked, **asked.page())
    return answer_page(request, found)
