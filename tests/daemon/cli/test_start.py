"""What commands load before they answer: loading is most of the time that a reading command takes."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

HEAVY: Final = (
    *(
        "alembic",
        "apscheduler",
        "asyncpg",
        "attr",
        "chess",
        "fastapi",
        "httpx",
        "psycopg",
        "pygments",
        "sqlalchemy.orm",
    ),
    *("sqlalchemy.dialects.postgresql", "starlette", "structlog", "uvicorn", "watchfiles"),
    *("core.pgn.reader", "daemon.imports.parsers", "daemon.sync.worker", "fetchers.http.door"),
    *("pydantic", "sqlalchemy", "rich.console", "multiprocessing", "core.club.pairing"),
)
"""Modules that take 10 ms and more to load, with what they load."""

PRINT: Final = """
import sys
from daemon.cli import main
try:
    main(sys.argv[2:], standalone_mode=False)
finally:
    print(*(name for name in sys.argv[1].split() if name in sys.modules), file=sys.stderr)
"""


def loaded_by(folder: Path, arguments: Sequence[str]) -> set[str]:
    """The heavy modules that a command loads which runs in *folder*."""
    done = subprocess.run(
        [sys.executable, "-c", PRINT, " ".join(HEAVY), *arguments],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a configuration and an archive of one game."""
    made = tmp_path_factory.mktemp("start")
    (made / "gamekeeper.toml").write_text('[daemon]\ncontact = "me@example.org"\n')
    (made / "one.pgn").write_text('[White "Rossi, Mario"]\n[Black "Neri, A"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    command = [sys.executable, "-c", "from daemon.cli import main; main()", "import", "one.pgn"]
    subprocess.run(command, cwd=made, env={**os.environ, "HOME": str(made)}, check=True, capture_output=True)
    return made


def test_help_loads_nothing_heavy(folder: Path) -> None:
    """The list of commands is known without any of them."""
    assert loaded_by(folder, ["--help"]) == set()


@pytest.mark.parametrize(
    "arguments", [["status"], ["games"], ["search", "ros"], ["games", "--json"]], ids=" ".join
)
def test_commands_that_read_load_what_reads(folder: Path, arguments: list[str]) -> None:
    """The archive and the configuration; no chess, no logs, no server's database, nothing of syncs and imports."""
    assert loaded_by(folder, arguments) == {"pydantic", "sqlalchemy"}
