"""Damaged games: a command leaves them out, goes on, and says so at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from daemon.cli import exits
from daemon.cli.output import printable

_SHOWN: Final = 20


@contextmanager
def damaged_left_out() -> Iterator[list[str]]:
    """Within it `GamesLeftOut` may end a walk over games; the list then has what was left out."""
    from daemon.archive.errors import GamesLeftOut

    notes: list[str] = []
    try:
        yield notes
    except GamesLeftOut as error:
        notes += error.notes


def print_left_out(notes: list[str]) -> None:
    """List the missing games on standard error, even with --quiet, and exit with the code for problems."""
    for note in notes[:_SHOWN]:
        click.echo(f"left out: {printable(note)}", err=True)
    if len(notes) > _SHOWN:
        click.echo(f"left out: {len(notes) - _SHOWN} more; `gamekeeper verify` lists them", err=True)
    if notes:
        click.get_current_context().exit(exits.PROBLEMS)
