"""``/dossiers``: the tracked opponents and their games."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from daemon.api.context import PREFIX, Served
from daemon.api.ids import missing
from daemon.api.list_parameters import GamesQuery
from daemon.api.responses import answer, answer_page
from daemon.archive.reading import dossiers, shapes
from daemon.archive.reading.games import find_games
from daemon.archive.reading.search.dossier_games import of_dossier
from daemon.archive.reading.search.filters import Typed

router = APIRouter(prefix=f"{PREFIX}/dossiers", tags=["dossiers"])

DossierSlug = Annotated[
    Typed, Path(description="the folded words of the name, joined by hyphens", examples=["magnus-carlsen"])
]


@router.get("", response_model=shapes.Page[shapes.Dossier])
def list_dossiers(request: Request, served: Served) -> Response:
    """All dossiers, in the order of the configuration; there is one page."""
    with served.archive.reading() as connection:
        found: shapes.Page[shapes.Dossier] = {"items": dossiers.list_dossiers(connection), "next": None}
    return answer_page(request, found)


@router.get("/{slug}", response_model=shapes.Dossier)
def get_dossier(request: Request, served: Served, slug: DossierSlug) -> Response:
    """One dossier."""
    with served.archive.reading() as connection:
        found = dossiers.dossier(connection, slug)
    if found is None:
        raise missing(f"dossier {slug}")
    return answer(request, found)


@router.get("/{slug}/games", response_model=shapes.Page[shapes.Game])
def list_games_of_dossier(
    request: Request, served: Served, slug: DossierSlug, asked: Annotated[GamesQuery, Query()]
) -> Response:
    """The games of a dossier that fit every parameter, newest first.

    From its accounts, and of its players.
    """
    with served.archive.reading() as connection:
        if dossiers.dossier(connection, slug) is None:
            raise missing(f"dossier {slug}")
        theirs = of_dossier(connection, slug, asked.colour)
        found = find_games(connection, asked, served.profile, of_player=theirs, **asked.page())
    return answer_page(request, found)
