"""`gamekeeper restore`: replaces the archive by a backup."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.plurals import count_of
from daemon.cli.context import Context, make_data_dir, pass_context
from daemon.cli.file_arguments import GivenPath

if TYPE_CHECKING:
    from daemon.archive.sqlite import FileArchive


@click.command
@click.argument("file", type=GivenPath(path_type=Path, exists=True, dir_okay=False))
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_context
def command(context: Context, file: Path, *, yes: bool) -> None:
    """Put the backup FILE in the archive's place.

    It is copied and checked first, and brought to this version if an older one made it. The present archive
    is kept beside the new one, even if it is damaged. The daemon must not run meanwhile.
    """
    from daemon.archive.database.files import logs_of
    from daemon.archive.restore import prepared, switch, to_ourselves

    context.given.extend(str(one) for one in logs_of(file))
    archive, folder = _archive(context)
    with (
        to_ourselves(archive, folder),
        _no_syncs(folder),
        _readable(file, archive) as readable,
        prepared(archive, readable, name=file.name) as ready,
    ):
        if not yes:
            what = f"{file} has {count_of(ready.games, 'game')}. Replace {archive.path} with it?"
            click.confirm(what, abort=True, err=True)
        kept = switch(archive, ready)
    if context.json:
        answer = {"restored": str(file), "games": ready.games, "schema": ready.schema}
        context.emit({**answer, "kept": None if kept is None else str(kept)})
        return
    click.echo(f"restored {count_of(ready.games, 'game')} from {file}")
    if kept is not None:
        click.echo(f"the archive before is kept as {kept}")


@contextmanager
def _readable(file: Path, archive: "FileArchive") -> Iterator[Path]:
    """*file*, or a copy of it beside the archive if the archive's owner may not read root's file."""
    from daemon.archive.database.files import LOGS, beside, new_file, remove_database
    from daemon.imports import held_files

    if not held_files.is_held(file) or os.access(file, os.R_OK):
        yield file
        return
    copy = beside(archive.path, ".given")
    try:
        new_file(copy)
        for tail in ("", *LOGS):
            if tail == "" or held_files.is_held(beside(file, tail)):
                with (
                    held_files.open_file(beside(file, tail)) as source,
                    beside(copy, tail).open("wb") as target,
                ):
                    shutil.copyfileobj(source, target, 1 << 20)
        yield copy
    finally:
        remove_database(copy)


@contextmanager
def _no_syncs(folder: Path) -> Iterator[None]:
    from core.sites import SITES
    from daemon.archive.errors import AlreadyRunning
    from daemon.sync.site_lock import site_lock

    with ExitStack() as stack:
        for site in SITES:
            if not stack.enter_context(site_lock(folder, site)):
                raise AlreadyRunning(f"a download from {site} is running; let it end first, or stop it")
        yield


def _archive(context: Context) -> tuple["FileArchive", Path]:
    """The archive of the configuration, which may be damaged or missing, and the data folder."""
    from daemon.archive.archive import open_archive
    from daemon.archive.sqlite import FileArchive

    config = context.config()
    context.act_as_owner()
    make_data_dir(config.data_dir)
    archive = open_archive(config.database_url(), backup_folder=config.backup_folder())
    if not isinstance(archive, FileArchive):
        raise click.ClickException(
            "the archive is a PostgreSQL database; `gamekeeper backup` says how to restore one with pg_restore"
        )
    return archive, config.data_dir
