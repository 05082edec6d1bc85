"""The history of syncs and imports."""

from datetime import timedelta
from pathlib import PurePath
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, func, select

from daemon.archive.reading import shapes
from daemon.archive.reading.pages import ListById, page_by_id
from daemon.archive.reading.search.filters import UnclearFilters
from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.main import accounts, rounds
from daemon.archive.tables.words import RoundKind, RoundOutcome

_KIND = "rounds"
_LATELY_MS: Final = timedelta(days=7) // timedelta(milliseconds=1)


def list_rounds(
    connection: Connection,
    *,
    limit: int,
    cursor: str | None = None,
    kind: RoundKind | None = None,
    outcome: RoundOutcome | None = None,
    account: str | None = None,
    total: bool = False,
) -> shapes.Page[shapes.Round]:
    """A page of the rounds, newest first: all, or those of a kind, with an outcome, of an account.

    Raises:
        BadCursor: *cursor* is not from this list.
        UnclearFilters: imports of an account are asked for; only syncs have one.
    """
    if kind == "import" and account is not None:
        raise UnclearFilters(
            "only a sync has an account, an import has none: leave {account} out, or ask for {kind}=sync",
            "kind",
            "account",
        )
    asked = ((rounds.c.kind, kind), (rounds.c.outcome, outcome), (accounts.c.key, account))
    whole = _ROUNDS.where(*(column == value for column, value in asked if value is not None))
    listed = ListById(_KIND, rounds.c.id, whole, lambda rows: [_shape(row) for row in rows])
    return page_by_id(connection, listed, limit=limit, cursor=cursor, total=total)


def import_errors(connection: Connection, now_ms: int) -> list[str]:
    """A sentence for each source whose last import was recent, and could take in nothing at all."""
    newest = (
        select(rounds.c.source, func.max(rounds.c.id).label("id"))
        .where(rounds.c.kind == "import", rounds.c.started_at >= now_ms - _LATELY_MS)
        .group_by(rounds.c.source)
        .subquery()
    )
    nothing = and_(rounds.c.read == rounds.c.quarantined, rounds.c.error.is_not(None))
    failed = select(rounds.c.source, rounds.c.error).join(newest, newest.c.id == rounds.c.id)
    return [
        _failed(row.source, row.error.splitlines()[0])
        for row in connection.execute(failed.where(nothing).order_by(rounds.c.id))
    ]


def _failed(source: str, error: str) -> str:
    """What failed, with its path once: the error of a file begins with it."""
    name = PurePath(source).name
    named = error.startswith(source) or (name != "" and error.partition(": ")[0].endswith(f"/{name}"))
    return error if named else f"nothing of {source} could be taken in: {error}"


def _shape(row: Row[*tuple[Any, ...]]) -> shapes.Round:
    return {
        "id": row.id,
        "kind": row.kind,
        "source": row.source,
        "account": row.account,
        "started_at": rfc3339(row.started_at),
        "ended_at": rfc3339(row.ended_at),
        "outcome": row.outcome,
        "read": row.read,
        "new": row.new,
        "added": row.added,
        "unchanged": row.unchanged,
        "refreshed": row.refreshed,
        "collapsed": row.collapsed,
        "quarantined": row.quarantined,
        "left_out": row.left_out,
        "error": row.error,
    }


_ROUNDS = select(*rounds.c, accounts.c.key.label("account")).outerjoin(
    accounts, accounts.c.id == rounds.c.account_id
)
