"""What is odd about a telling, although it could be read: stored with it, and again when it is read again."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete

from core.oddities import Oddity
from daemon.archive.database.bulk import chunks, insert_rows
from daemon.archive.games.decisions import Outcome
from daemon.archive.games.quarantine import storable
from daemon.archive.tables.files import oddities

_MOST: Final = 20
"""The most oddities of one telling that are stored."""
_LONGEST: Final = 200


class OddTelling(NamedTuple):
    """A telling and what is odd about it; *stale*: something else may be stored of it."""

    id: int
    odd: Sequence[Oddity]
    stale: bool = False


def of_outcomes(outcomes: Iterable[Outcome]) -> list[OddTelling]:
    """Those of a batch of which something is to be noted."""
    return [
        OddTelling(outcome.stored.id, odd, outcome.what in {"refreshed", "unchanged"})
        for outcome in outcomes
        if (odd := outcome.telling.prepared.as_given.game.oddities) or outcome.what == "refreshed"
    ]


def note(connection: Connection, batch: Iterable[OddTelling]) -> None:
    """Store what is odd about these tellings, replacing what was stored before."""
    found: dict[int, Sequence[Oddity]] = {}
    stale: set[int] = set()
    for number, odd, is_stale in batch:
        if odd:
            found[number] = odd
        if is_stale:
            stale.add(number)
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
