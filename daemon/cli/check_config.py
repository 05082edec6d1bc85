"""`gamekeeper check-config`: lists all problems of the configuration, or its values if there are none."""

import os
from collections.abc import Iterator

import click

from daemon.cli import exits
from daemon.cli.context import Context, pass_context
from daemon.config import Config, ConfigErrors, ConfigProblem


@click.command("check-config")
@pass_context
def command(context: Context) -> None:
    """Check the configuration and show all its problems, each with its place and a hint."""
    try:
        config = Config.load(context.config_path)
    except ConfigErrors as errors:
        _report(context, None, errors.problems, errors.hints)
        click.get_current_context().exit(exits.UNUSABLE)
    _report(context, config, (), (*config.hints, *_namesakes(context, config)))


def _namesakes(context: Context, config: Config) -> Iterator[ConfigProblem]:
    """Players with the name of a dossier who are not in it, if there is a readable archive."""
    from daemon.archive.errors import ArchiveError
    from daemon.archive.reading.namesakes import Headed, left_out

    if config.daemon.database is not None or not os.access(config.database_url(), os.R_OK | os.W_OK):
        return
    try:
        with context.archive_to_read().reading() as connection:
            for dossier in config.dossiers():
                headed = Headed(dossier.name, dossier.names, dossier.fide_id, dossier.accounts)
                for one in left_out(connection, headed):
                    yield ConfigProblem(str(config.file), 0, 0, f'dossier "{dossier.name}": {one}')
    except ArchiveError as error:
        yield ConfigProblem(
            str(config.file),
            0,
            0,
            f"the archive was not searched for players with the dossiers' names: {error}",
        )


def _report(
    context: Context,
    config: Config | None,
    problems: tuple[ConfigProblem, ...],
    hints: tuple[ConfigProblem, ...],
) -> None:
    if context.json:
        summary = _summary(config) if config else None
        rows = {"problems": [_row(problem) for problem in problems], "hints": [_row(hint) for hint in hints]}
        context.emit({"ok": not problems, **rows, "summary": summary})
        return
    for problem in problems:
        click.echo(str(problem), err=True)
    for hint in hints:
        click.echo(f"hint: {hint}", err=True)
    if config:
        click.echo(f"{config.file}: ok")
        for name, value in _summary(config).items():
            click.echo(f"  {name}: {value}")


def _row(problem: ConfigProblem) -> dict[str, object]:
    place = {"file": problem.file, "line": problem.line or None, "column": problem.column or None}
    return {**place, "message": problem.message, "hint": problem.hint}


def _summary(config: Config) -> dict[str, object]:
    accounts = config.accounts()
    return {
        "data_dir": str(config.data_dir),
        "database": "PostgreSQL" if config.daemon.database else "SQLite",
        "listen": str(config.api.listen),
        "accounts": len(accounts),
        "own_accounts": sum(account.mine for account in accounts),
        "dossiers": len(config.dossier),
        "pgn_folders": len(config.pgn),
    }
