"""An installation of the program in a folder: its configuration, its commands, its daemon as a real process."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from click.testing import CliRunner

from daemon.cli import main
from tests.fetchers.site_emulator.emulator import Emulator

COMMAND = Path(sys.executable).with_name("gamekeeper")
PATIENCE = 60.0
_ROOT = Path(__file__).parents[2]

T = TypeVar("T")


class Installation:
    """A folder with a configuration; the sites are emulated ones, or nobody listens there."""

    def __init__(self, folder: Path, sites: Emulator | None = None) -> None:
        self.folder = folder
        self.port = free_port()
        self.pgn = folder / "pgn"
        self.file = folder / "gamekeeper.toml"
        # Port 1 answers nowhere: a machine without a network.
        self._lichess = sites.lichess_url if sites else "http://127.0.0.1:1"
        self._chesscom = sites.chesscom_url if sites else "http://127.0.0.1:1/pub"

    def configure(
        self,
        *,
        mine: Sequence[str] = (),
        dossiers: dict[str, Sequence[str]] | None = None,
        database: str | None = None,
        extra: str = "",
    ) -> None:
        """Write the configuration: own accounts, and dossiers by name; SQLite unless *database* is a URL."""
        server = f'database = "{database}"' if database else ""
        blocks = "".join(
            f'[[dossier]]\nname = "{name}"\naccounts = {json.dumps(list(accounts))}\n'
            for name, accounts in (dossiers or {}).items()
        )
        self.file.write_text(
            f"""
[daemon]
data_dir = "{self.folder / "data"}"
contact = "tests@example.org"
{server}
[api]
listen = "127.0.0.1:{self.port}"
[me]
first_name = "Mario"
last_name = "Rossi"
aliases = {json.dumps(list(mine))}
[[pgn]]
path = "{self.pgn}"
[sites.lichess]
base_url = "{self._lichess}"
[sites.chesscom]
base_url = "{self._chesscom}"
{blocks}
{extra}
"""
        )

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """One command, to its end."""
        return subprocess.run(
            [COMMAND, *arguments, "--config", self.file],
            capture_output=True,
            text=True,
            input=stdin,
            timeout=PATIENCE * 2,
            check=False,
        )

    def call(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """One command, to its end, in this process: much quicker, where nothing depends on a process of its own."""
        result = CliRunner().invoke(main, [*arguments, "--config", str(self.file)], input=stdin)
        return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)

    def json(self, *arguments: str) -> Any:
        """What one command prints with --json."""
        ended = self.call(*arguments, "--json")
        assert ended.stdout, ended.stderr
        return json.loads(ended.stdout)

    def start(self) -> "subprocess.Popen[str]":
        """The daemon, in the background; its log goes to `self.log`."""
        with self.log.open("a") as log:
            return subprocess.Popen(
                [*_program(), "run", "--config", self.file],
                stderr=log,
                stdout=log,
                text=True,
                cwd=self.folder,
                env=None if COMMAND.exists() else os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            )

    @property
    def log(self) -> Path:
        """The daemon's log."""
        return self.folder / "daemon.log"

    @contextmanager
    def daemon(self) -> Iterator["subprocess.Popen[str]"]:
        """The daemon while it runs; it must end cleanly on SIGTERM."""
        process = self.start()
        try:
            self.until(lambda: self.get("health"))
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(PATIENCE)
        assert code == 0, self.log.read_text()

    def get(self, path: str) -> Any:
        """The answer to ``/api/v1/<path>``, None while nobody answers or it is not there."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/api/v1/{path}", timeout=PATIENCE) as answer:
                return json.load(answer)
        except HTTPError as error:
            error.close()
            return None
        except (URLError, ConnectionError):
            return None

    def until(self, look: Callable[[], T | None]) -> T:
        """What *look* finds, as soon as it finds something."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = look()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"nothing came within {PATIENCE} s; the log:\n{self._log_text()}")

    def _log_text(self) -> str:
        return self.log.read_text() if self.log.exists() else "(none)"


def _program() -> list[str | Path]:
    """The installed command, or that of the tree where Python has the requirements alone."""
    return [COMMAND] if COMMAND.exists() else [sys.executable, _ROOT / "packaging/bin/gamekeeper"]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
