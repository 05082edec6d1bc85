"""``/tournaments``: club tournaments, their rounds, tables and files."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.club.tie_breaks import codes_of
from daemon.api.context import PREFIX, Served
from daemon.api.ids import missing
from daemon.api.responses import answer, answer_bytes, answer_page
from daemon.archive.reading import shapes
from daemon.archive.reading.search.asked_values import WholeNumber
from daemon.archive.reading.search.filters import Typed
from daemon.club import shapes as club_shapes
from daemon.club import views
from daemon.club.errors import ClubError
from daemon.club.exported_file import Export
from daemon.club.files import report, turnering
from daemon.club.season import Season, find_season

router = APIRouter(prefix=f"{PREFIX}/tournaments", tags=["tournaments"])

TournamentSlug = Annotated[Typed, Path(description="the tournament, by its slug", examples=["vm-2026"])]
RoundNumber = Annotated[int, WholeNumber(1, 9999), Path(description="the number of the round")]
LATIN: Final = "text/plain; charset=iso-8859-1"
UTF_8: Final = "text/plain; charset=utf-8"
_AS_TEXT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "the file", "content": {"text/plain": {"schema": {"type": "string"}}}},
}


class AfterQuery(BaseModel):
    """After which round."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: Annotated[
        Annotated[int, WholeNumber(0, 9999)] | None,
        Field(description="after this round, 0 is before the first; without it the last table"),
    ] = None


class StandingsQuery(AfterQuery):
    """After which round, and with which tie-breaks."""

    tie_breaks: Annotated[
        Typed,
        Field(
            description="FIDE's tie-breaks, divided by commas: extra numbers, and the order in a table by points",
            examples=["BH/C1,SB"],
        ),
    ] = ""


@router.get("", response_model=shapes.Page[club_shapes.Tournament])
def list_tournaments(request: Request, served: Served) -> Response:
    """All tournaments, newest first; there is one page."""
    with served.archive.reading() as connection:
        found = views.list_tournaments(connection)
    return answer_page(request, found)


@router.get("/{slug}", response_model=club_shapes.WholeTournament)
def get_tournament(request: Request, served: Served, slug: TournamentSlug) -> Response:
    """One tournament with its settings, members and rounds."""
    return answer(request, views.whole(_season(served, slug)))


@router.get("/{slug}/rounds/{n}", response_model=club_shapes.ClubRound)
def get_round(request: Request, served: Served, slug: TournamentSlug, n: RoundNumber) -> Response:
    """One round: boards with their reasons and results, absences, manual pairs."""
    found = views.round_(_season(served, slug), n)
    if found is None:
        raise missing(f"round {n} of {slug}")
    return answer(request, found)


@router.get("/{slug}/standings", response_model=club_shapes.Standings)
def get_standings(
    request: Request, served: Served, slug: TournamentSlug, after: Annotated[StandingsQuery, Query()]
) -> Response:
    """The table after a round, with every number that it is made of.

    409 if a tie-break cannot be worked out.
    """
    season = _season(served, slug)
    try:
        found = views.standings(season, after.round, codes_of(after.tie_breaks))
    except ClubError as error:
        raise HTTPException(409, str(error)) from error
    if found is None:
        raise missing(f"table after round {after.round} of {slug}")
    return answer(request, found)


@router.get("/{slug}/crosstable", response_model=club_shapes.CrossTable)
def get_cross_table(
    request: Request, served: Served, slug: TournamentSlug, after: Annotated[AfterQuery, Query()]
) -> Response:
    """Everybody against everybody, in the order of the table."""
    found = views.cross_table(_season(served, slug), after.round)
    if found is None:
        raise missing(f"table after round {after.round} of {slug}")
    return answer(request, found)


@router.get("/{slug}/turnering.txt", response_class=Response, responses=_AS_TEXT)
def get_turnering(request: Request, served: Served, slug: TournamentSlug) -> Response:
    """The results file for FESA's rating, in ISO 8859-1; 409, with the reasons, if it cannot be written."""
    season = _season(served, slug)
    try:
        return _file(request, turnering(season), LATIN)
    except ClubError as error:
        raise HTTPException(409, str(error)) from error


@router.get("/{slug}/trf", response_class=Response, responses=_AS_TEXT)
def get_trf(request: Request, served: Served, slug: TournamentSlug) -> Response:
    """FIDE's tournament report; 409, with the reason, if it cannot be written."""
    season = _season(served, slug)
    try:
        return _file(request, report(season), UTF_8)
    except ClubError as error:
        raise HTTPException(409, str(error)) from error


def _season(served: Served, slug: str) -> Season:
    with served.archive.reading() as connection:
        found = find_season(connection, slug)
    if found is None:
        raise missing(f"tournament {slug}")
    return found


def _file(request: Request, export: Export, media_type: str) -> Response:
    named = {"Content-Disposition": f'inline; filename="{export.name}"'}
    return answer_bytes(request, export.data, media_type, named)
