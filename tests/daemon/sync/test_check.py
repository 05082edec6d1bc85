"""The dossiers of the configuration, compared with the archive and asked for at the sites."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.archive.archive import Archive
from daemon.config import Config
from daemon.service.wiring import configure_archive
from daemon.sync.check import DossierFinding, check_dossiers
from tests.fetchers.site_emulator.emulator import Emulator

CONFIG = """
[daemon]
data_dir = "data"
contact = "test@example.org"
[me]
first_name = "Mario"
last_name = "Rossi"
[sites.lichess]
base_url = "{url}"
[[dossier]]
name = "Anna Neri"
accounts = ["lichess:anna1", "lichess:anna2", "lichess:anna3"]
[[dossier]]
name = "Carla Verdi"
accounts = ["lichess:carla"]
"""


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """Both sites, with everybody there."""
    with Emulator() as sites:
        for handle in ("anna1", "anna2", "anna3", "carla"):
            sites.world.add_player("lichess", handle)
        yield sites


@pytest.fixture
def config(tmp_path: Path, sites: Emulator) -> Config:
    """Two dossiers whose accounts are at the emulated site."""
    file = tmp_path / "gamekeeper.toml"
    file.write_text(CONFIG.format(url=sites.lichess_url))
    (tmp_path / "data").mkdir()
    return Config.load(file)


def by_subject(found: list[DossierFinding]) -> dict[str, DossierFinding]:
    return {one["subject"]: one for one in found}


def test_all_accounts_of_a_dossier_are_asked_for(archive: Archive, config: Config, sites: Emulator) -> None:
    """Of each account is said what the site knows of it; another dossier is not asked for."""
    configure_archive(archive, config)
    found = by_subject(check_dossiers(config, archive, "anna-neri", offline=False))
    assert set(found) == {"archive", "lichess:anna1", "lichess:anna2", "lichess:anna3"}
    account = found["lichess:anna1"]
    assert (account["exists"], account["display"], account["games_there"], account["games_here"]) == (
        True,
        "anna1",
        0,
        0,
    )
    assert not account["problem"]
    assert sites.violations == []


def test_offline_no_site_is_asked(archive: Archive, config: Config, sites: Emulator) -> None:
    """The archive alone is looked at: these dossiers have never been taken over."""
    found = check_dossiers(config, archive, None, offline=True)
    assert [(one["dossier"], one["detail"].partition(":")[0]) for one in found] == [
        ("anna-neri", "not in the archive yet"),
        ("carla-verdi", "not in the archive yet"),
    ]
    assert not sites.requests


def test_one_account_that_fails(archive: Archive, config: Config, sites: Emulator) -> None:
    """Where the site fails on one account alone, the others are asked for all the same."""
    sites.fault("lichess", kind="status", code=500, account="anna2", times=None)
    found = by_subject(check_dossiers(config, archive, None, offline=False))
    failed = {subject for subject, one in found.items() if subject != "archive" and one["problem"]}
    assert failed == {"lichess:anna2"}
    assert (found["lichess:anna2"]["exists"], found["lichess:anna3"]["exists"]) == (None, True)


def test_a_site_that_fails(archive: Archive, config: Config, sites: Emulator) -> None:
    """Where the site fails altogether, nobody else is asked for, and its order to wait is kept the next time."""
    sites.fault("lichess", kind="rate_limit", retry_after="300")
    found = by_subject(check_dossiers(config, archive, None, offline=False))
    assert all(one["problem"] for one in found.values())
    asked = len(sites.requests)
    again = by_subject(check_dossiers(config, archive, None, offline=False))
    assert "ordered a wait until" in again["lichess:carla"]["detail"]
    assert (len(sites.requests), sites.violations) == (asked, [])
