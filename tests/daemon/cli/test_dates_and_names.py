"""Dates with the day first, dossiers' namesakes, accounts by their names, and what a shell completes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

from daemon.archive.archive import Archive
from daemon.cli import main
from daemon.cli.dates import year_first
from tests.daemon.cli.conftest import CONFIG
from tests.daemon.cli.test_reading_commands import of
from tests.daemon.seeding import fill, game_between

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("12.05.2024", "2024.05.12"),
        ("1.5.2024", "2024.05.01"),
        ("5.2024", "2024.05"),
        ("2024.05.12", "2024.05.12"),
        ("2024-05-12", "2024-05-12"),
        ("2024", "2024"),
        ("05/12/2024", "05/12/2024"),
        ("112.05.2024", "112.05.2024"),
    ],
)
def test_the_day_may_stand_first(typed: str, read: str) -> None:
    """With dots between; what is written otherwise is read by the usual rules."""
    assert year_first(typed) == read


def test_dates_with_the_day_first_in_options(run: Run) -> None:
    """Games and edit take them; a day that no calendar has is refused, in either order."""
    found = of(run("games", "--json", "--from", "01.05.2024", "--to", "1.5.2024"))
    assert [game["id"] for game in found["items"]] == [2]
    for wrong in ("31.02.2024", "2024-02-31"):
        assert "calendar" in run("games", "--from", wrong, code=2).stderr
    assert "not a date" in run("games", "--from", "05/12/2024", code=2).stderr
    run("edit", "game", "2", "--date", "03.05.2024")
    assert of(run("game", "2", "--json"))["date"] == "2024.05.03"


@pytest.fixture(name="headed")
def _headed(config: Path, filled: Archive) -> Run:
    """A dossier whose heading is the name of a player over the board whom it does not take in."""
    from daemon.archive.dossiers.rows import sync_dossiers
    from daemon.config.configured import ConfiguredDossier
    from tests.daemon.cli.conftest import runner

    config.write_text(f'{CONFIG}\n[[dossier]]\nname = "Luca Verdi"\naccounts = ["lichess:lverdi"]\n')
    fill(filled, [game_between("Verdi, Luca", "Neri, Anna", "2019.01.01")])
    wanted = [
        ConfiguredDossier(
            "Giulia Bianchi", "giulia-bianchi", None, ["Bianchi, Giulia"], ["lichess:gbianchi"]
        ),
        ConfiguredDossier("Luca Verdi", "luca-verdi", None, [], []),
    ]
    with filled.writing() as connection:
        sync_dossiers(connection, wanted)
    return runner(config)


def test_who_is_left_out_is_told(headed: Run) -> None:
    """check-config, dossier show and dossier check say who, and what to write."""
    line = '"Verdi, Luca" (1 game) is left out; if it is the same person: names = ["Verdi, Luca"]'
    assert f'dossier "Luca Verdi": {line}' in headed("check-config").stderr
    assert line in headed("dossier", "show", "luca-verdi").stdout
    assert line in headed("dossier", "check", "luca-verdi", "--offline", code=1).stdout
    shown = of(headed("dossier", "show", "luca-verdi", "--json"))
    assert [one["line"] for one in shown["left_out"]] == ['names = ["Verdi, Luca"]']
    assert "left out" not in headed("dossier", "show", "giulia-bianchi").stdout


def test_a_dossier_as_json_has_its_newest_games(run: Run) -> None:
    """As the table for people has them."""
    assert [game["id"] for game in of(run("dossier", "show", "giulia-bianchi", "--json"))["newest"]] == [1, 3]


def test_check_config_makes_no_archive(config: Path) -> None:
    """Where there is none yet, none is made to look for players."""
    from tests.daemon.cli.conftest import runner

    runner(config)("check-config")
    assert not (config.parent / "data").exists()


def test_sync_takes_accounts_by_name(run: Run) -> None:
    """Without --account, several at once; one that is not configured is refused with those that are."""
    refused = run("sync", "lichess:mrossi90", "lichess:nobody", code=2).stderr
    assert 'no account "lichess:nobody" (it has: lichess:mrossi90, lichess:gbianchi)' in refused
    assert "exclude each other" in run("sync", "lichess:mrossi90", "--me", code=2).stderr


def completed(config: Path, *arguments: str) -> list[str]:
    """What a shell offers for the last of these words."""
    *before, begun = arguments
    complete = ShellComplete(main, {}, "gamekeeper", "_GAMEKEEPER_COMPLETE")
    return [one.value for one in complete.get_completions(["--config", str(config), *before], begun)]


def test_what_a_shell_completes(run: Run, config: Path) -> None:
    """Commands, dossiers, accounts, tournaments and the words of an option."""
    run("club", "new", "Club", "--short", "vm-26")
    assert completed(config, "qua") == ["quarantine"]
    assert completed(config, "dossier", "show", "") == ["giulia-bianchi"]
    assert completed(config, "games", "--dossier", "giu") == ["giulia-bianchi"]
    assert completed(config, "games", "--account", "LICHESS:g") == ["lichess:gbianchi"]
    assert completed(config, "sync", "") == ["lichess:mrossi90", "lichess:gbianchi"]
    assert completed(config, "club", "standings", "v") == ["vm-26"]
    assert "blitz" in completed(config, "games", "--time-class", "b")


def test_completion_needs_no_configuration(tmp_path: Path) -> None:
    """Where nothing can be read, nothing is offered, and nothing is made."""
    missing = tmp_path / "gamekeeper.toml"
    assert completed(missing, "dossier", "show", "") == []
    assert completed(missing, "club", "standings", "") == []
    missing.write_text(CONFIG)
    assert completed(missing, "club", "standings", "") == []
    assert not (tmp_path / "data").exists()
