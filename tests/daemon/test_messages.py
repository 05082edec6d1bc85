"""What a user is told when something goes wrong says what to do, too."""

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from daemon.archive.database import driver_errors
from daemon.archive.errors import ArchiveError, Damaged
from fetchers.errors import Blocked
from fetchers.http.error_responses import refusal
from tests.daemon.sync_rig import NOW

ROOT: Final = Path(__file__).parents[2]


class SqliteError(Exception):
    """As the driver raises it."""

    def __init__(self, code: int) -> None:
        super().__init__("the driver's words")
        self.sqlite_errorcode = code


class ServerError(Exception):
    """As psycopg raises it."""

    def __init__(self, state: str) -> None:
        super().__init__("the server's words")
        self.sqlstate = state


@pytest.mark.parametrize("code", driver_errors._SQLITE)
def test_faults_of_sqlite(code: int) -> None:
    """After the fault comes what to do; for a damaged file, which backup there is."""
    error = driver_errors.explain_sqlite("the archive", lambda: "; restore the backup")(SqliteError(code))
    assert isinstance(error, ArchiveError)
    remedy = str(error).partition("(the driver's words); ")[2]
    assert remedy
    assert (remedy == "restore the backup") == isinstance(error, Damaged)


@pytest.mark.parametrize("state", [*driver_errors._POSTGRESQL, "08006", "28P01", "3D000"])
def test_faults_of_postgresql(state: str) -> None:
    """Likewise."""
    error = driver_errors.explain_postgresql("the archive")(ServerError(state))
    assert str(error).partition("(the server's words); ")[2]


def _calls(folder: str, names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{file.relative_to(ROOT)}:{node.lineno}", node


def test_every_fault_of_the_configuration_has_a_hint() -> None:
    """A wrong value is told together with what to write instead."""
    found = list(_calls("daemon/config", {"WrongValue"}))
    assert found
    assert [place for place, call in found if len(call.args) < 2] == []


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (401, {}, "token_file"),
        (403, {}, "contact"),
        (404, {"content-type": "text/html"}, "contact"),
        (503, {"cf-mitigated": "challenge"}, "wait a day"),
    ],
)
def test_a_refusal_says_what_a_person_can_do(status: int, headers: dict[str, str], said: str) -> None:
    """Waiting does not help where a site refuses us."""
    error = refusal("lichess.org", status, headers, b"", now=datetime.fromtimestamp(NOW, UTC))
    assert isinstance(error, Blocked)
    assert said in str(error).partition("; ")[2]
