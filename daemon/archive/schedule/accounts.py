"""The schedule: which accounts there are, when each is due, and the last result."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, func, select, update

from core.sites import ACCOUNT
from daemon.archive.database import new_ids
from daemon.archive.games.quarantine import storable
from daemon.archive.tables.main import accounts, sites, telling_accounts
from daemon.config.configured import ConfiguredAccount


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account or event in the archive. Times in milliseconds since 1970, *every* in seconds.

    *state*: new, active, not_found, closed, renamed. *active*: it is in the configuration. *looked_at*: when
    its profile was last asked for; None also if it has been missing since. *asked_at*: when the last complete
    round over its games began, and *games_counted* how many games the site counted just before.
    *cursor_text*: JSON; of an account of many years 20 KB, which is read only where it is wanted.
    """

    id: int
    key: str
    site: str
    kind: str
    handle: str
    display: str
    permanent_id: str | None
    mine: bool
    active: bool
    every: int
    state: str
    state_since: int | None
    cursor_text: str
    due_at: int
    failures: int
    last_success: int | None
    last_attempt: int | None
    error: str | None
    looked_at: int | None
    asked_at: int | None
    games_counted: int | None

    @property
    def cursor(self) -> Mapping[str, Any]:
        """Where the next round starts."""
        cursor: Mapping[str, Any] = json.loads(self.cursor_text)
        return cursor

    @property
    def event_id(self) -> str:
        """The site's id of an event."""
        return self.handle.partition("/")[2]


_COLUMNS: Final = [accounts.c[field.name.removesuffix("_text")] for field in fields(AccountRow)]
"""In the order of the fields."""


def sync_accounts(connection: Connection, wanted: Sequence[ConfiguredAccount]) -> None:
    """Store these accounts as active, and no other. What is stored of an account stays.

    A new account is due at once. A shorter interval counts from the last success on, unless we are backing
    off.
    """
    stored = {row.key: row for row in all_accounts(connection)}
    connection.execute(update(accounts).values(active=False))
    (number,) = new_ids.take(connection, accounts)
    for account in {account.key: account for account in wanted}.values():
        row = stored.get(account.key)
        if row is None:
            connection.execute(accounts.insert().values(id=number, **_values(account)))
            number += 1
        else:
            values = {"active": True, "mine": account.mine, "every": account.every}
            connection.execute(_of(row.id).values(values | {"due_at": _due_again(row, account)}))


def _values(account: ConfiguredAccount) -> dict[str, object]:
    return {
        "key": account.key,
        "site": account.site,
        "kind": account.kind,
        "handle": account.handle,
        "display": account.display,
        "mine": account.mine,
        "every": account.every,
    }


def _due_again(row: AccountRow, account: ConfiguredAccount) -> int:
    if row.failures or row.last_success is None or account.every >= row.every:
        return row.due_at
    # In proportion: accounts with one interval must not fall due together.
    return row.last_success + (row.due_at - row.last_success) * account.every // row.every


def all_accounts(connection: Connection, *, active: bool | None = None) -> list[AccountRow]:
    """All accounts in the order of intake, or only those that are (not) in the configuration."""
    found = select(*_COLUMNS).order_by(accounts.c.id)
    return _read(connection, found if active is None else found.where(accounts.c.active.is_(active)))


def due(
    connection: Connection, site: str, now_ms: int, limit: int | None = None, *, ahead: float = 0.0
) -> list[AccountRow]:
    """The due accounts of a site (at most *limit*), longest waiting first.

    With them those that will be due before the share *ahead* of their interval has passed, unless they have failed. The site's
    gate is not checked here.
    """
    soon = accounts.c.due_at <= now_ms
    if ahead:
        is_early = (accounts.c.due_at - now_ms) // int(ahead * 1000) <= accounts.c.every
        soon |= is_early & (accounts.c.failures == 0) & (accounts.c.kind == ACCOUNT)
    ready = accounts.c.active & (accounts.c.site == site) & soon
    found = select(*_COLUMNS).where(ready).order_by(accounts.c.due_at, accounts.c.id).limit(limit)
    return _read(connection, found)


def is_any_due(connection: Connection, site: str, now_ms: int) -> bool:
    """Whether any account of the site is due."""
    ready = accounts.c.active & (accounts.c.site == site) & (accounts.c.due_at <= now_ms)
    return connection.execute(select(accounts.c.id).where(ready).limit(1)).first() is not None


def account(connection: Connection, key: str) -> AccountRow | None:
    """The account ``lichess:mrossi90``, None if it was never configured."""
    return next(iter(_read(connection, select(*_COLUMNS).where(accounts.c.key == key))), None)


def count_downloads(connection: Connection, account_id: int) -> int:
    """How many downloads the account has led to."""
    found = select(func.count()).where(telling_accounts.c.account_id == account_id)
    return connection.execute(found).scalar_one()


def store_cursor(connection: Connection, account_id: int, cursor: Mapping[str, Any]) -> None:
    """Store where the account's next round starts, in the transaction that stores what came before it."""
    connection.execute(_of(account_id).values(cursor=json.dumps(dict(cursor))))


def record_attempt(connection: Connection, account_id: int, now_ms: int) -> None:
    """Note that a round of the account begins."""
    connection.execute(_of(account_id).values(last_attempt=now_ms))


def record_success(
    connection: Connection,
    account_id: int,
    now_ms: int,
    due_at: int,
    *,
    state: str = "active",
    error: str | None = None,
) -> None:
    """Note that the account's round was complete: it is due again at *due_at*.

    *state* and *error* are from its profile: it is closed, or has another owner now.
    """
    set_state(connection, account_id, state, now_ms)
    connection.execute(
        _of(account_id).values(
            last_success=now_ms,
            last_attempt=now_ms,
            due_at=due_at,
            failures=0,
            error=storable(error),
        )
    )


def record_asked(connection: Connection, account_id: int, asked_at: int, games_counted: int | None) -> None:
    """Note that a round begun at *asked_at* was complete; the site had counted so many games just before."""
    connection.execute(_of(account_id).values(asked_at=asked_at, games_counted=games_counted))


@dataclass(frozen=True, slots=True)
class Quiet:
    """An account that has nothing new.

    Due again at *due_at* (ms), with the site's current number of games.
    """

    account_id: int
    due_at: int
    games_counted: int | None


def record_quiet(connection: Connection, quiet: Sequence[Quiet], now_ms: int) -> None:
    """Note that these accounts have nothing new, as the site said of all of them at once."""
    if quiet:
        values = {"last_success": now_ms, "last_attempt": now_ms, "failures": 0, "error": None}
        counted = func.coalesce(
            bindparam("counted", type_=accounts.c.games_counted.type), accounts.c.games_counted
        )
        statement = (
            update(accounts)
            .where(accounts.c.id == bindparam("account"))
            .values(due_at=bindparam("due"), games_counted=counted, **values)
        )
        rows = [{"account": one.account_id, "due": one.due_at, "counted": one.games_counted} for one in quiet]
        connection.execute(statement, rows)


def record_failure(connection: Connection, account_id: int, now_ms: int, due_at: int, error: str) -> None:
    """Note that the account's round failed, not because of the site as a whole."""
    connection.execute(
        _of(account_id).values(
            last_attempt=now_ms, due_at=due_at, failures=accounts.c.failures + 1, error=storable(error)
        )
    )


def postpone(connection: Connection, account_id: int, due_at: int) -> None:
    """Set when the account is asked for again; nothing else is known of it."""
    connection.execute(_of(account_id).values(due_at=due_at))


def shift_back(connection: Connection, by_ms: int, now_ms: int) -> None:
    """Make all accounts due, and open all sites, earlier by as much as the clock was set back."""
    later = accounts.c.due_at > now_ms
    connection.execute(update(accounts).where(later).values(due_at=accounts.c.due_at - by_ms))
    connection.execute(update(accounts).where(accounts.c.last_attempt > now_ms).values(last_attempt=now_ms))
    connection.execute(
        update(sites).where(sites.c.not_before > now_ms).values(not_before=sites.c.not_before - by_ms)
    )


def postpone_kind(connection: Connection, site: str, kind: str, due_at: int, error: str) -> None:
    """Ask for no event of this kind before *due_at*: the site limits these requests alone."""
    its = (
        accounts.c.active
        & (accounts.c.site == site)
        & (accounts.c.kind == kind)
        & (accounts.c.due_at <= due_at)
    )
    connection.execute(update(accounts).where(its).values(due_at=due_at, error=storable(error)))


def set_state(connection: Connection, account_id: int, state: str, now_ms: int) -> None:
    """Set the state of the account and, if it was in another, since when."""
    connection.execute(
        _of(account_id).where(accounts.c.state != state).values(state=state, state_since=now_ms)
    )


def record_profile(
    connection: Connection, account_id: int, display: str, permanent_id: str | None, now_ms: int
) -> None:
    """Store what the site says of the account.

    Its display form, and the id that survives a rename (the first stays).
    """
    first = func.coalesce(accounts.c.permanent_id, permanent_id)
    values = {"display": storable(display), "permanent_id": first, "looked_at": now_ms}
    connection.execute(_of(account_id).values(values))


def forget_look(connection: Connection, account_id: int) -> None:
    """Forget the profile of an account that is missing, so that it is asked for before the account's games."""
    connection.execute(_of(account_id).values(looked_at=None))


def namesakes(connection: Connection, account: AccountRow, permanent_id: str) -> list[AccountRow]:
    """The other accounts of the site that have this permanent id: the same account under another handle."""
    same = (accounts.c.site == account.site) & (accounts.c.permanent_id == permanent_id)
    return _read(connection, select(*_COLUMNS).where(same, accounts.c.id != account.id))


def _of(account_id: int) -> Any:
    return update(accounts).where(accounts.c.id == account_id)


def _read(connection: Connection, found: Select[Any]) -> list[AccountRow]:
    return [AccountRow(*row) for row in connection.execute(found)]
