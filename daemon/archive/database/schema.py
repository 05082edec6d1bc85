"""Which schema an archive has, and how an older one is brought to ours.

The whole way is one transaction: whatever happens to the process, the old or the new schema is there.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from core.plurals import count_of
from daemon.archive.errors import ArchiveError, MigrationFailed, SchemaTooNew, SchemaTooOld
from daemon.archive.tables.main import metadata

if TYPE_CHECKING:
    from alembic.config import Config

_FOLDER: Final = Path(__file__).parents[1] / "migrations"


@dataclass(frozen=True, slots=True)
class Schema:
    """The newest revision that this program knows, and the folders that hold the revisions up to it."""

    head: str
    folders: tuple[Path, ...] = (_FOLDER / "versions",)


CURRENT: Final = Schema("0014")
"""Given here so that a current archive is recognised without loading Alembic; a test keeps it true."""


def version(connection: Connection) -> str | None:
    """The revision of the archive; None if nothing was ever built in it."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def require(connection: Connection, schema: Schema) -> None:
    """Refuse to write into an archive of another schema: it may have been migrated while we ran.

    Raises:
        SchemaTooOld: it has an older schema, or is not an archive.
        SchemaTooNew: it has a newer one.
    """
    try:
        found = connection.scalar(text("SELECT version_num FROM alembic_version"))
    except DBAPIError as error:
        raise SchemaTooOld(
            "this database is not an archive yet; start gamekeeper again, which makes one"
        ) from error
    if found != schema.head:
        _refuse_newer(found, schema)
        what = f"the archive has schema {found}, and this program needs {schema.head}"
        raise SchemaTooOld(f"{what}; start gamekeeper again, which brings it there")


def needs_upgrade(connection: Connection, schema: Schema) -> bool:
    """Whether the archive is older than the program.

    Raises:
        SchemaTooNew: it is newer.
        ArchiveError: it is somebody else's database.
    """
    found = version(connection)
    if found == schema.head:
        return False
    if found is not None:
        _refuse_newer(found, schema)
    else:
        _refuse_foreign(connection)
    return True


def upgrade(connection: Connection, schema: Schema) -> None:
    """Run the missing revisions in the transaction of *connection*.

    Raises:
        MigrationFailed: rows would point nowhere (SQLite does not say so by itself while foreign keys are
            off).
    """
    from alembic import command

    config = _config(schema)
    config.attributes["connection"] = connection
    command.upgrade(config, schema.head)
    if connection.dialect.name == "sqlite":
        astray = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if astray:
            raise MigrationFailed(
                f"the migration to {schema.head} failed: {count_of(len(astray), 'row')} would point nowhere. The archive "
                "is as it was before; go on with the older gamekeeper, whose `verify` names the rows, and report it"
            )


def _config(schema: Schema) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(str, schema.folders)).replace("%", "%%"))
    return config


def known(schema: Schema) -> frozenset[str]:
    """Every revision that leads to the head."""
    from alembic.script import ScriptDirectory

    revisions = ScriptDirectory.from_config(_config(schema)).walk_revisions("base", schema.head)
    return frozenset(revision.revision for revision in revisions)


def _refuse_newer(found: str | None, schema: Schema) -> None:
    if found not in known(schema):
        raise SchemaTooNew(
            f"the archive has schema {found}, written by a newer gamekeeper; this one knows up to {schema.head}. "
            "Install the newer version, or put back the copy that was made before the migration: "
            "`gamekeeper restore FILE`"
        )


def _refuse_foreign(connection: Connection) -> None:
    present = set(inspect(connection).get_table_names())
    ours = present & set(metadata.tables)
    if ours or (present and connection.dialect.name == "sqlite"):
        named = ", ".join(sorted(ours or present)[:3])
        raise ArchiveError(f"the database holds tables of something else ({named}, …); choose an empty one")
