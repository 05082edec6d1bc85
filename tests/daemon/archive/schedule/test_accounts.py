"""The rows of the schedule, on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from daemon.archive.archive import Archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.schedule.accounts import (
    AccountRow,
    account,
    all_accounts,
    due,
    is_any_due,
    postpone,
    record_attempt,
    record_failure,
    record_profile,
    record_success,
    set_state,
    store_cursor,
    sync_accounts,
)
from daemon.archive.tables.main import accounts, dossier_accounts, dossiers
from daemon.config.configured import ConfiguredAccount, ConfiguredDossier

NOW = 1_700_000_000_000
MARIO = ConfiguredAccount("lichess", "mrossi90", "MRossi90", mine=True, every=1800)
GINA = ConfiguredAccount("lichess", "gbianchi", "gbianchi", mine=False, every=21600)
NERI = ConfiguredAccount("chesscom", "neri", "Neri", mine=False, every=21600)


def configure(archive: Archive, *wanted: ConfiguredAccount) -> None:
    with archive.writing() as connection:
        sync_accounts(connection, wanted)


def one(archive: Archive, key: str = "lichess:mrossi90") -> AccountRow:
    with archive.reading() as connection:
        row = account(connection, key)
    assert row is not None
    return row


def test_new_accounts(archive: Archive) -> None:
    """A new account is stored in the order of the configuration, and is due at once."""
    configure(archive, MARIO, GINA, NERI)
    with archive.reading() as connection:
        assert [row.key for row in all_accounts(connection)] == [
            "lichess:mrossi90",
            "lichess:gbianchi",
            "chesscom:neri",
        ]
        assert [row.key for row in due(connection, "lichess", 0)] == ["lichess:mrossi90", "lichess:gbianchi"]
        assert account(connection, "lichess:nobody") is None
    row = one(archive)
    assert (row.id, row.display, row.mine, row.state, row.cursor, row.every) == (
        1,
        "MRossi90",
        True,
        "new",
        {},
        1800,
    )


def test_left_out_and_back(archive: Archive) -> None:
    """An account that leaves the configuration is not asked, but nothing of it is forgotten."""
    configure(archive, MARIO, GINA)
    with archive.writing() as connection:
        store_cursor(connection, 1, {"until": 5})
    configure(archive, GINA)
    assert not one(archive).active
    with archive.reading() as connection:
        assert [row.handle for row in due(connection, "lichess", NOW)] == ["gbianchi"]
        assert [row.handle for row in all_accounts(connection, active=False)] == ["mrossi90"]
    configure(archive, GINA, MARIO)
    row = one(archive)
    assert (row.active, row.id, row.cursor) == (True, 1, {"until": 5})


def test_the_same_account_twice(archive: Archive) -> None:
    """An account that is named twice is one."""
    configure(archive, MARIO, MARIO)
    with archive.reading() as connection:
        assert len(all_accounts(connection)) == 1


def test_shorter_interval(archive: Archive) -> None:
    """A shorter interval counts from the last success on; a longer one from the next round on."""
    configure(archive, GINA)
    with archive.writing() as connection:
        record_success(connection, 1, NOW, due_at=NOW + 21_600_000)
    configure(archive, ConfiguredAccount("lichess", "gbianchi", "gbianchi", mine=True, every=60))
    row = one(archive, "lichess:gbianchi")
    assert (row.due_at, row.every, row.mine) == (NOW + 60_000, 60, True)
    configure(archive, GINA)
    assert one(archive, "lichess:gbianchi").due_at == NOW + 60_000


def test_interval_while_backing_off(archive: Archive) -> None:
    """A shorter interval does not cut a wait after failures."""
    configure(archive, GINA)
    with archive.writing() as connection:
        record_success(connection, 1, NOW, due_at=NOW)
        record_failure(connection, 1, NOW, due_at=NOW + 1_000_000, error="no such account")
    configure(archive, ConfiguredAccount("lichess", "gbianchi", "gbianchi", mine=True, every=60))
    assert one(archive, "lichess:gbianchi").due_at == NOW + 1_000_000


def test_rounds_of_an_account(archive: Archive) -> None:
    """Attempts, failures and success are recorded; success ends a series of failures."""
    configure(archive, MARIO)
    with archive.writing() as connection:
        record_attempt(connection, 1, NOW)
        record_failure(connection, 1, NOW + 1, NOW + 10, "BadAnswer: \0 HTML")
        record_failure(connection, 1, NOW + 2, NOW + 20, "again")
    row = one(archive)
    assert (row.failures, row.error, row.due_at, row.last_attempt, row.last_success) == (
        2,
        "again",
        NOW + 20,
        NOW + 2,
        None,
    )
    with archive.writing() as connection:
        record_success(connection, 1, NOW + 3, NOW + 30)
    row = one(archive)
    assert (row.failures, row.error, row.due_at, row.last_success) == (0, None, NOW + 30, NOW + 3)
    assert (row.state, row.state_since) == ("active", NOW + 3)


def test_state_since(archive: Archive) -> None:
    """A state has lasted since it began, not since it was last seen."""
    configure(archive, MARIO)
    with archive.writing() as connection:
        set_state(connection, 1, "not_found", NOW)
        set_state(connection, 1, "not_found", NOW + 5)
    assert (one(archive).state, one(archive).state_since) == ("not_found", NOW)


def test_due_in_order(archive: Archive) -> None:
    """The account that waits longest comes first; what is not due does not come."""
    configure(archive, MARIO, GINA, NERI)
    with archive.writing() as connection:
        postpone(connection, 1, NOW)
        postpone(connection, 2, NOW - 1)
    with archive.reading() as connection:
        assert [row.id for row in due(connection, "lichess", NOW)] == [2, 1]
        assert [row.id for row in due(connection, "lichess", NOW, limit=1)] == [2]
        assert [row.id for row in due(connection, "lichess", NOW - 1)] == [2]
        assert [is_any_due(connection, "lichess", now) for now in (NOW, NOW - 1, NOW - 2)] == [
            True,
            True,
            False,
        ]


def test_due_before_its_time_with_others(archive: Archive) -> None:
    """What is due within a tenth of its interval goes with the others; not what failed, and no event."""
    study = ConfiguredAccount("lichess", "study/abcdefgh", "A study", mine=False, every=21600, kind="study")
    early, late = (NOW + 21600 * share for share in (100, 101))
    configure(archive, MARIO, GINA, replace(GINA, handle="verdi"), study)
    with archive.writing() as connection:
        for number, due_at in enumerate((NOW, early, late, early), 1):
            postpone(connection, number, due_at)
    with archive.reading() as connection:
        assert [row.id for row in due(connection, "lichess", NOW, ahead=0.1)] == [1, 2]
        assert [row.id for row in due(connection, "lichess", NOW)] == [1]
    with archive.writing() as connection:
        record_failure(connection, 2, NOW, early, "no answer")
    with archive.reading() as connection:
        assert [row.id for row in due(connection, "lichess", NOW, ahead=0.1)] == [1]


def test_profile(archive: Archive) -> None:
    """What the site says of an account is kept, and the configuration does not overwrite it."""
    configure(archive, MARIO)
    with archive.writing() as connection:
        record_profile(connection, 1, "mRossi90", "id-7", NOW)
        record_profile(connection, 1, "mRossi90", None, NOW)
    configure(archive, MARIO)
    assert (one(archive).display, one(archive).permanent_id) == ("mRossi90", "id-7")


def dossier(slug: str, *keys: str) -> ConfiguredDossier:
    return ConfiguredDossier(slug.title(), slug, 1234567, ["Bianchi, Gina"], keys)


def test_dossiers(archive: Archive) -> None:
    """Dossiers follow the configuration: order, accounts, and which are active; their ids stay."""
    configure(archive, MARIO, GINA, NERI)
    with archive.writing() as connection:
        sync_dossiers(
            connection,
            [dossier("gina", "lichess:gbianchi", "lichess:gbianchi"), dossier("neri", "chesscom:neri")],
        )
        sync_dossiers(connection, [dossier("neri", "lichess:gbianchi", "chesscom:neri"), dossier("new")])
        columns = (dossiers.c.id, dossiers.c.slug, dossiers.c.active, dossiers.c.position, dossiers.c.names)
        stored = [tuple(row) for row in connection.execute(select(*columns).order_by(dossiers.c.id))]
        linked = select(dossier_accounts.c.dossier_id, accounts.c.key).join(accounts).order_by(accounts.c.id)
        assert [
            tuple(row) for row in connection.execute(linked.where(dossier_accounts.c.dossier_id == 2))
        ] == [
            (2, "lichess:gbianchi"),
            (2, "chesscom:neri"),
        ]
    assert stored == [
        (1, "gina", False, 0, '["Bianchi, Gina"]'),
        (2, "neri", True, 0, '["Bianchi, Gina"]'),
        (3, "new", True, 1, '["Bianchi, Gina"]'),
    ]


def test_dossier_of_an_unknown_account(archive: Archive) -> None:
    """A dossier that names an account which was not configured is a fault of the program."""
    with pytest.raises(KeyError), archive.writing() as connection:
        sync_dossiers(connection, [dossier("gina", "lichess:gbianchi")])
