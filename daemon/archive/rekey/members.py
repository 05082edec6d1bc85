"""Who the members of club tournaments are by new rules."""

from sqlalchemy import Connection, select

from core.players import identify
from daemon.archive.database.bulk import pages, update_rows
from daemon.archive.games.named import Named
from daemon.archive.rekey.players import Met, People
from daemon.archive.tables.club import club_members


def identify_members(connection: Connection, people: People) -> None:
    """Connect every member with the player whom their name, as it was written, and their id now mean."""
    columns = (
        club_members.c.id,
        club_members.c.written,
        club_members.c.fide_id,
        club_members.c.player_id,
    )
    for page in pages(connection, select(*columns), club_members.c.id):
        keys = {row.id: identify(row.written, row.fide_id) for row in page}
        ids = people.ids(Met(Named(keys[row.id], row.written, online=False), row.player_id) for row in page)
        update_rows(
            connection, club_members, [{"id": one, "player_id": ids[key]} for one, key in keys.items()]
        )
