"""`gamekeeper dossier check SLUG`: a person across sites, told and never merged."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.daemon.installation import Installation
from tests.fetchers.site_emulator.emulator import Emulator

OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """A person with an account on each site, and three games on one of them."""
    with Emulator(seed=2) as sites:
        sites.world.add_player("lichess", "BianchiL")
        sites.world.add_player("chesscom", "Luca-Bianchi")
        for day in (1, 2, 3):
            sites.world.add_game("lichess", "BianchiL", "Verdi_G", at=OCTOBER.replace(day=day))
        yield sites


@pytest.fixture
def place(tmp_path: Path, sites: Emulator) -> Installation:
    """The person's dossier, with an account that does not exist, and another dossier."""
    place = Installation(tmp_path, sites)
    accounts = ["lichess:bianchil", "chesscom:luca-bianchi", "chesscom:nobody-here"]
    place.configure(dossiers={"Luca Bianchi": accounts, "Gino Verdi": ["lichess:Verdi_G"]})
    return place


def test_each_account_is_told_with_what_the_site_says(place: Installation) -> None:
    """Exists, display form, since when, games there and here; another dossier is not asked for."""
    place.call("sync", "--dossier", "luca-bianchi")

    items = {one["subject"]: one for one in place.json("dossier", "check", "luca-bianchi")["items"]}

    assert set(items) == {"archive", "lichess:bianchil", "chesscom:luca-bianchi", "chesscom:nobody-here"}
    lichess, chesscom = items["lichess:bianchil"], items["chesscom:luca-bianchi"]
    assert (lichess["exists"], lichess["display"], lichess["problem"]) == (True, "BianchiL", False)
    assert (lichess["games_there"], lichess["games_here"]) == (3, 3)
    assert lichess["since"].startswith("20")
    assert (chesscom["display"], chesscom["games_here"]) == ("Luca-Bianchi", 0)
    missing = items["chesscom:nobody-here"]
    assert (missing["exists"], missing["problem"], missing["display"]) == (False, True, None)


def test_checking_changes_no_games(place: Installation) -> None:
    """The check reports; the archive is as it was."""
    place.call("sync")
    before = place.json("games")

    place.call("dossier", "check", "luca-bianchi")

    assert place.json("games") == before


def test_a_dossier_that_is_not_configured_is_wrong_use(place: Installation) -> None:
    """An unknown slug ends with exit code 2."""
    assert place.call("dossier", "check", "nobody").returncode == 2
