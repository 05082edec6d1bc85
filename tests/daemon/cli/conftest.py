"""An installation with a few games, for the tests of the commands that read."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daemon.archive.archive import Archive, open_archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.cli import main
from daemon.config.configured import ConfiguredDossier
from tests.daemon.cli.terminal import Terminal
from tests.daemon.seeding import downloaded, fill, follow, game_between, named, online

Run = Callable[..., Result]

CONFIG = """
[daemon]
data_dir = "data"
contact = "test@example.org"
[me]
first_name = "Mario"
last_name = "Rossi"
aliases = ["lichess:mrossi90"]
[[dossier]]
name = "Giulia Bianchi"
names = ["Bianchi, Giulia"]
accounts = ["lichess:GBianchi"]
"""


@pytest.fixture(name="config")
def _config(tmp_path: Path) -> Path:
    return configured(tmp_path)


@pytest.fixture(scope="session")
def filled_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as `filling` makes it, to be copied."""
    config = configured(tmp_path_factory.mktemp("filled"))
    with filling(config):
        return config.parent / "data"


@pytest.fixture(name="filled")
def _filled(config: Path, filled_data: Path) -> Iterator[Archive]:
    """The archive of the configuration with five games, one of them downloaded."""
    data = shutil.copytree(filled_data, config.parent / "data")
    with open_archive(data / "gamekeeper.sqlite") as archive:
        yield archive


@pytest.fixture(name="run")
def _run(config: Path, filled: Archive) -> Run:
    return runner(config)


def configured(folder: Path) -> Path:
    """The configuration, in this folder."""
    path = folder / "gamekeeper.toml"
    path.write_text(CONFIG)
    return path


@contextmanager
def filling(config: Path) -> Iterator[Archive]:
    """The archive of the configuration with five games, one of them downloaded."""
    with open_archive(config.parent / "data" / "gamekeeper.sqlite") as archive:
        archive.migrate()
        accounts = follow(archive, ["lichess:mrossi90", "lichess:gbianchi"])
        with archive.writing() as connection:
            names = ["Bianchi, Giulia"]
            wanted = ConfiguredDossier("Giulia Bianchi", "giulia-bianchi", None, names, ["lichess:gbianchi"])
            sync_dossiers(connection, [wanted])
        downloaded(
            archive, accounts["lichess:mrossi90"], [online("mrossi90", "GBianchi", "abcdefgh", eco="B90")]
        )
        games = [
            game_between("Rossi, Mario", named("Carlsen, Magnus", "1503014"), "2024.05.01", site="Roma"),
            game_between("Bianchi, Giulia", "Öberg, Lars", "2023.01.01"),
            game_between("Rossini, Matteo", "丁立人", "2022.01.01"),
            game_between("Evil \x1b[31m, Name", "[bold]Verdi, Luca", "2021.01.01"),
        ]
        fill(archive, games)
        yield archive


def runner(config: Path) -> Run:
    """Runs commands with this configuration, which must end with *code*."""

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(main, ["--config", str(config), *arguments])
        assert result.exit_code == code, result.output
        return result

    return run


@pytest.fixture(name="terminal")
def _terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 80 columns without colours."""
    return Terminal(monkeypatch)
