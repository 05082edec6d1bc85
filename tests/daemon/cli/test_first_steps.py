"""What a person is told before there is anything, or where there is no room for it."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from structlog.testing import capture_logs

from daemon.archive.archive import Archive, open_archive
from daemon.archive.errors import DiskFull
from daemon.archive.lock import only_daemon
from daemon.cli import exits, main
from daemon.config import Config
from daemon.sync.build import Downloads
from tests.fetchers.site_emulator.emulator import Emulator

DOSSIERS = """
[daemon]
data_dir = "data"
contact = "mrossi90@example.org"
[[dossier]]
name = "Verdi, Carla"
[[dossier]]
name = "Neri, Anna"
"""
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a folder of its own with the configuration in it."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, [*arguments, "--config", "gamekeeper.toml"])


def write(tmp_path: Path, text: str) -> None:
    (tmp_path / "gamekeeper.toml").write_text(text)


def games(count: int, *, moves: str = "1. e4 e5") -> str:
    head = '[Event "x"]\n[White "Rossi, M"]\n[Black "Neri, A{}"]\n[Result "1-0"]\n\n{} 1-0\n\n'
    return "".join(head.format(number, moves) for number in range(count))


def test_dossiers_that_are_not_in_the_archive_yet_are_named(run: Run, tmp_path: Path) -> None:
    """Before the first sync the archive knows none; that is told of those of the configuration."""
    write(tmp_path, DOSSIERS)
    listed = run("dossier", "list")
    assert listed.exit_code == 0
    assert listed.stdout == ""
    assert (
        "not in the archive until the next `gamekeeper sync` (or `run`): Verdi, Carla, Neri, Anna"
        in listed.stderr
    )


def test_no_dossiers_at_all(run: Run, tmp_path: Path) -> None:
    """Then it is told how to get one; as JSON, the list is empty and nothing else is on standard output."""
    write(tmp_path, '[daemon]\ndata_dir = "data"\n')
    assert "write [[dossier]] into the configuration" in run("dossier", "list").stderr
    assert json.loads(run("dossier", "list", "--json").stdout) == {"items": [], "next": None}


def test_an_import_tells_why_games_are_in_quarantine(run: Run, tmp_path: Path) -> None:
    """The most frequent reasons with their numbers, without what is of one game alone."""
    write(tmp_path, '[daemon]\ndata_dir = "data"\n')
    spoiled = [(4, "1. qz"), (3, "1. e4 Ke4"), (3, "1. e4 Nh3"), (2, "1. e4 ("), (1, "1. e4 )")]
    text = "".join(games(count, moves=moves) for count, moves in spoiled)
    (tmp_path / "a.pgn").write_text(games(2) + text)
    result = run("import", "a.pgn")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("quarantined  13"))
    assert [line.strip() for line in lines[at + 1 : at + 5]] == [
        "6 x illegal move",
        "4 x unknown token …",
        "2 x a variation is not closed",
        "1 x another reason",
    ]
    assert lines[at + 5].startswith("problems")
    answer = json.loads(run("import", "a.pgn", "--again", "--json").stdout)
    assert answer["reasons"][0] == {"reason": "illegal move", "games": 6}


@pytest.mark.slow
def test_an_import_onto_a_full_disk_says_how_far_it_came(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many games are in, and that the next import completes them: it does."""
    from daemon.imports.run import Summary, import_paths
    from daemon.imports.store import SMALL

    write(tmp_path, '[daemon]\ndata_dir = "data"\n')
    (tmp_path / "a.pgn").write_text(games(3000))
    run("status")

    def on_a_full_disk(archive: Archive, paths: tuple[str, ...], **options: Any) -> Summary:
        # The writing connection is kept by the archive: the limit lasts.
        with archive.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 60}")
        return import_paths(archive, paths, **options)

    with monkeypatch.context() as patched:
        patched.setattr("daemon.imports.run.import_paths", on_a_full_disk)
        patched.setattr("daemon.imports.run.LARGE", SMALL)  # a transaction that does not fit leaves nothing
        full = run("import", "a.pgn")
    assert full.exit_code == 78
    first, second = full.stderr.splitlines()[-2:]
    assert "no room left" in first
    with open_archive(tmp_path / "data" / "gamekeeper.sqlite") as archive, archive.reading() as connection:
        held = connection.exec_driver_sql("SELECT count(*) FROM games").scalar_one()
    assert 0 < held < 3000
    assert second == f"taken in before that: {held} games; importing again completes it"
    again = json.loads(run("import", "a.pgn", "--json").stdout)
    assert (again["read"], again["new"], again["unchanged"]) == (3000, 3000 - held, held)


def test_a_daemon_on_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends as other passing errors do, with the path; the pid of one that was killed stays in its file."""
    lock = tmp_path / "daemon.lock"
    lock.write_text("4711")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched, open_archive(tmp_path / "archive.sqlite") as archive:
        archive.migrate()
        patched.setattr(os, "pwrite", full)
        with pytest.raises(DiskFull) as ended, only_daemon(archive, tmp_path):
            pass
    assert str(ended.value).startswith(f"no room left for {lock} (No space left on device)")
    assert exits.code_of(ended.value) == exits.UNUSABLE
    assert lock.read_text() == "4711"
    with open_archive(tmp_path / "archive.sqlite") as archive, only_daemon(archive, tmp_path) as held:
        assert held.unclean
        assert lock.read_text() == str(os.getpid())


def test_a_data_dir_that_cannot_be_made_is_told_by_check_config(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in its way, or no right to its folder; nothing is made, and another user may be meant."""
    (tmp_path / "file").write_text("")
    for folder, message in (
        ("file", f"{tmp_path / 'file'} is a file"),
        ("file/deep/data", f"{tmp_path / 'file'} is a file, so {tmp_path / 'file/deep/data'} cannot be made"),
    ):
        write(tmp_path, f'[daemon]\ndata_dir = "{folder}"\n')
        checked = run("check-config")
        assert checked.exit_code == 0
        assert f"gamekeeper.toml:2:1: data_dir cannot be used: {message}" in checked.stderr
    write(tmp_path, '[daemon]\ndata_dir = "some/data"\n')
    assert "data_dir cannot" not in run("check-config").stderr
    monkeypatch.setattr(os, "access", lambda _path, mode, **_options: not mode & os.W_OK)
    refused = run("check-config").stderr
    assert f"nothing can be written to {tmp_path}, so {tmp_path / 'some/data'} cannot be made" in refused
    assert not (tmp_path / "some").exists()


def test_nobody_is_asked_with_the_contact_of_the_example(run: Run, tmp_path: Path) -> None:
    """`sync` and `dossier check` refuse, the daemon starts no worker; `status` and `check-config` say why, too."""
    with Emulator() as sites:
        sites.world.add_player("lichess", "BianchiL")
        write(
            tmp_path,
            '[daemon]\ndata_dir = "data"\ncontact = "you@example.org"\n[[dossier]]\nname = "Luca Bianchi"\n'
            f'accounts = ["lichess:BianchiL"]\n[sites.lichess]\nbase_url = "{sites.lichess_url}"\n',
        )
        config = Config.load(tmp_path / "gamekeeper.toml")
        message = "no site is asked: contact is still that of the example, you@example.org"
        synced = run("sync")
        assert synced.exit_code == 78
        assert message in synced.stderr
        assert message in run("dossier", "check").stdout.replace("\n", " ")
        assert message in run("status").stdout
        assert message in run("check-config").stderr
        with open_archive(config.database_url()) as archive, capture_logs() as logs:
            downloads = Downloads.start(archive, config)
            downloads.poke()
            downloads.close()
        assert [message in one["event"] for one in logs] == [True]
        assert not sites.requests


def test_an_account_may_be_named_by_its_page(run: Run, tmp_path: Path) -> None:
    """Where a command takes an account it takes the address of its page."""
    with Emulator() as sites:
        sites.world.add_player("lichess", "BianchiL")
        sites.world.add_game("lichess", "BianchiL", "Verdi_G")
        write(
            tmp_path,
            '[daemon]\ndata_dir = "data"\ncontact = "mrossi90@example.org"\n[[dossier]]\nname = "Luca Bianchi"\n'
            'accounts = ["https://lichess.org/@/BianchiL"]\n'
            f'[sites.lichess]\nbase_url = "{sites.lichess_url}"\n',
        )
        assert run("sync", "--account", "https://lichess.org/@/bianchil").exit_code == 0
        found = json.loads(run("games", "--account", "lichess.org/@/BianchiL/all", "--json").stdout)["items"]
        assert len(found) == 1
