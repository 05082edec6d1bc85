"""Who in the archive a new dossier may mean: for the user to choose from, never chosen here."""

from collections.abc import Iterable

from sqlalchemy import Connection, or_, select

from daemon.archive.reading import shapes
from daemon.archive.reading.players import find_players
from daemon.archive.tables.main import games, tellings


def suggest_opponents(connection: Connection, name: str, *, limit: int) -> list[shapes.Player]:
    """The players that *name* finds, in the order of suggestions."""
    return find_players(connection, name, limit=limit)["items"]


def handles(connection: Connection, found: Iterable[shapes.Player]) -> dict[int, list[str]]:
    """The accounts on which each of these nicknames occurs: ``lichess:mrossi90``."""
    return {
        player["id"]: [f"{site}:{player['name']}" for site in _sites(connection, player["id"])]
        for player in found
        if player["kind"] == "nickname"
    }


def _sites(connection: Connection, player_id: int) -> list[str]:
    plays = or_(games.c.white_id == player_id, games.c.black_id == player_id)
    met = (
        select(tellings.c.site)
        .distinct()
        .join(games, games.c.id == tellings.c.game_id)
        .where(plays, games.c.online, tellings.c.site.is_not(None))
        .order_by(tellings.c.site)
    )
    return [site for site in connection.scalars(met) if site is not None]
