"""`gamekeeper backup`: a checked copy of the archive."""

from pathlib import Path

import click

from daemon.cli.context import Context, pass_context


@click.command
@click.option(
    "--to",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write it (default: [backup] folder, else the folder backups in data_dir).",
)
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    help="Keep only this many there: the newest, and others spread over the last hours, days and weeks "
    "(default: [backup] keep; with --to all stay).",
)
@pass_context
def command(context: Context, folder: Path | None, keep: int | None) -> None:
    """Make a backup of the archive: one file, named after the time, readable only by you.

    Everything else may go on meanwhile, the daemon too. The copy is checked before it counts as a backup. `gamekeeper
    restore FILE` brings it back.
    """
    from daemon.archive.sqlite import FileArchive
    from daemon.service.backups import back_up

    config = context.config()
    archive = context.archive()
    if not isinstance(archive, FileArchive):
        raise click.ClickException(_pg_dump(archive.where))
    if keep is None and folder is None:
        keep = config.backup.keep
    made = back_up(archive, folder or config.backup_folder(), keep=keep)
    if context.json:
        gone = [str(path) for path in made.gone]
        context.emit({"path": str(made.path), "bytes": made.path.stat().st_size, "taken_away": gone})
        return
    click.echo(made.path)
    for path in made.gone:
        context.note(f"removed: {path}")


def _pg_dump(where: str) -> str:
    url = where.replace("postgresql+psycopg://", "postgresql://", 1).replace(":***@", "@")
    return (
        "the archive is a PostgreSQL database; back it up with PostgreSQL's own program:\n"
        f"  pg_dump --format=custom --file=gamekeeper.dump '{url}'\n"
        "and restore it (stop gamekeeper first) with:\n"
        f"  pg_restore --clean --if-exists --no-owner --dbname='{url}' gamekeeper.dump"
    )
