"""`gamekeeper club export`: writes a tournament to files."""

import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from daemon.cli.club.common import reported, season, tournament_argument
from daemon.cli.club.spelling_options import list_option, read_given_list
from daemon.cli.club.tie_break_options import TieBreakChoice, tie_break_options
from daemon.cli.context import Context, pass_context
from daemon.cli.file_arguments import remember_output
from daemon.cli.output_files import placed
from daemon.clock import now_ms

if TYPE_CHECKING:
    from daemon.club.exported_file import Export
    from daemon.club.paper import PaperFormat

_F = TypeVar("_F", bound=Callable[..., object])


@click.group()
def command() -> None:
    """Write a tournament to a file named after its short name; an existing file is kept unless --force is given."""


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
@list_option
@_file_options
@pass_context
def turnering(
    context: Context,
    tournament: str,
    new: Sequence[str],
    rating_list: Path | None,
    output: Path | None,
    *,
    force: bool,
) -> None:
    """The results file for FESA's rating.

    It passes `club check`; if something is missing, the command says what, and what to do.
    """
    from daemon.club.files import turnering as write
    from daemon.club.turnering_file import remember

    known = read_given_list(rating_list)
    row = season(context, tournament)[1]
    # The computer's own day: results are due in whole days.
    today = date.today()  # noqa: DTZ011 - see above
    export = reported(lambda: write(row, new=new, known=known, today=today))
    if export.found:
        reported(remember, context.archive(), tournament, export.found, now_ms=now_ms())
    _write(context, export, output, force=force)


@command.command()
@tournament_argument
@_file_options
@pass_context
def source(context: Context, tournament: str, output: Path | None, *, force: bool) -> None:
    """Write the results file that the tournament was imported from, byte for byte as it came."""
    from daemon.club.files import source as write

    _write(context, reported(write, season(context, tournament)[1]), output, force=force)


@command.command()
@tournament_argument
@_file_options
@pass_context
def trf(context: Context, tournament: str, output: Path | None, *, force: bool) -> None:
    """Write FIDE's tournament report (TRF)."""
    from daemon.club.files import report

    _write(context, reported(report, season(context, tournament)[1]), output, force=force)


@command.command()
@tournament_argument
@click.option("--standings", is_flag=True, help="Only the standings (and other parts that are named).")
@click.option("--crosstable", is_flag=True, help="Only the cross table.")
@click.option("--rounds", is_flag=True, help="Only the boards of all rounds.")
@click.option("--pairings", is_flag=True, help="Only the boards of one round in large letters, to hang up.")
@click.option(
    "--landscape/--portrait",
    default=None,
    help="The orientation of the paper (default: portrait for --pairings alone).",
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", help="The size of the paper (default: a4)."
)
@click.option(
    "--round", "number", type=click.IntRange(0), help="After this round; with --pairings: this round."
)
@tie_break_options
@_file_options
@pass_context
def html(
    context: Context,
    /,
    tournament: str,
    number: int | None,
    broken: TieBreakChoice,
    output: Path | None,
    paper: "PaperFormat",
    *,
    force: bool,
    **chosen: bool | None,
) -> None:
    """Write standings, cross table and rounds as one page, to show or print in colour or black and white.

    Open it in a browser and print it: no column is lost on paper of that size. A table that is too wide continues in
    further parts, each with the names.
    """
    from daemon.club.exported_file import Export
    from daemon.club.paper import Paper
    from daemon.club.web_page import PARTS, WHOLE, PageLook
    from daemon.club.web_page import html as write

    row = season(context, tournament)[1]
    parts = [part for part in PARTS if chosen[part]]
    landscape = chosen["landscape"]
    lies = parts != ["pairings"] if landscape is None else landscape
    data = reported(
        write, row, number, PageLook(parts or WHOLE, Paper(paper, lies), broken.codes, broken.day)
    )
    last = number
    if last is None:
        last = len(row.listed) if parts == ["pairings"] else len(row.complete)
    shown = "-".join(parts) or "round"
    name = f"{row.tournament.slug}-{shown}-{last}"
    _write(context, Export(f"{name}.html", data), output, force=force)


@command.command("csv")
@tournament_argument
@click.option("--pairings", is_flag=True, help="The boards and results instead of the table.")
@_round_option
@tie_break_options
@_file_options
@pass_context
def csv_(
    context: Context,
    tournament: str,
    number: int | None,
    broken: TieBreakChoice,
    output: Path | None,
    *,
    pairings: bool,
    force: bool,
) -> None:
    """Write the table, or all pairings, for spreadsheets."""
    from daemon.club.files import pairings_csv, standings_csv

    row = season(context, tournament)[1]
    if pairings:
        found = reported(pairings_csv, row, number)
    else:
        found = reported(standings_csv, row, number, broken.codes, broken.day)
    _write(context, found, output, force=force)


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
    """Write a file; an existing one stays whole until all of the new one is on the disk."""
    try:
        with placed(output, name=export.name, force=force) as (file, path):
            file.write(export.data)
    except FileExistsError as error:
        raise click.ClickException(f"{error.filename} exists; --force overwrites it") from error
    return path
