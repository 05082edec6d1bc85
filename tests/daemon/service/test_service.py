"""`gamekeeper run`, as a process: downloads, watched folders, API, signals."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from daemon.archive.archive import open_archive
from daemon.archive.errors import ArchiveGone
from daemon.archive.reading.totals import totals
from daemon.cli import exits
from daemon.config import Config
from daemon.service.service import Service, Signals
from tests.daemon.installation import COMMAND, PATIENCE, Installation, free_port
from tests.daemon.seeding import fill, game_between
from tests.fetchers.site_emulator.emulator import Emulator

pytestmark = pytest.mark.slow

OCTOBER = datetime(2026, 10, 5, 18, tzinfo=UTC)


@pytest.fixture
def sites() -> Iterator[Emulator]:
    """Both sites with two players and three games each."""
    with Emulator(seed=5) as sites:
        for site in ("lichess", "chesscom"):
            for handle in ("mrossi90", "BianchiL"):
                sites.world.add_player(site, handle)
            for number in range(3):
                sites.world.add_game(site, "mrossi90", "BianchiL", at=OCTOBER.replace(day=5 + number))
        yield sites


@pytest.fixture
def place(tmp_path: Path, sites: Emulator) -> Installation:
    """One account on each site."""
    place = Installation(tmp_path, sites)
    place.configure(mine=["lichess:mrossi90", "chesscom:mrossi90"])
    return place


def _games(place: Installation, number: int) -> list[dict[str, object]] | None:
    """The games of the archive, once there are so many."""
    answer = place.get("games?limit=500")
    items: list[dict[str, object]] = answer["items"] if answer else []
    return items if len(items) >= number else None


def test_it_downloads_watches_serves_and_ends_cleanly(place: Installation, sites: Emulator) -> None:
    """From an empty folder: both sites at once, a file put into the folder, answers, exit 0 on SIGTERM."""
    with place.daemon():
        assert len(place.until(lambda: _games(place, 6))) == 6
        place.pgn.mkdir(exist_ok=True)
        (place.pgn / "club.pgn").write_text('[White "Neri, Anna"]\n[Black "Rossi, Mario"]\n\n1. e4 e5 1-0\n')
        assert len(place.until(lambda: _games(place, 7))) == 7
        status = place.get("status")

    assert {account["state"] for account in status["accounts"]} == {"active"}
    assert not sites.violations
    events = {json.loads(line)["event"] for line in place.log.read_text().splitlines()}
    assert {"gamekeeper runs", "the API answers", "taking in", "folder taken in", "round done"} <= events


def test_it_rests_when_there_is_nothing_to_do(tmp_path: Path) -> None:
    """A daemon without accounts wakes up a few times a second at most: no thread looks again and again in short steps."""
    place = Installation(tmp_path)
    place.configure()
    with place.daemon() as process:
        place.until(lambda: "pgn" in {path.name for path in tmp_path.iterdir()})
        time.sleep(1)  # it starts
        began, before = time.monotonic(), _wakes(process.pid)
        time.sleep(3)
        assert (_wakes(process.pid) - before) / (time.monotonic() - began) < 15


def _wakes(pid: int) -> int:
    """How often the threads of a process have gone to sleep by themselves."""
    return sum(
        int(line.split()[1])
        for task in Path(f"/proc/{pid}/task").iterdir()
        for line in (task / "status").read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches:")
    )


def test_it_says_once_that_python_reads_alone(place: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the compiled core all works as it does with it; the log says why it is slower."""
    monkeypatch.setenv("GAMEKEEPER_COMPILED", "never")
    with place.daemon():
        assert len(place.until(lambda: _games(place, 6))) == 6
    lines = [json.loads(line) for line in place.log.read_text().splitlines()]
    assert [line["why"] for line in lines if line["event"].startswith("PGN is read by Python")] == [
        "GAMEKEEPER_COMPILED says never"
    ]


def test_a_restart_asks_nobody_before_his_time(place: Installation, sites: Emulator) -> None:
    """The schedule is in the archive: a daemon that starts again does not ask what was asked a moment ago."""
    with place.daemon():
        place.until(lambda: _games(place, 6))
        place.until(lambda: all(one["last_success"] for one in place.get("status")["accounts"]))
    asked = len(sites.requests)

    with place.daemon():
        place.until(lambda: place.get("syncs"))

    assert len(sites.requests) == asked


def test_a_second_daemon_refuses_clearly(place: Installation) -> None:
    """The second daemon on one archive says who has it, and exits with 78; the first one goes on (gallery-dl#269)."""
    with place.daemon() as first:
        second = place.run("run")
        assert place.get("health")

    assert second.returncode == 78
    assert f"pid {first.pid}" in second.stderr
    assert "Traceback" not in second.stderr


def test_sync_beside_the_daemon_works(place: Installation, sites: Emulator) -> None:
    """`gamekeeper sync` may run while the daemon does, and no site sees two requests at once."""
    with place.daemon():
        ended = place.run("sync")

    assert ended.returncode == 0, ended.stderr
    assert not sites.violations


def test_without_a_network_it_says_so_and_goes_on(tmp_path: Path) -> None:
    """No network: a line for each site, the API answers, the folder is taken in."""
    place = Installation(tmp_path)
    place.configure(mine=["lichess:mrossi90", "chesscom:mrossi90"])
    place.pgn.mkdir()
    (place.pgn / "club.pgn").write_text('[White "Neri, Anna"]\n[Black "Rossi, Mario"]\n\n1. e4 e5 1-0\n')

    with place.daemon():
        place.until(lambda: _games(place, 1))
        place.until(lambda: [one["state"] for one in place.get("status")["sites"]] == ["down", "down"])

    log = place.log.read_text()
    # lichess is asked first who has anything new, chess.com for the account itself.
    assert '"site": "lichess", "outcome": "down"' in log
    assert '"account": "chesscom:mrossi90", "outcome": "down"' in log
    assert "Traceback" not in log


def test_sighup_takes_over_a_good_configuration(place: Installation) -> None:
    """A new account is downloaded after SIGHUP; one that was removed keeps its games and has no next time."""
    with place.daemon() as process:
        place.until(lambda: _games(place, 6))
        place.configure(mine=["lichess:mrossi90", "lichess:BianchiL"])
        process.send_signal(signal.SIGHUP)
        found = place.until(lambda: _configured(place, "lichess:bianchil"))
        gone = next(one for one in place.get("status")["accounts"] if one["account"] == "chesscom:mrossi90")

        assert found["configured"]
        assert (gone["configured"], gone["next_due"], gone["games"]) == (False, None, 3)


def test_sighup_with_a_bad_configuration_changes_nothing(place: Installation) -> None:
    """A configuration with mistakes is told in the log, and the old one goes on."""
    with place.daemon() as process:
        place.until(lambda: _games(place, 6))
        place.configure(mine=["lichess:mrossi90"], extra="[wrong]\nkey = 1\n[[study]]\nevery = '1d'")
        process.send_signal(signal.SIGHUP)
        place.until(lambda: "the old one stays" in place.log.read_text())

        assert place.get("health")
        assert len([one for one in place.get("status")["accounts"] if one["configured"]]) == 2


def test_a_reload_survives_whatever_loading_raises(sqlite_path: Path, tmp_path: Path) -> None:
    """An error that nobody has thought of is logged with its traceback, and the old configuration goes on."""

    def load() -> Config:
        raise KeyError("id")

    (tmp_path / "gamekeeper.toml").write_text("")
    config = Config.load(tmp_path / "gamekeeper.toml")
    with open_archive(sqlite_path) as archive, capture_logs() as logs:
        Service(archive, config, load)._reload()

    assert [(one["log_level"], one.get("exc_info")) for one in logs] == [("error", True)]
    assert "the old one stays" in logs[0]["event"]


def test_a_deleted_archive_ends_it(
    sqlite_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is noticed at the next look, the daemon ends with what systemd does not restart, and what was in it is saved."""
    monkeypatch.setattr("daemon.service.service.CONFIRM_EVERY", 0.0)
    (tmp_path / "gamekeeper.toml").write_text(
        f'[daemon]\ndata_dir = "."\n[api]\nlisten = "127.0.0.1:{free_port()}"\n'
    )
    config = Config.load(tmp_path / "gamekeeper.toml")
    with open_archive(sqlite_path) as archive:
        fill(archive, [game_between("Rossi, Mario", "Bianchi, Anna")])
        service = Service(archive, config, lambda: config)
        begin = service._begin

        def begin_and_delete() -> None:
            begin()
            sqlite_path.unlink()

        monkeypatch.setattr(service, "_begin", begin_and_delete)
        with pytest.raises(ArchiveGone, match="was deleted") as ended:
            service.run(Signals())
    assert exits.code_of(ended.value) == exits.UNUSABLE
    (saved,) = sqlite_path.parent.glob("archive.sqlite.before-deleted.*")
    with open_archive(saved) as copy, copy.reading() as connection:
        assert totals(connection)["games"] == 1


def test_a_bad_configuration_does_not_start(tmp_path: Path) -> None:
    """Ten mistakes are told at once, and the exit code is 78."""
    place = Installation(tmp_path)
    place.file.write_text(
        '[daemon]\ncontact = 5\ndata_dri = "x"\n[api]\nlisten = "nowhere"\n[me]\naliases = "x"\n'
    )

    ended = place.run("run")

    assert ended.returncode == 78
    assert {"contact", "data_dri", "listen", "aliases"} <= set(ended.stderr.replace('"', " ").split())


def test_a_port_that_is_taken_is_said(place: Installation, tmp_path: Path) -> None:
    """If the API cannot listen the daemon does not start: 78 and one sentence."""
    with place.daemon():
        other = Installation(tmp_path / "other")
        other.folder.mkdir()
        other.port = place.port
        other.configure()
        ended = other.run("run")

    assert ended.returncode == 78
    assert f"127.0.0.1:{place.port}" in ended.stderr


def test_systemd_is_told(place: Installation, tmp_path: Path) -> None:
    """More time for opening the archive, READY when the API answers, STOPPING on SIGTERM, and the watchdog is fed."""
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "90000000"}
        with (
            place.log.open("w") as log,
            subprocess.Popen(
                ["gamekeeper", "run", "--config", place.file],
                executable=COMMAND,
                env=environment,
                stderr=log,
            ) as process,
        ):
            opening, ready = manager.recv(4096), manager.recv(4096)
            assert place.get("health")
            alive = manager.recv(4096)
            process.send_signal(signal.SIGTERM)
            notices = [manager.recv(4096)]
            while b"STOPPING=1" not in notices[-1]:
                notices.append(manager.recv(4096))
            assert process.wait(PATIENCE) == 0

    assert opening.startswith(b"EXTEND_TIMEOUT_USEC=")
    assert ready.startswith(b"READY=1")
    assert b"accounts" in ready
    assert alive == b"WATCHDOG=1"


def _configured(place: Installation, key: str) -> dict[str, object] | None:
    accounts: list[dict[str, object]] = place.get("status")["accounts"]
    return next((one for one in accounts if one["account"] == key and one["configured"]), None)
