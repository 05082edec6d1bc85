"""search, games, status and export over the API of a running daemon: named, or since only the daemon may read."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.players import Profile
from daemon.api.app import create_app
from daemon.api.server import Server
from daemon.archive.archive import open_archive
from daemon.archive.dossiers.rows import sync_dossiers
from daemon.archive.games.quarantine import QuarantineItem, put
from daemon.cli import main
from daemon.client import address_of
from daemon.club.foundation import NewTournament, found
from daemon.config.configured import ConfiguredDossier
from daemon.config.values import Listen
from daemon.edits.door import edit_game
from daemon.edits.doubles import look
from tests.daemon.installation import free_port
from tests.daemon.made_up import RUY, otb
from tests.daemon.seeding import NOW, downloaded, fill, follow, game_between, online

COMMANDS: Sequence[Sequence[str]] = (
    ("search", "ros"),
    ("games",),
    ("games", "--mine", "--limit", "2"),
    ("games", "--account", "lichess:mrossi90", "--pgn"),
    ("export", "--format", "csv"),
    ("export", "rossi", "--tellings"),
)
TOKEN = "s3cret-of-the-api-0123456789"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user may enter. (Those of pytest are for its own user only.)"""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(params=["tcp", "unix"])
def listen(request: pytest.FixtureRequest, folder: Path) -> Listen:
    """Both ways to listen."""
    if request.param == "tcp":
        return Listen("127.0.0.1", free_port())
    return Listen(socket=folder / "api.sock")


@pytest.fixture(scope="session")
def filled_file(sqlite_template: Path) -> Path:
    """The archive of the tests, to be copied."""
    file = Path(shutil.copy(sqlite_template, sqlite_template.with_name("asked.sqlite")))
    with open_archive(file) as archive:
        accounts = follow(archive, ["lichess:mrossi90"])
        downloaded(archive, accounts["lichess:mrossi90"], [online("mrossi90", "gbianchi", "abcdefgh")])
        fill(archive, [game_between("Rossi, Mario", f"Bianchi, {name}") for name in ("Anna", "Gina", "Öl")])
    return file


@pytest.fixture
def config(folder: Path, listen: Listen, filled_file: Path) -> Path:
    """A configuration with a token, and its archive, filled."""
    (folder / "token").write_text(TOKEN)
    (folder / "token").chmod(0o600)
    file = folder / "gamekeeper.toml"
    file.write_text(
        f'[daemon]\ndata_dir = "data"\n[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\n'
        f'[api]\nlisten = "{listen}"\ntoken_file = "token"\n'
    )
    (folder / "data").mkdir(mode=0o700)
    shutil.copy(filled_file, folder / "data" / "gamekeeper.sqlite")
    return file


@pytest.fixture
def daemon(config: Path, listen: Listen) -> Iterator[str]:
    """The API of that archive; its address."""
    with open_archive(config.parent / "data" / "gamekeeper.sqlite") as archive:
        app = create_app(archive, Profile("Mario", "Rossi"), version="1", token=TOKEN)
        server = Server(app, listen, has_token=True)
        server.start()
        if listen.socket is not None:
            listen.socket.chmod(0o666)
        yield address_of(listen)
        server.stop()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@contextmanager
def nobody(*readable: Path) -> Iterator[None]:
    """We are another user for a while, if we are root; else the folder is closed to ourselves."""
    for file in readable:
        os.chown(file, 65534, -1) if os.geteuid() == 0 else None
    before = os.geteuid()
    try:
        if before == 0:
            os.seteuid(65534)
        yield
    finally:
        os.seteuid(before)


@contextmanager
def hidden(config: Path) -> Iterator[None]:
    """Only the daemon may enter the data folder."""
    data = config.parent / "data"
    data.chmod(0o700 if os.geteuid() == 0 else 0)
    try:
        with nobody(config.parent / "token"):
            yield
    finally:
        data.chmod(0o700)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_the_api_answers_like_the_archive(daemon: str, config: Path, arguments: Sequence[str]) -> None:
    """What a command prints is the same over the API as from the file, as a table and as JSON."""
    for more in ((), ("--json",)):
        command = [*arguments, *more, "--config", str(config)]
        from_file, from_api = run(*command), run(*command, "--api", daemon)
        assert from_file.exit_code == from_api.exit_code == 0, from_api.output
        assert from_api.stdout_bytes == from_file.stdout_bytes


LISTS: Sequence[Sequence[str]] = (
    ("doubles", "list"),
    ("doubles", "show", "1"),
    ("edits",),
    ("quarantine", "list"),
    ("quarantine", "show", "1"),
    ("quarantine", "show", "--raw", "1"),
    ("dossier", "list"),
    ("club", "list"),
)


@pytest.fixture
def more(config: Path) -> None:
    """Something in every list."""
    with open_archive(config.parent / "data" / "gamekeeper.sqlite") as archive:
        fill(archive, [otb(moves=RUY)])
        fill(archive, [otb(moves=f"{RUY} a6")])
        look(archive)
        edit_game(archive, 1, {"event": "Open di Roma"}, now_ms=NOW)
        broken = QuarantineItem(source="/x.pgn", raw=b"1. e4 e5 2. Ke3", reason="illegal move", position=12)
        with archive.writing() as connection:
            put(connection, [broken], NOW)
            sync_dossiers(
                connection, [ConfiguredDossier("Gina Bianchi", "gina-bianchi", None, ["Bianchi, Gina"], [])]
            )
        found(archive, NewTournament("Club championship 2026", "VM 2026", {}), now_ms=NOW)
    with config.open("a") as file:
        file.write('[[dossier]]\nname = "Gina Bianchi"\nnames = ["Bianchi, Gina"]\n')


@pytest.mark.usefixtures("more")
def test_lists_where_only_the_daemon_may_read(daemon: str, config: Path) -> None:
    """What could be one game, was edited, could not be read, is tracked and is played: all of it is listed for others."""
    for arguments in (*LISTS, *((*one, "--json") for one in LISTS if "--raw" not in one)):
        own = run(*arguments, "--config", str(config))
        assert (own.exit_code, bool(own.stdout)) == (0, True), own.output
        named = run(*arguments, "--config", str(config), "--api", daemon)
        with hidden(config):
            others = run(*arguments, "--config", str(config))
        assert own.stdout_bytes == named.stdout_bytes == others.stdout_bytes, (arguments, others.output)
        assert f"asking the daemon at {daemon}" in others.stderr


@pytest.mark.usefixtures("more")
def test_a_dossier_over_the_api(daemon: str, config: Path) -> None:
    """A dossier and its newest games are shown to others, too; whom it leaves out only where the archive is read."""
    arguments = ("dossier", "show", "gina-bianchi", "--json", "--config", str(config))
    own = json.loads(run(*arguments).stdout)
    run(
        *arguments, "--api", daemon
    )  # the daemon of this test becomes nobody with us: it has to have its file open
    with hidden(config):
        others = json.loads(run(*arguments).stdout)
    assert others == {**own, "left_out": None}
    assert len(own["newest"]) == 3


@pytest.mark.usefixtures("more")
def test_what_is_not_in_the_lists_of_others(daemon: str, config: Path) -> None:
    """What there is not is told alike, and what would change something still wants the owner."""
    run("status", "--config", str(config), "--api", daemon)
    for arguments, code in (
        (("doubles", "show", "9"), 2),
        (("quarantine", "show", "9"), 2),
        (("dossier", "show", "nobody"), 2),
        (("edits", "undo", "1"), 78),
        (("quarantine", "drop", "1", "--yes"), 78),
    ):
        with hidden(config):
            result = run(*arguments, "--config", str(config))
        assert (result.exit_code, "Traceback" in result.output) == (code, False), result.output
    assert run("edits", "--api", daemon, "undo", "1", "--config", str(config)).exit_code == 2


def test_status_over_the_api(daemon: str, config: Path) -> None:
    """The daemon tells that it runs, and it is its address that is shown."""
    shown = run("status", "--config", str(config), "--api", daemon).stdout
    assert daemon in shown
    found = json.loads(run("status", "--json", "--config", str(config), "--api", daemon).stdout)
    assert (found["running"], found["archive"]["games"]) == (True, 4)


@pytest.mark.parametrize("arguments", [*COMMANDS, ("status",)], ids=" ".join)
def test_where_only_the_daemon_may_read(daemon: str, config: Path, arguments: Sequence[str]) -> None:
    """Who may not enter the data folder gets their answers from the daemon, and is told so."""
    expected = run(*arguments, "--config", str(config), "--api", daemon).stdout_bytes
    with hidden(config):
        result = run(*arguments, "--config", str(config))
    assert result.exit_code == 0, result.output
    assert result.stdout_bytes == expected
    assert f"asking the daemon at {daemon}" in result.stderr


def test_where_nobody_may_read_and_nobody_answers(config: Path) -> None:
    """Without a daemon it is told that the folder cannot be read; nothing is made."""
    with hidden(config):
        result = run("games", "--config", str(config))
    assert result.exit_code == 78
    assert "data" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_systems_configuration(daemon: str, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the configuration of the system's daemon, whose folder has another name for it, the daemon is asked."""
    shutil.move(config.parent / "data", config.parent / "private")
    monkeypatch.setattr("daemon.config.SYSTEM_FILE", config)
    result = run("games", "--config", str(config))
    assert f"asking the daemon at {daemon}" in result.stderr
    assert not (config.parent / "data").exists()
    monkeypatch.undo()
    mine = run("games", "--config", str(config))
    assert "no games found" in mine.stderr  # a configuration of one's own begins an archive of one's own
    shutil.rmtree(config.parent / "data")
    shutil.move(config.parent / "private", config.parent / "data")


def test_without_a_configuration(
    daemon: str, config: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An API that is named needs no configuration, only its token."""
    monkeypatch.chdir(folder / "data")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "none"))
    result = run("search", "ros", "--api", daemon, "--token-file", str(folder / "token"))
    assert (result.exit_code, "Rossi, Mario" in result.stdout) == (0, True), result.output


def test_the_token_is_for_its_own_daemon(daemon: str, config: Path, folder: Path) -> None:
    """The configuration's token goes to the address of the configuration, and nowhere else."""
    if daemon.startswith("unix:"):
        other = f"unix:{folder}/./api.sock/../api.sock".replace("/api.sock/..", "")
    else:
        other = daemon.replace("127.0.0.1", "localhost")
    result = run("games", "--config", str(config), "--api", other)
    assert result.exit_code == 1
    assert "Authorization: Bearer" in result.stderr
    assert TOKEN not in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--api", "ftp://x"), "write http://127.0.0.1:8470 or unix:/path"),
        (("--api", "http://127.0.0.1:1"), "does not answer"),
        (("--token-file", "token"), "--token-file needs --api"),
        (("--api", "http://127.0.0.1:1", "--token-file", "/none/token"), "/none/token"),
    ],
)
def test_wrong_use(config: Path, arguments: Sequence[str], said: str) -> None:
    """What is wrong is told in a sentence."""
    result = run("games", "--config", str(config), *arguments)
    assert result.exit_code in {1, 2}
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_unknown_names(daemon: str, config: Path) -> None:
    """A dossier or account that is misspelt is told over the API, too."""
    for option in ("--dossier", "--account"):
        result = run("games", option, "nobody", "--config", str(config), "--api", daemon)
        assert (result.exit_code, "no " in result.stderr) == (2, True)
