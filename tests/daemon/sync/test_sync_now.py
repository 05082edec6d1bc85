"""`gamekeeper sync`, as a process against the emulated sites."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.daemon.installation import Installation
from tests.fetchers.site_emulator.emulator import Emulator

OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """Both sites, with a few players and games."""
    with Emulator(seed=3) as sites:
        for site in ("lichess", "chesscom"):
            for handle in ("mrossi90", "BianchiL", "Verdi_G"):
                sites.world.add_player(site, handle)
            for number in range(4):
                sites.world.add_game(site, "mrossi90", "BianchiL", at=OCTOBER.replace(day=5 + number))
            sites.world.add_game(site, "Verdi_G", "BianchiL", at=OCTOBER.replace(day=20))
        yield sites


@pytest.fixture
def place(tmp_path: Path, sites: Emulator) -> Installation:
    """Own accounts on both sites, and a dossier."""
    place = Installation(tmp_path, sites)
    place.configure(
        mine=["lichess:mrossi90", "chesscom:mrossi90"], dossiers={"Luca Bianchi": ["lichess:BianchiL"]}
    )
    return place


def _by_account(answer: dict[str, list[dict[str, object]]]) -> dict[object, dict[str, object]]:
    return {item["account"]: item for item in answer["items"]}


def test_all_accounts_are_downloaded_once(place: Installation, sites: Emulator) -> None:
    """The first sync brings all games, the second one nothing, and no site has anything to complain of."""
    first, second = _by_account(place.json("sync")), _by_account(place.json("sync"))

    assert {key: item["new"] for key, item in first.items()} == {
        "lichess:mrossi90": 4,
        "chesscom:mrossi90": 4,
        "lichess:bianchil": 1,
    }
    assert [item["new"] for item in second.values()] == [0, 0, 0]
    assert {item["outcome"] for item in second.values()} == {"done"}
    assert len(place.json("games")["items"]) == 9
    assert not sites.violations


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["--account", "lichess:BianchiL"], ["lichess:bianchil"]),
        (["--dossier", "luca-bianchi"], ["lichess:bianchil"]),
        (["--me"], ["lichess:mrossi90", "chesscom:mrossi90"]),
    ],
)
def test_some_accounts_only(place: Installation, arguments: list[str], asked: list[str]) -> None:
    """--account, --dossier and --me choose; the account's capitals don't count."""
    assert [item["account"] for item in place.json("sync", *arguments)["items"]] == asked


def test_an_account_that_is_not_configured_is_wrong_use(place: Installation) -> None:
    """An account or dossier that the configuration does not have is said so, with those that it has."""
    account = place.call("sync", "--account", "lichess:nobody")
    dossier = place.call("sync", "--dossier", "nobody")

    assert (account.returncode, dossier.returncode) == (2, 2)
    assert "lichess:mrossi90" in account.stderr
    assert "luca-bianchi" in dossier.stderr


def test_a_site_that_asked_us_to_wait_is_not_asked(place: Installation, sites: Emulator) -> None:
    """Within the wait of a 429 `sync` does not ask, says until when, and exits 1; the other site goes on."""
    sites.fault("lichess", kind="rate_limit", retry_after="600", times=1)
    place.call("sync")
    asked = len([one for one in sites.requests if one.site == "lichess"])

    again = place.call("sync")

    assert again.returncode == 1
    assert "lichess has asked us to wait; it is not asked before 20" in again.stderr
    assert len([one for one in sites.requests if one.site == "lichess"]) == asked
    assert len(place.json("games")["items"]) == 4


def test_no_network_is_said_per_site_and_loses_nothing(tmp_path: Path) -> None:
    """Without a network each site is named with the reason, and the exit code is 1."""
    place = Installation(tmp_path)
    place.configure(mine=["lichess:mrossi90", "chesscom:mrossi90"])

    ended = place.call("sync")

    assert ended.returncode == 1
    assert "lichess:mrossi90: 127.0.0.1" in ended.stderr
    assert "chesscom:mrossi90: 127.0.0.1" in ended.stderr
    assert ended.stderr.count("lichess:mrossi90: 127.0.0.1") == 1
    assert "{" not in ended.stderr, "the log says nothing a second time"
    assert "Traceback" not in ended.stderr


def test_full_asks_for_everything_again(place: Installation, sites: Emulator) -> None:
    """--full finds games that the usual overlap would not ask for."""
    place.call("sync")
    sites.world.add_game("lichess", "mrossi90", "BianchiL", at=datetime(2025, 1, 1, tzinfo=UTC))

    usual, full = _by_account(place.json("sync", "--me")), _by_account(place.json("sync", "--me", "--full"))

    assert usual["lichess:mrossi90"]["new"] == 0
    assert full["lichess:mrossi90"]["new"] == 1


def test_an_unknown_account_is_a_problem_of_its_own(place: Installation) -> None:
    """An account that the site does not know costs exit code 1, the others are downloaded."""
    place.configure(mine=["lichess:mrossi90", "lichess:nosuchplayer"])

    ended = place.call("sync")

    assert ended.returncode == 1
    assert "lichess knows no account nosuchplayer" in ended.stderr
    assert len(place.json("games")["items"]) == 4


def test_without_accounts_there_is_nothing_to_download(tmp_path: Path) -> None:
    """A configuration without accounts is not an error."""
    place = Installation(tmp_path)
    place.configure()

    ended = place.call("sync")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "no accounts" in ended.stdout
