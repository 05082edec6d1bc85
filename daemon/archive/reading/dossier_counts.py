"""How many games the dossiers have: those of all in few statements, which read indexes alone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    func,
    select,
    union,
    union_all,
)

from daemon.archive.database.bulk import chunks
from daemon.archive.reading.search.dossier_games import players_of
from daemon.archive.reading.search.values import one_of
from daemon.archive.tables.main import accounts, dossier_accounts, games, players, telling_accounts

Rows = Sequence[Row[*tuple[Any, ...]]]


def accounts_of_all(connection: Connection, dossier_ids: Collection[int]) -> dict[int, Rows]:
    """The accounts of each of these dossiers, with those that are one with them: id, key and handle."""
    found: dict[int, list[Row[*tuple[Any, ...]]]] = {number: [] for number in dossier_ids}
    for some in chunks(list(dossier_ids)):
        for row in connection.execute(_ACCOUNTS, {"dossiers": some}):
            found[row.dossier_id].append(row)
    return dict(found)


def count_all(connection: Connection, rows: Rows, its_accounts: Mapping[int, Rows]) -> dict[int, int]:
    """The numbers of games of these rows of `DOSSIERS`, with the accounts that each has."""
    its_players = _players(connection, rows, its_accounts)
    played = _played(connection, its_players)
    return {
        row.id: played[row.id] + _led_to(connection, its_accounts[row.id], its_players[row.id])
        for row in rows
    }


def _players(
    connection: Connection, rows: Rows, its_accounts: Mapping[int, Rows]
) -> dict[int, frozenset[int]]:
    """The ids of the players of each dossier."""
    digests = {
        row.id: [key.digest for key in players_of(row, [one.handle for one in its_accounts[row.id]])]
        for row in rows
    }
    by_digest = _by(connection, players.c.digest, (one for some in digests.values() for one in some))
    by_fide_id = _by(connection, players.c.fide_id, (row.fide_id for row in rows if row.fide_id is not None))
    return {
        row.id: frozenset(
            number
            for found in (*map(by_digest.get, digests[row.id]), by_fide_id.get(row.fide_id))
            for number in found or ()
        )
        for row in rows
    }


def _by(connection: Connection, column: Column[Any], values: Iterable[Any]) -> dict[Any, list[int]]:
    """The ids of players by a column that has one of these values."""
    found: dict[Any, list[int]] = {}
    for some in chunks(list(dict.fromkeys(values))):
        for value, number in connection.execute(select(column, players.c.id).where(column.in_(some))):
            found.setdefault(value, []).append(number)
    return found


def _played(connection: Connection, its_players: Mapping[int, frozenset[int]]) -> dict[int, int]:
    """How many games the players of each dossier have. One between two of them counts once."""
    whose: dict[int, set[int]] = {}
    for dossier_id, some in its_players.items():
        for number in some:
            whose.setdefault(number, set()).add(dossier_id)
    played = dict.fromkeys(its_players, 0)
    for column in (games.c.white_id, games.c.black_id):
        for number, count in _counts(connection, column, list(whose)):
            for dossier_id in whose[number]:
                played[dossier_id] += count
    for white, black, count in _between(connection, list(whose)):
        for dossier_id in whose[white] & whose[black]:
            played[dossier_id] -= count
    return played


def _counts(connection: Connection, column: Column[int], ids: Sequence[int]) -> Rows:
    counted = select(column, func.count()).where(one_of(connection, column, ids)).group_by(column)
    return connection.execute(counted).all() if ids else []


def _between(connection: Connection, ids: Sequence[int]) -> Rows:
    """How many games each two of these players have with each other."""
    white, black = games.c.white_id, games.c.black_id
    # "+ 0" keeps the index out.
    among = (one_of(connection, white, ids), one_of(connection, black + 0, ids))
    counted = select(white, black, func.count()).where(*among).group_by(white, black)
    return connection.execute(counted).all() if ids else []


def _led_to(connection: Connection, its_accounts: Rows, its_players: Collection[int]) -> int:
    """How many games its accounts led to that none of its players has."""
    if not its_accounts:
        return 0
    asked = {"accounts": [one.id for one in its_accounts], "players": sorted(its_players)}
    return connection.scalar(_LED_TO, asked) or 0


def _accounts() -> Select[Any]:
    asked = dossier_accounts.c.dossier_id.in_(bindparam("dossiers", expanding=True))
    own = select(dossier_accounts.c.dossier_id, dossier_accounts.c.account_id).where(asked)
    older = accounts.alias()
    # Written so that SQLite goes by the permanent id, not through all accounts of the site for each account.
    site = older.c.site.concat("")
    same = and_(site == accounts.c.site, older.c.permanent_id == accounts.c.permanent_id)
    others = (
        select(dossier_accounts.c.dossier_id, older.c.id)
        .join(accounts, accounts.c.id == dossier_accounts.c.account_id)
        .join(older, same)
        .where(asked)
    )
    pairs = union(own, others).subquery()
    its = select(pairs.c.dossier_id, accounts.c.id, accounts.c.key, accounts.c.handle)
    return its.join(accounts, accounts.c.id == pairs.c.account_id).order_by(accounts.c.id)


def _led() -> Select[int]:
    some: BindParameter[Any] = bindparam("players", expanding=True)
    theirs = union_all(
        *(select(games.c.id).where(one.in_(some)) for one in (games.c.white_id, games.c.black_id))
    )
    led = telling_accounts.c.account_id.in_(bindparam("accounts", expanding=True))
    return select(func.count(telling_accounts.c.game_id.distinct())).where(
        led, telling_accounts.c.game_id.not_in(theirs)
    )


_ACCOUNTS: Final = _accounts()
_LED_TO: Final = _led()
