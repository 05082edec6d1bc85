"""Every command as root, as the service's user and as somebody else, on the layout of the systemd unit.

Only root can be several users: elsewhere these tests are skipped. CI runs them as root.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from daemon.cli import COMMANDS
from daemon.ownership import Owner
from tests.daemon.installation import free_port
from tests.daemon.users import OTHER, ROOT, SERVICE, Machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several users"),
]

GAME = (
    '[White "Rossi, Mario"]\n[Black "Bianchi, Anna"]\n[Date "2024.05.12"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
)
SECOND = GAME.replace("Anna", "Gina")
BAD = GAME.replace("1. e4 e5", "1. e4 Ke4")

ASKING = (("search", "ros"), ("games",), ("game", "1"), ("export", "--format", "csv"), ("status",))
"""What the daemon answers where only it may read."""

READING = (
    ("dossier", "list"),
    ("dossier", "show", "anna"),
    ("doubles",),
    ("edits",),
    ("quarantine", "list"),
    ("club", "list"),
    ("club", "standings", "friday"),
    ("verify",),
)

WRITING = (
    ("edit", "game", "1", "--round", "3"),
    ("edits", "undo", "{n}"),
    ("sync",),
    ("backup",),
    ("club", "export", "csv", "friday", "-o", "-"),
)

FREE = (("check-config",), ("explain", "name", "Rossi, Mario"))
"""Commands for those who may read the configuration, or need none."""


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    machine = Machine()
    yield machine
    machine.close()


class Layout:
    """As the unit has it: the data below a folder that is the service's alone, the configuration for all to read."""

    def __init__(self, folder: Path, machine: Machine) -> None:
        self._machine = machine
        self.folder = folder
        self.config = folder / "gamekeeper.toml"
        self.data = folder / "private" / "data"
        self.root = folder / "root"  # what only root may read
        self.home = folder / "home"
        (folder / "private").mkdir(mode=0o700)
        self.data.mkdir(mode=0o700)
        for path, uid in ((folder / "private", SERVICE), (self.data, SERVICE)):
            os.chown(path, uid, uid)
        self.root.mkdir(mode=0o700)
        self.home.mkdir(mode=0o755)
        os.chown(self.home, OTHER, OTHER)
        self.config.write_text(
            f'[daemon]\ndata_dir = "{self.data}"\ncontact = "tests@example.org"\n'
            f'[api]\nlisten = "127.0.0.1:{free_port()}"\n[me]\nfirst_name = "Mario"\nlast_name = "Rossi"\n'
            f'[[dossier]]\nname = "Anna"\n[[pgn]]\npath = "{self.data}/pgn"\n'
        )
        self.config.chmod(0o644)

    def run(self, uid: int, *arguments: str, code: int | None = 0, given: str = "") -> str:
        """What it says, on both streams."""
        cwd = {ROOT: self.root, SERVICE: self.data, OTHER: self.home}[uid]
        ended = self._machine.run(uid, *arguments, "--config", str(self.config), cwd=cwd, given=given)
        said = ended.out + ended.err
        assert "Traceback" not in said
        assert "internal error" not in said, said
        assert code is None or ended.code == code, said
        return said

    def daemon(self) -> Iterator[None]:
        log = self.folder / "daemon.log"
        with self._machine.running(SERVICE, "run", "--config", str(self.config), cwd=self.data, log=log):
            deadline = time.monotonic() + 60
            while "gamekeeper runs" not in log.read_text():
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)
            yield

    def strangers(self) -> list[Path]:
        """What in the data folder is not the service's."""
        everything = [self.data, *self.data.rglob("*")]
        return [path for path in everything if path.lstat().st_uid != SERVICE]


@pytest.fixture
def layout(machine: Machine) -> Iterator[Layout]:
    """An archive that the service has made."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        layout = Layout(Path(name), machine)
        (layout.folder / "club.pgn").write_text(f"{GAME}\n{SECOND}\n{BAD}")
        layout.run(SERVICE, "import", str(layout.folder / "club.pgn"), code=1)
        yield layout


def found(commands: Sequence[Sequence[str]]) -> set[str]:
    return {command[0] for command in commands}


def test_every_command_is_tried() -> None:
    """A new command has to say here what it does for whom."""
    elsewhere = {"run", "import", "restore", "init"}
    assert found([*ASKING, *READING, *WRITING, *FREE]) | elsewhere >= set(COMMANDS)


def test_root_acts_as_the_owner(layout: Layout) -> None:
    """Every command that root runs does what it does for the service's user, and all files stay the service's."""
    for uid in (ROOT, SERVICE):
        layout.run(uid, "club", "new", "friday", code=None)
        for command in (*WRITING, *READING, *ASKING, *FREE):
            layout.run(uid, *(word.format(n=1 if uid == ROOT else 2) for word in command))
            assert layout.strangers() == [], command


def test_somebody_else_asks_the_daemon(layout: Layout) -> None:
    """What reads is answered by the daemon; what would write says who may; nothing fails for what cannot be seen."""
    for command in (*READING, *WRITING, ("import", str(layout.folder / "club.pgn"))):
        said = layout.run(OTHER, *(word.format(n=1) for word in command), code=78)
        assert "`sudo gamekeeper …` acts as" in said, command
    for command in FREE:
        layout.run(OTHER, *command)
    for _ in layout.daemon():
        for command in ASKING:
            assert "asking the daemon at" in layout.run(OTHER, *command)
            layout.run(ROOT, *command)
    assert layout.strangers() == []


def test_root_imports_what_only_root_may_read(layout: Layout) -> None:
    """Files, folders and packed files are opened before root becomes the service's user, and keep their paths."""
    (layout.root / "games").mkdir()
    (layout.root / "games" / "one.pgn").write_text(GAME.replace("2024", "2023"))
    (layout.root / "two.pgn").write_text(GAME.replace("2024", "2022"))
    (layout.root / "two.pgn").chmod(0o600)
    said = layout.run(ROOT, "import", "games", "two.pgn", "nothing.pgn", code=1)
    assert "new          2" in said
    assert "nothing.pgn: No such file" in said
    again = layout.run(ROOT, "import", str(layout.root / "games"), "two.pgn")
    assert "(2 more unchanged)" in again
    assert "new          1" in layout.run(ROOT, "import", "-", given=GAME.replace("2024", "2021"))
    assert layout.strangers() == []


def test_root_restores_what_only_root_may_read(layout: Layout) -> None:
    """The archive afterwards is the service's."""
    backup = Path(layout.run(ROOT, "backup").strip())
    mine = Path(shutil.copy(backup, layout.root / "mine.sqlite"))
    os.chown(mine, 0, 0)
    layout.run(ROOT, "import", "-", given=GAME.replace("2024", "2021"))
    said = layout.run(ROOT, "restore", "mine.sqlite", "--yes")
    assert "restored 2 games" in said
    assert layout.strangers() == []
    assert sorted(path.name for path in layout.data.glob("*.given*")) == []
    assert "2" in layout.run(SERVICE, "status")


def test_root_writes_where_only_root_may(layout: Layout) -> None:
    """An export is made in root's folder, whole, and is root's; what is there is not replaced unasked."""
    layout.run(ROOT, "export", "-o", "all.pgn")
    assert (layout.root / "all.pgn").read_text().count("[White ") == 2
    assert Owner.of(layout.root / "all.pgn").uid == 0
    assert "--force" in layout.run(ROOT, "export", "-o", "all.pgn", code=2)
    layout.run(ROOT, "export", "-o", str(layout.root / "all.pgn"), "--force")
    layout.run(ROOT, "export", "-o", "none/all.pgn", code=1)
    layout.run(ROOT, "club", "new", "friday")
    (layout.root / "members.csv").write_text('name,rating\n"Rossi, Mario",1500\n"Bianchi, Anna",1400\n')
    layout.run(ROOT, "club", "members", "import", "friday", "members.csv")
    assert layout.run(ROOT, "club", "export", "csv", "friday").strip() == "friday-standings-0.csv"
    assert "Rossi" in (layout.root / "friday-standings-0.csv").read_text()
    assert "--force" in layout.run(ROOT, "club", "export", "csv", "friday", "-o", str(layout.root), code=1)
    assert [path.name for path in layout.root.iterdir() if path.name.startswith(".")] == []
    assert layout.strangers() == []


def test_tokens_of_the_service(layout: Layout) -> None:
    """A token file that only the service may read is not a fault for others; they ask with a copy of their own."""
    token = layout.data / "token"
    own = layout.home / "token"
    for path, uid in ((token, SERVICE), (own, OTHER)):
        path.write_text("s3cret-0123456789")
        path.chmod(0o600)
        os.chown(path, uid, uid)
    text = layout.config.read_text()
    layout.config.write_text(text.replace("[me]", f'token_file = "{token}"\n[me]', 1))
    layout.run(OTHER, "check-config")
    for _ in layout.daemon():
        assert "Rossi" in layout.run(OTHER, "search", "ros", "--token-file", "token")
        assert "Authorization: Bearer" in layout.run(OTHER, "search", "ros", code=1)
        assert "Rossi" in layout.run(ROOT, "search", "ros")


def test_a_file_with_the_wrong_owner(layout: Layout) -> None:
    """`status` says whose it is and what mends it, for the service and over its API; and a lock stops a sync in words."""
    lock = layout.data / "lichess.lock"
    lock.write_text("")
    lock.chmod(0o600)
    os.chown(lock, 0, 0)
    mend = f"sudo chown -h {SERVICE}:{SERVICE} {lock}"
    assert mend in layout.run(SERVICE, "status", code=1)
    assert mend in layout.run(ROOT, "status", code=1)
    for _ in layout.daemon():
        assert mend in layout.run(OTHER, "status", code=1)
    os.chown(lock, SERVICE, SERVICE)
    layout.run(SERVICE, "status")


def test_where_the_owner_cannot_be_told(layout: Layout) -> None:
    """Root refuses a folder of its own with the service's archive in it, and says what mends it."""
    os.chown(layout.data, 0, 0)
    said = layout.run(ROOT, "games", code=78)
    assert f"sudo chown {SERVICE}:{SERVICE} {layout.data}" in said
