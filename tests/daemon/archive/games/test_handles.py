"""Handles change their owners, and owners their handles."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from daemon.archive.archive import Archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.reading.dossiers import dossier
from daemon.config.configured import ConfiguredDossier
from daemon.sync.pacing import DAY, HOUR, RoundEnd
from tests.daemon.sync_rig import Bench
from tests.fetchers.site_emulator.emulator import Emulator

OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)
NOVEMBER = datetime(2026, 11, 29, 18, tzinfo=UTC)


@pytest.fixture
def bench(archive: Archive) -> Iterator[Bench]:
    """An account on chess.com with three games, downloaded."""
    with Emulator(seed=3) as sites:
        sites.world.add_player("chesscom", "BianchiL")
        for day in range(3):
            sites.world.add_game("chesscom", "BianchiL", "Verdi_G", at=OCTOBER.replace(day=1 + day))
        bench = Bench(archive, sites)
        bench.run("chesscom:BianchiL")
        bench.now += DAY
        yield bench


def test_a_renamed_account_keeps_its_games_under_both_handles(bench: Bench) -> None:
    """Same `player_id`, new handle: the old one is renamed, its games come once, the dossier has all (gallery-dl#631)."""
    bench.sites.world.rename("chesscom", "BianchiL", "Luca-Bianchi")
    report = bench.run("chesscom:Luca-Bianchi")
    with bench.archive.writing() as connection:
        sync_dossiers(connection, [ConfiguredDossier("Luca", "luca", None, [], ["chesscom:luca-bianchi"])])

    with bench.archive.reading() as connection:
        found = dossier(connection, "luca")

    assert report.outcome is RoundEnd.DONE
    assert report.counts.new == 0
    assert bench.account("chesscom:bianchil").state == "renamed"
    assert bench.games() == 3
    assert found is not None
    assert found["games"] == 3


def test_a_handle_with_another_owner_is_flagged_and_nothing_is_merged_or_lost(bench: Bench) -> None:
    """The handle was given up and taken by somebody else: said, nothing of theirs enters, its games stay (mutt-wizard#779)."""
    bench.sites.world.rename("chesscom", "BianchiL", "Luca-Bianchi")
    bench.sites.world.add_player("chesscom", "BianchiL")
    bench.sites.world.add_game("chesscom", "BianchiL", "Verdi_G", at=NOVEMBER)
    bench.now += 7 * DAY

    report = bench.run("chesscom:BianchiL")

    assert report.error is not None
    assert "belongs to another account now" in report.error
    assert bench.account("chesscom:bianchil").error == report.error
    assert bench.games() == 3


def test_who_comes_after_a_missing_account_is_looked_at(bench: Bench) -> None:
    """404, and an hour later games again: the profile is looked at first, and a stranger's games never enter."""
    bench.sites.world.rename("chesscom", "BianchiL", "Luca-Bianchi")
    assert bench.run("chesscom:BianchiL").outcome is RoundEnd.NOT_FOUND
    bench.sites.world.add_player("chesscom", "BianchiL")
    bench.sites.world.add_game("chesscom", "BianchiL", "Verdi_G", at=NOVEMBER)
    for _ in range(3):
        bench.now += HOUR
        report = bench.run("chesscom:BianchiL")
        assert "belongs to another account now" in (report.error or "")

    assert bench.games() == 3
    assert [one.path for one in bench.sites.requests].count("/pub/player/bianchil/games/archives") == 2


def test_an_owner_who_comes_back_is_welcome(bench: Bench) -> None:
    """404 for an hour, then the same account as ever: it goes on as before."""
    bench.sites.world.rename("chesscom", "BianchiL", "Luca-Bianchi")
    bench.run("chesscom:BianchiL")
    bench.sites.world.rename("chesscom", "Luca-Bianchi", "BianchiL")
    bench.sites.world.add_game("chesscom", "BianchiL", "Verdi_G", at=NOVEMBER)
    bench.now += HOUR

    assert bench.run("chesscom:BianchiL").outcome is RoundEnd.DONE
    assert bench.games() == 4


def test_a_closed_account_whose_games_are_still_told_is_closed(bench: Bench) -> None:
    """chess.com may go on telling of a closed account: its games come, its state says so, it is asked daily."""
    bench.sites.world.close_account("chesscom", "BianchiL", "closed:fair_play_violations")
    bench.sites.world.add_game("chesscom", "BianchiL", "Verdi_G", at=NOVEMBER)
    bench.now += 7 * DAY

    report = bench.run("chesscom:BianchiL")

    assert report.outcome is RoundEnd.CLOSED
    assert bench.account("chesscom:bianchil").state == "closed"
    assert bench.games() == 4
    assert report.due_at == bench.now + DAY


def test_the_display_form_is_the_sites_own(bench: Bench) -> None:
    """An account is shown as its site writes it, however it was typed."""
    bench.sites.world.add_player("chesscom", "VerdiG")

    bench.run("chesscom:VERDIG")

    assert bench.account("chesscom:verdig").display == "VerdiG"


def test_the_profile_is_looked_at_weekly(bench: Bench) -> None:
    """A round within the week asks for no profile, one after it does."""
    bench.sites.clear_log()
    bench.run("chesscom:BianchiL")
    within = [one.path for one in bench.sites.requests]
    bench.now += 7 * DAY
    bench.sites.clear_log()
    bench.run("chesscom:BianchiL")

    assert "/pub/player/bianchil" not in within
    assert "/pub/player/bianchil" in [one.path for one in bench.sites.requests]
