"""`gamekeeper export`: files that are whole or not there, and come back as the same games."""

import csv
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import update

from core.game import Game
from core.pgn import reader
from daemon.archive.archive import open_archive
from daemon.archive.tables.main import tellings
from daemon.cli import main
from tests.daemon.installation import COMMAND, Installation
from tests.daemon.seeding import fill, game_between

PGN = """[Event "Città \\"Torre\\""]
[White "Öberg, Åsa"]
[Black "rossi-mario"]
[Result "1-0"]

{Schön:} 1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 $1 {[%clk 0:03:00]} 1-0

[Event "960"]
[White "Rossi, Mario"]
[Black "Мирзоев, Азер"]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]

1. e4 e5 2. Ng3 Ng6 *

1. d4 d5 1/2-1/2
"""


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    """An archive with the three games of a file."""
    place = Installation(tmp_path)
    place.configure()
    (tmp_path / "in.pgn").write_text(PGN)
    imported = CliRunner().invoke(main, ["import", str(tmp_path / "in.pgn"), "--config", str(place.file)])
    assert imported.exit_code == 0, imported.output
    return place


def run(place: Installation, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["export", *arguments, "--config", str(place.file)])


def games(place: Installation) -> list[dict[str, Any]]:
    """Every game with its comments, without where it was told. A name that is not there is written ``?``."""
    found = place.json("games")["items"]
    texts = list(reader.read(place.run("games", "--pgn").stdout))
    for game, text in zip(found, texts, strict=True):
        del game["tellings"]
        game["comments"] = re.findall(rb"\{[^}]*\}", text.raw)
        for side in (game["white"], game["black"]):
            side["written"] = side["written"] or "?"
    return found


def test_exported_and_imported_into_an_empty_archive(place: Installation, tmp_path: Path) -> None:
    """The same games, players and comments are there."""
    file = tmp_path / "out.pgn"
    ended = place.run("export", "--output", str(file))
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == f"{file}: {file.stat().st_size} bytes\n"
    (tmp_path / "second").mkdir()
    second = Installation(tmp_path / "second")
    second.configure()
    assert second.run("import", str(file)).returncode == 0
    assert games(second) == games(place)
    assert second.json("search", "ros")["items"] == place.json("search", "ros")["items"]


def test_what_it_writes(place: Installation, tmp_path: Path) -> None:
    """To standard output by default; the format by the file's name or as told; only the games that fit."""
    found = list(reader.read(run(place).stdout_bytes))
    assert [isinstance(one, Game) for one in found] == [True] * 3
    assert run(place, "oberg", "-o", str(tmp_path / "x.csv")).exit_code == 0
    with (tmp_path / "x.csv").open(newline="") as file:
        assert [row["white"] for row in csv.DictReader(file)] == ["Öberg, Åsa"]
    lines = run(place, "--variant", "chess960", "--format", "ndjson").stdout.splitlines()
    assert [json.loads(line)["variant"] for line in lines] == ["chess960"]
    assert run(place, "--tellings", "-q", "--event", "960").stdout.startswith('[Event "960"]')


def test_nothing_is_overwritten(place: Installation, tmp_path: Path) -> None:
    """A file that is there stays as it is, unless --force says otherwise; then it keeps who may read it."""
    file = tmp_path / "mine.pgn"
    file.write_text("mine")
    file.chmod(0o640)
    refused = run(place, "-o", str(file))
    assert (refused.exit_code, file.read_text()) == (2, "mine")
    assert "--force overwrites it" in refused.stderr
    assert run(place, "-o", str(file), "--force").exit_code == 0
    assert file.read_bytes() == run(place).stdout_bytes
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_links_and_pipes(place: Installation, tmp_path: Path) -> None:
    """A link stays a link to the file that is replaced, a pipe is written to."""
    (tmp_path / "real.pgn").write_text("")
    (tmp_path / "link.pgn").symlink_to("real.pgn")
    assert run(place, "-o", str(tmp_path / "link.pgn"), "--force").exit_code == 0
    assert (tmp_path / "link.pgn").is_symlink()
    assert (tmp_path / "real.pgn").read_bytes() == run(place).stdout_bytes
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    thread = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    thread.start()
    assert run(place, "-o", str(tmp_path / "pipe")).exit_code == 0
    thread.join()
    assert got == [run(place).stdout_bytes]


@pytest.mark.parametrize("force", [True, False])
def test_a_failure_leaves_nothing(
    place: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, force: bool
) -> None:
    """Where the archive fails in the middle, there is no half file, and an old one is as it was."""
    from daemon import export
    from daemon.archive.errors import ArchiveError

    folder = tmp_path / "out"
    folder.mkdir()
    if force:
        (folder / "a.pgn").write_text("old")

    def half(*_: object, **__: Any) -> Any:
        yield export.ExportPart(b"[Event", 1)
        raise ArchiveError("the disk is gone")

    monkeypatch.setattr(export, "export", half)
    result = run(place, "-o", str(folder / "a.pgn"), *(["--force"] if force else []))
    assert result.exit_code == 78
    assert "the disk is gone" in result.stderr
    assert {file.name: file.read_text() for file in folder.iterdir()} == ({"a.pgn": "old"} if force else {})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_half_file(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C or SIGTERM in the middle: no file, and nothing beside it."""
    place = Installation(tmp_path)
    place.configure()
    (tmp_path / "data").mkdir()
    with open_archive(tmp_path / "data" / "gamekeeper.sqlite") as archive:
        archive.migrate()
        comment = os.urandom(100_000).hex()
        raw = f'[White "A"]\n\n1. e4 {{{comment}}} *\n'.encode()
        fill(archive, [game_between(f"A {number}", "B", raw=raw + b" " * number) for number in range(1, 200)])
    (tmp_path / "out").mkdir()
    script = (
        "import sys, daemon.export as e; real = e._pgn\n"
        "def slow(*a):\n    import time; print('begun', flush=True); time.sleep(0.2); return real(*a)\n"
        "e._FORMATS['pgn'] = slow\nfrom daemon.cli import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, "export", "-o", tmp_path / "out" / "a.pgn", "--config", place.file],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    with process:
        process.stdout.readline()
        process.send_signal(number)
    assert process.returncode != 0
    assert list((tmp_path / "out").iterdir()) == []


def test_wrong_use(place: Installation, tmp_path: Path) -> None:
    """What cannot be done is told with what to do, and makes no file."""
    for arguments, said in (
        (("--tellings", "--format", "csv"), "--format pgn"),
        (("--dossier", "nobody"), "gamekeeper dossier list"),
        (("--from", "x"), "--from"),
        (("-o", str(tmp_path / "none" / "a.pgn")), "none is not there: make it first"),
        (("-o", str(tmp_path / "a.foo")), '".foo" is unknown: say --format pgn, ndjson or csv'),
        (("-o", str(tmp_path / "a.pgn.gz")), "--format pgn"),
    ):
        result = run(place, *arguments)
        assert result.exit_code in {1, 2}
        assert said in result.stderr
        assert "Traceback" not in result.stderr
        assert not list(tmp_path.glob("a.*"))


def test_any_name_with_its_format(place: Installation, tmp_path: Path) -> None:
    """A file may be called anything where the format is named, and have no ending at all."""
    assert run(place, "-o", str(tmp_path / "a.txt"), "--format", "csv").exit_code == 0
    assert (tmp_path / "a.txt").read_text().startswith("id,")
    assert run(place, "-o", str(tmp_path / "a")).exit_code == 0
    assert (tmp_path / "a").read_bytes() == run(place).stdout_bytes


def test_a_damaged_game_is_left_out(place: Installation, tmp_path: Path) -> None:
    """Everything else is written; which game is missing and what to do is told, and the exit code is that of problems."""
    with open_archive(tmp_path / "data" / "gamekeeper.sqlite") as archive, archive.writing() as connection:
        connection.execute(update(tellings).where(tellings.c.game_id == 2).values(pgn=b"damaged"))
    result = run(place, "-o", str(tmp_path / "a.pgn"), "-q")
    assert (result.exit_code, result.stderr.count("left out: ")) == (1, 1)
    assert "the bytes of game 2 are damaged" in result.stderr
    assert "gamekeeper verify" in result.stderr
    games = [one for one in reader.read((tmp_path / "a.pgn").read_bytes()) if isinstance(one, Game)]
    assert [one.event for one in games] == ['Città "Torre"', None]
    shown = CliRunner().invoke(main, ["games", "--pgn", "--config", str(place.file)])
    assert (shown.exit_code, len(list(reader.read(shown.stdout_bytes)))) == (1, 2)
    assert "left out: the bytes of game 2 are damaged" in shown.stderr


def test_no_game_is_found(place: Installation, tmp_path: Path) -> None:
    """An empty file is told."""
    result = run(place, "nobody", "-o", str(tmp_path / "a.pgn"))
    assert result.exit_code == 0
    assert "no games found" in result.stderr
    assert (tmp_path / "a.pgn").read_bytes() == b""


def test_progress_on_a_terminal(place: Installation, tmp_path: Path) -> None:
    """On a terminal a line shows how much is written, and is gone at the end."""
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, "export", "-o", tmp_path / "a.pgn", "--config", place.file],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    while block := _read(terminal):
        shown += block
    os.close(terminal)
    assert process.wait(60) == 0
    assert b"/? bytes" in shown
    assert b"0:00:0" in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux tells that the other side is closed
        return b""
