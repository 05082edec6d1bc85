"""Facts about the archive itself, one text each."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from daemon.archive.tables.main import settings


def get(connection: Connection, name: str) -> str | None:
    """The value of this setting, None if it has none."""
    return get_all(connection, name).get(name)


def get_all(connection: Connection, *names: str) -> Mapping[str, str]:
    """The values of those of these settings that have one."""
    found = connection.execute(select(settings.c.name, settings.c.value).where(settings.c.name.in_(names)))
    return {row.name: row.value for row in found}


def put(connection: Connection, name: str, value: str) -> None:
    """Store this setting, replacing any value that it has."""
    drop(connection, name)
    connection.execute(settings.insert().values(name=name, value=value))


def drop(connection: Connection, name: str) -> None:
    """Let this setting have no value."""
    connection.execute(delete(settings).where(settings.c.name == name))
