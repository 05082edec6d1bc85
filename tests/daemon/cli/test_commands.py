"""The frame of all commands: options, help, exit codes, and what is said when something goes wrong."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from daemon.archive.errors import ReadOnly
from daemon.cli import COMMANDS, main
from daemon.cli.context import make_data_dir

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Call = Callable[..., Result]
CONFIG = '[daemon]\ndata_dir = "data"\n'


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `gamekeeper …` as a process of its own, in a folder of its own."""

    def run_there(*arguments: str, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        command = [
            sys.executable,
            "-c",
            "from daemon.cli import main; main(prog_name='gamekeeper')",
            *arguments,
        ]
        root = str(Path(__file__).parents[3])
        env = {**os.environ, "PYTHONPATH": root, "XDG_CONFIG_HOME": str(tmp_path / "xdg"), **environment}
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=env,
            input=given,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run_there


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """The same in this process, which is much quicker: where nothing depends on the process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return lambda *arguments: CliRunner().invoke(main, arguments)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "gamekeeper.toml"
    file.write_text(CONFIG)
    return file


def every_command() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None, name
        found.append((name,))
        if isinstance(command, click.Group):
            found.extend((name, below) for below in command.commands)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_common_options(name: str) -> None:
    """Also each command below a command."""
    runner = CliRunner()
    for path in every_command():
        if path[0] != name:
            continue
        result = runner.invoke(main, [*path, "--help"])
        assert result.exit_code == 0, result.output
        for option in ("--config", "--json", "--verbose", "--quiet", "--help"):
            assert option in result.output, (path, option)


def test_help_loads_no_command(run: Run) -> None:
    """So that it is quick; all names and lines are in it."""
    result = run("--help")
    assert result.returncode == 0
    assert all(re.search(rf"^  {name} ", result.stdout, re.MULTILINE) for name in COMMANDS)
    code = (
        "import sys; from daemon.cli import main; main(['--help'], standalone_mode=False);"
        "print([name for name in ('rich', 'sqlalchemy', 'chess', 'pydantic', 'httpx', 'structlog') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.splitlines()[-1] == "[]"


def test_the_version_is_told(run: Run) -> None:
    """In one line."""
    result = run("--version")
    assert result.returncode == 0
    assert re.fullmatch(r"gamekeeper \d+\.\d+\.\d+\n", result.stdout)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["stauts"], "Did you mean 'status'?"),
        (["improt", "x"], "Did you mean 'import'?"),
        (["import"], "Missing argument 'PATH"),
        (["import", "--agian", "x"], "--again"),
        (["explain"], "Usage"),
        (["explain", "names", "x"], "Did you mean one of: 'games', 'name'?"),
        (["--nonsense"], "No such option"),
    ],
)
def test_wrong_use_ends_with_2(run: Run, arguments: list[str], said: str) -> None:
    """And says what was probably meant."""
    result = run(*arguments)
    assert result.returncode == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_no_configuration_ends_with_78(run: Run) -> None:
    """One sentence that says what to do."""
    result = run("import", "x.pgn")
    assert result.returncode == 78
    assert result.stderr.count("\n") == 1
    assert "gamekeeper init" in result.stderr


def test_a_configuration_with_faults_ends_with_78(run: Run, tmp_path: Path) -> None:
    """Every command tells all of them."""
    (tmp_path / "bad.toml").write_text("[daemon]\ndata_dir = 5\n[api]\nlisten = 'x'\n")
    result = run("import", "x.pgn", "--config", "bad.toml")
    assert result.returncode == 78
    assert "bad.toml:2:1" in result.stderr
    assert "bad.toml:4:1" in result.stderr


def test_an_archive_that_is_none_ends_with_78(run: Run, config: Path, tmp_path: Path) -> None:
    """It is named, and it is left as it is."""
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "gamekeeper.sqlite"
    file.write_bytes(b"this is not a database, whatever its name says" * 100)
    before = file.read_bytes()
    result = run("import", "x.pgn")
    assert result.returncode == 78
    assert str(file) in result.stderr
    assert "Traceback" not in result.stderr
    assert file.read_bytes() == before


def test_a_data_dir_that_cannot_be_used_ends_with_78(run: Run, config: Path, tmp_path: Path) -> None:
    """A file in its place, or one on the way to it; the folder is named."""
    (tmp_path / "file").touch()
    for folder, reason in (("file", "has to be a folder"), ("file/data", "cannot be made: Not a directory")):
        config.write_text(f'[daemon]\ndata_dir = "{folder}"\n')
        result = run("status")
        assert result.returncode == 78
        assert f"{tmp_path / folder}" in result.stderr
        assert reason in result.stderr


def test_a_data_dir_that_cannot_be_written_to_is_told() -> None:
    """With its name. (Root may write everywhere, so root becomes somebody else for a moment.)"""
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        try:
            if before == 0:
                os.seteuid(65534)
            with pytest.raises(ReadOnly, match=rf"nothing can be written to {name} \(data_dir\)"):
                make_data_dir(folder)
        finally:
            os.seteuid(before)
        folder.chmod(0o700)


def test_a_traceback_comes_only_when_it_is_asked_for(run: Run, tmp_path: Path) -> None:
    """With --debug, or -vv."""
    for option, wanted in (("-v", False), ("--debug", True), ("-vv", True)):
        result = run("import", "x", "--config", "none.toml", option)
        assert result.returncode == 78
        assert ("Traceback" in result.stderr) is wanted
        assert "none.toml" in result.stderr


def test_options_stand_before_or_behind_the_command(run: Run, tmp_path: Path) -> None:
    """It makes no difference."""
    (tmp_path / "other.toml").write_text(CONFIG)
    first = run("--config", "other.toml", "--json", "check-config")
    second = run("check-config", "--json", "--config", "other.toml")
    assert first.returncode == second.returncode == 0
    assert json.loads(first.stdout) == json.loads(second.stdout)


def test_check_config_says_what_a_good_configuration_means(call: Call, config: Path) -> None:
    """A summary, hints apart."""
    config.write_text(CONFIG + '[me]\naliases = ["mrossi90"]\n')
    result = call("check-config")
    assert result.exit_code == 0
    assert f"{config}: ok" in result.stdout or "gamekeeper.toml: ok" in result.stdout
    assert "hint: gamekeeper.toml:4:12: the alias" in result.stderr
    answer = json.loads(call("check-config", "--json").stdout)
    assert (answer["ok"], len(answer["hints"]), answer["summary"]["accounts"]) == (True, 2, 0)


def test_check_config_prints_all_problems(call: Call, config: Path) -> None:
    """One a line for people, objects for programs."""
    config.write_text("[me]\nfirst_name = 1\nlastname = 'x'\n")
    result = call("check-config")
    assert result.exit_code == 78
    *problems, hint = result.stderr.splitlines()
    assert problems == [
        "gamekeeper.toml:2:1: first_name must be a text in quotes, not a whole number",
        "gamekeeper.toml:3:1: unknown key lastname in [me] (did you mean last_name?)",
    ]
    assert hint.startswith("hint: gamekeeper.toml:1:1: no account and no PGN folder is named")
    answer = json.loads(call("check-config", "--json").stdout)
    assert answer["ok"] is False
    assert answer["problems"][1] == {
        "file": "gamekeeper.toml",
        "line": 3,
        "column": 1,
        "message": "unknown key lastname in [me]",
        "hint": "did you mean last_name?",
    }


def test_init_writes_a_configuration_that_works(run: Run, tmp_path: Path) -> None:
    """For its owner alone; it never overwrites one unless told to."""
    assert run("init").returncode == 0
    file = tmp_path / "gamekeeper.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    assert run("check-config").returncode == 0
    file.write_text("# mine")
    again = run("init")
    assert again.returncode == 1
    assert "--force" in again.stderr
    assert file.read_text() == "# mine"
    assert run("init", "--force").returncode == 0
    assert "contact" in file.read_text()
    assert run("init", "--path", "deep/er/x.toml").returncode == 0
    assert run("check-config", "--config", "deep/er/x.toml").returncode == 0


def game(number: int, moves: str = "1. e4 e5") -> str:
    return f'[Event "x"]\n[White "Rossi, M"]\n[Black "Neri, A{number}"]\n[Result "1-0"]\n\n{moves} 1-0\n\n'


def test_import_tells_what_it_did(call: Call, config: Path, tmp_path: Path) -> None:
    """Exit 0 when everything is in, 1 when something is not."""
    (tmp_path / "a.pgn").write_text(game(1) + game(2))
    first = call("import", "a.pgn")
    assert first.exit_code == 0, first.stderr
    assert re.search(r"^read +2$", first.stdout, re.MULTILINE)
    assert re.search(r"^new +2$", first.stdout, re.MULTILINE)
    assert first.stderr == ""
    (tmp_path / "b.pgn").write_text(game(3) + game(4, "1. qz"))
    second = call("import", "b.pgn", "none.pgn", "--json")
    assert second.exit_code == 1
    answer = json.loads(second.stdout)
    assert (answer["read"], answer["new"], answer["quarantined"], len(answer["problems"])) == (2, 1, 1, 1)
    third = call("import", ".", "--quiet")
    assert (third.exit_code, third.stdout, third.stderr) == (0, "", "")


def test_import_of_nothing_says_so(run: Run, tmp_path: Path, config: Path) -> None:
    """Where nothing was given on standard input, or files are empty, that is told, and nothing is wrong."""
    (tmp_path / "a.pgn").write_text("")
    (tmp_path / "b.pgn").write_text("\n \n")
    piped = run("import", "-", "--config", str(config))
    assert (piped.returncode, piped.stderr) == (0, "no games found: what was read was empty\n")
    result = CliRunner().invoke(main, ["import", str(tmp_path), "--config", str(config)])
    assert (result.exit_code, result.stderr) == (0, "no games found: all 2 files were empty\n")


def test_import_reads_standard_input(run: Run, config: Path) -> None:
    """And adds nothing the second time."""
    for new in (2, 0):
        result = run("import", "-", "--json", given=game(1) + game(2))
        assert result.returncode == 0, result.stderr
        assert json.loads(result.stdout)["new"] == new


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_import_that_is_stopped_keeps_what_it_read(config: Path, tmp_path: Path, number: int) -> None:
    """It ends with 1 and says so, and keeps whole transactions of games and what it read of the last one."""
    remark = "{" + "long remark " * 2000 + "} "
    (tmp_path / "a.pgn").write_text("".join(game(n, remark + "1. e4 e5") for n in range(5000)))
    command = [
        sys.executable,
        "-c",
        "from daemon.cli import main; main(prog_name='gamekeeper')",
        "import",
        "a.pgn",
    ]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    file = tmp_path / "data" / "gamekeeper.sqlite"
    while process.poll() is None and games_in(file) == 0:
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (1, "")
    assert "stopped before the end" in out
    assert 0 < games_in(file) < 5000


def games_in(file: Path) -> int:
    if not file.exists():
        return 0
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as connection:
        [count] = connection.execute("SELECT count(*) FROM games").fetchone()
        return int(count)


def test_a_terminal_sees_a_bar_and_a_pipe_does_not(config: Path, tmp_path: Path) -> None:
    """The bar goes to standard error; standard output has the summary alone."""
    (tmp_path / "a.pgn").write_text("".join(map(game, range(300))))
    command = [
        sys.executable,
        "-c",
        "from daemon.cli import main; main(prog_name='gamekeeper')",
        "import",
        "a.pgn",
    ]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "TERM": "xterm"}
    ours, theirs = os.openpty()
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how a terminal ends when nobody writes to it any more
            while part := os.read(ours, 4096):
                shown += part
        assert process.stdout is not None
        out = process.stdout.read().decode()
    os.close(ours)
    assert process.returncode == 0
    assert b"games" in shown
    assert "\x1b" not in out
    assert out.startswith("files ")


def test_import_again_reads_what_has_not_changed(call: Call, config: Path, tmp_path: Path) -> None:
    """Without --again it is left out."""
    (tmp_path / "a.pgn").write_text(game(1))
    call("import", "a.pgn")
    assert json.loads(call("import", "a.pgn", "--json").stdout)["files"] == 0
    assert json.loads(call("import", "a.pgn", "--again", "--json").stdout)["unchanged"] == 1


def test_the_archive_is_for_its_owner_alone(run: Run, config: Path, tmp_path: Path) -> None:
    """Its folder is made so."""
    (tmp_path / "a.pgn").write_text(game(1))
    run("import", "a.pgn")
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    with sqlite3.connect(f"file:{tmp_path}/data/gamekeeper.sqlite?mode=ro", uri=True) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (1,)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (
            ["Rossi,Mario"],
            {"kind": "person", "key": "person:mario rossi", "display": "Rossi, Mario", "fide_id": None},
        ),
        (["rossi-mario"], {"kind": "nickname", "key": "nick:rossi-mario", "words": ["rossi", "mario"]}),
        (["?"], {"kind": "unknown", "key": "unknown", "display": "?", "found_by": []}),
        (["Rossi,Mario", "--online"], {"display": "Rossi,Mario"}),
        (["Rossi M", "--fide-id", "0015"], {"key": "fide:15", "fide_id": "15"}),
        (["Rossi M", "--fide-id", "0"], {"key": "person:m rossi", "fide_id": None}),
    ],
)
def test_explain_name_says_who_it_is(arguments: list[str], answer: dict[str, object]) -> None:
    """Kind, key, words, display form, and a sentence for each rule."""
    result = CliRunner().invoke(main, ["explain", "name", *arguments, "--json"])
    assert result.exit_code == 0
    explained = json.loads(result.stdout)
    assert {name: explained[name] for name in answer} == answer
    assert all(reason.endswith(".") for reason in explained["why"])
    shown = CliRunner().invoke(main, ["explain", "name", *arguments])
    assert all(f"- {reason}" in shown.stdout for reason in explained["why"])


def test_explain_games_compares_files_and_ids(call: Call, config: Path, tmp_path: Path) -> None:
    """The reason names what is equal or the first difference; both answers are answers."""
    (tmp_path / "a.pgn").write_text(game(1))
    (tmp_path / "b.pgn").write_text(game(1).replace("e5", "e7-e5"))
    (tmp_path / "c.pgn").write_text(game(1).replace("e5", "e6"))
    call("import", "a.pgn", "c.pgn")
    assert call("explain", "games", "1", "b.pgn").stdout.startswith("the same: Same players")
    other = call("explain", "games", "a.pgn", "2")
    assert other.exit_code == 0
    assert "not the same: The moves differ at move 1 of Black" in other.stdout
    answer = json.loads(call("explain", "games", "1", "2", "--json").stdout)
    assert answer["same"] is False
    for number in ("99", "9223372036854775808", "9" * 40):
        none = call("explain", "games", "1", number)
        assert none.exit_code == 2
        assert f"no game {number}" in none.stderr


def test_explain_games_minds_edits(call: Call, config: Path, tmp_path: Path) -> None:
    """A game of the archive is compared as it is there: with what was edited."""
    (tmp_path / "a.pgn").write_text(game(1))
    call("import", "a.pgn")
    assert call("edit", "game", "1", "--date", "1999.01.01").exit_code == 0
    assert "not the same: The date is 1999.01.01" in call("explain", "games", "1", "a.pgn").stdout
