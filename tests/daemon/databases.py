"""The databases of a PostgreSQL server that tests use one after the other.

Making one from a template copies hundreds of files; emptying one that a test has left takes a few milliseconds. A database
whose schema a test has changed is not used again.
"""

import uuid
from collections.abc import Iterator
from typing import Any, Final

import psycopg
from psycopg import sql

TEMPLATE: Final = "template_archive"
_SCHEMA: Final = """
SELECT md5(string_agg(line, E'\\n' ORDER BY line)) FROM (
    SELECT concat_ws(' ', c.relname, c.relkind, c.reloptions, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull)
    FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', adrelid::regclass, adnum, pg_get_expr(adbin, adrelid)) FROM pg_attrdef
    UNION ALL SELECT concat_ws(' ', nspname) FROM pg_namespace WHERE nspname NOT LIKE 'pg_%'
    UNION ALL SELECT concat_ws(' ', tgrelid::regclass, tgname) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT array_to_string(setconfig, ' ') FROM pg_db_role_setting
) AS schema (line)
"""


class Databases:
    """Databases with an empty archive each, on the server of *url* (its maintenance database, as SQLAlchemy writes it).

    The database `TEMPLATE` is what they are made from.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._server = psycopg.connect(_plain(url), autocommit=True)
        self._spare: list[str] = []
        with self._inside(TEMPLATE) as connection:
            self._schema = _one(connection, _SCHEMA)
            self._empty = "; ".join(
                [
                    "SET session_replication_role = replica",
                    *_emptying(connection),
                ]  # no checks of foreign keys
            )

    def url(self, name: str) -> str:
        """The URL of a database of the server."""
        return self._url.replace("/postgres?", f"/{name}?")

    def take(self) -> str:
        """The name of a database that nobody uses."""
        if self._spare:
            return self._spare.pop()
        name = f"test_{uuid.uuid4().hex}"
        self._do(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        return name

    def give_back(self, name: str) -> None:
        """Empty the database for the next test, or drop it where it is no longer as it was."""
        self._do(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'")
        if self._emptied(name):
            self._spare.append(name)
        else:
            self._do(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def close(self) -> None:
        """Let go of the server."""
        self._server.close()

    def _do(self, statement: str) -> None:
        self._server.execute(statement.encode())

    def _emptied(self, name: str) -> bool:
        try:
            with self._inside(name) as connection:
                if _one(connection, _SCHEMA) != self._schema:
                    return False
                connection.execute(self._empty.encode())
        except psycopg.OperationalError:  # the test has dropped or locked it
            return False
        return True

    def _inside(self, name: str) -> psycopg.Connection[Any]:
        return psycopg.connect(_plain(self.url(name)))


def _plain(url: str) -> str:
    """The URL as libpq writes it."""
    return url.replace("postgresql+psycopg://", "postgresql://")


def _one(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


def _emptying(connection: psycopg.Connection[Any]) -> Iterator[str]:
    """Statements that let every table hold what it holds here."""
    named = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    for (table,) in connection.execute(named).fetchall():
        yield f"DELETE FROM {table}"
        for row in connection.execute(f"SELECT * FROM {table}".encode()).fetchall():
            values = sql.SQL(", ").join(map(sql.Literal, row)).as_string(connection)
            yield f"INSERT INTO {table} VALUES ({values})"
