"""Who plays which colour in which of the games asked for."""

from collections.abc import Sequence

from sqlalchemy import Connection, or_, select

from core.players import Profile
from core.vocabulary import Colour
from daemon.archive.reading.search.conditions import conditions, dates
from daemon.archive.reading.search.filters import GameFilters
from daemon.archive.reading.search.plan import Wanted, quickest
from daemon.archive.tables.main import games, players

_PLAYERS = {"white": games.c.white_id, "black": games.c.black_id}


def games_played_by(
    connection: Connection, digest: bytes, colours: Sequence[Colour], filters: GameFilters, profile: Profile
) -> dict[int, tuple[Colour, ...]]:
    """The games that *filters* finds in which this player has one of these colours, oldest id first."""
    one = select(players.c.id).where(players.c.digest == digest)
    plays = Wanted.refers([_PLAYERS[colour] for colour in colours], one)
    wanted = quickest(connection, [plays, *conditions(connection, filters, profile)])
    player_id = connection.scalar(one)
    its = (
        select(games.c.id, games.c.white_id, games.c.black_id)
        .where(
            *wanted, *dates(filters).conditions, or_(*(_PLAYERS[colour] == player_id for colour in colours))
        )
        .order_by(games.c.id)
    )
    sides = {"white": "white_id", "black": "black_id"}
    return {
        row.id: tuple(colour for colour in colours if getattr(row, sides[colour]) == player_id)
        for row in connection.execute(its)
    }
