"""`gamekeeper club export`: a tournament as files."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from daemon.cli.club.confirming import season, told, tournament_argument
from daemon.cli.context import Context, pass_context
from daemon.cli.given import remember_output
from daemon.cli.placing import placed

if TYPE_CHECKING:
    from daemon.club.files import Export

_F = TypeVar("_F", bound=Callable[..., object])


@click.group()
def command() -> None:
    """Write a tournament as a file named after its short name; an existing file is kept unless --force."""


def _file_options(function: _F) -> _F:
    to = click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, allow_dash=True),
        callback=remember_output,
        help='A file or folder; "-" is standard output (default: here).',
    )
    force = click.option("--force", is_flag=True, help="Overwrite the file if there is one.")
    return to(force(function))


def _round_option(function: _F) -> _F:
    return click.option(
        "--round", "number", type=click.IntRange(0), help="After this round (default: the last)."
    )(function)


@command.command()
@tournament_argument
@click.option("--new", multiple=True, metavar="PLAYER", help="Is new to rated tournaments.")
@_file_options
@pass_context
def turnering(
    context: Context, tournament: str, new: Sequence[str], output: Path | None, *, force: bool
) -> None:
    """The results file for FESA's rating."""
    from daemon.club.files import turnering as write

    row = season(context, tournament)[1]
    _write(context, told(lambda: write(row, new=new)), output, force=force)


@command.command()
@tournament_argument
@_file_options
@pass_context
def trf(context: Context, tournament: str, output: Path | None, *, force: bool) -> None:
    """FIDE's tournament report."""
    from daemon.club.files import report

    _write(context, told(report, season(context, tournament)[1]), output, force=force)


@command.command()
@tournament_argument
@_round_option
@_file_options
@pass_context
def html(context: Context, tournament: str, number: int | None, output: Path | None, *, force: bool) -> None:
    """Standings, cross table and rounds as one page, to be shown or printed in colour or black and white."""
    from daemon.club.files import Export
    from daemon.club.web_page import html as write

    row = season(context, tournament)[1]
    data = told(write, row, number)
    last = len(row.complete) if number is None else number
    _write(context, Export(f"{row.tournament.slug}-round-{last}.html", data), output, force=force)


@command.command("csv")
@tournament_argument
@click.option("--pairings", is_flag=True, help="The boards and results instead of the table.")
@_round_option
@_file_options
@pass_context
def csv_(
    context: Context,
    tournament: str,
    number: int | None,
    output: Path | None,
    *,
    pairings: bool,
    force: bool,
) -> None:
    """The table, or all pairings, for spreadsheets."""
    from daemon.club.files import pairings_csv, standings_csv

    write = pairings_csv if pairings else standings_csv
    _write(context, told(write, season(context, tournament)[1], number), output, force=force)


def _write(context: Context, export: "Export", output: Path | None, *, force: bool) -> None:
    for note in export.notes:
        context.note(note)
    if output is not None and str(output) == "-":
        sys.stdout.buffer.write(export.data)
        return
    path = _put(export, output or Path(), force=force)
    if context.json:
        context.emit({"file": str(path), "bytes": len(export.data), "notes": list(export.notes)})
    else:
        click.echo(str(path))


def _put(export: "Export", output: Path, *, force: bool) -> Path:
    """Write a file; what is there stays whole until all of the new one is on the disk."""
    try:
        with placed(output, name=export.name, force=force) as (file, path):
            file.write(export.data)
    except FileExistsError as error:
        raise click.ClickException(f"{error.filename} exists: --force overwrites it") from error
    return path
