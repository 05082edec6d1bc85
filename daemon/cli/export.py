"""`gamekeeper export`: games as a file, complete, in constant memory."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

import click

from core.plurals import count_of
from daemon.cli.context import Context, pass_context
from daemon.cli.damaged import damaged_left_out, print_left_out
from daemon.cli.file_arguments import remember_output
from daemon.cli.filter_options import filter_options, read_filters
from daemon.cli.games import words
from daemon.cli.output_files import placed
from daemon.cli.signals import stopped_by_signals
from daemon.cli.source_choice import api_options, ask, refuse_unknown

if TYPE_CHECKING:
    from daemon.export import ExportFormat

_FORMATS: Final = ("pgn", "ndjson", "csv")
"""The permissions of a new file, before the user's mask."""


@click.command()
@click.argument("query", nargs=-1)
@filter_options
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="pgn, ndjson (one JSON object a line) or csv. (Default: by the name of the file, else pgn.)",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    default="-",
    callback=remember_output,
    metavar="FILE",
    help="The file to write; - is standard output.  [default: -]",
)
@click.option(
    "--tellings", is_flag=True, help="Of PGN: every telling of each game, byte for byte as it came."
)
@click.option("--force", is_flag=True, help="Overwrite the file if there is one.")
@api_options
@pass_context
def command(
    context: Context,
    /,
    query: tuple[str, ...],
    form: str | None,
    output: Path,
    *,
    tellings: bool,
    force: bool,
    **fields: Any,
) -> None:
    """Write to a file the games that `gamekeeper games` lists with the same QUERY and options; without any, all.

    PGN has each game as in its first telling, in UTF-8, with your edits; imported elsewhere it gives the same games,
    players and comments. The file appears when it is complete.
    """
    chosen = _format(form, output)
    if tellings and chosen != "pgn":
        raise click.UsageError("--tellings needs --format pgn")
    filters = read_filters(words(query, fields))
    source = ask(context)
    refuse_unknown(source, filters.dossier, filters.account)
    written = 0
    with (
        stopped_by_signals() as stop,
        _opened(output, force=force) as file,
        _progress(context, output) as progress,
    ):
        pieces = source.export(chosen, filters, tellings=tellings)
        with damaged_left_out() as left_out:
            for piece in pieces:
                if stop.is_set():
                    raise click.ClickException("stopped before the end")
                file.write(piece)
                written += len(piece)
                progress(written)
    if output != Path("-"):
        context.note(f"{output}: {count_of(written, 'byte')}" + ("" if written else ": no games found"))
    print_left_out(left_out)


def _format(form: str | None, output: Path) -> "ExportFormat":
    """The named format, or the one of the file's ending.

    Raises:
        UsageError: the ending is of no known format; PGN in a file of such a name would mislead its readers.
    """
    suffix = output.suffix.lower().removeprefix(".")
    if form is None and suffix and suffix not in _FORMATS:
        raise click.UsageError(
            f'the format of files that end in ".{suffix}" is unknown: say --format pgn, ndjson or csv'
        )
    return cast("ExportFormat", form or suffix or "pgn")


@contextmanager
def _opened(output: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Open the file to write to.

    Raises:
        BadParameter: something else has its name.
    """
    if output == Path("-"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with placed(output, force=force) as (file, _):
            yield file
    except FileExistsError as error:
        message = f"{output} exists; --force overwrites it"
        raise click.BadParameter(message, param_hint="--output") from error


@contextmanager
def _progress(context: Context, output: Path) -> Iterator[Callable[[int], None]]:
    """How much is written, on a terminal.

    Nothing elsewhere, or if the games themselves go to the terminal.
    """
    shown = output != Path("-") or not sys.stdout.isatty()
    if context.verbosity < 0 or not sys.stderr.isatty() or not shown:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import DownloadColumn, Progress, SpinnerColumn, TimeElapsedColumn, TransferSpeedColumn

    columns = (SpinnerColumn(), DownloadColumn(), TransferSpeedColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda written: bar.update(task, completed=written)
