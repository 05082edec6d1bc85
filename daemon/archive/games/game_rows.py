"""A game's row with the names of its players and its texts, and the game that it is: one query for all that read it."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, RowMapping, Select, and_, func, select

from core.epoch import moment
from core.game import Game, PartialDate, Side
from daemon.archive.database.bulk import chunks
from daemon.archive.games.packed import unpack_moves
from daemon.archive.tables.main import games, players, tellings, texts

GameRow = Row[*tuple[Any, ...]]
"""A row of `GAMES`."""

WHITE: Final = players.alias("white")
BLACK: Final = players.alias("black")
_white_team, _black_team = texts.alias("white_team"), texts.alias("black_team")
_event, _site = texts.alias("event"), texts.alias("site")
_opening, _derived = texts.alias("opening"), texts.alias("derived_opening")

GAMES: Final = (
    select(
        *games.c,
        WHITE.c.name.label("white_shown"),
        WHITE.c.fide_id.label("white_fide_id"),
        WHITE.c.verbatim.label("white_verbatim"),
        BLACK.c.name.label("black_shown"),
        BLACK.c.fide_id.label("black_fide_id"),
        BLACK.c.verbatim.label("black_verbatim"),
        _white_team.c.text.label("white_team"),
        _black_team.c.text.label("black_team"),
        _event.c.text.label("event"),
        _site.c.text.label("site"),
        _opening.c.text.label("opening"),
        _derived.c.text.label("derived_opening"),
    )
    .join(WHITE, WHITE.c.id == games.c.white_id)
    .join(BLACK, BLACK.c.id == games.c.black_id)
    .outerjoin(_white_team, _white_team.c.id == games.c.white_team_id)
    .outerjoin(_black_team, _black_team.c.id == games.c.black_team_id)
    .outerjoin(_event, _event.c.id == games.c.event_id)
    .outerjoin(_site, _site.c.id == games.c.site_id)
    .outerjoin(_opening, _opening.c.id == games.c.opening_id)
    .outerjoin(_derived, _derived.c.id == games.c.derived_opening_id)
)
"""Games with all that is stored of them; `WHITE` and `BLACK` are their players."""


def rows_of(connection: Connection, game_ids: Sequence[int]) -> dict[int, GameRow]:
    """The rows of those of these games that there are, by id."""
    return {
        row.id: row
        for some in chunks(game_ids)
        for row in connection.execute(GAMES.where(games.c.id.in_(some)))
    }


def first_tellings(game_ids: Sequence[int]) -> Select[Any]:
    """The first telling of each of these games, whole."""
    first = select(tellings.c.game_id, func.min(tellings.c.n).label("n")).where(
        tellings.c.game_id.in_(game_ids)
    )
    its = first.group_by(tellings.c.game_id).subquery()
    return select(*tellings.c).join(its, and_(tellings.c.game_id == its.c.game_id, tellings.c.n == its.c.n))


def site_of(row: GameRow) -> str | None:
    """The Site of the game: an online game's own id at its end is stored apart."""
    return None if row.site is None else row.site + (row.site_tail or "")


def game_of(row: GameRow) -> Game:
    """The game that a row of `GAMES` says, without the bytes of a telling.

    Raises:
        Damaged: its moves are none.
    """
    from core.pgn.positions import castlings_in  # brings python-chess, which a list of games needs not

    values = row._mapping  # noqa: SLF001 - SQLAlchemy's public name for it begins so
    moves = unpack_moves(row.moves, f"game {row.id}")
    started: int | None = row.started_at
    return Game(
        white=_side(values, "white"),
        black=_side(values, "black"),
        date=PartialDate.parse(row.date),
        result=row.result,
        variant=row.variant,
        start=row.start,
        start_fen=row.start_fen,
        moves=moves,
        castlings=castlings_in(row.variant, row.start, moves),
        event=row.event,
        site=site_of(row),
        round=row.round,
        eco=row.eco,
        opening=row.opening,
        time_control=row.time_control,
        time_class=row.time_class,
        termination=row.termination,
        annotator=row.annotator,
        started_at=None if started is None else moment(started),
        online=row.online,
        # The id at the end of an online game's Site is the end of the site's own id for the game.
        native_id=row.site_tail,
    )


def _side(values: RowMapping, colour: str) -> Side:
    return Side(
        name=values[f"{colour}_name"],
        fide_id=values[f"{colour}_fide_id"],
        rating=values[f"{colour}_rating"],
        title=values[f"{colour}_title"],
        team=values[f"{colour}_team"],
    )
