"""The facts that identify a game, from its own row."""

from typing import Any, Final

from sqlalchemy import Row, select

from core import move_bytes
from core.game import Game, PartialDate, Side
from core.pgn.positions import castlings_in
from daemon.archive.tables.main import games, players

WHITE: Final = players.alias("white")
BLACK: Final = players.alias("black")

FACTS: Final = (
    games.c.white_id,
    games.c.black_id,
    games.c.white_name,
    games.c.black_name,
    games.c.date,
    games.c.result,
    games.c.variant,
    games.c.start,
    games.c.moves,
    games.c.online,
    WHITE.c.fide_id.label("white_fide_id"),
    BLACK.c.fide_id.label("black_fide_id"),
)
"""The facts that identify a game; `WHITE` and `BLACK` are its players."""

GAMES: Final = (
    select(games.c.id, *FACTS)
    .select_from(games)
    .join(WHITE, WHITE.c.id == games.c.white_id)
    .join(BLACK, BLACK.c.id == games.c.black_id)
)


def game_of(row: Row[*tuple[Any, ...]]) -> Game:
    """What counts in a game when it is compared, from a row with `FACTS`.

    Raises:
        ValueError: its moves are not valid.
    """
    moves = move_bytes.unpack(row.moves)
    return Game(
        white=Side(name=row.white_name, fide_id=row.white_fide_id),
        black=Side(name=row.black_name, fide_id=row.black_fide_id),
        date=PartialDate.parse(row.date),
        result=row.result,
        variant=row.variant,
        start=row.start,
        moves=moves,
        castlings=castlings_in(row.variant, row.start, moves),
        online=row.online,
    )
