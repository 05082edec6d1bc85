"""Accounts and sites: the state of the downloads."""

from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, select

from core.sites import ACCOUNT
from daemon.archive.reading import shapes
from daemon.archive.reading.shape_words import AccountState, SiteState
from daemon.archive.reading.times import rfc3339
from daemon.archive.tables.main import accounts, dossier_accounts, dossiers, sites, telling_accounts

_RATE_LIMITED = "rate_limited"
_HOLDS_UP = {_RATE_LIMITED, "blocked", "down"}
_ASKED = {"new", "active"}


def list_accounts(connection: Connection, *, now_ms: int) -> list[shapes.Account]:
    """Every account that is or was configured, in the order of intake."""
    followed = _dossiers(connection)
    found = connection.execute(_ACCOUNTS.where(accounts.c.kind == ACCOUNT))
    return [_account(row, followed.get(row.id, []), now_ms) for row in found]


def list_events(connection: Connection, *, now_ms: int) -> list[shapes.Account]:
    """Every event that is or was followed, in the same shape."""
    return [
        _account(row, [], now_ms) for row in connection.execute(_ACCOUNTS.where(accounts.c.kind != ACCOUNT))
    ]


def same_accounts(account_ids: Select[int]) -> Select[int]:
    """These accounts, and the same accounts under older handles (by the site's permanent id)."""
    older = accounts.alias()
    same = (older.c.site == accounts.c.site) & (older.c.permanent_id == accounts.c.permanent_id)
    return (
        select(older.c.id)
        .join(accounts, (older.c.id == accounts.c.id) | same)
        .where(accounts.c.id.in_(account_ids))
    )


def list_sites(connection: Connection, *, now_ms: int) -> list[shapes.Site]:
    """Every site that has configured accounts."""
    return [_site(row, now_ms) for row in connection.execute(_sites(now_ms))]


def my_accounts(connection: Connection) -> list[str]:
    """The accounts that are the user's own."""
    its = select(accounts.c.key).where(accounts.c.mine, accounts.c.active).order_by(accounts.c.id)
    return list(connection.scalars(its))


def last_successes(connection: Connection) -> list[tuple[str, int]]:
    """When each configured account was last downloaded without an error, in milliseconds; never: left out."""
    its = select(accounts.c.key, accounts.c.last_success).where(
        accounts.c.active, accounts.c.last_success.is_not(None)
    )
    return [(key, last_success) for key, last_success in connection.execute(its.order_by(accounts.c.id))]


def _dossiers(connection: Connection) -> dict[int, list[str]]:
    """The slugs of the dossiers that follow each account."""
    pairs = (
        select(dossier_accounts.c.account_id, dossiers.c.slug)
        .join(dossiers, dossiers.c.id == dossier_accounts.c.dossier_id)
        .where(dossiers.c.active)
        .order_by(dossiers.c.position, dossiers.c.id)
    )
    followed: dict[int, list[str]] = {}
    for account_id, slug in connection.execute(pairs):
        followed.setdefault(account_id, []).append(slug)
    return followed


def _site_state(row: Row[*tuple[Any, ...]], now_ms: int) -> SiteState:
    """The site's state; a wait that is over no longer counts."""
    over = row.site_state == _RATE_LIMITED and row.not_before <= now_ms
    state: SiteState = "ok" if row.site_state is None or over else row.site_state
    return state


def _account(row: Row[*tuple[Any, ...]], followed: list[str], now_ms: int) -> shapes.Account:
    site_state = _site_state(row, now_ms)
    held_up = row.state in _ASKED and site_state in _HOLDS_UP
    state: AccountState = site_state if held_up else row.state  # type: ignore[assignment] # one that holds up
    next_due = max(row.due_at, row.not_before or 0)
    return {
        "account": row.key,
        "site": row.site,
        "kind": row.kind,
        "name": row.display,
        "state": state,
        "since": rfc3339(row.site_since if held_up else row.state_since),
        "until": rfc3339(row.not_before) if held_up and site_state == _RATE_LIMITED else None,
        "mine": row.mine,
        "configured": row.active,
        "dossiers": followed,
        "every": row.every,
        "games": row.games,
        "last_success": rfc3339(row.last_success),
        "last_attempt": rfc3339(row.last_attempt),
        "next_due": rfc3339(next_due) if row.active and next_due else None,
        "failures": row.failures,
        "error": row.error or (row.site_error if held_up else None),
    }


def _site(row: Row[*tuple[Any, ...]], now_ms: int) -> shapes.Site:
    state = _site_state(row, now_ms)
    waits = (row.not_before or 0) > now_ms
    return {
        "site": row.site,
        "state": state,
        "since": rfc3339(row.site_since) if state != "ok" else None,
        "until": rfc3339(row.not_before) if waits else None,
        "failures": 0 if row.site_state in {None, "ok"} else row.site_failures,
        "error": row.site_error if state != "ok" else None,
        "accounts": row.accounts,
        "backlog": row.backlog,
        "last_success": rfc3339(row.last_success),
    }


_GATE = (
    sites.c.state.label("site_state"),
    sites.c.since.label("site_since"),
    sites.c.not_before,
    sites.c.failures.label("site_failures"),
    sites.c.error.label("site_error"),
)

_ACCOUNTS = (
    select(
        *(column for column in accounts.c if column.name not in {"cursor", "permanent_id"}),
        *_GATE,
        select(func.count())
        .select_from(telling_accounts)
        .where(telling_accounts.c.account_id == accounts.c.id)
        .scalar_subquery()
        .label("games"),
    )
    .outerjoin(sites, sites.c.site == accounts.c.site)
    .order_by(accounts.c.id)
)


def _sites(now_ms: int) -> Any:
    due = and_(accounts.c.due_at <= now_ms, accounts.c.state != "closed")
    return (
        select(
            accounts.c.site,
            *_GATE,
            func.count().label("accounts"),
            func.count().filter(due).label("backlog"),
            func.max(accounts.c.last_success).label("last_success"),
        )
        .outerjoin(sites, sites.c.site == accounts.c.site)
        .where(accounts.c.active)
        .group_by(accounts.c.site, *_GATE)
        .order_by(accounts.c.site)
    )
