"""What a round gathers of a fetcher's steps, and stores."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from daemon.archive.archive import Archive
from daemon.archive.schedule import accounts, rounds
from daemon.archive.schedule.accounts import AccountRow
from daemon.config.configured import ConfiguredAccount
from daemon.sync.batch import Progress, RoundBatches
from fetchers.base import Checkpoint, LeftOut, Step
from tests.daemon.made_up import ITALIAN, lichess
from tests.daemon.seeding import in_quarantine

NOW = 1_700_000_000_000


@pytest.fixture
def mine(archive: Archive) -> AccountRow:
    """An account."""
    with archive.writing() as connection:
        accounts.sync_accounts(
            connection, [ConfiguredAccount("lichess", "mrossi90", "MRossi90", mine=True, every=60)]
        )
        (row,) = accounts.all_accounts(connection)
    return row


def gathered(
    archive: Archive, account: AccountRow, steps: Sequence[Step]
) -> tuple[RoundBatches, list[Progress]]:
    """A round of these steps."""
    with archive.writing() as connection:
        round_id = rounds.begin_round(connection, "sync", account.key, account.id, NOW)
    seen: list[Progress] = []
    gathering = RoundBatches(archive, account, round_id, lambda: NOW, seen.append)
    for step in steps:
        gathering.take(step)
    return gathering, seen


def test_a_checkpoint_ends_a_batch(archive: Archive, mine: AccountRow) -> None:
    """Games, what is left out and the cursor are stored together; what comes after it waits for the next one."""
    steps: list[Step] = [
        lichess("abcdefgh"),
        LeftOut("running1", "running"),
        Checkpoint({"newest": 1}),
        lichess("hgfedcba", ITALIAN),
    ]
    gathering, seen = gathered(archive, mine, steps)
    assert [(one.seen, one.counts.new, one.counts.left_out) for one in seen] == [(2, 1, 1)]
    assert gathering.seen == 3
    with archive.reading() as connection:
        row = accounts.account(connection, mine.key)
    assert row is not None
    assert row.cursor == {"newest": 1}
    gathering.store()
    assert gathering.counts.new == 2


def test_a_game_that_no_database_holds(archive: Archive, mine: AccountRow) -> None:
    """It waits in quarantine with its account, site, id and the reason; its neighbours are stored."""
    bad = replace(lichess("badbadba"), event="Open\0of Torino")
    steps: list[Step] = [lichess("abcdefgh"), bad, lichess("hgfedcba", ITALIAN), Checkpoint({})]
    gathering, _ = gathered(archive, mine, steps)
    counts = gathering.counts
    assert (counts.read, counts.new, counts.quarantined) == (3, 2, 1)
    assert gathering.reason == "a text of the game holds a NUL character"
    with archive.reading() as connection:
        (kept,) = in_quarantine(connection)
    item = kept.item
    assert (item.source, item.account_id, item.site, item.native_id, item.raw, item.reason) == (
        "lichess:mrossi90",
        mine.id,
        "lichess",
        "badbadba",
        bad.raw,
        gathering.reason,
    )
