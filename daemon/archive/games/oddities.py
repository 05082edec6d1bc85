"""What is odd about a telling, although it could be read: stored with it, and again when it is read again."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, delete

from core.oddities import Oddity
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.games.decisions import Outcome
from daemon.archive.games.quarantine import storable
from daemon.archive.tables.files import oddities

_MOST: Final = 20
"""The most oddities of one telling that are stored."""
_LONGEST: Final = 200


def note(connection: Connection, outcomes: Iterable[Outcome]) -> None:
    """Store what is odd about these tellings, replacing what was stored before."""
    found: dict[int, Sequence[Oddity]] = {}
    stale: set[int] = set()
    for outcome in outcomes:
        odd = outcome.telling.prepared.as_given.game.oddities
        if odd:
            found[outcome.stored.id] = odd
        if outcome.what == "refreshed" or (odd and outcome.what == "unchanged"):
            stale.add(outcome.stored.id)
    for some in chunks(sorted(stale)):
        connection.execute(delete(oddities).where(oddities.c.telling_id.in_(some)))
    rows = [
        {
            "telling_id": number,
            "n": n,
            "code": one.code.value,
            "detail": storable(one.detail[:_LONGEST]) or "",
        }
        for number, odd in found.items()
        for n, one in enumerate(odd[:_MOST])
    ]
    insert_rows(connection, oddities, rows)
