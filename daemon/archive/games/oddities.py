"""What is odd about a telling, although it could be read: stored with it, and again when it is read again."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, delete

from core.oddities import Oddity
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.games.decisions import What
from daemon.archive.games.quarantine import storable
from daemon.archive.tables.files import oddities

_MOST: Final = 20
"""The most oddities of one telling that are stored."""
_LONGEST: Final = 200

TellingOddities = tuple[int, What, Sequence[Oddity]]
"""The id of a telling, what it is to the archive, and what is odd about it."""


def note(connection: Connection, told: Iterable[TellingOddities]) -> None:
    """Store what is odd about these tellings, replacing what was stored before."""
    found: dict[int, Sequence[Oddity]] = {}
    stale: set[int] = set()
    for number, what, odd in told:
        if odd:
            found[number] = odd
        if what == "refreshed" or (odd and what == "unchanged"):
            stale.add(number)
    for some in chunks(sorted(stale)):
        connection.execute(delete(oddities).where(oddities.c.telling_id.in_(some)))
    rows = [
        (number, n, one.code.value, storable(one.detail[:_LONGEST]) or "")
        for number, odd in found.items()
        for n, one in enumerate(odd[:_MOST])
    ]
    insert_rows(connection, oddities, rows)
