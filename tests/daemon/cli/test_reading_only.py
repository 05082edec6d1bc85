"""Commands that read change nothing, whichever gamekeeper made the archive."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.players import Profile
from daemon.api.app import create_app
from daemon.api.server import Server
from daemon.archive.archive import open_archive
from daemon.archive.database.schema import CURRENT, Schema
from daemon.cli import main
from daemon.config.values import Listen
from tests.daemon.installation import free_port
from tests.daemon.other_rules import made_by_others, other_rules
from tests.daemon.seeding import fill, game_between

READING: Sequence[Sequence[str]] = (
    ("search", "ros"),
    ("games",),
    ("export", "--format", "csv"),
    ("status",),
    ("dossier", "list"),
    ("edits",),
    ("quarantine", "list"),
    ("club", "list"),
    ("explain", "games", "1", "1"),
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration, and an archive that a gamekeeper of other rules has made."""
    (tmp_path / "data").mkdir(mode=0o700)
    with open_archive(tmp_path / "data" / "gamekeeper.sqlite") as archive:
        archive.migrate()
        with other_rules():
            fill(archive, [game_between("Rossi, Mario", "Bianchi, Anna")])
            made_by_others(archive)
    file = tmp_path / "gamekeeper.toml"
    file.write_text('[daemon]\ndata_dir = "data"\n')
    return file


def run(config: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--config", str(config)])


def state(config: Path) -> tuple[bytes, list[str]]:
    """The bytes of the archive, and which files lie beside it; SQLite keeps its own there."""
    data = config.parent / "data"
    own = ("-wal", "-shm")
    return (data / "gamekeeper.sqlite").read_bytes(), sorted(
        path.name for path in data.iterdir() if not path.name.endswith(own)
    )


def test_no_key_is_made_again_by_reading(config: Path) -> None:
    """Every command that reads leaves the archive byte for byte as it was, without a copy beside it."""
    before = state(config)
    for command in READING:
        result = run(config, *command)
        assert result.exit_code == 0, result.output
        assert state(config) == before, command


def test_keys_by_other_rules_are_not_verified(config: Path) -> None:
    """`verify` says that they are others' before it finds all of them wrong; whatever writes makes them ours."""
    before = state(config)
    result = run(config, "verify")
    assert result.exit_code == 78
    assert "recognised by other rules" in result.stderr
    assert state(config) == before
    assert run(config, "backup").exit_code == 0
    assert any(".before-keys." in name for name in state(config)[1])
    assert run(config, "verify").exit_code == 0


def test_the_older_daemon_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an update, until the daemon is restarted, what reads asks it; without a daemon it says what to do."""
    (tmp_path / "data").mkdir(mode=0o700)
    listen = Listen("127.0.0.1", free_port())
    file = tmp_path / "gamekeeper.toml"
    file.write_text(f'[daemon]\ndata_dir = "data"\n[api]\nlisten = "{listen}"\n')
    revisions = tmp_path / "revisions"
    revisions.mkdir()
    (revisions / "9999_tomorrow.py").write_text(
        f'revision = "9999"\ndown_revision = "{CURRENT.head}"\nbranch_labels = depends_on = None\n'
        "def upgrade() -> None:\n    raise AssertionError('a reader has migrated')\n"
    )
    tomorrow = Schema("9999", (*CURRENT.folders, revisions))
    with open_archive(tmp_path / "data" / "gamekeeper.sqlite") as archive:
        archive.migrate()
        fill(archive, [game_between("Rossi, Mario", "Bianchi, Anna")])
        monkeypatch.setattr("daemon.archive.archive.open_archive", partial(open_archive, schema=tomorrow))
        refused = run(file, "games")
        server = Server(create_app(archive, Profile(), version="1"), listen, has_token=False)
        server.start()
        try:
            asked = run(file, "games")
        finally:
            server.stop()
    assert (refused.exit_code, "reading does not change it" in refused.stderr) == (78, True)
    assert (asked.exit_code, "Rossi" in asked.stdout) == (0, True), asked.output
    assert "the archive still has its older version" in asked.stderr


def test_a_migrated_archive_is_only_read(config: Path) -> None:
    """`status` looks for the backups of an archive that an older gamekeeper has made, and does not write into it."""
    data = config.parent / "data"
    for file in data.iterdir():
        file.unlink()
    with open_archive(data / "gamekeeper.sqlite", schema=Schema("0001")) as archive:
        archive.migrate()
        with archive.writing() as connection:
            connection.exec_driver_sql("DELETE FROM settings WHERE name = 'archive_id'")
    with open_archive(data / "gamekeeper.sqlite") as archive:
        assert archive.migrate()
    before = state(config)
    assert run(config, "status").exit_code == 0
    assert state(config) == before
